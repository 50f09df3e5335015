import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { dayOf, isoOf } from '@pillar/demo/calendar'
import { type DemoPharmacy, demoNetwork } from '@pillar/demo/network'
import { sendUpload } from '../../apps/server/src/cli/send-upload.ts'
import { type FoundPharmacy, foundCompany, inParallel, writeFiles } from '../company.ts'
import type { Figure } from '../figure.ts'
import { watchDatabase } from '../profile.queries.ts'
import { type BenchServer, startServer } from '../server.ts'
import type { Bench } from '../suite.ts'
import { type NetworkSize, sizeOf } from './size.queries.ts'

const suite = 'year'
const TODAY = '2026-11-20'
const AT_ONCE = 3
const QUARTERS = 4
/** Days sent as one upload, followed by one day sent as a night. */
const QUARTER_DAYS = 90
/** Scripts of a pharmacy after five years, as in the network `large`. */
const FIVE_YEARS = 100_000

/** The stored data at the end of a quarter, and the cost of the night after it. */
interface Quarter {
  size: NetworkSize
  /** Scripts of the night, over all pharmacies. */
  scripts: number
  /** Processor seconds per pharmacy, server and database. */
  processor: number
}

interface Network {
  server: BenchServer
  folder: string
  found: ReadonlyMap<number, FoundPharmacy>
  pharmacies: readonly DemoPharmacy[]
}

/**
 * A year of all pharmacies of the network `large` in a separate Pillar: quarter after quarter, each as one upload of every pharmacy, and a
 * night after each. Extrapolating the year from its first quarter shows whether the proportional estimate (suite `night`) comes true.
 */
export async function year(bench: Bench): Promise<Figure[]> {
  const folder = await bench.folder(suite)
  const network = demoNetwork('large', 1, TODAY)
  const sending = network.pharmacies.filter((one) => one.behaviour === 'ok')
  const pharmacies = sending.slice(0, Math.max(3, Math.round(sending.length * bench.scale)))
  const server = await startServer(join(folder, 'server'))
  try {
    const own: Network = { server, folder, pharmacies, found: await foundCompany(server.databaseUrl, pharmacies) }
    const quarters: Quarter[] = []
    let day = dayOf(TODAY) - 1 - QUARTERS * (QUARTER_DAYS + 1)
    for (let quarter = 0; quarter < QUARTERS; quarter++, day += QUARTER_DAYS + 1) {
      await sendDays(own, day, day + QUARTER_DAYS - 1)
      const size = await sizeOf(server.databaseUrl)
      const profile = await watchDatabase(server.databaseUrl, server.pid)
      const scripts = await sendDays(own, day + QUARTER_DAYS, day + QUARTER_DAYS)
      const used = await profile()
      quarters.push({ size, scripts, processor: (used.server + used.database) / pharmacies.length })
      bench.say(`year: quarter ${quarter + 1}, ${size.scripts} scripts of ${size.pharmacies} pharmacies`)
    }
    return figuresOf(quarters)
  } finally {
    await server.stop()
  }
}

/** Writes and sends some days of every pharmacy. @returns how many scripts they had */
async function sendDays({ server, folder, found, pharmacies }: Network, first: number, last: number): Promise<number> {
  const network = demoNetwork('large', 1, TODAY)
  const range = { from: isoOf(first), to: isoOf(last) }
  let scripts = 0
  await inParallel(pharmacies, AT_ONCE, async ({ index }) => {
    const files = join(folder, String(index))
    scripts += (await writeFiles(network, index, files, range)).scripts
    const key = found.get(index)?.key ?? ''
    const sent = await sendUpload({ url: server.url, key, source: 'canonical', folder: files, ...range })
    if (sent.etl_state !== 'COMPLETED') throw new Error(`An upload ended as ${sent.etl_state}: ${sent.notes}`)
    await rm(files, { recursive: true, force: true })
  })
  return scripts
}

function figuresOf(quarters: readonly Quarter[]): Figure[] {
  const [first, last] = [quarters[0] as Quarter, quarters.at(-1) as Quarter]
  const each = ({ size }: Quarter) => size.scripts / size.pharmacies
  const bytes = ({ size }: Quarter) => size.bytes / size.scripts
  // A straight line through the first and the last quarter: a night's fixed cost, and the cost each stored script adds.
  const slope = (last.processor - first.processor) / (each(last) - each(first))
  const note = `${last.size.pharmacies} pharmacies, ${last.size.scripts} scripts at the end of the year, ${last.scripts} in its last night`
  return [
    ...quarters.flatMap((quarter, at) => [
      {
        ...{ suite, name: `After quarter ${at + 1}: processor time of a pharmacy's night`, unit: 's' },
        ...{ measured: quarter.processor, note: `${each(quarter).toFixed(0)} scripts stored each` },
      },
      { suite, name: `After quarter ${at + 1}: disk by scripts`, unit: 'bytes', measured: bytes(quarter) },
    ]),
    {
      ...{ suite, name: 'Disk of the year, reckoned from its first quarter', unit: 'of it', note },
      ...{ measured: bytes(first) / bytes(last), target: { least: 0.75 } },
    },
    {
      ...{ suite, name: 'A year’s night, reckoned from its first quarter', unit: 'of it', note },
      measured: first.processor / last.processor,
    },
    {
      ...{
        suite,
        name: `A night of a pharmacy with ${FIVE_YEARS.toLocaleString('en-AU')} scripts, reckoned`,
        unit: 's',
      },
      ...{ measured: last.processor + slope * (FIVE_YEARS - each(last)), note: 'a straight line through the quarters' },
    },
  ]
}
