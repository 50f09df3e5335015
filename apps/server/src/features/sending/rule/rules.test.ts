import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makePatients, makeRun } from '../../../../test/messaging.ts'
import {
  asOwner,
  makeCompany,
  makeLocation,
  makeLogin,
  type SignedIn,
  signIn,
  stepUp,
  type TestLogin,
} from '../../../../test/people.ts'
import { sendAll } from '../../../../test/sending.ts'
import { startTestServer, type TestServer } from '../../../../test/server.ts'
import { untilWaiting } from '../../../../test/waiting.ts'
import type { Tx } from '../../../db/database.ts'
import { inScope } from '../../../db/scope.ts'

let server: TestServer
let companyId: number
let tab: SignedIn
let rival: SignedIn
let login: TestLogin

beforeAll(async () => {
  server = await startTestServer()
  companyId = (await makeCompany(server)).id
  login = await makeLogin(server, companyId, { flags: ['data_analytics'] })
  tab = await signIn(server, login)
  rival = await signIn(server, await makeLogin(server, (await makeCompany(server)).id, { flags: ['data_analytics'] }))
})
afterAll(() => server.close())

const RULES = '/api/messaging/rules'
const read = async (as = tab) => (await server.call(RULES, {}, as.bearer)).body
const weekdays = [540, 1200]
const standard = {
  cap_messages: 2,
  cap_hours: 168,
  week: [weekdays, weekdays, weekdays, weekdays, weekdays, [540, 1020], null],
  holidays_quiet: true,
  holdout_percent: 0,
  approval: false,
}
const save = async (body: object) =>
  server.call(`${RULES}/save`, body, await stepUp(server, { login, tab }, 'save', null))

