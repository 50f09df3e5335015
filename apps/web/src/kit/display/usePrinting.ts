import { useSyncExternalStore } from 'react'
import { flushSync } from 'react-dom'
import { signal } from '../../shared/signal.ts'

let printing = window.matchMedia('print').matches
const { subscribe, announce } = signal()

function set(next: boolean): void {
  if (next === printing) return
  printing = next
  takePaper(next)
  // Drawn before the browser lays out the pages.
  flushSync(announce)
}

let onScreen: string | undefined

/** On paper the light theme's roles apply. Scripts that draw read them from the document, whose theme may be dark. */
function takePaper(next: boolean): void {
  const { dataset } = document.documentElement
  if (next) {
    onScreen = dataset.theme
    dataset.theme = 'light'
    return
  }
  // If the theme differs now, somebody has chosen it in the meantime.
  if (onScreen !== undefined && dataset.theme === 'light') dataset.theme = onScreen
}

window.addEventListener('beforeprint', () => set(true))
window.addEventListener('afterprint', () => set(false))
// For a page shown in print preview only.
window.matchMedia('print').addEventListener('change', (media) => set(media.matches))

/** Whether the page is being printed, so that components that draw only the visible part can draw everything. */
export function usePrinting(): boolean {
  return useSyncExternalStore(subscribe, () => printing)
}
