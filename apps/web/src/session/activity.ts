/** Shorter than the age at which a call refreshes the token, so that a page left alone does not keep its session open. */
const LOOKED_AT_MS = 4 * 60_000

let last = Date.now()
const note = () => {
  last = Date.now()
}

if (typeof window !== 'undefined') {
  for (const event of ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchstart'] as const) {
    window.addEventListener(event, note, { passive: true, capture: true })
  }
}

/** Whether somebody is at this page: it is visible, and there was input in the last few minutes. Automatic repeats check this first. */
export function someoneThere(now: number = Date.now()): boolean {
  return document.visibilityState !== 'hidden' && now - last < LOOKED_AT_MS
}
