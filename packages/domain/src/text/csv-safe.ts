// Characters that spreadsheets read as the start of a formula or skip before one: = + - @, tab, line ends, NUL, and the
// full-width forms of the four signs. Compared as code points so that this file contains no control characters.
const DANGEROUS_FIRST = new Set(
  [0x3d, 0x2b, 0x2d, 0x40, 0x09, 0x0d, 0x0a, 0x00, 0xff1d, 0xff0b, 0xff0d, 0xff20].map((code) =>
    String.fromCharCode(code),
  ),
)

/**
 * A text cell that no spreadsheet runs: if its first character could start a formula, it gets a leading apostrophe. Other text is unchanged. The
 * CSV writer does the quoting.
 */
export function safeText(text: string): string {
  return DANGEROUS_FIRST.has(text.charAt(0)) ? `'${text}` : text
}

/** The cell of any value: text made safe, numbers untouched (a negative one stays a number), nothing for null. */
export function safeCell(value: string | number | null | undefined): string | number {
  if (value == null) return ''
  return typeof value === 'number' ? value : safeText(value)
}
