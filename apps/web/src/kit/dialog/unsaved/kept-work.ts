const KEY = 'pillar_typed'
const isSecret = (field: string) => /password/i.test(field)

/** Keeps in this tab what somebody typed in a form, without passwords and files. `owner` is whose it is and of which form. */
export function keepTyped(owner: string, values: object): void {
  const typed = Object.entries(values).filter(([field, value]) => !isSecret(field) && !(value instanceof Blob))
  try {
    sessionStorage.setItem(`${KEY} ${owner}`, JSON.stringify(Object.fromEntries(typed)))
  } catch {
    // Storage blocked or full: nothing is kept, and the session ends all the same.
  }
}

/** What was kept, once; null for nothing. */
export function takeTyped(owner: string): Record<string, unknown> | null {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(`${KEY} ${owner}`) ?? 'null')
    sessionStorage.removeItem(`${KEY} ${owner}`)
    return typeof kept === 'object' && kept !== null && !Array.isArray(kept) ? (kept as Record<string, unknown>) : null
  } catch {
    return null
  }
}
