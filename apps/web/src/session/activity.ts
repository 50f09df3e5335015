/** Below the age at which a call would refresh the token by itself: a page left alone must not keep its session open. */
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

/** Whether somebody is at this page: it is in view, and a hand moved in the last few minutes. What repeats by itself asks first. */
export function someoneThere(now: number = Date.now()): boolean {
  return document.visibilityState !== 'hidden' && now - last < LOOKED_AT_MS
}
