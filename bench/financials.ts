import type { contract, ReplyOf } from '@pillar/contract'
import { day, formatDay } from '@pillar/domain/time/day'
import { choiceAt, periodOf } from '@pillar/domain/time/period'
import { post, signIn, timeOf } from './company.ts'
import { type Figure, quantile } from './figure.ts'
import type { LargeNetwork } from './large.ts'
import type { RivalRow } from './rival.queries.ts'
import type { Bench } from './suite.ts'

type Table = ReplyOf<typeof contract.financials.table>

const WARM_UP = 20
const REQUESTS = 200
const RIVAL_RUNS = 3
const suite = 'financials'
const TABLE = '/api/enterprise-pharmacy-table'

/** The table and the headline numbers of every pharmacy for the running financial year, over HTTP. */
export async function financials(bench: Bench): Promise<Figure[]> {
  const large = await bench.large()
  const own = large.pharmacies.filter((pharmacy) => pharmacy.main)
  const choice = choiceAt('AU', 'year', day(large.today) - 1)
  const uuids = own.map((pharmacy) => pharmacy.uuid)
  const token = await signIn(large.server.url)
  const { url } = large.server
  const asked = { category: 'Drug Type', pharmacies: uuids, ...choice }
  const table = await timed(() => timeOf(url, TABLE, asked, token))
  const stats = await timed(() =>
    timeOf(url, '/api/enterprise-pharmacy-stats', { pharmacy_ids: uuids, ...choice }, token),
  )
  const further = await furtherCalls(url, { pharmacy_ids: uuids, ...choice }, { ...asked, changes: true }, token)
  const one = { pharmacy_id: uuids[0], ...choice }
  const page = await timed(() => timeOf(url, '/api/enterprise-pharmacy', one, token))
  const types = await timed(() => timeOf(url, '/api/enterprise-pharmacy-drug-types', one, token))
  bench.say('financials: measured over HTTP; now DuckDB')
  const reply = JSON.parse(await post(url, TABLE, asked, token)) as Table
  const rival = await askRival(large, choice)
  const rivalMs = quantile(rival.ms, 0.5)
  const note = `${uuids.length} pharmacies, ${await large.rival.count()} raw scripts, financial year ${choice.year}`
  const call = (name: string, ms: number[], most: number): Figure[] => [
    { suite, name: `${name}, p95`, unit: 'ms', measured: quantile(ms, 0.95), target: { most }, samples: ms, note },
    { suite, name: `${name}, p50`, unit: 'ms', measured: quantile(ms, 0.5) },
    { suite, name: `${name}, p99`, unit: 'ms', measured: quantile(ms, 0.99) },
  ]
  const p50 = quantile(table, 0.5)
  return [
    ...call('enterprise-pharmacy-table', table, 60),
    ...call('enterprise-pharmacy-stats', stats, 30),
    ...call('enterprise-pharmacy', page, 60),
    ...call('enterprise-pharmacy-drug-types', types, 60),
    ...further.flatMap(({ name, ms }) => call(name, ms, 60)),
    { suite, name: 'DuckDB from raw scripts, p50', unit: 'ms', measured: rivalMs, samples: rival.ms, note },
    {
      ...{ suite, name: 'Table, times faster than DuckDB', unit: 'x', measured: rivalMs / p50, target: { least: 20 } },
      ...{ ratio: rivalMs / p50, rival: { name: 'DuckDB, medians', measured: rivalMs } },
    },
    ...agreement(large, reply, rival.rows),
  ]
}

/** The calls behind charts and a pharmacy's page. */
async function furtherCalls(
  url: string,
  of: { pharmacy_ids: string[]; year: number },
  table: object,
  token: string,
): Promise<{ name: string; ms: number[] }[]> {
  const calls: [name: string, path: string, body: object][] = [
    ['enterprise-figures', '/api/enterprise-figures', of],
    ['enterprise-figure-trend', '/api/enterprise-figure-trend', { ...of, figure: 'revenue' }],
    ['enterprise-change-parts', '/api/enterprise-change-parts', of],
    ['enterprise-persistence', '/api/enterprise-persistence', of],
    ['enterprise-persistence, drug types', '/api/enterprise-persistence', { ...of, drug_types: true }],
    ['enterprise-pharmacy-table with changes', TABLE, table],
  ]
  const measured: { name: string; ms: number[] }[] = []
  for (const [name, path, body] of calls) measured.push({ name, ms: await timed(() => timeOf(url, path, body, token)) })
  return measured
}

