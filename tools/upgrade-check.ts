import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { startEmbedded } from '../apps/server/src/db/embedded/embedded.ts'
import { openDoor } from './upgrade/door.ts'
import { watchLocks } from './upgrade/locks.ts'
import { layOut, type Running, runOf, start, type Version } from './upgrade/version.ts'
import { openVisitor, type Visit } from './upgrade/visitor.ts'
import { goJourneys } from './upgrade/walk.ts'
import { explain } from './usage/explain.ts'

explain(`npm run upgrade-check -- [git reference of the version before; the newest tag without one] [--large N]
Rehearses an upgrade without stopping: the version before serves a demo network while this version's migrations run, then both serve side by
side, then this one alone. A browser begins on patients' pages, sign-in and boards with one version and ends with the other, in both directions.
Fails at any answer that is not 2xx, at figures that differ, at a failed upload, at a page that does not go on, and at a lock that keeps others
out for longer than 2 s. With --large, the tables that are migrated also hold N pharmacies of the demo network "large", about 100,000 scripts each.
Takes two to six minutes, and the ports 8530 to 8534, or PORT and the four after it.`)
const PORT = Number(process.env.PORT ?? 8530)
/** Where people reach both versions. */
const DOOR = `http://localhost:${PORT + 4}`
/** The longest that a lock which keeps others out may be waited for, and held. */
const LONGEST_LOCK_MS = 2_000
const began = performance.now()
const say = (line: string) =>
  process.stdout.write(`${((performance.now() - began) / 1000).toFixed(1).padStart(6)} s  ${line}\n`)
const problems: string[] = []

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { large: { type: 'string', default: '0' } },
})
const reference = positionals[0] ?? newestTag()
const large = Number(values.large)
if (!Number.isInteger(large) || large < 0) {
  process.stderr.write(`--large is a number of pharmacies, not "${values.large}".\n`)
  process.exit(2)
}
const folder = mkdtempSync(join(tmpdir(), 'pillar-upgrade-'))
// PostgreSQL passes through it as a separate user.
chmodSync(folder, 0o711)
const stops: (() => Promise<void>)[] = []

function newestTag(): string {
  try {
    return execFileSync('git', ['describe', '--tags', '--abbrev=0'], { encoding: 'utf8', stdio: 'pipe' }).trim()
  } catch {
    process.stderr.write('There is no tag here: name the version before, as in "npm run upgrade-check -- main~20".\n')
    process.exit(2)
  }
}

function hold(of: string, visit: Visit, figures: string): void {
  say(`${of}: ${visit.asked} requests, the slowest ${visit.slowestMs.toFixed(0)} ms, ${visit.faults.length} refused`)
  problems.push(...visit.faults.map((fault) => `${of}: ${fault}`))
  if (visit.figures !== figures)
    problems.push(`${of}: Financials show other figures than before: ${firstDifference(visit.figures, figures)}`)
}

function firstDifference(now: string, before: string): string {
  const at = [...now].findIndex((letter, place) => letter !== before[place])
  return `…${now.slice(Math.max(0, at - 80), at + 40)}… and before …${before.slice(Math.max(0, at - 80), at + 40)}…`
}

/** Repeats visits until stopped. @returns all visits as one */
function keepVisiting(visitor: Awaited<ReturnType<typeof openVisitor>>): () => Promise<Visit> {
  let stopped = false
  const going = (async () => {
    const all = await visitor.visit()
    while (!stopped) {
      const one = await visitor.visit(true)
      if (one.figures !== all.figures) all.faults.push('Financials show other figures from one visit to the next')
      all.asked += one.asked
      all.slowestMs = Math.max(all.slowestMs, one.slowestMs)
      all.faults.push(...one.faults)
    }
    return all
  })()
  return () => {
    stopped = true
    return going
  }
}

interface Place {
  settings: Record<string, string>
  ownerUrl: string
  files: string
}

/** Creates a pharmacy in a separate company with the version's program and sends it the files, as a pharmacy would. */
async function upload(version: Version, server: Running, { settings, files }: Place, name: string): Promise<void> {
  const at = ['--company', 'Side by side', '--name', name, '--postcode', '3350']
  const printed = await runOf(version, ['apps/server/src/cli/pharmacy.ts', 'add', ...at], settings)
  const key = /pillar_upload_\w+/.exec(printed)?.[0] ?? ''
  const args = [
    'apps/server/src/cli/upload.ts',
    `--key=${key}`,
    '--source',
    'canonical',
    '--initial',
    '--url',
    server.url,
    files,
  ]
  await runOf(version, args, {}).then(
    () => say(`${name}: its upload is loaded`),
    (error) => problems.push(`${name}: ${error.message}`),
  )
}

/** A web process and a worker of one version. */
async function serve(version: Version, port: number, { settings }: Place, demo = 'none') {
  const worker = await start(version, port + 1, { ...settings, ROLE: 'worker', MIGRATE: 'off' })
  stops.push(worker.stop)
  const web = await start(version, port, { ...settings, ROLE: 'web', MIGRATE: 'off', DEMO: demo, PUBLIC_URL: DOOR })
  stops.push(web.stop)
  return { web, stop: async () => void (await Promise.all([web.stop(), worker.stop()])) }
}

