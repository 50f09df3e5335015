const KEY = 'pillar_username'

/** The username to fill in, if this browser was asked to remember it. Never a password. */
export function rememberedName(): string | null {
  try {
    return localStorage.getItem(KEY)
  } catch {
    return null
  }
}

export function rememberName(name: string): void {
  try {
    localStorage.setItem(KEY, name)
  } catch {
    // Storage is blocked, so it cannot be remembered.
  }
}

export function forgetName(): void {
  try {
    localStorage.removeItem(KEY)
  } catch {
    // Nothing was stored.
  }
}
