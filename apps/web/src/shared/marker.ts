const MARKER = 'pillar_signed_in'

/** Whether somebody signed in on this browser: a cookie without a secret, only for the route guard. */
export function hasMarker(cookies: string = document.cookie): boolean {
  return cookies.split('; ').includes(`${MARKER}=1`)
}

export function clearMarker(): void {
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in some browsers we support.
  document.cookie = `${MARKER}=; Max-Age=0; Path=/; SameSite=Strict`
}

/** Why a session ended, for the login page; kept only for this tab. */
export type Ending = 'signed-out' | 'timed-out' | 'expired'
const ENDING = 'pillar_session_ended'

export function keepEnding(ending: Ending): void {
  try {
    sessionStorage.setItem(ENDING, ending)
  } catch {
    // The login page then shows no reason.
  }
}

/** Reads the reason once and removes it. */
export function takeEnding(): Ending | null {
  try {
    const kept = sessionStorage.getItem(ENDING)
    sessionStorage.removeItem(ENDING)
    return kept === 'signed-out' || kept === 'timed-out' || kept === 'expired' ? kept : null
  } catch {
    return null
  }
}

const SIGNED_IN_AT = 'pillar_signed_in_at'

/** Remembers when this sign-in happened: a session ends 12 hours later however active it is. */
export function keepSignedInAt(at: number): void {
  try {
    localStorage.setItem(SIGNED_IN_AT, String(at))
  } catch {
    // Storage is blocked: the server still ends the session in time.
  }
}

/** Epoch milliseconds of the sign-in; null if this browser does not know. */
export function signedInAt(): number | null {
  try {
    return Number(localStorage.getItem(SIGNED_IN_AT)) || null
  } catch {
    return null
  }
}
