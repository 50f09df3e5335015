/**
 * The form in which login names are compared: trimmed, A to Z in lower case, everything else unchanged.
 * Wider case folding differs between languages and programs: İ becomes i in one, i with a dot above in another, so a look-alike name
 * could bypass the throttle and still reach a login.
 */
export function foldName(name: string): string {
  return name.trim().replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase())
}