describe('sending rules', () => {
  it('are the country’s defaults until the company sets its own', async () => {
    expect(await read()).toEqual({
      ...standard,
      version: 0,
      sms_gateway: server.services.sms.name,
      simulated: true,
      rate_per_minute: 1200,
      cents_per_part: 12,
      holidays_to: '2028-12-31',
    })
    const own = {
      ...standard,
      cap_messages: 1,
      week: [...standard.week.slice(0, 5), null, [600, 660]],
      holdout_percent: 10,
    }
    expect((await save(own)).body).toEqual({ saved: true })
    expect(await read()).toMatchObject(own)
    expect((await save({ ...own, holidays_quiet: false })).status).toBe(200)
    expect(await read()).toMatchObject({ holidays_quiet: false })
    expect(await read(rival)).toMatchObject(standard)
    expect(await asOwner(server, 'select company_id from messaging_setting')).toEqual([{ company_id: companyId }])
  })

  it('warn the second of two editors', async () => {
    const { version } = await read()
    expect((await save({ ...standard, cap_hours: 24, version })).status).toBe(200)
    const late = await save({ ...standard, cap_hours: 48, version })
    expect([late.status, late.body.message]).toEqual([
      409,
      'Somebody else changed the sending rules in the meantime. Nothing was saved. Please open them again and make your changes.',
    ])
    expect(await read()).toMatchObject({ cap_hours: 24, version: Number(version) + 1 })
  })

  it('that two people set for the first time at the same moment are the first one’s, and the second is warned', async () => {
    const company = await makeCompany(server)
    const people = [1, 2].map(() => makeLogin(server, company.id, { flags: ['data_analytics'] }))
    const desks = await Promise.all(
      people.map(async (made) => ({ login: await made, tab: await signIn(server, await made) })),
    )
    const owner = new pg.Client({ connectionString: server.ownerUrl })
    await owner.connect()
    const saving = async (at: number, body: object) =>
      server.call(`${RULES}/save`, body, await stepUp(server, desks[at]!, 'save', null))
    await owner.query('begin')
    // Both have read, and neither has written.
    await owner.query('lock table messaging_setting in share row exclusive mode')
    const first = saving(0, { ...standard, approval: true, version: 0 })
    await untilWaiting(server)
    const second = saving(1, { ...standard, cap_messages: 9, version: 0 })
    await untilWaiting(server, 2)
    await owner.query('commit')
    await owner.end()
    expect([(await first).status, (await second).status]).toEqual([200, 409])
    expect(await read(desks[0]!.tab)).toMatchObject({ approval: true, cap_messages: standard.cap_messages })
  })

  it('apply at once to messages waiting for an hour, and release none before the start', async () => {
    const location = await makeLocation(server, companyId)
    const company = { id: companyId, uuid: '', name: '' }
    const scope = { companyId, locationIds: [location.id] }
    const world = {
      company,
      locations: [location],
      scope,
      inside: <T>(work: (tx: Tx) => Promise<T>) => inScope(server.services.pools.app, scope, work),
    }
    const patients = await makePatients(server, location.id, 1)
    const later = new Date(Date.now() + 36 * 3_600_000)
    const waiting = await makeRun(server, world, { patients })
    const unbegun = await makeRun(server, world, { patients, startsAt: later })
    // Checked once it resumes.
    const stopped = await makeRun(server, world, { patients, state: 'stopped' })
    for (const run of [waiting, unbegun, stopped]) {
      await asOwner(server, 'update message set planned_at = $2 where run_id = $1', [run.id, later])
      await asOwner(server, 'update message_batch set next_at = $2 where run_id = $1', [run.id, later])
    }
    expect((await save(standard)).status).toBe(200)
    const batches = () =>
      asOwner<{ due: boolean; replans: boolean }>(
        server,
        `select b.next_at <= now() + interval '1 minute' as due, b.replanned_to is not null as replans
         from message_batch b where b.location_id = $1 order by b.run_id`,
        [location.id],
      )
    const [replans, done] = [{ replans: true }, { replans: false }]
    expect(await batches()).toEqual([
      { due: true, ...replans },
      { due: false, ...replans },
      { due: true, ...replans },
    ])
    await sendAll(server.services)
    const left = `select count(*)::int as left from message where run_id = $1 and planned_at = $2 and state = 'queued'`
    expect(await asOwner(server, left, [waiting.id, later])).toEqual([{ left: 0 }])
    expect(await batches()).toMatchObject([done, replans, replans])
    await asOwner(server, 'update location set removed_at = now() where id = $1', [location.id])
  })

  it('need step-up, and valid hours', async () => {
    const bare = await server.call(`${RULES}/save`, standard, tab.bearer)
    expect(bare.body).toMatchObject({ code: 'step_up_needed' })
    const message = async (body: object) => {
      const reply = await save(body)
      expect(reply.status).toBe(422)
      return reply.body.message
    }
    expect(await message({ ...standard, week: [[600, 600], ...standard.week.slice(1)] })).toBe(
      'Please let the sending hours of Monday end after they begin.',
    )
    expect(await message({ ...standard, week: [null, null, null, null, null, null, null] })).toBe(
      'Please leave at least one day of the week on which messages may be sent.',
    )
    // Each wrong day is named as in the form.
    const wrong = { ...standard, week: [[600, 600], [600, 600], ...standard.week.slice(2)] }
    expect((await save(wrong)).body.errors).toEqual({
      day0: ['Please let the sending hours of Monday end after they begin.'],
      day1: ['Please let the sending hours of Tuesday end after they begin.'],
    })
    await message({ ...standard, cap_messages: 0 })
    await message({ ...standard, holdout_percent: 51 })
    await message({ ...standard, week: standard.week.slice(1) })
  })
})

describe('the pharmacies to choose from', () => {
  it('are the company’s, by name, without closed ones', async () => {
    const b = await makeLocation(server, companyId, 'Beta Pharmacy')
    const a = await makeLocation(server, companyId, 'Alpha Pharmacy')
    const closed = await makeLocation(server, companyId, 'Closed Pharmacy')
    await asOwner(server, 'update location set removed_at = now() where id = $1', [closed.id])
    const reply = await server.call('/api/get-pharmacies', {}, tab.bearer)
    expect(reply.body.data).toEqual([
      { name: 'Alpha Pharmacy', uuid: a.uuid },
      { name: 'Beta Pharmacy', uuid: b.uuid },
    ])
    expect((await server.call('/api/get-pharmacies', {}, rival.bearer)).body).toEqual({ data: [] })
  })
})
