/**
 * The one form in which names of logins are compared: without space around, A to Z in small letters, everything else as it is written.
 * Wider foldings differ between languages and programs: İ becomes i in one, i with a dot above in another, so that a look-alike would be a
 * stranger to the throttle and yet reach a login.
 */
export function foldName(name: string): string {
  return name.trim().replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase())
}
