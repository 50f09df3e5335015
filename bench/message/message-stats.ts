import { join } from 'node:path'
import type { contract, ReplyOf } from '@pillar/contract'
import pg from 'pg'
import { openPools, type Pools } from '../../apps/server/src/db/database.ts'
import { inScope } from '../../apps/server/src/db/scope.ts'
import { refreshCampaigns } from '../../apps/server/src/features/attribution/campaign-result.queries.ts'
import { recountCampaigns } from '../../apps/server/src/features/attribution/campaign-stat.queries.ts'
import { recountStats } from '../../apps/server/src/features/attribution/message-stat.queries.ts'
import { createLocation, ensureCompany } from '../../apps/server/src/features/location/location.queries.ts'
import { createLogin } from '../../apps/server/src/features/session/login.queries.ts'
import { PASSWORD, post, signIn, timeOf, USERNAME } from '../company.ts'
import { type Figure, quantile } from '../figure.ts'
import { startServer } from '../server.ts'
import type { Bench } from '../suite.ts'
import { countLive, fillMessages, type LiveCount } from './message-stats.queries.ts'

type Stats = ReplyOf<typeof contract.attribution.stats>

const FULL = { pharmacies: 200, messages: 5_000_000 }
const REQUESTS = 200
const WARM_UP = 20
const suite = 'message-stats'
const STATS = '/api/enterprise-message-stats'

/** The page's requests: years, quarters and months, sorted in different ways. */
const ASKED: readonly object[] = [
  { year: 2026 },
  { year: 2025, quarter: 2 },
  { year: 2026, month: 5 },
  { year: 2026, page: 3 },
  { year: 2024, month: 11, sort_field: 'name', sort_order: 'asc' },
  { year: 2025, sort_field: 'roi' },
]

/**
 * Message statistics of three years over HTTP, beside the same numbers counted from the messages; campaign statistics; recounting one
 * pharmacy.
 */
export async function messageStats(bench: Bench): Promise<Figure[]> {
  const size = {
    pharmacies: Math.max(4, Math.round(FULL.pharmacies * Math.max(bench.scale, 0.1))),
    messages: Math.max(20_000, Math.round(FULL.messages * bench.scale)),
  }
  const server = await startServer(join(await bench.folder('message-stats'), 'data'))
  const pools = openPools(server.databaseUrl, () => {}, 2)
  const owner = new pg.Client({ connectionString: server.databaseUrl })
  await owner.connect()
  try {
    const company = await found(pools, size.pharmacies)
    bench.say(`message-stats: writing ${size.messages} messages of ${size.pharmacies} pharmacies`)
    const campaigns = await fillMessages(owner, company.id, size)
    await owner.query(`update location set data_from = '2020-01-01', data_to = '2026-12-31' where company_id = $1`, [
      company.id,
    ])
    const { rows } = await owner.query<{ n: number }>('select count(*)::int as n from message')
    const note = `${rows[0]!.n} messages of ${size.pharmacies} pharmacies in three years`
    bench.say('message-stats: counting every pharmacy')
    const recount = await recountAll(pools, company)
    await owner.query('vacuum analyze')
    const token = await signIn(server.url)
    const time = (path: string, body: object) => timeOf(server.url, path, body, token)
    const stats = await timed((at) => time(STATS, ASKED[at % ASKED.length]!))
    const campaign = await timed((at) =>
      time('/api/campaign/enterprise/stats', { campaign_id: campaigns[at % campaigns.length] }),
    )
    const pictures = await timed((at) =>
      time(`/api/campaign/${campaigns[at % campaigns.length]}/pictures/enterprise`, {}),
    )
    const reply = JSON.parse(await post(server.url, STATS, { year: 2025 }, token)) as Stats
    const live = await timedLive(owner, company.id)
    return [
      ...figures('Message stats', stats, 60, note),
      ...figures('Campaign stats', campaign, 100, note),
      ...figures('Campaign pictures', pictures, 60, note),
      {
        suite,
        name: 'Counting one pharmacy anew, p95',
        unit: 'ms',
        measured: quantile(recount, 0.95),
        samples: recount,
      },
      {
        ...{
          suite,
          name: 'Message stats, times faster than counting',
          unit: 'x',
          measured: live.ms / quantile(stats, 0.5),
        },
        ...{
          rival: { name: 'PostgreSQL from the messages, medians', measured: live.ms },
          ratio: live.ms / quantile(stats, 0.5),
        },
        target: { least: 5 },
      },
      {
        ...{
          suite,
          name: 'Largest difference to counting',
          unit: '',
          measured: apart(reply, live.counted),
          target: { most: 0 },
        },
        note: `2025: ${live.counted.sms} texts, ${live.counted.email} e-mails, ${live.counted.reach} people, ${live.counted.cents} cents`,
      },
    ]
  } finally {
    await owner.end()
    await pools.close()
    await server.stop()
  }
}

