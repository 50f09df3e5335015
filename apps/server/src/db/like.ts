/** A search term as a pattern for `ilike`: matches anywhere, and % _ \ are literal. Null for a blank term, which filters nothing. */
export function likePattern(term: string): string | null {
  const wanted = term.trim()
  return wanted === '' ? null : `%${wanted.replaceAll(/[\\%_]/g, '\\$&')}%`
}
