import type { contract, ReplyOf } from '@pillar/contract'
import { formatDay } from '@pillar/domain/day'
import { dayIn } from '@pillar/domain/zone'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addPeople, person } from '../../../test/cohort-world.ts'
import {
  freshMobile,
  type MessagingWorld,
  makeMessagingWorld,
  makeTemplate,
  setRules,
} from '../../../test/messaging.ts'
import { asOwner, fresh, makeLogin, type SignedIn, signIn, stepUp, type TestLogin } from '../../../test/people.ts'
import { startTestServer, type TestServer } from '../../../test/server.ts'

type Body = Omit<ReplyOf<typeof contract.campaign.info>, 'pharmacies'> &
  ReplyOf<typeof contract.campaign.run> &
  ReplyOf<typeof contract.campaign.cohort> & { id: string; message: string; left: number; template_names: string[] }

let server: TestServer
let world: MessagingWorld
let login: TestLogin
let me: SignedIn
let template: { id: number; uuid: string }
const today = () => formatDay(dayIn('Australia/Sydney', server.services.now()))

beforeAll(async () => {
  server = await startTestServer({ work: true })
  world = await makeMessagingWorld(server, { locations: 2 })
  login = await makeLogin(server, world.company.id, { flags: ['data_analytics'] })
  me = await signIn(server, login)
  template = await makeTemplate(server, world.company.id)
  const shared = freshMobile()
  await addPeople(server, world, [
    ...Array.from({ length: 10 }, (_, index) => text({ at: index % 2, sms_to: freshMobile() })),
    text({ sms_to: shared, first_name: '王' }),
    text({ sms_to: shared, at: 1 }),
    text({ sms_to: freshMobile(), deceased: true }),
    text({ sms_to: freshMobile(), fake: true }),
    text({ sms_to: freshMobile(), sms_opt_out: true }),
    text({}),
    text({ sms_to: freshMobile(), adherence_level: 5 }),
  ])
})
afterAll(() => server.close())

const text = (more: Parameters<typeof person>[0]) => person({ ...more, mobile: more?.sms_to ?? null })
const grant = (action: string, object: string | null) => stepUp(server, { login, tab: me }, action, object)
const read = (path: string, body: object = {}) => server.call<Body>(path, body, me.bearer)
const path = (id: string, what: string) => `/api/campaign/${id}/${what}/enterprise`
const write = async (id: string, what: string, action: string, body: object = {}) =>
  server.call<Body>(path(id, what), body, await grant(action, id))
const filters = { adherence: [1, 2, 3] }
const places = () => world.locations.map((location) => location.uuid)

const asked = (more: object = {}) => ({ filters, pharmacies: places(), templates: [template.uuid], ...more })

const create = async (more: object = {}) => {
  const body = {
    name: fresh('Run'),
    filters,
    goal_type: 'scripts',
    measure_by: 'value',
    goal: 5,
    templates: [template.uuid],
    locations: places(),
    ...more,
  }
  const made = await server.call<Body>('/api/campaign/create/enterprise', body, await grant('save', null))
  expect([made.status, made.body.message]).toEqual([200, undefined])
  return made.body.id
}
const prepared = async (id: string) => {
  await expect.poll(async () => (await read(path(id, 'run'))).body.state, { timeout: 20_000 }).toBe('holding')
  return (await read(path(id, 'run'))).body
}
const fetchMessages = (id: string) =>
  asOwner<{
    state: string
    reason: string | null
    body: string | null
    parts: number
    cents: number
    planned_at: Date | null
  }>(
    server,
    `select m.* from message m join message_run r on r.id = m.run_id join campaign c on c.id = r.campaign_id where c.uuid = $1 order by m.id`,
    [id],
  )

