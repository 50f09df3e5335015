import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { dayOf, isoOf } from '@pillar/demo/calendar'
import { type DemoNetwork, type DemoPharmacy, demoNetwork } from '@pillar/demo/network'
import { MAIN_COMPANY } from '@pillar/demo/person/people'
import { uploadsOf } from '@pillar/demo/uploads'
import { formatDay } from '@pillar/domain/time/day'
import { dayIn } from '@pillar/domain/time/zone'
import { sendUpload } from '../apps/server/src/cli/send-upload.ts'
import { foundCompany, inParallel, writeFiles } from './company.ts'
import { openRival, type Rival } from './rival.queries.ts'
import { type BenchServer, startServer } from './server.ts'

const SEED = 1
const AT_ONCE = 3
/** Pharmacies whose last days are held back for the increments: five per run. */
const HELD = 25
export const INCREMENT_SCRIPTS = 2_000

export interface BenchPharmacy {
  index: number
  main: boolean
  uuid: string
  key: string
  /** Last day uploaded, ISO; null before its first upload. */
  reached: string | null
  /** Last day of its files; later than `reached` while its increment is held back. */
  last: string
  /** The end of its first upload. */
  first: string
}

interface Memory {
  scale: number
  today: string
  pharmacies: BenchPharmacy[]
}

/** The demo network `large`, loaded through the upload call into a running Pillar, and the same files in DuckDB. */
export interface LargeNetwork {
  network: DemoNetwork
  server: BenchServer
  rival: Rival
  /** The network's today: its data end on the day before. */
  today: string
  /** All with data, in both companies. */
  pharmacies: readonly BenchPharmacy[]
  /** Writes and sends a pharmacy's data after `reached`; resolves when the load is COMPLETED. */
  send: (pharmacy: BenchPharmacy, folder: string) => Promise<void>
  /** Loads a sent folder into DuckDB too and records how far the pharmacy's data now reach. */
  settle: (pharmacy: BenchPharmacy, folder: string) => Promise<void>
  close: () => Promise<void>
}

/** Opens the network in `dir`, loading what is missing. An interrupted load continues where it stopped. */
export async function openLarge(dir: string, scale: number, say: (line: string) => void): Promise<LargeNetwork> {
  const path = join(dir, 'bench.json')
  const kept: Memory | null = await readFile(path, 'utf8').then(JSON.parse, () => null)
  if (kept && kept.scale !== scale) throw new Error(`${dir} holds the network at scale ${kept.scale}, not ${scale}.`)
  const today = kept?.today ?? formatDay(dayIn('Australia/Sydney', new Date()))
  const network = demoNetwork('large', SEED, today)
  const server = await startServer(dir)
  try {
    const memory = kept ?? { scale, today, pharmacies: await found(network, scale, server) }
    const save = () => writeFile(path, JSON.stringify(memory), { mode: 0o600 })
    await save()
    const rival = await openRival(join(dir, 'rival.duckdb'))
    const settle = async (pharmacy: BenchPharmacy, folder: string) => {
      const to = pharmacy.reached === null ? pharmacy.first : pharmacy.last
      await rival.load(pharmacy.index, folder, to)
      pharmacy.reached = to
      await save()
    }
    const opened: LargeNetwork = {
      ...{ network, server, rival, today, settle, pharmacies: memory.pharmacies },
      send: (pharmacy, folder) => send(network, server.url, pharmacy, folder),
      async close() {
        rival.close()
        await server.stop()
      },
    }
    await loadAll(opened, dir, say)
    return opened
  } catch (error) {
    await server.stop()
    throw error
  }
}

async function found(network: DemoNetwork, scale: number, server: BenchServer): Promise<BenchPharmacy[]> {
  const own = network.pharmacies.filter((one) => one.company === MAIN_COMPANY)
  const sending = own.filter((one) => one.behaviour !== 'never')
  // The product average needs five.
  const chosen = scale === 1 ? network.pharmacies : sending.slice(0, Math.max(5, Math.round(sending.length * scale)))
  const made = await foundCompany(server.databaseUrl, chosen)
  const uploading = chosen.filter((one) => one.behaviour !== 'never')
  const ready = uploading.filter((one) => one.company === MAIN_COMPANY && one.behaviour === 'ok')
  const step = Math.max(1, Math.floor(ready.length / HELD))
  const held = new Set(ready.filter((_, at) => at % step === 0).slice(0, HELD))
  return uploading.map((pharmacy) => {
    const { uuid = '', key = '' } = made.get(pharmacy.index) ?? {}
    // A failed pharmacy's second upload is refused as a whole: only its first one counts.
    const last = uploadsOf(network, pharmacy.index)[0]?.range.to ?? pharmacy.last_day
    const first = held.has(pharmacy) ? isoOf(dayOf(last) - daysFor(network, pharmacy, INCREMENT_SCRIPTS)) : last
    return { index: pharmacy.index, main: pharmacy.company === MAIN_COMPANY, uuid, key, reached: null, last, first }
  })
}

/** Days in which a pharmacy dispenses about this many scripts. */
function daysFor(network: DemoNetwork, pharmacy: DemoPharmacy, scripts: number): number {
  const days = dayOf(pharmacy.last_day) - dayOf(network.from) + 1
  return Math.ceil(scripts / (pharmacy.scripts / days))
}

/** The first and last day of a pharmacy's next files. */
export function nextRange(network: DemoNetwork, { reached, first, last }: BenchPharmacy): { from: string; to: string } {
  return reached === null ? { from: network.from, to: first } : { from: isoOf(dayOf(reached) + 1), to: last }
}

async function send(network: DemoNetwork, url: string, pharmacy: BenchPharmacy, folder: string): Promise<void> {
  const initial = pharmacy.reached === null
  const range = nextRange(network, pharmacy)
  const sent = await sendUpload({ url, key: pharmacy.key, source: 'canonical', folder, initial, ...range })
  const faulty = sent.files.find((file) => file.file_type === 'scripts')?.faulty
  if (sent.etl_state !== 'COMPLETED' || faulty !== 0)
    throw new Error(`Pharmacy ${pharmacy.index}: ${sent.etl_state} with ${faulty} faulty scripts. ${sent.notes}`)
}

async function loadAll(large: LargeNetwork, dir: string, say: (line: string) => void): Promise<void> {
  const waiting = large.pharmacies.filter((pharmacy) => pharmacy.reached === null)
  if (waiting.length === 0) return
  say(`large: loading ${waiting.length} pharmacies`)
  const began = performance.now()
  let done = 0
  let scripts = 0
  await inParallel(waiting, AT_ONCE, async (pharmacy) => {
    const folder = join(dir, `files-${pharmacy.index}`)
    try {
      const rows = await writeFiles(large.network, pharmacy.index, folder, nextRange(large.network, pharmacy))
      await large.send(pharmacy, folder)
      await large.settle(pharmacy, folder)
      scripts += rows.scripts
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
    done++
    const seconds = ((performance.now() - began) / 1000).toFixed(0)
    if (done % 10 === 0 || done === waiting.length)
      say(`large: ${done} of ${waiting.length} pharmacies, ${scripts} scripts, ${seconds} s`)
  })
}
