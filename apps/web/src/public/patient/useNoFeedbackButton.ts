import { useEffect } from 'react'

const TIMES = 10
const EVERY_MS = 500
/** A feedback widget, which an installation may add to its pages, inserts its button here some time after loading. */
const BUTTON = '#atlwdg-trigger, [data-feedback-widget]'

/** Hides the button of a feedback widget, which is for staff and not for patients. It checks ten times, half a second apart. */
export function useNoFeedbackButton(): void {
  useEffect(() => {
    let looked = 0
    const timer = setInterval(() => {
      for (const button of document.querySelectorAll<HTMLElement>(BUTTON)) button.hidden = true
      if (++looked === TIMES) clearInterval(timer)
    }, EVERY_MS)
    return () => clearInterval(timer)
  }, [])
}
