import { useEffect } from 'react'
import { nearTo, type Place, placeOf } from '../kit/dialog/place.ts'

/** By then a dialog or a menu that closes has given the focus back by itself. */
const SETTLED_MS = 60

/**
 * Somebody at the keyboard presses a button that takes itself away or switches itself off: the × of a filter, the arrow to
 * the last page. The browser would start again at the top of the page; here the focus goes to the control beside it.
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
    const observer = new MutationObserver(() => {
      clearTimeout(timer)
      if (lost()) timer = setTimeout(() => lost() && nearTo(place)?.focus(), SETTLED_MS)
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
