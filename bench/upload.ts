import { join } from 'node:path'
import { demoNetwork } from '@pillar/demo/network'
import { MAIN_COMPANY } from '@pillar/demo/person/people'
import { sendUpload } from '../apps/server/src/cli/send-upload.ts'
import { foundCompany, inParallel, writeFiles } from './company.ts'
import { bareCopy } from './copy.queries.ts'
import type { Figure } from './figure.ts'
import { type Profile, watchDatabase } from './profile.queries.ts'
import { startServer, watchMemory } from './server.ts'
import type { Bench } from './suite.ts'

const SCRIPTS = 1_000_000
/** Fixed, so that every run loads the same bytes. */
const TODAY = '2026-11-20'
const RANGE = { from: '2025-10-16', to: '2026-11-19' }
const AT_ONCE = 4
/** Scripts loaded per second, as a share of a bare COPY of the same rows. */
const LEAST_OF_COPY = 0.1

interface Files {
  index: number
  folder: string
  scripts: number
}

/** A pharmacy group's first upload: from the first byte sent to the last upload COMPLETED, including figures. */
export async function upload(bench: Bench): Promise<Figure[]> {
  const folder = await bench.folder('upload')
  const network = demoNetwork('large', 1, TODAY)
  const wanted = SCRIPTS * bench.scale
  const files: Files[] = []
  for (let scripts = 0, queue = network.pharmacies.filter(isWhole); scripts < wanted; ) {
    const pharmacy = queue.shift()
    if (!pharmacy) throw new Error(`The network holds fewer than ${wanted} scripts in that range.`)
    const made = { index: pharmacy.index, folder: join(folder, pharmacy.slug), scripts: 0 }
    made.scripts = (await writeFiles(network, pharmacy.index, made.folder, RANGE)).scripts
    scripts += made.scripts
    files.push(made)
  }
  const pharmacies = files.map((file) => network.pharmacies[file.index]).filter((one) => one !== undefined)
  bench.say(`upload: ${files.length} pharmacies written, starting an empty server`)
  const server = await startServer(join(folder, 'data'))
  try {
    const keys = await foundCompany(server.databaseUrl, pharmacies)
    const memory = watchMemory(server.pid)
    const profile = await watchDatabase(server.databaseUrl, server.pid)
    const began = performance.now()
    let rows = 0
    let faulty = 0
    let scripts = 0
    await inParallel(files, AT_ONCE, async (file) => {
      const sent = await sendOne(server.url, keys.get(file.index)?.key ?? '', file)
      rows += sent.loaded
      faulty += sent.faulty
      scripts += file.scripts
    })
    const seconds = (performance.now() - began) / 1000
    const { samples, peak } = await memory()
    const spent = await profile()
    bench.say(`upload: ${scripts} scripts, ${rows} rows in ${seconds.toFixed(1)} s; now a bare COPY`)
    const paths = files.map((file) => join(file.folder, 'scripts.csv'))
    const one = await bareCopy(server.databaseUrl, paths, 1)
    const two = await bareCopy(server.databaseUrl, paths, 2)
    if (one.rows !== scripts || two.rows !== scripts)
      throw new Error(`COPY loaded ${one.rows} and ${two.rows} rows of ${scripts}: the two did not do the same work.`)
    return figuresOf({ files: files.length, rows, faulty, scripts, seconds, samples, peak, spent, one, two })
  } finally {
    await server.stop()
  }
}

const isWhole = (pharmacy: { company: string; behaviour: string }) =>
  pharmacy.company === MAIN_COMPANY && pharmacy.behaviour === 'ok'

/** Sends one pharmacy's files. @returns rows loaded and left out over all sets; throws unless every script was loaded. */
async function sendOne(url: string, key: string, file: Files): Promise<{ loaded: number; faulty: number }> {
  const sent = await sendUpload({ url, key, source: 'canonical', folder: file.folder, initial: true, ...RANGE })
  const scripts = sent.files.find((one) => one.file_type === 'scripts')
  if (sent.etl_state !== 'COMPLETED' || scripts?.loaded !== file.scripts)
    throw new Error(`${file.folder}: ${sent.etl_state}, ${scripts?.loaded} of ${file.scripts} scripts. ${sent.notes}`)
  return { loaded: sent.files.reduce((sum, one) => sum + (one.loaded ?? 0), 0), faulty: sent.fault_count }
}

interface Measured {
  files: number
  rows: number
  faulty: number
  scripts: number
  seconds: number
  samples: number[]
  peak: number
  spent: Profile
  one: { rows: number; seconds: number }
  two: { rows: number; seconds: number }
}

function figuresOf({ files, rows, faulty, scripts, seconds, samples, peak, spent, one, two }: Measured): Figure[] {
  const against = (name: string, copy: { rows: number; seconds: number }) => ({
    rival: { name, measured: copy.rows / copy.seconds },
    ratio: scripts / seconds / (copy.rows / copy.seconds),
  })
  const suite = 'upload'
  const note = `${files} pharmacies, ${scripts} scripts, ${rows} rows over all sets (${faulty} faulty left out), ${seconds.toFixed(2)} s`
  return [
    { suite, name: 'Rows loaded, all sets', unit: 'rows/s', measured: rows / seconds, target: { least: 40_000 }, note },
    {
      ...{ suite, name: 'Scripts, one COPY beside', unit: 'rows/s', measured: scripts / seconds },
      ...against('bare COPY, 1 connection', one),
      target: { least: LEAST_OF_COPY * (one.rows / one.seconds) },
    },
    {
      ...{ suite, name: 'Scripts, two COPYs beside', unit: 'rows/s', measured: scripts / seconds },
      ...against('bare COPY, 2 connections', two),
    },
    {
      ...{ suite, name: 'Server memory, most', unit: 'MB', measured: Math.max(...samples), target: { most: 400 } },
      ...{ samples, note: `resident, sampled every 100 ms; the kernel's own peak is ${peak.toFixed(0)} MB` },
    },
    ...whereItGoes(spent),
  ]
}

/** Processor time of the two programs, and the division of the database's working time into the steps of a load. */
function whereItGoes({ server, database, steps }: Profile): Figure[] {
  const suite = 'upload'
  const whole = steps.reduce((sum, step) => sum + step.seconds, 0)
  return [
    { suite, name: 'Processor: Pillar (receive, parse, check)', unit: 's', measured: server },
    { suite, name: 'Processor: PostgreSQL', unit: 's', measured: database },
    ...steps.map(({ step, seconds }) => ({
      ...{ suite, name: `Database: ${step}`, unit: '%', measured: (seconds / whole) * 100 },
      note: `${seconds.toFixed(2)} s of ${whole.toFixed(2)} s that connections spent working, looked at every 20 ms`,
    })),
  ]
}
