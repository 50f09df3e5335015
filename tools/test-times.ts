import { relative } from 'node:path'

/** One test: its duration, its place (`apps/server/… › title`), and its message if it failed, or failed before it passed. */
export interface TestTime {
  part: string
  name: string
  seconds: number
  failure?: string
  /** The message of the first try for a test that passed at the second. */
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

/** The tests of Vitest's JSON report, without skipped ones, which took no time. A file that failed outside its tests counts as one test. */
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

/** The file of a test, in Vitest's form. */
export const fileOf = ({ name }: TestTime) => name.split(' › ')[0] as string

/**
 * The tests of a run whose failed files ran once more, in a separate world: for these files the second run counts, and a test that passes
 * now keeps its first message beside it.
 */
export function afterSecondTry(first: readonly TestTime[], second: readonly TestTime[]): TestTime[] {
  const again = new Set(second.map(fileOf))
  const said = new Map(first.map(({ name, failure }) => [name, failure]))
  return [
    ...first.filter((test) => !again.has(fileOf(test))),
    ...second.map((test) => (test.failure === undefined ? { ...test, firstTry: said.get(test.name) } : test)),
    // A file that failed outside its tests is listed under its own name.
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