describe('activating', () => {
  it('writes what the ledger foretold: everybody once, with a reason or a text, after the hold', async () => {
    const id = await create()
    const foretold = (
      await read('/api/campaign/cohort/enterprise', {
        filters,
        pharmacies: places(),
        templates: [template.uuid],
        campaign_id: id,
      })
    ).body
    expect(foretold).toMatchObject({ selected: 16, will_receive: 11, held_back: 5, messages: 11 })
    expect(foretold.channels[0]!.tipping).toEqual([{ what: 'Letters in names that force Unicode', messages: 1 }])
    const before = server.services.now().getTime()
    const { status, body } = await write(id, 'activate', 'activate', { active: true, expected_messages: 11 })
    expect(status).toBe(200)
    const holds = new Date(body.starts_at!).getTime() - before
    expect(holds).toBeGreaterThanOrEqual(120_000)
    expect(holds).toBeLessThan(130_000)
    const run = await prepared(id)
    expect(run).toMatchObject({ run_id: body.run_id, cents: foretold.cents, simulated: true })
    expect(run.progress).toMatchObject({ messages: 16, queued: 11, skipped: 5 })
    expect(Object.fromEntries(run.skipped.map(({ reason, count }) => [reason, count]))).toEqual(
      Object.fromEntries(foretold.reasons.map(({ reason, count }) => [reason, count])),
    )
    const messages = await fetchMessages(id)
    const queued = messages.filter((message) => message.state === 'queued')
    expect(queued.reduce((sum, message) => sum + message.parts, 0)).toBe(foretold.parts)
    expect(queued.every((message) => message.planned_at!.toISOString() === body.starts_at)).toBe(true)
    expect(queued.every((message) => message.body?.endsWith('\nReply STOP to opt out'))).toBe(true)
    expect((await read(path(id, 'info'))).body).toMatchObject({
      active: true,
      start_date: today(),
      end_date: null,
      run_state: 'holding',
    })
    const csv = await server.call<string>(path(id, 'run-csv'), {}, me.bearer)
    expect(csv.body.trim().split('\n')).toHaveLength(1 + 16)
    expect(csv.body).toContain('SCHEDULED')
  })

  it('makes one run of fifty activations at once, and of a double click (T17)', async () => {
    const id = await create()
    const grants: Awaited<ReturnType<typeof grant>>[] = []
    while (grants.length < 50) grants.push(await grant('activate', id))
    const replies = await Promise.all(
      grants.map((headers) => server.call<Body>(path(id, 'activate'), { active: true }, headers)),
    )
    expect(new Set(replies.map((reply) => reply.status))).toEqual(new Set([200]))
    expect(new Set(replies.map((reply) => reply.body.run_id)).size).toBe(1)
    await prepared(id)
    const again = await write(id, 'activate', 'activate', { active: true })
    expect(again.body.run_id).toBe(replies[0]!.body.run_id)
    expect(await fetchMessages(id)).toHaveLength(16)
  })

  it('creates and activates in one, with its templates, after naming them', async () => {
    const off = await makeTemplate(server, world.company.id, { name: fresh('Off') })
    await asOwner(server, 'update template set active = false where id = $1', [off.id])
    const body = {
      name: fresh('At once'),
      filters,
      goal_type: 'scripts',
      measure_by: 'value',
      goal: 5,
      templates: [off.uuid],
      locations: places(),
    }
    const quiet = await server.call<Body>('/api/campaign/create/enterprise', body, await grant('save', null))
    const named = await read(path(quiet.body.id, 'affected-templates'), { active: true })
    expect(named.body.template_names).toEqual([expect.stringContaining('Off')])
    const made = await server.call<Body>(
      '/api/campaign/create/enterprise',
      { ...body, name: fresh('At once'), active: true },
      await grant('activate', null),
    )
    expect(made.status).toBe(200)
    expect(made.body.run_id).not.toBeNull()
    await prepared(made.body.id)
    expect((await read(path(made.body.id, 'info'))).body.templates).toMatchObject([{ active: true }])
    const over = await write(made.body.id, 'activate', 'deactivate', { active: false })
    expect(over.body).toEqual({ active: false, run_id: null, starts_at: null })
    const info = (await read(path(made.body.id, 'info'))).body
    expect(info).toMatchObject({ active: false, end_date: today(), run_state: 'done', templates: [{ active: false }] })
    expect((await fetchMessages(made.body.id)).filter((message) => message.state === 'queued')).toEqual([])
    expect((await read(path(made.body.id, 'run'))).body.skipped).toContainEqual({
      reason: 'stopped',
      text: 'Stopped before sending',
      count: 11,
    })
  })

  it('refuses when the cohort has grown, when it is incomplete, and dates that are over', async () => {
    const id = await create()
    const grown = await write(id, 'activate', 'activate', { active: true, expected_messages: 10 })
    expect([grown.status, grown.body.message]).toEqual([
      409,
      'The cohort has grown: 11 messages would be sent now, not 10. Please look at it again.',
    ])
    const past = await write(id, 'activate', 'activate', { active: true, end_date: '2020-01-01' })
    expect([past.status, past.body.message]).toEqual([422, 'Please select an end date from today on.'])
    await asOwner(
      server,
      'delete from campaign_template where campaign_id = (select id from campaign where uuid = $1)',
      [id],
    )
    const bare = await write(id, 'activate', 'activate', { active: true })
    expect([bare.status, bare.body.message]).toEqual([422, 'Please select at least one template.'])
    expect((await read(path(id, 'run'))).body.run_id).toBeNull()
    expect((await read(path(id, 'run-csv'))).status).toBe(404)
  })

  it('waits for the start date, and gives up what lies beyond the end', async () => {
    const id = await create()
    const { body } = await write(id, 'activate', 'activate', {
      active: true,
      start_date: '2099-01-05',
      end_date: '2099-01-09',
    })
    expect(body.starts_at).toBe('2099-01-04T13:00:00.000Z')
    await prepared(id)
    await write(id, 'activate', 'deactivate', { active: false })
    await setRules(server, world.company.id, { week: [null, null, null, null, null, null, null] })
    const never = await create()
    expect((await read('/api/campaign/cohort/enterprise', asked())).body).toMatchObject({
      will_receive: 11,
      no_hour: 11,
    })
    await write(never, 'activate', 'activate', { active: true })
    const run = await prepared(never)
    await setRules(server, world.company.id, {})
    expect(run.progress).toMatchObject({ queued: 0, skipped: 16 })
    expect(run.skipped).toContainEqual({ reason: 'quiet_hours', text: 'No allowed hour before the end', count: 11 })
  })

  it('keeps some back to measure against, the same ones every time', async () => {
    await setRules(server, world.company.id, { holdoutPercent: 50 })
    const id = await create()
    const foretold = await read('/api/campaign/cohort/enterprise', asked())
    expect(foretold.body).toMatchObject({ will_receive: 11, expected_held_out: 6, no_hour: 0 })
    await write(id, 'activate', 'activate', { active: true })
    const run = await prepared(id)
    await setRules(server, world.company.id, {})
    const kept = run.skipped.find((one) => one.reason === 'held_out')?.count ?? 0
    expect(kept).toBeGreaterThan(0)
    expect(run.progress.queued + kept).toBe(11)
  })

  it('leaves out who the campaign has contacted before', async () => {
    const id = await create()
    await write(id, 'activate', 'activate', { active: true })
    await prepared(id)
    await asOwner(
      server,
      `update message set state = 'sent', sent_at = now() where run_id = (select max(id) from message_run) and state = 'queued'`,
    )
    await asOwner(server, `update message_run set state = 'done' where id = (select max(id) from message_run)`)
    await write(id, 'activate', 'activate', { active: true })
    const run = await prepared(id)
    expect(run.progress.queued).toBe(0)
    // The twelfth shares a number with somebody who was.
    expect(run.skipped).toContainEqual({
      reason: 'already_contacted',
      text: 'Already contacted by this campaign',
      count: 12,
    })
  })
})

