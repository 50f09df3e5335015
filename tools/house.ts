import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { findFunctions } from './functions.ts'

/**
 * Enforces what no other tool does: folders and files that stay small, SQL in its place, functions that fit on a screen, plain folder
 * names. Prints every breach and exits with 1 if there is one.
 */
const MOST_FILES = 25
const MOST_LINES = 300
const FUNCTION_LINES = 60
/** Nine functions in ten, and nine components in ten, are shorter than FUNCTION_LINES. */
const SHORT_SHARE = 0.9

/** Places where the number of files says nothing about order: migrations in a row, pages of decisions, pictures, static files. */
const ANY_NUMBER = /^(docs\/(decisions|pictures)|apps\/server\/migrations|apps\/web\/public)(\/|$)/
/** Written by a program, or applied and never changed again. */
const ANY_LENGTH = /(\.generated\.ts$|^apps\/server\/migrations\/)/
/** Where code may talk to the database. Tests and benches may query it themselves. */
const SQL_PLACE = /(\.queries\.ts$|^apps\/server\/src\/(db|api)\/|\.test\.ts$|^(apps\/server\/test|e2e|bench|tools)\/)/
const SQL = /\bsql(<[^`;]*>)?`|\.(selectFrom|insertInto|updateTable|deleteFrom|mergeInto)\(/
/** A day cut from a moment by UTC or a machine's clock belongs to nobody's calendar. Demo data has no clock of its own. */
const LOOSE_DAY = /toISOString\(\)\.slice\(0, 10\)|\.get(Date|Month|FullYear)\(\)|::timestamptz::date|\bcurrent_date\b/
const KEEPS_DAYS = /^(apps\/\w+|packages\/\w+)\/src\/(?!time\/|features\/demo\/)(?!.*\.test\.ts$)/
/** Processes agree on the time by `services.now()`, the database's (decision 066). These compare with this machine's own files, or measure. */
const OWN_CLOCK = /\bnew Date\(\)|\bDate\.now\(\)/
const ONE_CLOCK = /^apps\/server\/src\/(api|db|features)\/(?!.*\.test\.ts$)/
const HAS_OWN_CLOCK = new Set([
  ...['api/counter', 'api/uuid', 'db/clock', 'features/inbound/events', 'features/simulator/simulator.jobs'],
  ...['features/upload/allowance', 'features/upload/file/upload-folder'],
])
/** A test that sets a clock to an hour of today moves it back on a late run. */
const HOUR_OF_TODAY = /\.setUTCHours\(|\.setHours\(/
const CLOCK_OF_TESTS = 'apps/server/test/server.ts'
/** Names of a page, a tool or a way of working that end in s. */
const PLURAL_NAMES = new Set([
  'apps',
  'packages',
  'features',
  'gateways',
  'migrations',
  'tools',
  'docs',
  'decisions',
  'pictures',
  'assets',
  'financials',
  'metrics',
  'sms',
  'templates',
  'settings',
])

const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { encoding: 'utf8' })
  .split('\n')
  .filter((file) => file !== '' && !file.includes('node_modules/'))
const breaches: string[] = []

function checkFolders(): void {
  const count = new Map<string, number>()
  for (const file of files) count.set(dirname(file), (count.get(dirname(file)) ?? 0) + 1)
  for (const [folder, number] of count) {
    if (folder !== '.' && number > MOST_FILES && !ANY_NUMBER.test(folder)) {
      breaches.push(`${folder}: ${number} files; ${MOST_FILES} at most. Split it by topic.`)
    }
  }
  const folders = new Set([...count.keys()].flatMap((folder) => folder.split('/')))
  for (const name of folders) {
    if (/[^su]s$/.test(name) && !PLURAL_NAMES.has(name)) breaches.push(`folder ${name}: names of folders are singular.`)
  }
}

function checkFiles(): void {
  for (const file of files.filter((one) => /\.(ts|tsx|css)$/.test(one) && !ANY_LENGTH.test(one))) {
    const text = readFileSync(file, 'utf8')
    const lines = text.split('\n').length - 1
    if (lines > MOST_LINES) breaches.push(`${file}: ${lines} lines; ${MOST_LINES} at most.`)
    if (!/^apps\/server\/|\.tsx?$/.test(file) || SQL_PLACE.test(file)) continue
    const at = text.split('\n').findIndex((line) => SQL.test(line))
    if (at >= 0) breaches.push(`${file}:${at + 1}: SQL belongs in *.queries.ts, db/ or api/.`)
  }
}

/** Days belong to a pharmacy or a company, all processes go by one clock, and tests' clocks only move forward. */
function checkDays(): void {
  for (const file of files.filter((one) => /\.tsx?$/.test(one) && !one.startsWith('tools/'))) {
    const lines = readFileSync(file, 'utf8').split('\n')
    const find = (pattern: RegExp, instead: string) =>
      lines.forEach((line, at) => {
        if (pattern.test(line)) breaches.push(`${file}:${at + 1}: ${instead}`)
      })
    if (ONE_CLOCK.test(file) && !HAS_OWN_CLOCK.has(file.slice('apps/server/src/'.length, -'.ts'.length)))
      find(OWN_CLOCK, 'the time is services.now(), by which all processes agree.')
    if (KEEPS_DAYS.test(file)) find(LOOSE_DAY, 'a day is that of a zone: dayIn(zone, at), or todayOf.')
    if (file !== CLOCK_OF_TESTS) find(HOUR_OF_TODAY, `a test moves its clock on with moveOnTo of ${CLOCK_OF_TESTS}.`)
  }
}

function checkFunctions(): void {
  const code = files.filter((file) => /\.tsx?$/.test(file) && !/\.(test|spec)\.ts$|generated/.test(file))
  const all = code.flatMap((file) => findFunctions(file, readFileSync(file, 'utf8')))
  for (const [what, some] of [
    ['functions', all.filter((one) => !one.component)],
    ['components', all.filter((one) => one.component)],
  ] as const) {
    const long = some.filter((one) => one.lines > FUNCTION_LINES).sort((a, b) => b.lines - a.lines)
    if (some.length - long.length >= some.length * SHORT_SHARE) continue
    const worst = long.slice(0, 10).map((one) => `  ${one.file} ${one.name}: ${one.lines} lines`)
    breaches.push(
      `${long.length} of ${some.length} ${what} are longer than ${FUNCTION_LINES} lines:\n${worst.join('\n')}`,
    )
  }
}

checkFolders()
checkFiles()
checkDays()
checkFunctions()
if (breaches.length > 0) {
  process.stderr.write(
    `${breaches.join('\n')}\n${breaches.length} breaches of the house's rules (docs/decisions/029-names-and-rooms.md)\n`,
  )
  process.exit(1)
}
process.stdout.write(
  `The house holds: ${files.length} files in ${new Set(files.map(dirname)).size} folders; longest ${longest()}\n`,
)

function longest(): string {
  const sizes = files
    .filter((file) => /\.(ts|tsx|css)$/.test(file) && !ANY_LENGTH.test(file))
    .map((file) => [readFileSync(file, 'utf8').split('\n').length - 1, file] as const)
  const [lines, file] = sizes.sort(([a], [b]) => b - a)[0]!
  return `${basename(file)}, ${lines} lines`
}
