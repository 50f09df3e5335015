import { readdir, readFile, stat } from 'node:fs/promises'
import { openPools } from '../apps/server/src/db/database.ts'
import { signIn, timeOf } from './company.ts'
import { type Figure, quantile } from './figure.ts'
import type { Bench } from './suite.ts'

const WARM_UP = 5
const ROUNDS = 60
const DASHBOARD = '01980000-0000-7000-8000-0000000000b0'
const ASSETS = 'apps/web/dist/assets'
const suite = 'boards'

/** A board of Pillar's own on the large network: its figures over HTTP with a token, as the frame asks for them, and what the frame downloads. */
export async function boards(bench: Bench): Promise<Figure[]> {
  const { server } = await bench.large()
  await giveBoard(server.databaseUrl)
  const token = await signIn(server.url)
  const given = await fetch(`${server.url}/api/superset-token`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify({ dashboard_id: DASHBOARD }),
  })
  const { token: guest } = (await given.json()) as { token: string }
  const ms: number[] = []
  for (let at = 0; at < WARM_UP + ROUNDS; at++) {
    const took = await timeOf(server.url, '/api/board-data', { token: guest }, token)
    if (at >= WARM_UP) ms.push(took)
  }
  const bytes = await frameBytes()
  return [
    { suite, name: 'board-data, p95', unit: 'ms', measured: quantile(ms, 0.95), target: { most: 300 }, samples: ms },
    { suite, name: 'board-data, p50', unit: 'ms', measured: quantile(ms, 0.5) },
    {
      ...{ suite, name: 'Frame, JavaScript and CSS', unit: 'KB', measured: bytes / 1024, target: { most: 250 } },
      note: 'as sent, with Brotli, the charts included',
    },
  ]
}

/** Gives the company of the login a board, and the login the flag for it. */
async function giveBoard(databaseUrl: string): Promise<void> {
  const pools = openPools(databaseUrl, () => {}, 1)
  try {
    const login = await pools.system.selectFrom('login').select('company_id').orderBy('id').executeTakeFirstOrThrow()
    await pools.system.updateTable('login').set({ supplier_analytics: true }).execute()
    await pools.staff
      .insertInto('dashboard')
      .values({
        ...{ uuid: DASHBOARD, dashboard_id: DASHBOARD, company_id: login.company_id, name: 'Bench' },
        ...{
          dashboard_type: 'Industry Dashboard',
          domain_url: 'https://analytics.pillar.example',
          created_at: new Date(),
        },
      })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  } finally {
    await pools.close()
  }
}

/** What a browser downloads for a frame: its script and style, and the charts they load. */
async function frameBytes(): Promise<number> {
  const page = await readFile('apps/web/dist/board.html', 'utf8')
  const named = [...page.matchAll(/assets\/([\w.-]+\.(?:js|css))/g)].map((found) => `${found[1]}.br`)
  const files = (await readdir(ASSETS)).filter((name) => named.includes(name))
  const sizes = await Promise.all(files.map(async (name) => (await stat(`${ASSETS}/${name}`)).size))
  return sizes.reduce((sum, size) => sum + size, 0)
}
