import { relative } from 'node:path'

/** One test, how long it took, and where: `apps/server/… › title`. */
export interface TestTime {
  part: string
  name: string
  seconds: number
}

interface UnitReport {
  testResults: { name: string; assertionResults: { fullName: string; duration?: number | null; status: string }[] }[]
}

/** The tests of Vitest's JSON report; what was skipped took no time and is left out. */
export function unitTests(part: string, { testResults }: UnitReport): TestTime[] {
  return testResults.flatMap(({ name: file, assertionResults }) =>
    assertionResults
      .filter(({ status }) => status === 'passed' || status === 'failed')
      .map(({ fullName, duration }) => ({
        part,
        name: `${relative(process.cwd(), file)} › ${fullName}`,
        seconds: (duration ?? 0) / 1000,
      })),
  )
}

interface Suite {
  title: string
  file: string
  specs?: { title: string; tests: { results: { duration: number; status: string }[] }[] }[]
  suites?: Suite[]
}

/** The tests of Playwright's JSON report, each with all its attempts. */
export function browserTests({ suites }: { suites: Suite[] }): TestTime[] {
  const inside = (suite: Suite, above: readonly string[]): TestTime[] => [
    ...(suite.specs ?? []).map(({ title, tests }) => ({
      part: 'browser',
      name: [...above, title].join(' › '),
      seconds: tests.flatMap(({ results }) => results).reduce((sum, { duration }) => sum + duration, 0) / 1000,
    })),
    ...(suite.suites ?? []).flatMap((one) => inside(one, [...above, one.title])),
  ]
  return suites.flatMap((suite) => inside(suite, [suite.file]))
}
