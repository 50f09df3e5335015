import type { contract, ReplyOf } from '@pillar/contract'
import { dayOf } from '@pillar/demo/calendar'
import { shippedList } from '../../apps/server/src/features/sixty-day/list-files.ts'
import { post, signIn, timeOf } from '../company.ts'
import { type Figure, quantile } from '../figure.ts'
import type { LargeNetwork } from '../large.ts'
import type { Bench } from '../suite.ts'
import { SIXTY_DAY_ANSWER } from './rival-sixty-day.queries.ts'

type Stats = ReplyOf<(typeof contract)['companySixtyDay']['stats']>
type Sums = Stats['sums']

const WARM_UP = 10
const REQUESTS = 100
const RIVAL_RUNS = 3
const LONGEST_WAIT_MS = 600_000
const MOST_MS = 100
const suite = 'sixty-day'
const COMPANY = '/api/company/sixtyday'
const GUILD = '/api/guild/sixtyday'

/** Every call of 60 day dispensing over HTTP, each request with a different uptake, against DuckDB on the raw scripts. */
export async function sixtyDay(bench: Bench): Promise<Figure[]> {
  const large = await bench.large()
  const { url } = large.server
  const token = await signIn(url)
  await post(url, '/api/user/confirm-portal-eula', {}, token)
  const pharmacies = large.pharmacies.filter((pharmacy) => pharmacy.main).map((pharmacy) => pharmacy.uuid)
  const reply = await untilWorkedOut(url, pharmacies, token)
  const calls: [name: string, path: string, body: object][] = [
    ['company info', `${COMPANY}/info`, {}],
    ['company stats', `${COMPANY}/stats`, { pharmacies }],
    ['company categories', `${COMPANY}/categories`, { pharmacies }],
    ['company categories, molecules', `${COMPANY}/categories`, { pharmacies, category: 'mp_pt' }],
    ['company categories-export', `${COMPANY}/categories-export`, { pharmacies }],
    ['guild info', `${GUILD}/info`, {}],
    ['guild stats', `${GUILD}/stats`, {}],
    ['guild categories', `${GUILD}/categories`, {}],
    ['guild categories-export', `${GUILD}/categories-export`, {}],
  ]
  const note = `${pharmacies.length} pharmacies, ${await large.rival.count()} raw scripts, another uptake each time`
  const figures: Figure[] = []
  let statsMs = 0
  for (const [name, path, body] of calls) {
    const ms: number[] = []
    for (let at = 0; at < WARM_UP + REQUESTS; at++) {
      const asked = path.endsWith('info') ? body : { ...body, uptake_percentage: (at * 7) % 101 }
      ms.push(await timeOf(url, path, asked, token))
    }
    const measured = quantile(ms.slice(WARM_UP), 0.95)
    if (name === 'company stats') statsMs = quantile(ms.slice(WARM_UP), 0.5)
    figures.push({ suite, name: `${name}, p95`, unit: 'ms', measured, target: { most: MOST_MS }, note })
  }
  bench.say('sixty-day: measured over HTTP; now DuckDB')
  const rival = await askRival(large, reply)
  const rivalMs = quantile(rival.ms, 0.5)
  return [
    ...figures,
    {
      ...{
        suite,
        name: 'Stats, times faster than DuckDB',
        unit: 'x',
        measured: rivalMs / statsMs,
        target: { least: 20 },
        note,
      },
      ...{ ratio: rivalMs / statsMs, rival: { name: 'DuckDB, medians', measured: rivalMs } },
    },
    ...Object.entries(rival.sums).map(([name, sum]) => ({
      ...{ suite, name: `Difference to DuckDB, ${name}`, unit: '', target: { most: 0 } },
      ...{ measured: Math.abs(reply.sums[name as keyof Sums] - sum), note: `DuckDB: ${sum}` },
    })),
  ]
}

/** Waits until the sums are calculated after the uploads: every pharmacy that has sent data must have its own, and the Guild its publication. */
async function untilWorkedOut(url: string, pharmacies: readonly string[], token: string): Promise<Stats> {
  for (const began = performance.now(); ; await new Promise((done) => setTimeout(done, 1000))) {
    const { locations } = JSON.parse(await post(url, `${COMPANY}/info`, {}, token)) as {
      locations: { uuid: string; affected_scripts: number | null }[]
    }
    const guild = JSON.parse(await post(url, `${GUILD}/stats`, {}, token)) as Stats
    const done = locations.every((one) => one.affected_scripts !== null || !pharmacies.includes(one.uuid))
    if (done && guild.basis.published_at !== null)
      return JSON.parse(await post(url, `${COMPANY}/stats`, { pharmacies }, token)) as Stats
    if (performance.now() - began > LONGEST_WAIT_MS)
      throw new Error('The 60-day sums were not worked out in ten minutes.')
  }
}

/** The first run reads the file and is not counted. */
async function askRival(large: LargeNetwork, { basis }: Stats) {
  const indexes = large.pharmacies.filter((pharmacy) => pharmacy.main).map((pharmacy) => pharmacy.index)
  const items = shippedList('items') ?? []
  const sixty = items.map(({ sixtyDayCode }) => sixtyDayCode)
  const quoted = (codes: readonly string[]) => `[${[...new Set(codes)].map((code) => `'${code}'`).join(', ')}]`
  const sql = SIXTY_DAY_ANSWER.replaceAll('$pharmacies', `[${indexes.join(', ')}]`)
    .replaceAll('$atcs', quoted(items.flatMap(({ atc }) => atc ?? [])))
    .replaceAll('$items', quoted([...sixty, ...items.flatMap(({ thirtyDayCodes }) => thirtyDayCodes)]))
    .replaceAll('$sixty', quoted(sixty))
    .replaceAll('$from', String(dayOf(basis.from ?? '')))
    .replaceAll('$to', String(dayOf(basis.to ?? '')))
  const ms: number[] = []
  let sums: Record<string, number> = {}
  for (let at = 0; at <= RIVAL_RUNS; at++) {
    const began = performance.now()
    const [row] = await large.rival.ask(sql)
    sums = Object.fromEntries(Object.entries(row ?? {}).map(([name, value]) => [name, Number(value)]))
    if (at > 0) ms.push(performance.now() - began)
  }
  return { sums, ms }
}
