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
/** The companies that request counts, and files. */
const COUNTS = 'counts'
const FILES = 'files'
const FLOOD = { pharmacies: 200, patients: 300_000 }
const TODAY = '2026-11-20'
const RANGE = { from: '2025-07-01', to: '2026-11-19' }
const TABLE = '/api/enterprise-pharmacy-table'
const AT_ONCE = 50
const WARM_UP = 20
/** Alternates quiet and flooded, so that the machine's other load affects both alike. */
const TURNS = { rounds: 6, requests: 50 }
/** Without turns a table takes seconds. */
const OPEN = { rounds: 1, requests: 20 }

/** One company requests 50 cohort counts or 50 files at once, over and over: shows the effect on another's Financials table. */
export async function noisyNeighbour(bench: Bench): Promise<Figure[]> {
  const folder = await bench.folder('noisy-neighbour')
  const data = join(folder, 'data')
  const places = await makeNeighbours(bench, folder, data)
  const floods = floodsOf(places)
  const figures: Figure[] = []
  for (const flood of [floods.counts, floods.files]) {
    const limited = await measure(data, places.quiet, flood, {}, TURNS)
    const [quiet99, loud99] = [quantile(limited.quiet, 0.99), quantile(limited.loud, 0.99)]
    const beside = `beside ${flood.what}`
    const note = `${places.quiet.length} pharmacies' table; floods of ${AT_ONCE} ${flood.what} over ${flood.pharmacies} pharmacies: ${limited.answered} answered, ${limited.refused} told to come later`
    figures.push(
      {
        ...{ suite, name: `Table p99 ${beside}, times the quiet p99`, unit: 'x', measured: loud99 / quiet99, note },
        target: { most: 2 },
      },
      {
        suite,
        name: `Table p99, quiet, by turns with ${flood.what}`,
        unit: 'ms',
        measured: quiet99,
        samples: limited.quiet,
      },
      { suite, name: `Table p99 ${beside}`, unit: 'ms', measured: loud99, samples: limited.loud },
      {
        suite,
        name: `Table p50, quiet, by turns with ${flood.what}`,
        unit: 'ms',
        measured: quantile(limited.quiet, 0.5),
      },
      { suite, name: `Table p50 ${beside}`, unit: 'ms', measured: quantile(limited.loud, 0.5) },
    )
    bench.say(`noisy-neighbour: measured ${beside} with turns`)
    const open = await measure(data, places.quiet, flood, { HEAVY_AT_ONCE: '100' }, OPEN)
    figures.push({
      ...{ suite, name: `The same ${beside} without turns`, unit: 'x' },
      measured: quantile(open.loud, 0.99) / quantile(open.quiet, 0.99),
      note: `p50 ${quantile(open.loud, 0.5).toFixed(0)} ms, p99 ${quantile(open.loud, 0.99).toFixed(0)} ms; quiet p99 ${quantile(open.quiet, 0.99).toFixed(0)} ms`,
    })
  }
  return figures
}

/** Uuids of the pharmacies for the table, the counts and the files. */
interface Places {
  quiet: string[]
  counts: string[]
  files: string[]
}

/** One company's repeated requests. */
interface Flood {
  what: string
  username: string
  pharmacies: number
  /** Path and body of each concurrent request. */
  asked: (at: number) => [path: string, body: object]
}

function floodsOf({ counts, files }: Places) {
  const file = { category: 'Drug Type', pharmacies: files, year: 2026 }
  return {
    counts: {
      ...{ what: 'counts', username: COUNTS, pharmacies: counts.length },
      asked: (at) => [COHORT, { filters: FILTERS[at % FILTERS.length], pharmacies: counts }],
    },
    files: {
      ...{ what: 'files', username: FILES, pharmacies: files.length },
      asked: (at) => [`${TABLE}-${at % 2 === 0 ? 'csv' : 'xlsx'}`, file],
    },
  } as const satisfies Record<string, Flood>
}

/** A company with many patients, and two whose pharmacies uploaded their records. */
async function makeNeighbours(bench: Bench, folder: string, data: string): Promise<Places> {
  const server = await startServer(data)
  const pools = openPools(server.databaseUrl, () => {}, 2)
  const owner = new Kysely<DB>({
    dialect: new PostgresDialect({ pool: new pg.Pool({ connectionString: server.databaseUrl, max: 1 }) }),
  })
  try {
    const company = await found(pools, Math.max(2, Math.round(FLOOD.pharmacies * bench.scale)), COUNTS)
    await fillCompany(owner, company.id, {
      pharmacies: company.uuids.length,
      patients: Math.max(1000, Math.round(FLOOD.patients * bench.scale)),
    })
    for (const id of company.locationIds) await refreshOf(pools, company)(id)
    await settleFacts(owner)
    const network = demoNetwork('small', 1, TODAY)
    const chosen = network.pharmacies.filter(({ behaviour }) => behaviour === 'ok')
    const quiet = chosen.filter(({ company }) => company === MAIN_COMPANY)
    const others = chosen.filter(({ company }) => company !== MAIN_COMPANY)
    const keys = await foundCompany(server.databaseUrl, quiet)
    const filing = await foundCompany(
      server.databaseUrl,
      others.map((one) => ({ ...one, company: 'Bench Files' })),
      FILES,
    )
    for (const [index, one] of filing) keys.set(index, one)
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
    bench.say(
      `noisy-neighbour: ${quiet.length} quiet pharmacies beside ${company.uuids.length} and ${others.length} noisy ones`,
    )
    const uuids = (some: typeof chosen) => some.map(({ index }) => keys.get(index)?.uuid ?? '')
    return { quiet: uuids(quiet), counts: company.uuids, files: uuids(others) }
  } finally {
    await owner.destroy()
    await pools.close()
    await server.stop()
  }
}

interface Measured {
  quiet: number[]
  loud: number[]
  answered: number
  refused: number
}

async function measure(
  data: string,
  pharmacies: readonly string[],
  flood: Flood,
  settings: Record<string, string>,
  { rounds, requests }: typeof TURNS,
): Promise<Measured> {
  const server = await startServer(data, settings)
  try {
    const [own, noisy] = [await signIn(server.url), await signIn(server.url, flood.username)]
    const asked = { category: 'Drug Type', pharmacies, year: 2026 }
    const tables = async (count: number) => {
      const ms: number[] = []
      for (let at = 0; at < count; at++) ms.push(await timeOf(server.url, TABLE, asked, own))
      return ms
    }
    await tables(WARM_UP)
    for (let at = 0; at < FILTERS.length; at++) {
      const [path, body] = flood.asked(at)
      await timeOf(server.url, path, body, noisy)
    }
    const result: Measured = { quiet: [], loud: [], answered: 0, refused: 0 }
    for (let round = 0; round < rounds; round++) {
      result.quiet.push(...(await tables(requests)))
      const end = startFlood(server.url, flood, noisy)
      await new Promise((done) => setTimeout(done, 300))
      result.loud.push(...(await tables(requests)))
      const { answered, refused } = await end()
      result.answered += answered
      result.refused += refused
    }
    return result
  } finally {
    await server.stop()
  }
}

/** 50 requests at once, and again when all are answered. @returns ends it and waits for the last of them */
function startFlood(url: string, flood: Flood, token: string) {
  let over = false
  const answers = { answered: 0, refused: 0 }
  const one = async (at: number) => {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` }
    const [path, body] = flood.asked(at)
    const answer = await fetch(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
    await answer.arrayBuffer()
    if (answer.status === 200) answers.answered++
    else if (answer.status === 429) answers.refused++
    else throw new Error(`${path} answered ${answer.status}`)
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