async function migrateBeside(version: Version, { settings, ownerUrl }: Place): Promise<void> {
  const stopWatch = await watchLocks(ownerUrl)
  const printed = await runOf(version, ['apps/server/src/cli/migrate.ts'], settings)
  const longest = await stopWatch()
  for (const line of printed.trim().split('\n')) say(`  ${line}`)
  say(`The longest lock that kept others out: ${longest.table}, ${longest.ms.toFixed(0)} ms`)
  if (longest.ms > LONGEST_LOCK_MS)
    problems.push(`A migration kept others out of ${longest.table} for ${longest.ms.toFixed(0)} ms`)
}

/** Writes the files of one pharmacy of a demo network. @returns their folder */
async function writeFiles(version: Version, size: 'tiny' | 'large', pharmacy: number, out: string): Promise<string> {
  mkdirSync(out)
  const args = ['demo/src/write.ts', '--size', size, '--pharmacy', String(pharmacy), '--out', out]
  const written = await runOf(version, args, {})
  say(`An upload is written: ${written.trim().split('\n').at(-1)}`)
  // A list of all pharmacies is beside it.
  const folder = readdirSync(out, { withFileTypes: true }).find((one) => one.isDirectory())
  return join(out, folder?.name ?? '')
}

/** Goes through pages with a browser, switching between the versions. */
async function switchPages(before: Version, dataDir: string): Promise<void> {
  // Where the browser tests find the data of the server they test, and its key.
  process.env.E2E_DATA_DIR = dataDir
  delete process.env.SECRET
  const door = await openDoor(PORT + 4)
  stops.push(door.close)
  const kept = existsSync(join(before.folder, 'apps/server/src/api/page/kept-screens.ts'))
  if (!kept) say('The version before keeps no files for others: what needs them is left out')
  const { well, problems: found } = await goJourneys(door, { old: PORT, young: PORT + 2 }, kept)
  say(`Pages begun with one version and ended with the other: ${well} went on, ${found.length} did not`)
  problems.push(...found)
}

async function rehearse(): Promise<void> {
  const before = layOut(reference, join(folder, 'before'))
  const now: Version = { name: 'this version', folder: resolve('.') }
  const data = join(folder, 'data')
  // Two versions with a web process and a worker each, and what the journeys prepare.
  const starting = startEmbedded(data, (event) => say(event), { max_connections: '120' })
  stops.unshift(async () => (await starting).stop())
  const database = await starting
  const settings = { DATA_DIR: data, DATABASE_URL: database.url, DATABASE_OWNER_URL: database.ownerUrl }
  const place: Place = { settings, ownerUrl: database.ownerUrl, files: '' }
  await runOf(before, ['apps/server/src/cli/migrate.ts'], settings)
  for (const version of [before, now]) await runOf(version, ['tools/build-web.ts'], {})
  say('The screens of both versions are built')
  const old = await serve(before, PORT, place, 'tiny')
  say(`${before.name} serves the demo network`)
  const visitor = await openVisitor(old.web.url)
  const { figures, faults } = await visitor.visit(true)
  problems.push(...faults)
  for (let pharmacy = 0; pharmacy < large; pharmacy++) {
    const files = await writeFiles(now, 'large', pharmacy, join(folder, `large-${pharmacy}`))
    await upload(before, old.web, { ...place, files }, `Large ${pharmacy + 1}`)
    rmSync(files, { recursive: true })
  }
  place.files = await writeFiles(now, 'tiny', 0, join(folder, 'files'))

  const stopVisits = keepVisiting(visitor)
  const loading = upload(before, old.web, place, 'Before')
  await migrateBeside(now, place)
  await loading
  hold('The version before, during the migrations', await stopVisits(), figures)

  const young = await serve(now, PORT + 2, place)
  say('This version serves beside it')
  const stopBoth = [keepVisiting(visitor), keepVisiting(await openVisitor(young.web.url))]
  await Promise.all([upload(before, old.web, place, 'Beside, old'), upload(now, young.web, place, 'Beside, new')])
  const [visitsOld, visitsNew] = await Promise.all(stopBoth.map((stop) => stop()))
  hold('The version before, beside this one', visitsOld!, figures)
  hold('This version, beside the one before', visitsNew!, figures)
  await switchPages(before, data)
  await old.stop()
  say('The version before is stopped')
  await upload(now, young.web, place, 'After')
  hold('This version alone', await (await openVisitor(young.web.url)).visit(true), figures)
  await young.stop()
}

let left = Promise.resolve()
/** Stops everything started here, the database last, and removes it all. */
function leave(): Promise<void> {
  left = left.then(async () => {
    for (let stop = stops.pop(); stop; stop = stops.pop()) await stop().catch(() => {})
    rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 })
  })
  return left
}

// A signal alone would leave a database running that nobody knows about, as would a failing answer while another is awaited.
const giveUp = () => void leave().then(() => process.exit(1))
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.once(signal, () => {
    process.stderr.write(`The rehearsal was ended by ${signal}. What it started is stopped and removed.\n`)
    giveUp()
  })
process.on('unhandledRejection', (error: Error) => {
  process.stderr.write(`${error.message}\n`)
  giveUp()
})

try {
  await rehearse()
} catch (error) {
  problems.push((error as Error).message)
} finally {
  await leave()
}
for (const problem of problems) process.stderr.write(`${problem}\n`)
say(problems.length === 0 ? 'Both versions served, and nobody noticed' : `${problems.length} problems`)
process.exit(problems.length === 0 ? 0 : 1)
