import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { dayOf, isoOf } from '@pillar/demo/calendar'
import { inParallel, writeFiles } from '../company.ts'
import { type Figure, quantile } from '../figure.ts'
import type { BenchPharmacy, LargeNetwork } from '../large.ts'
import { watchDatabase } from '../profile.queries.ts'
import type { Bench } from '../suite.ts'
import { type NetworkSize, sizeOf } from './size.queries.ts'

const suite = 'night'
const AT_ONCE = 3
const HOUR = 3_600
const NIGHT_HOURS = 8
/** The pharmacies, and years of stored scripts, to extrapolate to. */
const RECKONED = [1_000, 10_000]
const YEARS = 5

/** The next day of every pharmacy of the network, one upload each, as on a normal night. */
export async function night(bench: Bench): Promise<Figure[]> {
  const large = await bench.large()
  const folder = await bench.folder('night')
  const sending = large.pharmacies.filter((pharmacy) => pharmacy.reached === pharmacy.last)
  if (sending.length === 0) throw new Error('No pharmacy of the kept network is up to date: load it again.')
  const before = await sizeOf(large.server.databaseUrl)
  let scripts = 0
  for (const pharmacy of sending) {
    pharmacy.last = isoOf(dayOf(pharmacy.last) + 1)
    scripts += (await writeNight(large, pharmacy, folder)).scripts
  }
  bench.say(`night: ${scripts} scripts of ${sending.length} pharmacies written, sending them`)
  const profile = await watchDatabase(large.server.databaseUrl, large.server.pid)
  const began = performance.now()
  const each: number[] = []
  await inParallel(sending, AT_ONCE, async (pharmacy) => {
    const sent = performance.now()
    await large.send(pharmacy, folderOf(folder, pharmacy))
    each.push((performance.now() - sent) / 1000)
  })
  const seconds = (performance.now() - began) / 1000
  const { server, database } = await profile()
  for (const pharmacy of sending) {
    await large.settle(pharmacy, folderOf(folder, pharmacy))
    await rm(folderOf(folder, pharmacy), { recursive: true, force: true })
  }
  const processor = (server + database) / sending.length
  const stored = (before.scripts / before.pharmacies).toFixed(0)
  const note = `${sending.length} pharmacies with ${stored} scripts each on average, ${scripts} new ones, ${AT_ONCE} uploads at once`
  return [
    { suite, name: 'All pharmacies, first byte to last upload COMPLETED', unit: 's', measured: seconds, note },
    { suite, name: 'One upload, median', unit: 's', measured: quantile(each, 0.5), samples: each },
    {
      ...{ suite, name: 'Processor time of a pharmacy, server and database', unit: 's', measured: processor },
      note: `${server.toFixed(0)} s of the server, ${database.toFixed(0)} s of PostgreSQL`,
    },
    ...disk(before),
    ...RECKONED.flatMap((pharmacies) => reckoned(pharmacies, processor, before)),
  ]
}

const folderOf = (folder: string, { index }: BenchPharmacy) => join(folder, String(index))

async function writeNight({ network }: LargeNetwork, pharmacy: BenchPharmacy, folder: string) {
  return writeFiles(network, pharmacy.index, folderOf(folder, pharmacy), { from: pharmacy.last, to: pharmacy.last })
}

function disk({ bytes, scripts, tables }: NetworkSize): Figure[] {
  const share = ({ table, bytes: own }: NetworkSize['tables'][number]) => `${table} ${(own / scripts).toFixed(0)}`
  return [
    {
      ...{ suite, name: 'Disk, the whole database by its scripts', unit: 'bytes', measured: bytes / scripts },
      note: `${scripts} scripts; bytes a script of the largest tables: ${tables.map(share).join(', ')}`,
    },
  ]
}

/** The requirements of this many pharmacies of the same size, growing in proportion; without messages. */
function reckoned(pharmacies: number, processor: number, size: NetworkSize): Figure[] {
  const scripts = (size.scripts / size.pharmacies) * pharmacies
  const name = (what: string) => `${pharmacies.toLocaleString('en-AU')} pharmacies, ${YEARS} years: ${what}`
  const gigabytes = (scripts * (size.bytes / size.scripts)) / 1e9
  return [
    { suite, name: name('scripts'), unit: 'million', measured: scripts / 1e6 },
    { suite, name: name('disk'), unit: 'GB', measured: gigabytes },
    {
      ...{ suite, name: name(`cores for a night of ${NIGHT_HOURS} hours`), unit: 'cores' },
      measured: (processor * pharmacies) / (NIGHT_HOURS * HOUR),
    },
  ]
}
