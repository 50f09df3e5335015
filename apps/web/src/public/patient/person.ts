/** Where the check stands. `failed`: it could not be run, so that a page may go on without it where the law wants that. */
export type Person =
  | { state: 'unchecked' | 'checking' | 'failed'; solution: null }
  | { state: 'checked'; solution: string | null }
export const UNCHECKED: Person = { state: 'unchecked', solution: null }
