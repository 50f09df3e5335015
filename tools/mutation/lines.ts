/** One line that keeps somebody out or something in, how it could be wrong, and the tests that must notice. */
export interface Mutant {
  file: string
  /** Found exactly once in the file. */
  line: string
  becomes: string
  /** Test files, from the repository's root. */
  tests: readonly string[]
}

export const RULES = 'packages/domain/src'
export const FEATURES = 'apps/server/src/features'

/** Lines of one file that the same tests hold. */
export function of(
  file: string,
  tests: string | readonly string[],
  ...lines: [line: string, becomes: string][]
): Mutant[] {
  return lines.map(([line, becomes]) => ({ file, line, becomes, tests: [tests].flat() }))
}

/** A rule and the test beside it. */
export const rule = (name: string, ...lines: [line: string, becomes: string][]) =>
  of(`${RULES}/${name}.ts`, `${RULES}/${name}.test.ts`, ...lines)
