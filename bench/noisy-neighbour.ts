import { join } from 'node:path'
import { demoNetwork } from '@pillar/demo/network'
import { MAIN_COMPANY } from '@pillar/demo/person/people'
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { sendUpload } from '../apps/server/src/cli/send-upload.ts'
import { openPools } from '../apps/server/src/db/database.ts'
import type { DB } from '../apps/server/src/db/schema.generated.ts'
import { fillCompany, settleFacts } from './cohort.queries.ts'
import { COHORT, FILTERS, found, refreshOf } from './cohort.ts'
import { foundCompany, inParallel, signIn, timeOf, writeFiles } from './company.ts'
import { type Figure, quantile } from './figure.ts'
import { startServer } from './server.ts'
import type { Bench } from './suite.ts'

const suite = 'noisy-neighbour'
const NOISY = 'noisy'
const FLOOD = { pharmacies: 200, patients: 300_000 }
const TODAY = '2026-11-20'
const RANGE = { from: '2025-07-01', to: '2026-11-19' }
const TABLE = '/api/enterprise-pharmacy-table'
const AT_ONCE = 50
const WARM_UP = 20
/** Quiet and flooded by turns, so that what else the machine does meets both alike. */
const TURNS = { rounds: 6, requests: 50 }
/** Without turns a table takes seconds. */
const OPEN = { rounds: 1, requests: 20 }

/** One company asks for 50 cohort counts at once, over and over: what that does to another's Financials table. */
export async function noisyNeighbour(bench: Bench): Promise<Figure[]> {
  const folder = await bench.folder('noisy-neighbour')
  const data = join(folder, 'data')
  const places = await makeNeighbours(bench, folder, data)
  const limited = await measure(data, places, {}, TURNS)
  bench.say('noisy-neighbour: measured with turns; now without')
  const open = await measure(data, places, { HEAVY_AT_ONCE: '100' }, OPEN)
  const note = `${places.quiet.length} pharmacies' table; floods of ${AT_ONCE} counts over ${places.noisy.length} pharmacies: ${limited.counted} answered, ${limited.refused} told to come later`
  const [quiet99, loud99] = [quantile(limited.quiet, 0.99), quantile(limited.loud, 0.99)]
  return [
    {
      ...{ suite, name: 'Table p99 beside a flood, times the quiet p99', unit: 'x', measured: loud99 / quiet99, note },
      target: { most: 2 },
    },
    { suite, name: 'Table p99, quiet', unit: 'ms', measured: quiet99, samples: limited.quiet },
    { suite, name: 'Table p99 beside a flood', unit: 'ms', measured: loud99, samples: limited.loud },
    { suite, name: 'Table p50, quiet', unit: 'ms', measured: quantile(limited.quiet, 0.5) },
    { suite, name: 'Table p50 beside a flood', unit: 'ms', measured: quantile(limited.loud, 0.5) },
    {
      ...{ suite, name: 'The same without turns, times its quiet p99', unit: 'x' },
      measured: quantile(open.loud, 0.99) / quantile(open.quiet, 0.99),
      note: `p50 ${quantile(open.loud, 0.5).toFixed(0)} ms, p99 ${quantile(open.loud, 0.99).toFixed(0)} ms; quiet p99 ${quantile(open.quiet, 0.99).toFixed(0)} ms`,
    },
  ]
}

interface Places {
  quiet: string[]
  noisy: string[]
}

/** A company with many patients, and one whose pharmacies uploaded their records. */
async function makeNeighbours(bench: Bench, folder: string, data: string): Promise<Places> {
  const server = await startServer(data)
  const pools = openPools(server.databaseUrl, () => {}, 2)
  const owner = new Kysely<DB>({
    dialect: new PostgresDialect({ pool: new pg.Pool({ connectionString: server.databaseUrl, max: 1 }) }),
  })
  try {
    const company = await found(pools, Math.max(2, Math.round(FLOOD.pharmacies * bench.scale)), NOISY)
    await fillCompany(owner, company.id, {
      pharmacies: company.uuids.length,
      patients: Math.max(1000, Math.round(FLOOD.patients * bench.scale)),
    })
    for (const id of company.locationIds) await refreshOf(pools, company)(id)
    await settleFacts(owner)
    const network = demoNetwork('small', 1, TODAY)
    const chosen = network.pharmacies.filter((one) => one.company === MAIN_COMPANY && one.behaviour === 'ok')
    const keys = await foundCompany(server.databaseUrl, chosen)
    await inParallel(chosen, 2, async ({ index, slug }) => {
      const files = join(folder, slug)
      await writeFiles(network, index, files, RANGE)
      const key = keys.get(index)?.key ?? ''
      const sent = await sendUpload({
        url: server.url,
        key,
        source: 'canonical',
        folder: files,
        initial: true,
        ...RANGE,
      })
      if (sent.etl_state !== 'COMPLETED') throw new Error(`${slug}: ${sent.etl_state}. ${sent.notes}`)
    })
    bench.say(`noisy-neighbour: ${chosen.length} quiet pharmacies beside ${company.uuids.length} noisy ones`)
    return { quiet: chosen.map(({ index }) => keys.get(index)?.uuid ?? ''), noisy: company.uuids }
  } finally {
    await owner.destroy()
    await pools.close()
    await server.stop()
  }
}

interface Measured {
  quiet: number[]
  loud: number[]
  counted: number
  refused: number
}

async function measure(
  data: string,
  places: Places,
  settings: Record<string, string>,
  { rounds, requests }: typeof TURNS,
): Promise<Measured> {
  const server = await startServer(data, settings)
  try {
    const [own, noisy] = [await signIn(server.url), await signIn(server.url, NOISY)]
    const asked = { category: 'Drug Type', pharmacies: places.quiet, year: 2026 }
    const tables = async (count: number) => {
      const ms: number[] = []
      for (let at = 0; at < count; at++) ms.push(await timeOf(server.url, TABLE, asked, own))
      return ms
    }
    await tables(WARM_UP)
    for (const filters of FILTERS) await timeOf(server.url, COHORT, { filters, pharmacies: places.noisy }, noisy)
    const result: Measured = { quiet: [], loud: [], counted: 0, refused: 0 }
    for (let round = 0; round < rounds; round++) {
      result.quiet.push(...(await tables(requests)))
      const flood = startFlood(server.url, places.noisy, noisy)
      await new Promise((done) => setTimeout(done, 300))
      result.loud.push(...(await tables(requests)))
      const { counted, refused } = await flood()
      result.counted += counted
      result.refused += refused
    }
    return result
  } finally {
    await server.stop()
  }
}

/** 50 counts at once, and again when all are answered. @returns what ends it and waits for the last of them */
function startFlood(url: string, pharmacies: readonly string[], token: string) {
  let over = false
  const answers = { counted: 0, refused: 0 }
  const one = async (at: number) => {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` }
    const body = JSON.stringify({ filters: FILTERS[at % FILTERS.length], pharmacies })
    const answer = await fetch(`${url}${COHORT}`, { method: 'POST', headers, body })
    await answer.arrayBuffer()
    if (answer.status === 200) answers.counted++
    else if (answer.status === 429) answers.refused++
    else throw new Error(`${COHORT} answered ${answer.status}`)
  }
  const running = (async () => {
    while (!over) await Promise.all(Array.from({ length: AT_ONCE }, (_, at) => one(at)))
  })()
  return async () => {
    over = true
    await running
    return answers
  }
}