describe('stopping', () => {
  it('stops one pharmacy or all, goes on, and says so when nothing is being sent', async () => {
    const id = await create()
    const idle = await read(path(id, 'stop'))
    expect([idle.status, idle.body.message]).toEqual([409, 'This campaign is not being sent at the moment.'])
    await write(id, 'activate', 'activate', { active: true })
    await prepared(id)
    const one = await read(path(id, 'stop'), { pharmacy_ids: [places()[0]] })
    expect([one.status, one.body.left]).toEqual([200, 6])
    const partly = (await read(path(id, 'run'))).body
    expect(partly.pharmacies.map((place) => place.stopped).sort()).toEqual([false, true])
    expect((await read(path(id, 'stop'))).body.left).toBe(11)
    expect((await read(path(id, 'run'))).body).toMatchObject({ state: 'stopped', finishes_at: null })
    const ungranted = await read(path(id, 'resume'))
    expect(ungranted.status).toBe(403)
    expect((await write(id, 'resume', 'activate')).body.left).toBe(11)
    expect((await read(path(id, 'run'))).body.state).toBe('holding')
    expect((await read(path(id, 'stop'), { pharmacy_ids: ['00000000-0000-4000-8000-000000000000'] })).status).toBe(404)
  })

  it('keeps back what is left of a deleted campaign, and never deletes a demo one', async () => {
    const id = await create()
    await asOwner(server, 'update campaign set demo = true where uuid = $1', [id])
    const demo = await write(id, 'delete', 'delete')
    expect([demo.status, demo.body.message]).toEqual([409, 'This is a demo campaign and cannot be deleted.'])
    await asOwner(server, 'update campaign set demo = false where uuid = $1', [id])
    await write(id, 'activate', 'activate', { active: true })
    await prepared(id)
    expect((await write(id, 'delete', 'delete')).status).toBe(200)
    expect((await read(path(id, 'info'))).status).toBe(404)
    expect(new Set((await fetchMessages(id)).map((message) => message.state))).toEqual(new Set(['skipped']))
  })

  it('goes on with a run of nobody that was taken back', async () => {
    const id = await create({ filters: { adherence: [4] } })
    await write(id, 'activate', 'activate', { active: true })
    expect((await prepared(id)).progress.messages).toBe(0)
    expect((await read(path(id, 'stop'))).status).toBe(200)
    expect((await write(id, 'resume', 'activate')).body.left).toBe(0)
    await prepared(id)
  })

  it('writes nothing for a run that was over before its messages were written', async () => {
    const id = await create()
    await write(id, 'activate', 'activate', { active: true })
    await write(id, 'activate', 'deactivate', { active: false })
    await expect.poll(async () => (await read(path(id, 'run'))).body.state).toBe('done')
    expect((await fetchMessages(id)).filter((message) => message.state !== 'skipped')).toEqual([])
  })
})
