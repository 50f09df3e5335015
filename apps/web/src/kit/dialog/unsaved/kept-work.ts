const KEY = 'pillar_typed'
const isSecret = (field: string) => /password/i.test(field)

/** Keeps a form's typed values in this tab, without passwords and files. `owner` identifies the person and the form. */
export function keepTyped(owner: string, values: object): void {
  const typed = Object.entries(values).filter(([field, value]) => !isSecret(field) && !(value instanceof Blob))
  try {
    sessionStorage.setItem(`${KEY} ${owner}`, JSON.stringify(Object.fromEntries(typed)))
  } catch {
    // Storage is blocked or full: nothing is kept, and the session still ends.
  }
}

/** What was kept, which can be taken only once; null for nothing. */
export function takeTyped(owner: string): Record<string, unknown> | null {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(`${KEY} ${owner}`) ?? 'null')
    sessionStorage.removeItem(`${KEY} ${owner}`)
    return typeof kept === 'object' && kept !== null && !Array.isArray(kept) ? (kept as Record<string, unknown>) : null
  } catch {
    return null
  }
}
