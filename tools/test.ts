import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { run } from './run.ts'
import { makeScratch } from './scratch.ts'
import { afterSecondTry, browserTests, fileOf, type TestTime, unitTests } from './test-times.ts'

/**
 * Runs the tests part by part, continuing after a failed one, and ends with each part's duration, the twenty slowest tests and the failed
 * ones: last, because a machine may keep only the end of a long output. `--deep` runs the large counts and the wide browser matrices
 * instead. Words that name parts select these; others select test files within them. In CI the failed files run a second time, in a
 * separate world, and their tests are named: a failure due to a busy machine then passes, a real fault fails twice.
 */
const SLOWEST = 20
/** The most test files that a busy machine may have failed; more than that is a fault. */
const MOST_AGAIN = 10
const FAILURE_LINES = 25
const PARTS = ['rules', 'server', 'browser'] as const
type Part = (typeof PARTS)[number]
const isPart = (word: string): word is Part => PARTS.some((part) => part === word)

interface Took {
  name: string
  seconds: number
  ok: boolean
  tests: readonly TestTime[]
}

const words = process.argv.slice(2)
const deep = words.includes('--deep')
const named = words.filter(isPart)
const files = words.filter((word) => word !== '--deep' && !isPart(word))
// The rules have no larger counts.
const parts = PARTS.filter((part) => (named.length > 0 ? named.includes(part) : !(deep && part === 'rules')))

const { folder, remove } = makeScratch()
const took: Took[] = []

/** Runs one program and records its duration; `read` returns the tests of its report. */
async function time(name: string, args: readonly string[], env: Record<string, string>, read: () => TestTime[]) {
  const began = performance.now()
  const ok = (await run(args, { TMPDIR: folder, ...env })) === 0
  took.push({ name, ok, seconds: (performance.now() - began) / 1000, tests: read() })
  return ok
}

/** The tests of a report; none if the program ended before it wrote one. */
function reported(file: string, read: (report: never) => TestTime[]): TestTime[] {
  try {
    return read(JSON.parse(readFileSync(file, 'utf8')) as never)
  } catch {
    return []
  }
}

async function vitest(part: Exclude<Part, 'browser'>): Promise<void> {
  const report = join(folder, `${part}.json`)
  const ended = async (these: readonly string[]) => {
    const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
    const args = ['node_modules/vitest/vitest.mjs', 'run', '--project', part, ...reporters, ...these]
    if (deep) args.push('--testTimeout=1800000')
    return time(part, args, deep ? { DEEP: '1' } : {}, () => reported(report, (said) => unitTests(part, said)))
  }
  if ((await ended(files)) || !process.env.CI) return
  const first = took.at(-1) as Took
  const again = [...new Set(first.tests.filter(({ failure }) => failure !== undefined).map(fileOf))]
  if (again.length === 0 || again.length > MOST_AGAIN) return
  rmSync(report, { force: true })
  await ended(again)
  const [, second] = took.splice(-2) as [Took, Took]
  const tests = afterSecondTry(first.tests, second.tests)
  took.push({ name: part, ok: second.ok, seconds: first.seconds + second.seconds, tests })
}

async function browser(): Promise<void> {
  if (!(await time('screens', ['tools/build-web.ts'], {}, () => []))) return
  const file = join(folder, 'browser.json')
  const args = ['tools/e2e.ts', ...(deep ? ['--deep'] : []), '--reporter=list,json', ...files]
  await time('browser', args, { PLAYWRIGHT_JSON_OUTPUT_NAME: file }, () => reported(file, browserTests))
}

const minutes = (seconds: number) => `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`

function summary(): string {
  const all = took.reduce((sum, { seconds }) => sum + seconds, 0)
  const lines = took.map(({ name, seconds, ok, tests }) => {
    const count = tests.length > 0 ? `${tests.length} tests` : ''
    return `  ${name.padEnd(9)} ${seconds.toFixed(1).padStart(7)} s  ${count.padEnd(12)}${ok ? '' : 'FAILED'}`.trimEnd()
  })
  const slowest = took
    .flatMap(({ tests }) => tests)
    .sort((a, b) => b.seconds - a.seconds)
    .slice(0, SLOWEST)
    .map(({ seconds, part, name }) => `  ${seconds.toFixed(1).padStart(7)} s  ${part}  ${name}`)
  const said = (which: 'failure' | 'firstTry') =>
    took
      .flatMap(({ tests }) => tests)
      .flatMap((test) =>
        test[which] === undefined ? [] : [`  ${test.part}  ${test.name}`, ...failureLines(test[which])],
      )
  const [failed, again] = [said('failure'), said('firstTry')]
  return [
    ...['', 'Time taken', ...lines, `  together  ${minutes(all)}`, '', 'Slowest tests', ...slowest, ''],
    ...(again.length > 0 ? ['Passed only at the second try', ...again, ''] : []),
    ...(failed.length > 0 ? ['Failed tests', ...failed, ''] : []),
  ].join('\n')
}

/** The beginning of a failed test's message, without colours: a counterexample can be long. */
const failureLines = (failure: string) =>
  stripVTControlCharacters(failure)
    .split('\n')
    .slice(0, FAILURE_LINES)
    .map((line) => `      ${line.slice(0, 400)}`)

try {
  for (const part of parts) await (part === 'browser' ? browser() : vitest(part))
  process.stdout.write(summary())
} finally {
  remove()
}
process.exit(took.every(({ ok }) => ok) ? 0 : 1)
