import { setTimeout as pause } from 'node:timers/promises'
import { contract } from '@pillar/contract'
import { formOf, post, type Status } from '../upload.ts'
import { firstUpload, nightlyUpload, type SoakWorld } from './soak-world.ts'

export const WEBHOOK_SECRET = 'a-secret-of-sixteen-or-more'
/**
 * Concurrent users, each acting again after the answer. Only one reads figures: a company has one calculation at a time, and on a busy
 * machine a user who waits too long is told to come again.
 */
const LANES = ['figures', 'rest', 'rest', 'rest', 'rest'] as const

export interface Rates {
  perSecond: number
  uploadEveryMs: number
  signInEveryMs: number
}

export interface Load {
  asked: number
  /** Requests not answered as they should be, as call and status. */
  faults: string[]
  ms: number[]
  uploads: number
}

type Ask = (path: string, body: object) => Promise<void>

type Step = (ask: Ask) => Promise<void>

/** The calls made, each list in order: figures; and lists, writes and patients' texts. */
function callsOf({ pharmacies }: SoakWorld, view: string, count: () => number): Record<'figures' | 'rest', Step[]> {
  const { financials, campaign, template, savedView, inbound } = contract
  const ids = pharmacies.map(({ uuid }) => uuid)
  const year = new Date().getUTCFullYear()
  const asks =
    (path: string, body: () => object): Step =>
    (ask) =>
      ask(path, body())
  const table = asks(financials.table.path, () => ({
    category: 'Drug Type',
    pharmacies: ids,
    year,
    changes: count() % 2 === 0,
  }))
  const stats = asks(financials.stats.path, () => ({ pharmacy_ids: ids, year }))
  const values = asks(financials.figures.path, () => ({ pharmacy_ids: ids, year }))
  const trend = asks(financials.trend.path, () => ({ figure: 'revenue', pharmacy_ids: ids, year }))
  const lists = [campaign.list, template.list, savedView.list, inbound.replies].map(({ path }) =>
    asks(path, () => ({})),
  )
  const info = asks(financials.initInfo.path, () => ({ year }))
  const save = asks(savedView.edit.path.replace('{id}', view), () => ({ state: { period: `${count()}` } }))
  const text: Step = (ask) => {
    const from = `+614${11_000_000 + (count() % 500)}`
    const query = new URLSearchParams({ secret: WEBHOOK_SECRET, from, to: '+61400000000', text: 'thank you' })
    return ask(`/webhooks/sms/http/reply?${query}&id=soak-${crypto.randomUUID()}`, {})
  }
  return { figures: [table, stats, table, values, trend], rest: [...lists, text, info, ...lists, save] }
}

/** Signs in and makes steady requests until `until`; occasionally it sends a night's upload and signs in again. */
export async function soak(url: string, world: SoakWorld, rates: Rates, until: Promise<unknown>): Promise<Load> {
  const load: Load = { asked: 0, faults: [], ms: [], uploads: 0 }
  let over = false
  let token = await signIn(url, world)
  let count = 0
  const view = await makeView(url, token)
  void until.finally(() => {
    over = true
  })
  const ask: Ask = async (path, body) => {
    const began = performance.now()
    load.asked++
    const answer = await asJson(url, path, body, token).catch(() => null)
    if (answer?.status !== 200) load.faults.push(`${path.split('?')[0]} ${answer?.status ?? 'broken'}`)
    load.ms.push(performance.now() - began)
  }
  const calls = callsOf(world, view, () => count)
  const gap = (1000 * LANES.length) / rates.perSecond
  const lane = async (kind: (typeof LANES)[number], at: number) => {
    let due = performance.now() + (gap * at) / LANES.length
    while (!over) {
      // A late user does not hurry afterwards.
      due = Math.max(due + gap, performance.now())
      await calls[kind][count++ % calls[kind].length]!(ask)
      await pause(Math.max(0, due - performance.now()))
    }
  }
  const every = async (ms: number, work: (round: number) => Promise<void>) => {
    for (let round = 0; !over; round++) {
      await Promise.race([pause(ms, undefined, { ref: false }), until])
      if (!over) await work(round)
    }
  }
  const noting = async (what: string, work: () => Promise<string>) => {
    load.asked++
    const ended = await work().catch((error: Error) => error.message)
    if (ended !== 'COMPLETED') load.faults.push(`${what}: ${ended}`)
  }
  const upload = (night: number) =>
    noting('upload', async () => {
      load.uploads++
      return send(url, world.pharmacies[night % world.pharmacies.length]!.key, nightlyUpload(night))
    })
  const signInAgain = () =>
    noting('sign-in', async () => {
      token = await signIn(url, world)
      return 'COMPLETED'
    })
  await Promise.all([...LANES.map(lane), every(rates.uploadEveryMs, upload), every(rates.signInEveryMs, signInAgain)])
  return load
}

/** Sends each pharmacy's whole record. */
export async function sendRecords(url: string, world: SoakWorld): Promise<void> {
  for (const { key } of world.pharmacies) {
    const ended = await send(url, key, firstUpload())
    if (ended !== 'COMPLETED') throw new Error(`The first upload ended as ${ended}.`)
  }
}

async function send(url: string, key: string, files: ReturnType<typeof firstUpload>): Promise<string> {
  const sent = await post(`${url}/api/etl/upload`, key, formOf(files, { data_source: 'canonical' }))
  const { uuid } = (await sent.json()) as { uuid?: string }
  for (let tries = 0; uuid && tries < 600; tries++) {
    const asked = await post(`${url}/api/etl/status`, key, JSON.stringify({ uuid }), 'application/json')
    const { etl_state, notes } = (await asked.json()) as Status
    if (etl_state === 'COMPLETED') return etl_state
    if (etl_state === 'ERROR') return `ERROR: ${notes}`
    await pause(100)
  }
  return `${sent.status}, and not loaded within a minute`
}

/** Makes one call and reads its whole answer. */
function asJson(
  url: string,
  path: string,
  body: object,
  token: string | null,
): Promise<{ status: number; text: string }> {
  const headers = { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) }
  return fetch(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) }).then(async (answer) => ({
    status: answer.status,
    text: await answer.text(),
  }))
}

/** @returns the access token */
async function signIn(url: string, { login }: SoakWorld): Promise<string> {
  const { path } = contract.session.login
  const { status, text } = await asJson(url, path, { name: login.username, password: login.password }, null)
  if (status !== 200) throw new Error(`The sign-in was answered ${status}: ${text}`)
  return (JSON.parse(text) as { access_token: string }).access_token
}

async function makeView(url: string, token: string): Promise<string> {
  const { path } = contract.savedView.create
  const { text } = await asJson(url, path, { name: `Soaked ${crypto.randomUUID()}`, state: {} }, token)
  return (JSON.parse(text) as { id: string }).id
}
