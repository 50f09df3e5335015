import { join } from 'node:path'
import type { contract, ReplyOf } from '@pillar/contract'
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { openPools, type Pools } from '../apps/server/src/db/database.ts'
import type { DB } from '../apps/server/src/db/schema.generated.ts'
import { inScope } from '../apps/server/src/db/scope.ts'
import { refreshFacts } from '../apps/server/src/features/cohort/cohort.jobs.ts'
import { createLocation, ensureCompany } from '../apps/server/src/features/location/location.queries.ts'
import { createLogin } from '../apps/server/src/features/session/login.queries.ts'
import { addHistory, fillCompany, settleFacts } from './cohort.queries.ts'
import { PASSWORD, post, signIn, timeOf, USERNAME } from './company.ts'
import { type Figure, quantile } from './figure.ts'
import { startServer, watchMemory } from './server.ts'
import type { Bench } from './suite.ts'

type Ledger = ReplyOf<typeof contract.campaign.cohort>
type Run = ReplyOf<typeof contract.campaign.run>

const FULL = { pharmacies: 200, patients: 300_000 }
const HISTORY_SCRIPTS = 100_000
const REQUESTS = 60
const RECIPIENTS = 100_000
const DATA_TO = '2026-11-01'
const suite = 'cohort'
export const COHORT = '/api/campaign/cohort/enterprise'

export const FILTERS: readonly object[] = [
  {},
  { adherence: [1, 2] },
  { age: ['65+'] },
  { polypharmacy: ['5-9', '10+'] },
  { patient_type: ['Concession', 'DVA'] },
  { adherence: [1, 2, 3], age: ['50-64', '65+'], patient_sex: ['Female'] },
]

/** The held-back ledger of 300,000 patients at 200 pharmacies over HTTP, facts after an upload, and an activation for 100,000. */
export async function cohort(bench: Bench): Promise<Figure[]> {
  const size = {
    pharmacies: Math.max(2, Math.round(FULL.pharmacies * bench.scale)),
    patients: Math.max(1000, Math.round(FULL.patients * bench.scale)),
  }
  const server = await startServer(join(await bench.folder('cohort'), 'data'))
  const pools = openPools(server.databaseUrl, () => {}, 2)
  const owner = new Kysely<DB>({
    dialect: new PostgresDialect({ pool: new pg.Pool({ connectionString: server.databaseUrl, max: 1 }) }),
  })
  try {
    const company = await found(pools, size.pharmacies)
    bench.say(`cohort: ${size.patients} patients at ${size.pharmacies} pharmacies`)
    await fillCompany(owner, company.id, size)
    const facts = await factsOf(pools, owner, company, Math.round(HISTORY_SCRIPTS * bench.scale))
    const token = await signIn(server.url)
    return [
      facts,
      ...(await counting(server.url, token, company.uuids)),
      ...(await activation(server, token, company.uuids, Math.round(RECIPIENTS * bench.scale))),
    ]
  } finally {
    await owner.destroy()
    await pools.close()
    await server.stop()
  }
}

export interface Company {
  id: number
  locationIds: number[]
  uuids: string[]
}

/** Creates a company of this many pharmacies and a head-office login with this name. */
export async function found(pools: Pools, pharmacies: number, username = USERNAME): Promise<Company> {
  const { id } = await ensureCompany(pools.system, { name: 'Bench Cohort', country: 'AU' })
  const person = { username, email: `${username}@bench.example`, first_name: 'Head', last_name: 'Office' }
  await createLogin(pools.system, { companyId: id, ...person, flags: ['data_analytics'], password: PASSWORD })
  const locations = []
  for (let n = 0; n < pharmacies; n++) {
    const place = { region: 'VIC', postcode: '3350', country: 'AU', time_zone: 'Australia/Melbourne' } as const
    locations.push(
      await createLocation(pools.system, {
        companyId: id,
        name: `Bench Pharmacy ${String(n).padStart(3, '0')}`,
        phone_number: '03 5555 0100',
        ...place,
      }),
    )
  }
  return { id, locationIds: locations.map((one) => one.id), uuids: locations.map((one) => one.uuid) }
}

/** Rebuilds the facts of one pharmacy as after an upload. */
export const refreshOf = (pools: Pools, company: Company) => (id: number) =>
  inScope(pools.app, { companyId: company.id, locationIds: [id] }, (tx) =>
    refreshFacts(tx, { id, country: 'AU', dataTo: DATA_TO }),
  )