async function timed(ask: () => Promise<number>): Promise<number[]> {
  const ms: number[] = []
  for (let at = 0; at < WARM_UP + REQUESTS; at++) ms.push(await ask())
  return ms.slice(WARM_UP)
}

/** The first run reads the file and is not counted. */
async function askRival(large: LargeNetwork, choice: { year: number }): Promise<{ rows: RivalRow[]; ms: number[] }> {
  const { from, to } = periodOf('AU', choice)
  const indexes = large.pharmacies.filter((pharmacy) => pharmacy.main).map((pharmacy) => pharmacy.index)
  const ms: number[] = []
  let rows: RivalRow[] = []
  for (let at = 0; at <= RIVAL_RUNS; at++) {
    const began = performance.now()
    rows = await large.rival.answer(indexes, formatDay(from), formatDay(to))
    if (at > 0) ms.push(performance.now() - began)
  }
  return { rows, ms }
}

const NONE = { scripts: 0, cents: 0, measured: 0, adherent: 0, leaked: 0 }
type Sums = typeof NONE

function sumOf(rows: readonly Sums[]): Sums {
  const total = { ...NONE }
  for (const row of rows) for (const name of Object.keys(NONE) as (keyof Sums)[]) total[name] += row[name]
  return total
}

const share = (part: number, whole: number) => (whole === 0 ? 0 : part / whole)

type Cell = Table['columns'][number]['total']
type Apart = Record<'scripts' | 'dollars' | 'adherent' | 'loyal', number>

/** Updates the largest differences with those of one cell. */
function widen(apart: Apart, cell: Cell | undefined, sums: Sums): void {
  const far = (name: keyof Apart, one: number | null | undefined, other: number) => {
    apart[name] = Math.max(apart[name], Math.abs((one ?? 0) - other))
  }
  far('scripts', cell?.script_count, sums.scripts)
  far('dollars', cell?.revenue_value, sums.cents / 100)
  // A share from fewer than 10 is not shown.
  if (cell?.adherent_script_percent != null)
    far('adherent', cell.adherent_script_percent, share(sums.adherent, sums.measured))
  if (cell?.loyalty_script_percent != null)
    far('loyal', cell.loyalty_script_percent, share(sums.scripts, sums.scripts + sums.leaked))
}

/** How far the two answers differ: the totals of every drug type, and every pharmacy's own cells. */
function agreement(large: LargeNetwork, reply: Table, rows: readonly RivalRow[]): Figure[] {
  const totals: Apart = { scripts: 0, dollars: 0, adherent: 0, loyal: 0 }
  for (const { field, total } of reply.columns)
    widen(totals, total, sumOf(field === 'TOTAL' ? rows : rows.filter((row) => row.drug_type === field)))
  const cells: Apart = { ...totals }
  for (const pharmacy of large.pharmacies.filter((one) => one.main)) {
    const shown = reply.pharmacies.find((one) => one.pharmacy_id === pharmacy.uuid)?.cells
    const own = rows.filter((row) => row.pharmacy === pharmacy.index)
    widen(cells, shown?.TOTAL, sumOf(own))
    for (const row of own) widen(cells, shown?.[row.drug_type], row)
  }
  const total = sumOf(rows)
  const note = `DuckDB: ${total.scripts} scripts, ${(total.cents / 100).toFixed(2)} dollars, ${total.measured} measured`
  const most = (name: string, measured: number, unit: string, limit?: number): Figure => ({
    ...{ suite, name: `Largest difference to DuckDB, ${name}`, unit, measured, note },
    ...(limit === undefined ? {} : { target: { most: limit } }),
  })
  return [
    most('scripts of any cell', cells.scripts, 'scripts', 0),
    most('revenue of any cell', cells.dollars, 'dollars', 0),
    most('adherent scripts of a total', totals.adherent * 100, 'points', 0.2),
    most('adherent scripts of any cell', cells.adherent * 100, 'points'),
    most('loyalty of a total', totals.loyal * 100, 'points', 0.2),
    most('loyalty of any cell', cells.loyal * 100, 'points'),
  ]
}
