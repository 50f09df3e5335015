import { formatDay } from '@pillar/domain/time/day'
import { dayIn } from '@pillar/domain/time/zone'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Body, type CampaignDesk, openDesk } from '../../../test/campaign-desk.ts'
import { makeTemplate, setRules } from '../../../test/messaging.ts'
import { asOwner, fresh } from '../../../test/people.ts'
import { sendAll } from '../../../test/sending.ts'
import { advanceRuns } from '../sending/lease.queries.ts'

let desk: CampaignDesk
beforeAll(async () => {
  desk = await openDesk()
})
afterAll(() => desk.server.close())

const today = () => formatDay(dayIn('Australia/Sydney', desk.server.services.now()))
const asked = (more: object = {}) => ({
  filters: desk.filters,
  pharmacies: desk.places,
  templates: [desk.template.uuid],
  ...more,
})

describe('activating', () => {
  it('writes what the forecast gave: everybody once, with a reason or a text, after the hold', async () => {
    const id = await desk.create()
    const { body: forecast } = await desk.read('/api/campaign/cohort/enterprise', asked({ campaign_id: id }))
    expect(forecast).toMatchObject({ selected: 16, will_receive: 11, held_back: 5, messages: 11 })
    expect(forecast.samples).toEqual([
      {
        ...{ channel: 'sms', template_name: expect.any(String), subject: null, patient_name: 'Alex Smith' },
        pharmacy_name: desk.world.locations[0]!.name,
        text: `Hi Alex, your next repeat is due at ${desk.world.locations[0]!.name}.\nReply STOP to opt out`,
      },
    ])
    expect(forecast.channels[0]!.tipping).toEqual([{ what: 'Letters in names that force Unicode', messages: 1 }])
    const before = desk.server.services.now().getTime()
    const { status, body } = await desk.write(id, 'activate', 'activate', { active: true, expected_messages: 11 })
    expect(status).toBe(200)
    const starts = new Date(body.starts_at!).getTime()
    expect(starts - before).toBeGreaterThanOrEqual(120_000)
    expect(starts - desk.server.services.now().getTime()).toBeLessThanOrEqual(120_000)
    const run = await desk.prepared(id)
    expect(run).toMatchObject({ run_id: body.run_id, cents: forecast.cents, simulated: true })
    expect(run.progress).toMatchObject({ messages: 16, queued: 11, skipped: 5 })
    expect(Object.fromEntries(run.skipped.map(({ reason, count }) => [reason, count]))).toEqual(
      Object.fromEntries(forecast.reasons.map(({ reason, count }) => [reason, count])),
    )
    const messages = await desk.messages(id)
    const queued = messages.filter((message) => message.state === 'queued')
    expect(queued.reduce((sum, message) => sum + message.parts, 0)).toBe(forecast.parts)
    expect(queued.every((message) => message.planned_at!.toISOString() === body.starts_at)).toBe(true)
    expect(queued.every((message) => message.body?.endsWith('\nReply STOP to opt out'))).toBe(true)
    expect((await desk.read(desk.path(id, 'info'))).body).toMatchObject({
      ...{ active: true, start_date: today(), end_date: null, run_state: 'holding' },
    })
    const csv = await desk.server.call<string>(desk.path(id, 'run-csv'), {}, await desk.grant('save', null))
    const [, ...rows] = csv.body.trim().split('\n')
    expect(rows).toHaveLength(16)
    // By the pharmacy's clock, in the format spreadsheets read as a time, and under the company's date.
    const local = new Date(body.starts_at).toLocaleString('sv-SE', { timeZone: 'Australia/Sydney' })
    expect(csv.body).toContain(`,${local.slice(0, 16)},,,Australia/Melbourne\n`)
    expect(String(csv.headers['content-disposition'])).toContain(`"run_${local.slice(0, 10)}.csv"`)
    const zoned = (zone: string) =>
      asOwner(desk.server, 'update location set time_zone = $2 where id = $1', [desk.world.locations[1]!.id, zone])
    await zoned('Australia/Perth')
    const far = await desk.server.call<string>(desk.path(id, 'run-csv'), {}, await desk.grant('save', null))
    await zoned('Australia/Melbourne')
    const there = new Date(body.starts_at).toLocaleString('sv-SE', { timeZone: 'Australia/Perth' })
    expect(far.body).toContain(`,${there.slice(0, 16)},,,Australia/Perth\n`)
    // Messages no gateway has accepted have cost nothing: the file adds up to the campaign's cost.
    expect(csv.body).toContain('SCHEDULED,,1,0.00,')
    expect(csv.body).not.toMatch(/,0\.[1-9]\d,/)
    // By pharmacy, then by the pharmacy's own number.
    const order = rows.map((line) => line.split(',').slice(0, 2).join())
    expect(order).toEqual([...order].sort())
  })

  it('creates one run from fifty activations at once, and from a double click (T17)', async () => {
    const id = await desk.create()
    const grants: Awaited<ReturnType<CampaignDesk['grant']>>[] = []
    while (grants.length < 50) grants.push(await desk.grant('activate', id))
    const replies = await Promise.all(
      grants.map((headers) => desk.server.call<Body>(desk.path(id, 'activate'), { active: true }, headers)),
    )
    expect(new Set(replies.map((reply) => reply.status))).toEqual(new Set([200]))
    expect(new Set(replies.map((reply) => reply.body.run_id)).size).toBe(1)
    await desk.prepared(id)
    const again = await desk.write(id, 'activate', 'activate', { active: true })
    expect(again.body.run_id).toBe(replies[0]!.body.run_id)
    expect(await desk.messages(id)).toHaveLength(16)
  })

  it('refuses an active campaign that has been sent, until it is deactivated, because its goal would start again', async () => {
    const id = await desk.create()
    await desk.write(id, 'activate', 'activate', { active: true })
    await desk.prepared(id)
    await asOwner(desk.server, `update message_run set state = 'done' where id = (select max(id) from message_run)`)
    const again = await desk.write(id, 'activate', 'activate', { active: true })
    expect([again.status, again.body.message]).toEqual([409, expect.stringMatching(/has been sent\. .* copy it\.$/)])
    await desk.write(id, 'activate', 'deactivate', { active: false })
    expect((await desk.write(id, 'activate', 'activate', { active: true })).status).toBe(200)
  })

  it('creates and activates in one call, with its templates, after listing them', async () => {
    const off = await makeTemplate(desk.server, desk.world.company.id, { name: fresh('Off') })
    await asOwner(desk.server, 'update template set active = false where id = $1', [off.id])
    const body = {
      name: fresh('At once'),
      filters: desk.filters,
      goal_type: 'scripts',
      measure_by: 'value',
      goal: 5,
      templates: [off.uuid],
      locations: desk.places,
    }
    const quiet = await desk.server.call<Body>('/api/campaign/create/enterprise', body, await desk.grant('save', null))
    const named = await desk.read(desk.path(quiet.body.id, 'affected-templates'), { active: true })
    expect(named.body.template_names).toEqual([expect.stringContaining('Off')])
    const made = await desk.server.call<Body>(
      '/api/campaign/create/enterprise',
      { ...body, name: fresh('At once'), active: true },
      await desk.grant('activate', null),
    )
    expect(made.status).toBe(200)
    expect(made.body.run_id).not.toBeNull()
    await desk.prepared(made.body.id)
    expect((await desk.read(desk.path(made.body.id, 'info'))).body.templates).toMatchObject([{ active: true }])
    const over = await desk.write(made.body.id, 'activate', 'deactivate', { active: false })
    expect(over.body).toEqual({ active: false, run_id: null, starts_at: null })
    const info = (await desk.read(desk.path(made.body.id, 'info'))).body
    expect(info).toMatchObject({ active: false, end_date: today(), run_state: 'done', templates: [{ active: false }] })
    expect((await desk.messages(made.body.id)).filter((message) => message.state === 'queued')).toEqual([])
    expect((await desk.read(desk.path(made.body.id, 'run'))).body.skipped).toContainEqual({
      reason: 'stopped',
      text: 'Stopped before sending',
      count: 11,
    })
  })

  it('skips templates that stay inactive, and needs at least one active', async () => {
    const { server, world, template } = desk
    const off = await makeTemplate(server, world.company.id, { name: fresh('Not yet'), body: 'Off. {Pharmacy Name}' })
    await asOwner(server, 'update template set active = false where id = $1', [off.id])
    const id = await desk.create({ templates: [template.uuid, off.uuid] })
    await desk.write(id, 'activate', 'activate', { active: true, templates: [], expected_messages: 11 })
    expect((await desk.prepared(id)).progress.queued).toBe(11)
    const texts = (await desk.messages(id)).flatMap(({ body }) => body ?? [])
    expect(texts.filter((body) => body.startsWith('Off'))).toEqual([])
    const silent = await desk.create({ templates: [off.uuid] })
    const refused = await desk.write(silent, 'activate', 'activate', { active: true, templates: [] })
    expect([refused.status, refused.body.message]).toEqual([
      422,
      'Please activate at least one template of the campaign.',
    ])
  })

  it('is refused when the cohort has grown, the campaign is incomplete, or its dates are past', async () => {
    const id = await desk.create()
    const grown = await desk.write(id, 'activate', 'activate', { active: true, expected_messages: 10 })
    expect([grown.status, grown.body.message]).toEqual([
      409,
      'The cohort has grown: 11 messages would be sent now, not 10. Please look at it again.',
    ])
    const past = await desk.write(id, 'activate', 'activate', { active: true, end_date: '2020-01-01' })
    expect([past.status, past.body.message]).toEqual([422, 'Please select an end date from today on.'])
    await asOwner(
      desk.server,
      'delete from campaign_template where campaign_id = (select id from campaign where uuid = $1)',
      [id],
    )
    const bare = await desk.write(id, 'activate', 'activate', { active: true })
    expect([bare.status, bare.body.message]).toEqual([422, 'Please select at least one template.'])
    expect((await desk.read(desk.path(id, 'run'))).body.run_id).toBeNull()
    expect((await desk.read(desk.path(id, 'run-csv'))).status).toBe(404)
  })

  it('waits for the start date, and skips what falls after the end', async () => {
    const id = await desk.create()
    const { body } = await desk.write(id, 'activate', 'activate', {
      active: true,
      start_date: '2099-01-05',
      end_date: '2099-01-09',
    })
    expect(body.starts_at).toBe('2099-01-04T13:00:00.000Z')
    await desk.prepared(id)
    await desk.write(id, 'activate', 'deactivate', { active: false })
    await setRules(desk.server, desk.world.company.id, { week: [null, null, null, null, null, null, null] })
    const never = await desk.create()
    expect((await desk.read('/api/campaign/cohort/enterprise', asked())).body).toMatchObject({
      will_receive: 11,
      no_hour: 11,
    })
    await desk.write(never, 'activate', 'activate', { active: true })
    const run = await desk.prepared(never)
    await setRules(desk.server, desk.world.company.id, {})
    expect(run.progress).toMatchObject({ queued: 0, skipped: 16 })
    expect(run.skipped).toContainEqual({
      reason: 'quiet_hours',
      text: 'No sending hours before the end date',
      count: 11,
    })
  })

  it('uses the dates saved with the campaign', async () => {
    const id = await desk.create({ start_date: '2099-01-05', end_date: '2099-01-09' })
    const { body } = await desk.write(id, 'activate', 'activate', { active: true })
    expect(body.starts_at).toBe('2099-01-04T13:00:00.000Z')
    await desk.prepared(id)
    expect((await desk.read(desk.path(id, 'info'))).body).toMatchObject({
      ...{ active: true, start_date: '2099-01-05', end_date: '2099-01-09', run_state: 'holding' },
    })
    const planned = (await desk.messages(id)).filter((message) => message.state === 'queued')
    expect(planned).toHaveLength(11)
    expect(planned.every((message) => message.planned_at!.toISOString() === body.starts_at)).toBe(true)
    // It may send until its last day is over.
    const [run] = await asOwner(desk.server, 'select ends_at from message_run where uuid = $1', [body.run_id])
    expect(run).toEqual({ ends_at: new Date('2099-01-09T12:59:59Z') })
    // A deactivated campaign ends today; the next activation ignores that end.
    await desk.write(id, 'activate', 'deactivate', { active: false })
    await desk.write(id, 'activate', 'activate', { active: true, start_date: today() })
    expect((await desk.read(desk.path(id, 'info'))).body).toMatchObject({ start_date: today(), end_date: null })
  })

  it('sends nothing after its end, even if the end moves during the run', async () => {
    const dates = { start_date: '2099-01-05', end_date: '2099-01-09' }
    const id = await desk.create(dates)
    await desk.write(id, 'activate', 'activate', { active: true })
    const { templates, locations, filters, ...info } = (await desk.read(desk.path(id, 'info'))).body
    const same = {
      ...{ name: info.name, goal_type: info.goal_type, measure_by: info.measure_by, goal: info.goal, filters },
      ...{ templates: templates.map((one) => one.template_id), locations: locations.map((one) => one.location_id) },
    }
    // Also while its messages have not been written yet.
    expect((await desk.write(id, 'edit', 'save', { ...same, ...dates, end_date: '2099-01-08' })).status).toBe(200)
    const ends = 'select state, ends_at from message_run where id = (select max(id) from message_run)'
    expect(await asOwner(desk.server, ends)).toEqual([
      { state: 'preparing', ends_at: new Date('2099-01-08T12:59:59.000Z') },
    ])
    await desk.prepared(id)
    const later = await desk.write(id, 'edit', 'save', { ...same, ...dates, start_date: '2099-01-06' })
    expect([later.status, later.body.message]).toEqual([
      422,
      'Please deactivate the campaign before you change its start date.',
    ])
    expect((await desk.write(id, 'edit', 'save', { ...same, end_date: '2099-01-06' })).status).toBe(200)
    const { clock, services } = desk.server
    clock.offsetMs = Date.parse('2099-01-06T13:00:00.000Z') - Date.now()
    await advanceRuns(services.pools.system, services.now())
    await sendAll(services)
    clock.offsetMs = 0
    const messages = await desk.messages(id)
    expect(new Set(messages.map((message) => message.state))).toEqual(new Set(['skipped']))
    expect(messages.filter((message) => message.reason === 'quiet_hours')).toHaveLength(11)
  })

  it('holds out a random control group, the same patients every time', async () => {
    await setRules(desk.server, desk.world.company.id, { holdoutPercent: 50 })
    const id = await desk.create()
    const forecast = await desk.read('/api/campaign/cohort/enterprise', asked())
    expect(forecast.body).toMatchObject({ will_receive: 11, expected_held_out: 6, no_hour: 0 })
    await desk.write(id, 'activate', 'activate', { active: true })
    const run = await desk.prepared(id)
    await setRules(desk.server, desk.world.company.id, {})
    const kept = run.skipped.find((one) => one.reason === 'held_out')?.count ?? 0
    expect(kept).toBeGreaterThan(0)
    expect(run.progress.queued + kept).toBe(11)
  })

  it('excludes patients the campaign has contacted before', async () => {
    const id = await desk.create()
    await desk.write(id, 'activate', 'activate', { active: true })
    await desk.prepared(id)
    // The first patient has had another number since.
    const [first] = await asOwner<{ id: number }>(desk.server, 'select min(id) as id from patient')
    await asOwner(
      desk.server,
      `update message set state = (array['sent', 'delivered', 'unknown'])[1 + id % 3], sent_at = now(),
         contact = case when patient_id <> ${first!.id} then contact end
       where run_id = (select max(id) from message_run) and state = 'queued'`,
    )
    await asOwner(desk.server, `update message_run set state = 'done' where id = (select max(id) from message_run)`)
    await desk.write(id, 'activate', 'deactivate', { active: false })
    await desk.write(id, 'activate', 'activate', { active: true })
    const run = await desk.prepared(id)
    expect(run.progress.queued).toBe(0)
    // The twelfth shares a number with a contacted patient.
    expect(run.skipped).toContainEqual({
      reason: 'already_contacted',
      text: 'Already contacted by this campaign',
      count: 12,
    })
  })
})
