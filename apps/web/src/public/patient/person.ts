/** State of the captcha. `failed`: it could not run, so a page may continue without it if the law requires that. */
export type Person =
  | { state: 'unchecked' | 'checking' | 'failed'; solution: null }
  | { state: 'checked'; solution: string | null }
export const UNCHECKED: Person = { state: 'unchecked', solution: null }

/** Whether somebody may leave: what they withdraw from or unsubscribe from does not depend on a check that could not run. */
export const mayLeave = ({ state }: Person): boolean => state === 'checked' || state === 'failed'
