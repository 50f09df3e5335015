/** Letters of scripts that run from right to left: Hebrew, Arabic and their neighbours. */
const LEFTWARD = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u

/**
 * Wraps a right-to-left name in Unicode isolates, so that it does not reorder the names and numbers beside it. Any other name is unchanged.
 */
export const isolated = (name: string): string => (LEFTWARD.test(name) ? `\u2068${name}\u2069` : name)

/** Names or facts in a row, without those that are empty: 'a, b', or with another sign between them. */
export const joined = (parts: readonly (string | null | undefined | false)[], between = ', '): string =>
  parts.flatMap((part) => (part ? [isolated(part)] : [])).join(between)

/** The first `most` names and how many more there are: 'NSW, QLD, VIC', 'NSW, QLD, VIC and 2 more'. */
export function firstOf(names: readonly string[], most = 3): string {
  const shown = joined(names.slice(0, most))
  return names.length > most ? `${shown} and ${names.length - most} more` : shown
}

/** 'a', 'a and b', 'a, b, and c'. Empty text for an empty list. */
export function listOf(parts: readonly string[], word: 'and' | 'or' = 'and'): string {
  if (parts.length <= 2) return parts.map(isolated).join(` ${word} `)
  return `${parts.slice(0, -1).map(isolated).join(', ')}, ${word} ${isolated(parts.at(-1)!)}`
}

/** What is missing, as one sentence: 'Please x.', 'Please x and y.', 'Please x, y, and z.' Empty if nothing is. */
export function pleaseSentence(parts: readonly string[]): string {
  return parts.length === 0 ? '' : `Please ${listOf(parts)}.`
}

/** A problem with a field, as part of the sentence: 'enter a company name'. */
export interface Problem<F extends string = string> {
  readonly field: F
  readonly words: string
}

/** Problems of fields as one sentence; empty text for none. */
export function problemSentence(problems: readonly Problem[]): string {
  return pleaseSentence(problems.map(({ words }) => words))
}

/** 'first' to 'tenth'. */
export const ORDINALS = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth', 'seventh', 'eighth', 'ninth', 'tenth']

/** The text with a capital first letter. */
export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** All countries of Pillar group digits alike. */
const GROUPED = new Intl.NumberFormat('en-AU')

/** '1 pharmacy', '1,105 pharmacies': a whole count with its noun. */
export function counted(count: number, one: string, many: string): string {
  return `${GROUPED.format(count)} ${count === 1 ? one : many}`
}
