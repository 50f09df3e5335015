import { useSyncExternalStore } from 'react'
import { signal } from './signal.ts'

/** The person's choice; 'system' follows the machine. Stored only in this browser. */
export type SchemeChoice = 'system' | 'light' | 'dark'
export type Scheme = 'light' | 'dark'

/** The file `public/assets/scheme-1.js` reads the same key before the first paint. */
const KEY = 'pillar_theme'
const system = () => window.matchMedia('(prefers-color-scheme: dark)')
const { subscribe, announce } = signal()

/** The scheme of a choice, given whether the machine prefers dark. */
export function schemeOf(choice: SchemeChoice, systemDark: boolean): Scheme {
  if (choice === 'system') return systemDark ? 'dark' : 'light'
  return choice
}

function readChoice(): SchemeChoice {
  try {
    const kept = localStorage.getItem(KEY)
    return kept === 'light' || kept === 'dark' ? kept : 'system'
  } catch {
    return 'system'
  }
}

function apply(): void {
  document.documentElement.dataset.theme = schemeOf(readChoice(), system().matches)
  announce()
}

/** Stores the choice and repaints. If storage is blocked, the page follows the system. */
export function chooseScheme(choice: SchemeChoice): void {
  try {
    if (choice === 'system') localStorage.removeItem(KEY)
    else localStorage.setItem(KEY, choice)
  } catch {
    // There is no storage, so the choice could not outlast this page anyway.
  }
  apply()
}

/** Follows the system and other tabs. Call once per page. */
export function watchScheme(): void {
  system().addEventListener('change', apply)
  window.addEventListener('storage', (event) => {
    if (event.key === KEY) apply()
  })
  apply()
}

/** The scheme on screen. */
export function useScheme(): Scheme {
  return useSyncExternalStore(subscribe, () => schemeOf(readChoice(), system().matches))
}

/** The person's choice, for the menu. */
export function useSchemeChoice(): SchemeChoice {
  return useSyncExternalStore(subscribe, readChoice)
}
