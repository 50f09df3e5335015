import { readFile, stat } from 'node:fs/promises'
import { demoNetwork } from '@pillar/demo/network'
import { openPools } from '../apps/server/src/db/database.ts'
import { insertPublication } from '../apps/server/src/features/board/board.queries.ts'
import type { Brought, MonthFact } from '../apps/server/src/features/board/board-fact.ts'
import { monthPublication, type Reader } from '../apps/server/src/features/board/publication.ts'
import { foundCompany, signIn, timeOf } from './company.ts'
import { type Figure, quantile } from './figure.ts'
import { startServer } from './server.ts'
import type { Bench } from './suite.ts'

const WARM_UP = 5
const ROUNDS = 60
const DASHBOARD = '01980000-0000-7000-8000-0000000000b0'
const DIST = 'apps/web/dist'
/** The published network: a month's groups need more companies than the large network has. */
const COMPANIES = 40
const PHARMACIES = 400
const CLASSES = 60
const MOLECULES = 400
const YEARS = [2024, 2025, 2026]
const suite = 'boards'

/**
 * One of Pillar's own boards: dividing a month of 400 pharmacies into bundles for one company, three years of figures over HTTP with a
 * token, as the frame requests them, and what the frame downloads.
 */
export async function boards(bench: Bench): Promise<Figure[]> {
  const server = await startServer(await bench.folder('boards'))
  try {
    const tiny = demoNetwork('tiny', 1, '2026-11-01')
    await foundCompany(server.databaseUrl, tiny.pharmacies.slice(0, 1))
    const publishing = await giveBoard(server.databaseUrl)
    const token = await signIn(server.url)
    const given = await fetch(`${server.url}/api/superset-token`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify({ dashboard_id: DASHBOARD }),
    })
    const { token: guest } = (await given.json()) as { token: string }
    await requireFull(server.url, guest)
    const ms: number[] = []
    for (let at = 0; at < WARM_UP + ROUNDS; at++) {
      const took = await timeOf(server.url, '/api/board-data', { token: guest }, token)
      if (at >= WARM_UP) ms.push(took)
    }
    const bytes = await frameBytes()
    return [
      {
        ...{ suite, name: 'Publishing a month to a company, median', unit: 'ms', measured: quantile(publishing, 0.5) },
        ...{ samples: publishing, note: `${PHARMACIES} pharmacies of ${COMPANIES} companies, ${MOLECULES} molecules` },
      },
      { suite, name: 'board-data, p95', unit: 'ms', measured: quantile(ms, 0.95), target: { most: 300 }, samples: ms },
      { suite, name: 'board-data, p50', unit: 'ms', measured: quantile(ms, 0.5) },
      {
        ...{ suite, name: 'Frame, JavaScript and CSS', unit: 'KB', measured: bytes / 1024, target: { most: 250 } },
        note: 'as sent, with Brotli, the charts included',
      },
    ]
  } finally {
    await server.stop()
  }
}

/** An empty board would be a fast one. @throws Error if it is empty */
async function requireFull(url: string, token: string): Promise<void> {
  const answer = await fetch(`${url}/api/board-data`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token }),
  })
  const { months, shares } = (await answer.json()) as { months: string[]; shares: unknown[] }
  if (months.length !== YEARS.length * 12 || shares.length === 0)
    throw new Error(`The board shows ${months.length} months and ${shares.length} lines.`)
}

/** Gives the login's company a board and publishes the months to it. @returns milliseconds for dividing each month */
async function giveBoard(databaseUrl: string): Promise<number[]> {
  const pools = openPools(databaseUrl, () => {}, 1)
  try {
    const login = await pools.system.selectFrom('login').select('company_id').orderBy('id').executeTakeFirstOrThrow()
    const company = login.company_id
    await pools.system.updateTable('login').set({ supplier_analytics: true }).execute()
    await pools.staff
      .insertInto('dashboard')
      .values({
        ...{ uuid: DASHBOARD, dashboard_id: DASHBOARD, company_id: company, name: 'Bench' },
        ...{
          dashboard_type: 'Industry Dashboard',
          domain_url: 'https://analytics.pillar.example',
          created_at: new Date(),
        },
      })
      .execute()
    const reader: Reader = { company, products: ['brand 3'], molecules: moleculeNames(), averaged: () => '' }
    const took: number[] = []
    for (const period of YEARS.flatMap((year) => Array.from({ length: 12 }, (_, at) => year * 100 + at + 1))) {
      const brought = monthOf(period)
      const began = performance.now()
      const parts = monthPublication(brought, reader)
      took.push(performance.now() - began)
      await pools.system
        .transaction()
        .execute((tx) =>
          insertPublication(
            tx,
            company,
            { period, group_no: 1, companies: [] },
            { pharmacies: PHARMACIES, parts, now: new Date() },
          ),
        )
    }
    return took
  } finally {
    await pools.close()
  }
}

const moleculeNames = () =>
  new Map(
    Array.from({ length: MOLECULES }, (_, at) => [at, [`Class ${at % CLASSES}`, `molecule ${at}`] as const] as const),
  )

/** Every pharmacy's facts for a month: most molecules, some with a brand; the rare ones at few pharmacies. */
function monthOf(period: number): Brought<MonthFact[]>[] {
  return Array.from({ length: PHARMACIES }, (_, location) => ({
    ...{ location_id: location + 1, company_id: 1_000 + (location % COMPANIES) },
    facts: Array.from({ length: MOLECULES }, (_unused, molecule): MonthFact => {
      const patients = ((location * 31 + molecule * 17 + period) % 23) + 1
      const brand = (location + molecule) % 4 === 0 ? `brand ${molecule}` : ''
      return { molecule, brand, patients, scripts: patients + (molecule % 5) }
    }).filter(({ molecule }) => (location * 13 + molecule * 7 + period) % 400 >= molecule),
  }))
}

/** What a browser downloads for a frame, compressed: the files named by its page, and every file these load, at once or later. */
async function frameBytes(): Promise<number> {
  const seen = new Map<string, number>()
  const visit = async (text: string): Promise<void> => {
    for (const [name] of text.matchAll(/[\w.-]+\.(?:js|css)\b/g)) {
      const path = `${DIST}/assets/${name}`
      if (seen.has(name)) continue
      const size = await stat(`${path}.br`).then(
        (file) => file.size,
        () => null,
      )
      if (size === null) continue
      seen.set(name, size)
      if (name.endsWith('.js')) await visit(await readFile(path, 'utf8'))
    }
  }
  await visit(await readFile(`${DIST}/board.html`, 'utf8'))
  return [...seen.values()].reduce((sum, size) => sum + size, 0)
}