/** Rebuilds the facts of every pharmacy; timed for one with a long history. */
async function factsOf(pools: Pools, owner: Kysely<DB>, company: Company, scripts: number): Promise<Figure> {
  const refresh = refreshOf(pools, company)
  for (const id of company.locationIds) await refresh(id)
  const busy = await addHistory(owner, company.id, scripts)
  const seconds: number[] = []
  for (let n = 0; n < 5; n++) {
    const began = performance.now()
    await refresh(busy)
    seconds.push((performance.now() - began) / 1000)
  }
  await settleFacts(owner)
  return {
    ...{ suite, name: `Facts after an upload, ${scripts} scripts`, unit: 's', measured: quantile(seconds, 0.5) },
    ...{ target: { most: 1 }, samples: seconds },
  }
}

const BODY =
  'Hi {First Name} {Last Name}, your next repeat is due at {Pharmacy Name}. Questions? Call {Pharmacy Number}.'

async function counting(url: string, token: string, pharmacies: readonly string[]): Promise<Figure[]> {
  const texts = await templates(url, token)
  const figures: Figure[] = []
  for (const [name, chosen] of [
    ['one text', [texts.sms]],
    ['text and e-mail', [texts.sms, texts.email]],
  ] as const) {
    const times: number[] = []
    let most = 0
    for (const filters of FILTERS) {
      const answer = await post(url, COHORT, { filters, pharmacies, templates: chosen }, token)
      most = Math.max(most, (JSON.parse(answer) as Ledger).selected)
    }
    for (let n = 0; n < REQUESTS; n++) {
      const filters = FILTERS[n % FILTERS.length]
      times.push(await timeOf(url, COHORT, { filters, pharmacies, templates: chosen }, token))
    }
    const note = `up to ${most} selected of ${pharmacies.length} pharmacies; six filters in turn`
    figures.push({
      ...{
        suite,
        name: `Cohort ledger, ${name}, p95`,
        unit: 'ms',
        measured: quantile(times, 0.95),
        note,
        samples: times,
      },
      ...(name === 'one text' ? { target: { most: 300 } } : {}),
    })
    figures.push({ suite, name: `Cohort ledger, ${name}, median`, unit: 'ms', measured: quantile(times, 0.5) })
  }
  return figures
}

const granted = async (url: string, token: string, action: string, object: string | null) => {
  const body = { name: USERNAME, password: PASSWORD, action, ...(object ? { object } : {}) }
  return (JSON.parse(await post(url, '/api/confirm-enterprise-login', body, token)) as { grant: string }).grant
}

async function write(
  url: string,
  token: string,
  path: string,
  action: string,
  object: string | null,
  body: object,
): Promise<{ id: string }> {
  const headers = {
    'content-type': 'application/json',
    authorization: `Bearer ${token}`,
    'x-step-up-grant': await granted(url, token, action, object),
  }
  const answer = await fetch(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
  if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`)
  return (await answer.json()) as { id: string }
}

async function templates(url: string, token: string) {
  const make = async (name: string, kind: object) =>
    (
      await write(url, token, '/api/template/create/enterprise', 'save', null, {
        name,
        body: BODY,
        active: true,
        ...kind,
      })
    ).id
  return {
    sms: await make('Repeat due by text', { sms_template: true }),
    email: await make('Repeat due by e-mail', { email_template: true, subject: 'Your next repeat' }),
  }
}

/** From the click on Activate until every message of the cohort is in the ledger. */
async function activation(
  server: { url: string; pid: number },
  token: string,
  pharmacies: readonly string[],
  wanted: number,
): Promise<Figure[]> {
  const { url } = server
  const found = JSON.parse(await post(url, '/api/template/list/enterprise', { sms_template: true }, token)) as {
    templates: { template_id: string }[]
  }
  const half = { adherence: [1, 2, 3] }
  const { id } = await write(url, token, '/api/campaign/create/enterprise', 'save', null, {
    ...{ name: 'Bench', filters: half, goal_type: 'scripts', measure_by: 'value', goal: 1 },
    ...{ templates: [found.templates[0]!.template_id], locations: pharmacies },
  })
  const memory = watchMemory(server.pid)
  const began = performance.now()
  await write(url, token, `/api/campaign/${id}/activate/enterprise`, 'activate', id, { active: true })
  let run: Run
  do {
    await new Promise((done) => setTimeout(done, 100))
    run = JSON.parse(await post(url, `/api/campaign/${id}/run/enterprise`, {}, token)) as Run
  } while (run.state === 'preparing' && performance.now() - began < 120_000)
  const seconds = (performance.now() - began) / 1000
  const { samples, peak } = await memory()
  const rows = run.progress.messages
  const note = `${rows} rows of the ledger, ${run.progress.queued} queued; state ${run.state}`
  return [
    {
      ...{ suite, name: `Cohort to ledger, ${wanted} people`, unit: 's', measured: (seconds * wanted) / rows, note },
      target: { most: 10 },
    },
    { suite, name: 'Server memory meanwhile, most', unit: 'MB', measured: peak, target: { most: 400 }, samples },
  ]
}
