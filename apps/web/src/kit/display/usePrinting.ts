import { useSyncExternalStore } from 'react'
import { flushSync } from 'react-dom'
import { signal } from '../../shared/signal.ts'

let printing = window.matchMedia('print').matches
const { subscribe, announce } = signal()

function set(next: boolean): void {
  if (next === printing) return
  printing = next
  takePaper(next)
  // Drawn before the browser goes on to lay out the pages.
  flushSync(announce)
}

let onScreen: string | undefined

/** On paper the roles are those of the light theme: what a script draws reads them from the document, whose theme may be dark. */
function takePaper(next: boolean): void {
  const { dataset } = document.documentElement
  if (next) {
    onScreen = dataset.theme
    dataset.theme = 'light'
    return
  }
  // Another theme by now is what was chosen meanwhile.
  if (onScreen !== undefined && dataset.theme === 'light') dataset.theme = onScreen
}

window.addEventListener('beforeprint', () => set(true))
window.addEventListener('afterprint', () => set(false))
// A page that is only shown as it would be printed.
window.matchMedia('print').addEventListener('change', (media) => set(media.matches))

/** Whether the page is being printed, so that what draws only what is in view can draw all of it. */
export function usePrinting(): boolean {
  return useSyncExternalStore(subscribe, () => printing)
}
