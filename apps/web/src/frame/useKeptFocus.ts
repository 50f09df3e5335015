import { useEffect } from 'react'
import { nearTo, type Place, placeOf } from '../kit/dialog/focus/place.ts'

/** By then, a closing dialog or menu has returned the focus. */
const SETTLED_MS = 60
const GIVES_BACK = '[role=menu], [role=dialog]'

/**
 * Keeps the keyboard's focus when a control disappears or is disabled: the × of a filter, the arrow to the last page, a row removed by the answer
 * to a search. The browser would start again at the top of the page. Here the focus moves to the control beside it, at once unless something else
 * returns it.
 */
export function useKeptFocus(): void {
  useEffect(() => {
    let place: Place = []
    let byKey = false
    let timer: ReturnType<typeof setTimeout> | undefined
    const lost = () => {
      const [focused] = place
      const gone = focused && (!focused.element.isConnected || focused.element.matches(':disabled'))
      // A control that was just disabled still has the focus; the browser takes it away a moment later.
      const active = document.activeElement
      return byKey && gone && (active === document.body || active === focused.element)
    }
    const mend = () => lost() && nearTo(place)?.focus()
    const observer = new MutationObserver(() => {
      clearTimeout(timer)
      const focused = place[0]?.element
      if (!focused || !lost()) return
      if (focused.isConnected || focused.closest(GIVES_BACK)) timer = setTimeout(mend, SETTLED_MS)
      else mend()
    })
    const events = new AbortController()
    const listen = (type: 'focusin' | 'keydown' | 'pointerdown', hear: (target: EventTarget | null) => void) =>
      document.addEventListener(type, ({ target }) => hear(target), { capture: true, signal: events.signal })
    listen('focusin', (target) => {
      if (target instanceof Element) place = placeOf(target)
    })
    listen('keydown', () => {
      byKey = true
    })
    listen('pointerdown', () => {
      byKey = false
    })
    observer.observe(document.body, { childList: true, subtree: true, attributeFilter: ['disabled'] })
    return () => {
      events.abort()
      observer.disconnect()
      clearTimeout(timer)
    }
  }, [])
}
