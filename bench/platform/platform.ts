import pg from 'pg'
import { type Figure, quantile } from '../figure.ts'
import { startServer } from '../server.ts'
import type { Bench } from '../suite.ts'
import { addSupport, PASSWORD, plainSql, SIZE, USERNAME, writePlatform } from './platform.queries.ts'

const suite = 'platform'
const ROUNDS = 25

interface Asked {
  name: string
  path: string
  /** Another input each round, so that no answer is remembered. */
  input: (round: number) => object
  most: number
  /** The same rows and count by SQL alone. */
  rival?: (round: number) => { text: string; values: unknown[] }
}

const TERMS = [
  'saltbush',
  'bank',
  'heron',
  'mallee 12',
  'orange',
  'kooka',
  'person19',
  'nothing of it',
  'ballarat',
  'dub',
]
const term = (round: number) => TERMS[round % TERMS.length]!
const page = (round: number) => 1 + ((round * 13) % 40)

/** A page and the count of a table with a name. */
const paged = (from: string, name: string, where: string) => (round: number) => ({
  text: `select (select json_agg(r) from (select * from ${from} where ${where} order by lower(${name}), id limit 20 offset 20 * ($1::int - 1)) r), (select count(*) from ${from} where ${where})`,
  values: [page(round)],
})
const searched = (from: string, name: string, where: string) => (round: number) => ({
  text: `select (select json_agg(r) from (select * from ${from} where ${where} and ${name} ilike $1 order by lower(${name}), id limit 20) r), (select count(*) from ${from} where ${where} and ${name} ilike $1)`,
  values: [`%${term(round)}%`],
})
const KEPT = 'removed_at is null'

const LISTS: readonly Asked[] = [
  {
    name: 'Companies, a page',
    path: 'company/search',
    input: (n) => ({ page: page(n) }),
    most: 100,
    rival: paged('company', 'name', KEPT),
  },
  {
    name: 'Companies, a search',
    path: 'company/search',
    input: (n) => ({ name: term(n) }),
    most: 100,
    rival: searched('company', 'name', KEPT),
  },
  {
    name: 'Companies, most pharmacies first',
    path: 'company/search',
    input: (n) => ({ page: page(n), sort_field: 'locations', sort_order: 'desc' }),
    most: 100,
  },
  {
    name: 'Users, a page',
    path: 'get-users',
    input: (n) => ({ page: page(n) }),
    most: 100,
    rival: paged('login', 'first_name', KEPT),
  },
  {
    name: 'Users, a search',
    path: 'get-users',
    input: (n) => ({ name: term(n) }),
    most: 100,
    rival: searched('login', 'first_name', KEPT),
  },
  {
    name: 'Templates, a page',
    path: 'template/admin/search',
    input: (n) => ({ page: page(n), global_template: false }),
    most: 100,
    rival: paged('template', 'name', `${KEPT} and company_id is not null`),
  },
  {
    name: 'Templates, a search',
    path: 'template/admin/search',
    input: (n) => ({ search_term: term(n), global_template: false }),
    most: 100,
    rival: searched('template', 'name', `${KEPT} and company_id is not null`),
  },
  {
    name: 'Templates, newest first',
    path: 'template/admin/search',
    input: (n) => ({ page: page(n), sort_field: 'updated_at', sort_order: 'desc' }),
    most: 100,
  },
  {
    name: 'Templates by company',
    path: 'template/admin/search',
    input: (n) => ({ company: term(n), sort_field: 'company' }),
    most: 100,
  },
  {
    name: 'Templates, what Select All Matching names',
    path: 'template/admin/affected-campaigns',
    input: (n) => ({ filter: { search_term: term(n) } }),
    most: 100,
  },
  {
    name: 'Campaigns, a page',
    path: 'campaign/admin/search',
    input: (n) => ({ page: page(n) }),
    most: 100,
    rival: paged('campaign', 'name', KEPT),
  },
  {
    name: 'Campaigns, a search',
    path: 'campaign/admin/search',
    input: (n) => ({ search_term: term(n) }),
    most: 100,
    rival: searched('campaign', 'name', KEPT),
  },
  { name: 'Message batches', path: 'admin/messaging-info', input: (n) => ({ page: page(n) }), most: 100 },
  { name: 'Audit, a page', path: 'audit/admin/search', input: (n) => ({ page: page(n) }), most: 100 },
  { name: 'Audit, a person', path: 'audit/admin/search', input: (n) => ({ search_term: term(n) }), most: 100 },
  {
    name: 'Audit, changes between two days',
    path: 'audit/admin/search',
    input: (n) => ({ kind: 'change', from: `2026-0${1 + (n % 8)}-01`, to: '2026-11-01' }),
    most: 100,
  },
  {
    name: 'Ctrl+K',
    path: 'find/admin',
    input: (n) => ({ term: term(n) }),
    most: 80,
    rival: searched('template', 'name', KEPT),
  },
  {
    name: 'Faulty uploads',
    path: 'support/get-faulty-etl-pharmacies',
    input: () => ({ module: 'strong_pro', filters: { show_no_uploads: true, business_days: 4 } }),
    most: 150,
  },
]

