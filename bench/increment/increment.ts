import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { contract, ReplyOf } from '@pillar/contract'
import { day } from '@pillar/domain/time/day'
import { choiceAt } from '@pillar/domain/time/period'
import { post, signIn, writeFiles } from '../company.ts'
import { type Figure, quantile } from '../figure.ts'
import { type BenchPharmacy, INCREMENT_SCRIPTS, type LargeNetwork, nextRange } from '../large.ts'
import type { Bench } from '../suite.ts'
import { NIGHT_SCRIPTS, type Spent, STORED_SCRIPTS, timeRecompute } from './recompute.queries.ts'

type Table = ReplyOf<typeof contract.financials.table>

const REPETITIONS = 5
const MOST_WAIT_MS = 30_000

/** One pharmacy's newest days, from the first byte sent until the table call shows them; five pharmacies. */
export async function increment(bench: Bench): Promise<Figure[]> {
  const large = await bench.large()
  const held = large.pharmacies.filter((pharmacy) => pharmacy.reached !== pharmacy.last).slice(0, REPETITIONS)
  if (held.length < REPETITIONS)
    throw new Error('The kept network has no five pharmacies left whose newest days are held back: load it again.')
  const token = await signIn(large.server.url)
  const seconds: number[] = []
  const counts: number[] = []
  for (const pharmacy of held) {
    const folder = join(await bench.folder('increment'), String(pharmacy.index))
    const { scripts } = await writeFiles(large.network, pharmacy.index, folder, nextRange(large.network, pharmacy))
    counts.push(scripts)
    seconds.push(await untilVisible(large, pharmacy, folder, token))
    await large.settle(pharmacy, folder)
    await rm(folder, { recursive: true, force: true })
  }
  const note = `${counts.join(', ')} scripts (about ${INCREMENT_SCRIPTS}), ${large.pharmacies.length} pharmacies held`
  const suite = 'increment'
  return [
    {
      ...{ suite, name: 'Nightly increment until visible, worst', unit: 's', measured: Math.max(...seconds) },
      ...{ target: { most: 3 }, samples: seconds, note },
    },
    { suite, name: 'Nightly increment until visible, median', unit: 's', measured: quantile(seconds, 0.5) },
    ...(await sharesOfWhole(large)),
  ]
}

/** The cost of counting the figures for one night's scripts, as a share of counting all of the pharmacy's: by the clock and by processor time. */
async function sharesOfWhole({ server }: LargeNetwork): Promise<Figure[]> {
  const { scripts, whole, increment: nights } = await timeRecompute(server.databaseUrl)
  const name = `Increment of ${NIGHT_SCRIPTS} scripts in ${STORED_SCRIPTS.toLocaleString('en-AU')}, share of a whole recompute`
  return (['wall', 'processor'] as const).map((kind) => {
    const median = (spent: readonly Spent[]) =>
      quantile(
        spent.map((one) => one[kind]),
        0.5,
      )
    const [all, night] = [median(whole), median(nights)]
    return {
      suite: 'increment',
      name: kind === 'wall' ? name : `${name}, processor time`,
      ...{ unit: 'of it', measured: night / all, samples: nights.map((one) => one[kind] / all) },
      ...(kind === 'wall' ? { target: { most: 0.1 } } : {}),
      note: `${scripts} scripts, all ${all.toFixed(0)} ms, a night ${night.toFixed(0)} ms, medians of ${nights.length}`,
    }
  })
}

async function untilVisible(
  large: LargeNetwork,
  pharmacy: BenchPharmacy,
  folder: string,
  token: string,
): Promise<number> {
  const pharmacies = large.pharmacies.filter((one) => one.main).map((one) => one.uuid)
  const body = { category: 'Drug Type', pharmacies, ...choiceAt('AU', 'year', day(pharmacy.last)) }
  const shown = async () => {
    const reply = JSON.parse(await post(large.server.url, '/api/enterprise-pharmacy-table', body, token)) as Table
    const row = reply.pharmacies.find((one) => one.pharmacy_id === pharmacy.uuid)
    return { scripts: row?.cells.TOTAL?.script_count ?? 0, to: row?.data_to ?? null }
  }
  const before = await shown()
  const began = performance.now()
  await large.send(pharmacy, folder)
  for (;;) {
    const now = await shown()
    const took = performance.now() - began
    if (now.to === pharmacy.last && now.scripts > before.scripts) return took / 1000
    if (took > MOST_WAIT_MS)
      throw new Error(
        `Pharmacy ${pharmacy.index} is COMPLETED, but the table shows ${now.scripts} scripts to ${now.to}.`,
      )
  }
}
