import { useSyncExternalStore } from 'react'
import { flushSync } from 'react-dom'
import { signal } from '../../shared/signal.ts'

let printing = window.matchMedia('print').matches
const { subscribe, announce } = signal()

function set(next: boolean): void {
  if (next === printing) return
  printing = next
  // Drawn before the browser goes on to lay out the pages.
  flushSync(announce)
}

window.addEventListener('beforeprint', () => set(true))
window.addEventListener('afterprint', () => set(false))
// A page that is only shown as it would be printed.
window.matchMedia('print').addEventListener('change', (media) => set(media.matches))

/** Whether the page is being printed, so that what draws only what is in view can draw all of it. */
export function usePrinting(): boolean {
  return useSyncExternalStore(subscribe, () => printing)
}
