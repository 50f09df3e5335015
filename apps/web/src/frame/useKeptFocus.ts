import { useEffect } from 'react'
import { nearTo, type Place, placeOf } from '../kit/dialog/place.ts'

/** By then a dialog or a menu that closes has given the focus back by itself. */
const SETTLED_MS = 60
const GIVES_BACK = '[role=menu], [role=dialog]'

/**
 * Somebody at the keyboard presses a button that takes itself away or switches itself off (the × of a filter, the arrow to
 * the last page), or is on a row when the answer to a search takes it away. The browser would start again at the top of
 * the page; here the focus goes to the control beside it: at once where nothing else gives it back.
 */
export function useKeptFocus(): void {
  useEffect(() => {
    let place: Place = []
    let byKey = false
    let timer: ReturnType<typeof setTimeout> | undefined
    const lost = () => {
      const [focused] = place
      const gone = focused && (!focused.element.isConnected || focused.element.matches(':disabled'))
      return byKey && gone && document.activeElement === document.body
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