interface Company {
  id: number
  locationIds: number[]
}

async function found(pools: Pools, pharmacies: number): Promise<Company> {
  const { id } = await ensureCompany(pools.system, { name: 'Bench Message Stats', country: 'AU' })
  const person = { username: USERNAME, email: 'headoffice@bench.example', first_name: 'Head', last_name: 'Office' }
  await createLogin(pools.system, { companyId: id, ...person, flags: ['data_analytics'], password: PASSWORD })
  const locationIds: number[] = []
  for (let n = 0; n < pharmacies; n++) {
    const place = { region: 'VIC', postcode: '3350', country: 'AU', time_zone: 'Australia/Melbourne' } as const
    const name = `Bench Pharmacy ${String(n).padStart(3, '0')}`
    locationIds.push((await createLocation(pools.system, { companyId: id, name, ...place })).id)
  }
  return { id, locationIds }
}

/**
 * Recounts as the server does after messages have changed, and results as after an upload (no dispenses here: the standing is empty).
 * @returns ms of each pharmacy's recount
 */
async function recountAll(pools: Pools, company: Company): Promise<number[]> {
  const ms: number[] = []
  for (const id of company.locationIds) {
    const scope = { companyId: company.id, locationIds: [id] }
    const began = performance.now()
    await inScope(pools.app, scope, async (tx) => {
      await recountStats(tx, id)
      await recountCampaigns(tx, id)
    })
    ms.push(performance.now() - began)
    const place = { id, timeZone: 'Australia/Melbourne', dataTo: '2026-12-31' }
    await inScope(pools.app, scope, (tx) => refreshCampaigns(tx, place))
  }
  return ms
}

async function timed(ask: (at: number) => Promise<number>): Promise<number[]> {
  const ms: number[] = []
  for (let at = 0; at < WARM_UP + REQUESTS; at++) ms.push(await ask(at))
  return ms.slice(WARM_UP)
}

async function timedLive(owner: pg.Client, companyId: number): Promise<{ counted: LiveCount; ms: number }> {
  const ms: number[] = []
  for (let at = 0; ; at++) {
    const began = performance.now()
    const counted = await countLive(owner, companyId, '2025-01-01', '2026-01-01')
    if (at > 0) ms.push(performance.now() - began)
    if (at === 3) return { counted, ms: quantile(ms, 0.5) }
  }
}

const figures = (name: string, ms: number[], most: number, note: string): Figure[] => [
  { suite, name: `${name}, p95`, unit: 'ms', measured: quantile(ms, 0.95), target: { most }, samples: ms, note },
  { suite, name: `${name}, p50`, unit: 'ms', measured: quantile(ms, 0.5) },
]

function apart(reply: Stats, counted: LiveCount): number {
  return Math.max(
    Math.abs(reply.total_sms - counted.sms),
    Math.abs(reply.total_email - counted.email),
    Math.abs(reply.total_reach - counted.reach),
    Math.abs(Math.round(reply.total_cost * 100) - counted.cents),
  )
}
