import { relative } from 'node:path'

/** One test, how long it took, where (`apps/server/… › title`), and what it said if it failed, or failed before it passed. */
export interface TestTime {
  part: string
  name: string
  seconds: number
  failure?: string
  /** What the first try said of a test that passed at the second. */
  firstTry?: string
}

interface UnitReport {
  testResults: {
    name: string
    status: string
    message: string
    assertionResults: { fullName: string; duration?: number | null; status: string; failureMessages?: string[] }[]
  }[]
}

/**
 * The tests of Vitest's JSON report; what was skipped took no time and is left out. A file that failed outside its tests
 * stands as one test of its own.
 */
export function unitTests(part: string, { testResults }: UnitReport): TestTime[] {
  return testResults.flatMap(({ name: path, status: all, message, assertionResults }) => {
    const file = relative(process.cwd(), path)
    const tests = assertionResults
      .filter(({ status }) => status === 'passed' || status === 'failed')
      .map(
        ({ fullName, duration, status, failureMessages }): TestTime => ({
          part,
          name: `${file} › ${fullName}`,
          seconds: (duration ?? 0) / 1000,
          ...(status === 'failed' && { failure: (failureMessages ?? []).join('\n') }),
        }),
      )
    const outside = all === 'failed' && tests.every(({ failure }) => failure === undefined)
    return outside ? [...tests, { part, name: file, seconds: 0, failure: message }] : tests
  })
}

/** The file of a test, as Vitest takes it. */
export const fileOf = ({ name }: TestTime) => name.split(' › ')[0] as string

/**
 * The tests of a run whose failed files ran once more, in a world of their own: of these files the second run counts, and what the
 * first had said of a test that passes now stays beside it.
 */
export function afterSecondTry(first: readonly TestTime[], second: readonly TestTime[]): TestTime[] {
  const again = new Set(second.map(fileOf))
  const said = new Map(first.map(({ name, failure }) => [name, failure]))
  return [
    ...first.filter((test) => !again.has(fileOf(test))),
    ...second.map((test) => (test.failure === undefined ? { ...test, firstTry: said.get(test.name) } : test)),
    // A file that failed outside its tests stands there under its own name.
    ...first.filter(({ name }) => again.has(name)).map(({ failure, ...file }) => ({ ...file, firstTry: failure })),
  ]
}

interface Attempt {
  duration: number
  error?: { message?: string }
}

interface Suite {
  title: string
  file: string
  specs?: { title: string; tests: { status: string; results: Attempt[] }[] }[]
  suites?: Suite[]
}

/** The tests of Playwright's JSON report, each with all its attempts. */
export function browserTests({ suites }: { suites: Suite[] }): TestTime[] {
  const inside = (suite: Suite, above: readonly string[]): TestTime[] => [
    ...(suite.specs ?? []).map(({ title, tests }) => {
      const attempts = tests.flatMap(({ results }) => results)
      const said = attempts.map(({ error }) => error?.message ?? '').join('\n')
      return {
        part: 'browser',
        name: [...above, title].join(' › '),
        seconds: attempts.reduce((sum, { duration }) => sum + duration, 0) / 1000,
        ...(tests.some(({ status }) => status === 'unexpected') && { failure: said }),
        ...(tests.every(({ status }) => status !== 'unexpected') && said.trim() !== '' && { firstTry: said }),
      }
    }),
    ...(suite.suites ?? []).flatMap((one) => inside(one, [...above, one.title])),
  ]
  return suites.flatMap((suite) => inside(suite, [suite.file]))
}