/** p95 of every list and search of the console, of Ctrl+K and of faulty uploads, on a whole platform; beside each the same work by SQL alone. */
export async function platform(bench: Bench): Promise<Figure[]> {
  const size = Object.fromEntries(
    Object.entries(SIZE).map(([name, count]) => [name, Math.max(20, Math.round(count * bench.scale))]),
  ) as typeof SIZE
  const server = await startServer(await bench.folder(suite), { SECOND_FACTOR: 'optional' })
  try {
    await writePlatform(server.databaseUrl, size)
    await addSupport(server.databaseUrl)
    bench.say(`A platform of ${size.companies} companies and ${size.templates} templates is written`)
    const ask = await signIn(server.url)
    const client = new pg.Client({ connectionString: server.databaseUrl })
    await client.connect()
    const figures: Figure[] = []
    for (const one of LISTS) figures.push(...(await measure(one, ask, client, bench)))
    await client.end()
    return figures
  } finally {
    await server.stop()
  }
}

type Ask = (path: string, input: object) => Promise<number>

async function measure(one: Asked, ask: Ask, client: pg.Client, bench: Bench): Promise<Figure[]> {
  const ours: number[] = []
  const theirs: number[] = []
  for (let round = -3; round < ROUNDS; round++) {
    const took = await ask(one.path, one.input(Math.abs(round))).catch((error: Error) => error)
    if (took instanceof Error) {
      bench.say(`${one.name}: ${took.message}`)
      return []
    }
    const rival = one.rival?.(Math.abs(round))
    const plain = rival ? await plainSql(client, rival.text, rival.values) : 0
    if (round < 0) continue
    ours.push(took)
    if (rival) theirs.push(plain)
  }
  const measured = quantile(ours, 0.95)
  const figure: Figure = {
    suite,
    name: `${one.name}, p95`,
    unit: 'ms',
    measured,
    target: { most: one.most },
    samples: ours,
  }
  if (theirs.length === 0) return [figure]
  const rival = quantile(theirs, 0.95)
  return [{ ...figure, rival: { name: 'plain SQL', measured: rival }, ratio: rival / measured }]
}

async function signIn(url: string): Promise<Ask> {
  const post = (path: string, input: object, token?: string) =>
    fetch(`${url}/api/${path}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        origin: url,
        ...(token ? { authorization: `Bearer ${token}` } : {}),
      },
      body: JSON.stringify(input),
    })
  const answer = await post('enterprise-login', { name: USERNAME, password: PASSWORD })
  if (!answer.ok) throw new Error(`Sign-in failed: ${answer.status} ${await answer.text()}`)
  const { access_token } = (await answer.json()) as { access_token: string }
  return async (path, input) => {
    const began = performance.now()
    const reply = await post(path, input, access_token)
    const text = await reply.text()
    if (!reply.ok) throw new Error(`${path} answered ${reply.status}: ${text.slice(0, 200)}`)
    return performance.now() - began
  }
}
