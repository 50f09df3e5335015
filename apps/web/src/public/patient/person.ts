/** State of the captcha. `failed`: it could not run, so a page may continue without it if the law requires that. */
export type Person =
  | { state: 'unchecked' | 'checking' | 'failed'; solution: null }
  | { state: 'checked'; solution: string | null }
export const UNCHECKED: Person = { state: 'unchecked', solution: null }
