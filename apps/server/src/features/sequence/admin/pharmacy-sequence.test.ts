import { contract } from '@pillar/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeMessagingWorld, makeTemplate } from '../../../../test/messaging.ts'
import { asOwner } from '../../../../test/people.ts'
import { refusal } from '../../../../test/support.ts'
import { untilWaiting } from '../../../../test/waiting.ts'
import { at, startSequenceConsole } from '../../../../test/world/sequence-console.ts'
import {
  afterUploadOf,
  decisionsOf,
  dispense,
  makeSequence,
  newMedicine,
  setClock,
  tickAt,
} from '../../../../test/world/sequence-world.ts'
import { tryLockSequences } from '../enrolment.queries.ts'
import { RECOMMENDED_SEQUENCES } from '../recommended.ts'

const { search, info, stats, create, edit, remove, restore } = contract.sequenceAdmin
let { server, support, phones, send, uuidOf } = {} as Awaited<ReturnType<typeof startSequenceConsole>>
let event: string
beforeAll(async () => {
  ;({ server, support, phones, send, uuidOf } = await startSequenceConsole())
  event = (await support.ask(contract.sequenceEvent.list, { search_term: 'Repeat is due' })).body.sequence_events[0]!
    .event_id
})
afterAll(() => server.close())

describe('sequences of pharmacies in the console', () => {
  it('can be made from a recommended one, inactive, and activating it activates its templates', async () => {
    const world = await makeMessagingWorld(server)
    await asOwner(server, `update company set country = 'GB' where id = $1`, [world.company.id])
    const { location_id } = at(world, '')
    const recommendation = RECOMMENDED_SEQUENCES[0]!
    const asked = { location_id, sequence_recommendation_id: recommendation.uuid, budget: 12.5 }
    const id = String((await support.ask(create, asked)).body.id)
    const row = (await support.ask(info, { id })).body
    expect(row).toMatchObject({
      ...{ sequence_id: id, location_id, company_id: world.company.uuid, title: recommendation.title, active: false },
      ...{ country: 'GB', budget: 12.5, sequence_event: { value: 'first_script' } },
      sequence_recommendation: { title: recommendation.title },
      follow_ups: [3, 23, 35].map((days_after, index) => ({
        ...{ days_after, follow_up_order: index + 1, template_active: false },
      })),
    })
    expect(refusal(await support.ask(create, asked))).toEqual([
      409,
      `This pharmacy already has a sequence called "${recommendation.title}". Please enter another title.`,
    ])
    const on = await support.ask(edit, { ...at(world, id), active: true, version: 1 })
    expect(on.body).toEqual({ id, version: 2, cancelled: 0 })
    const after = (await support.ask(info, { id })).body
    expect(after.follow_ups.map((one) => one.template_active)).toEqual([true, true, true])
    const log = await asOwner(server, `select action from audit where company_id = $1 order by id`, [world.company.id])
    expect(log).toEqual([{ action: 'sequenceAdmin.create' }, { action: 'sequenceAdmin.edit' }])
  })

  it('can start empty, with missing fields named, and are found by pharmacy, title and state', async () => {
    const world = await makeMessagingWorld(server, { locations: 2 })
    const template = await makeTemplate(server, world.company.id, { body: '{Pharmacy Name}' })
    const foreign = await makeTemplate(server, support.company.id, { body: '{Pharmacy Name}' })
    const location_id = world.locations[0]!.uuid
    expect(
      refusal(await support.ask(create, { location_id, start_date: '2026-12-02', end_date: '2026-12-01' })),
    ).toEqual([
      422,
      'Please enter a title, select a sequence event, add at least one follow-up, and enter an end date on or after the start date.',
    ])
    const draft = (title: string, of = template.uuid) => ({
      ...{ location_id, title, sequence_event_id: event, follow_ups: [{ template_id: of, days_after: 2 }] },
    })
    expect(refusal(await support.ask(create, draft('Foreign', foreign.uuid)))).toEqual([
      404,
      'That template was not found in the company of this pharmacy.',
    ])
    const id = String((await support.ask(create, draft('  Winter   reminder '))).body.id)
    await support.ask(create, { ...draft('Summer reminder'), location_id: world.locations[1]!.uuid, active: true })
    const found = async (input: object) =>
      (await support.ask(search, { search_term: world.company.name, ...input })).body.results.map((place) => [
        place.location_id,
        ...place.sequences.map((one) => one.title),
      ])
    const [first, second] = world.locations.map(({ uuid }) => uuid)
    const both = [
      [first, 'Winter reminder'],
      [second, 'Summer reminder'],
    ]
    expect((await found({})).toSorted()).toEqual(both.toSorted())
    expect(await found({ search_term: id })).toEqual([[first, 'Winter reminder']])
    expect(await found({ active: true })).toEqual([[second, 'Summer reminder']])
    expect(await found({ event: 'lapsed_patient' })).toEqual([])
    expect((await support.ask(search, { search_term: 'summer REM' })).body.total).toBe(1)
  })

  it('wait for follow-ups that are being decided when they are edited, removed or restored', async () => {
    const world = await makeMessagingWorld(server)
    const { location_id } = at(world, '')
    const made = await support.ask(create, { location_id, sequence_recommendation_id: RECOMMENDED_SEQUENCES[0]!.uuid })
    const of = at(world, String(made.body.id))
    const asks = [
      () => support.ask(edit, { ...of, budget: 5, version: 1 }),
      () => support.ask(remove, of),
      () => support.ask(restore, of),
    ]
    for (const ask of asks) {
      let asked: Promise<{ status: number }> | undefined
      await world.inside(async (tx) => {
        expect(await tryLockSequences(tx, world.locations[0]!.id)).toBe(true)
        asked = ask()
        expect(await Promise.race([asked, untilWaiting(server).then(() => 'waits')])).toBe('waits')
      })
      expect((await asked)?.status).toBe(200)
    }
  })

  it('can be edited only from the latest version, and only at their own pharmacy', async () => {
    const world = await makeMessagingWorld(server, { locations: 2 })
    const id = await uuidOf(await makeSequence(server, world, [3]))
    const place = at(world, id)
    const changed = { ...place, title: 'Second month', preferred_communication_method: 'email', budget: null } as const
    expect((await support.ask(edit, { ...changed, start_date: '2026-12-01', version: 1 })).body.version).toBe(2)
    expect((await support.ask(info, { id })).body).toMatchObject({
      ...{ title: 'Second month', preferred_communication_method: 'email', start_date: '2026-12-01', budget: null },
    })
    expect((await support.ask(edit, { ...place, title: 'X', version: 1 })).body.code).toBe('conflict')
    const days = [{ template_id: (await support.ask(info, { id })).body.follow_ups[0]!.template_id, days_after: -1 }]
    expect((await support.ask(edit, { ...place, follow_ups: days })).status).toBe(422)
    const elsewhere = { id, location_id: world.locations[1]!.uuid }
    for (const call of [stats, remove]) expect((await support.ask(call, elsewhere)).status).toBe(404)
    expect((await support.ask(edit, { ...elsewhere, title: 'X' })).status).toBe(404)
  })

  it('accept dates with a time, and follow-ups without a template, which keep theirs', async () => {
    const world = await makeMessagingWorld(server)
    const id = await uuidOf(await makeSequence(server, world, [3, 9]))
    const place = at(world, id)
    const before = (await support.ask(info, { id })).body.follow_ups
    const days = { start_date: '2026-11-30T13:00:00.000Z', end_date: '2026-12-24T23:59:59' }
    const follow_ups = before.map(({ follow_up_id, follow_up_order, days_after }) => ({
      ...{ follow_up_id, follow_up_order, days_after: days_after + 1 },
    }))
    expect((await support.ask(edit, { ...place, ...days, follow_ups })).status).toBe(200)
    const { body } = await support.ask(info, { id })
    expect(body).toMatchObject({ start_date: '2026-12-01', end_date: '2026-12-24' })
    expect(body.follow_ups).toEqual(before.map((one) => ({ ...one, days_after: one.days_after + 1 })))
    expect(refusal(await support.ask(edit, { ...place, follow_ups: [{ days_after: 3 }] }))).toEqual([
      422,
      'Please select a template for each follow-up.',
    ])
  })
})

describe('a text of an older version that names a clinical trial', () => {
  it('is sent by no sequence, because its field would stay empty, and no sequence with such a text is active', async () => {
    const { world } = await newMedicine(server, 1)
    const body = 'Hi {First Name}, join {Trial Name} at {Pharmacy Name}'
    const sequence = await makeSequence(server, world, [3], { template: { body } })
    await afterUploadOf(server, world)
    expect(await tickAt(server, '2026-08-04T00:10:00Z')).toBe(0)
    expect(await decisionsOf(server, sequence)).toEqual(['1: inactive'])
    const place = at(world, await uuidOf(sequence))
    const says = [422, expect.stringMatching(/^Please replace \{Trial Name\} in "Template .*", which only invitations/)]
    expect(refusal(await support.ask(edit, { ...place, title: 'Renamed' }))).toEqual(says)
    expect((await support.ask(edit, { ...place, active: false })).status).toBe(200)
    expect(refusal(await support.ask(edit, { ...place, active: true }))).toEqual(says)
    const { uuid: template_id } = await makeTemplate(server, world.company.id, { body })
    const made = { location_id: place.location_id, title: 'Study', sequence_event_id: event }
    const follow_ups = [{ template_id, days_after: 2 }]
    expect(refusal(await support.ask(create, { ...made, follow_ups, active: true }))).toEqual(says)
    expect((await support.ask(create, { ...made, follow_ups })).status).toBe(200)
  })
})

describe('a text that no gateway takes, because filled in it would be too long', () => {
  it('is sent by no sequence, and no sequence with such a text is active', async () => {
    const { world } = await newMedicine(server, 1)
    const sequence = await makeSequence(server, world, [3], {
      template: { body: `${'x'.repeat(1600)} {Pharmacy Name}` },
    })
    await afterUploadOf(server, world)
    expect(await tickAt(server, '2026-08-04T00:10:00Z')).toBe(0)
    expect(await decisionsOf(server, sequence)).toEqual(['1: inactive'])
    const place = at(world, await uuidOf(sequence))
    expect((await support.ask(edit, { ...place, active: false })).status).toBe(200)
    expect(refusal(await support.ask(edit, { ...place, active: true }))).toEqual([
      422,
      expect.stringMatching(/A text can have 1,600/),
    ])
  })
})

describe('patients part-way through a sequence', () => {
  it('follow its new days; a removed follow-up keeps its history, and its queued messages are cancelled', async () => {
    const week = [[540, 1200], null, [540, 1200], [540, 1200], [540, 1200], null, null] as const
    const { world, fresh, place, patients } = await newMedicine(server, 3, { week: [...week] })
    const sequence = await makeSequence(server, world, [3, 9])
    await afterUploadOf(server, world)
    // Tuesday has no sending hours, so the messages wait.
    expect(await tickAt(server, '2026-08-04T00:10:00Z')).toBe(3)
    await dispense(server, place, [{ patientId: patients[0]!.id, drugId: fresh.id, on: '2026-08-04' }])
    await afterUploadOf(server, world)
    const id = await uuidOf(sequence)
    const [first, last] = (await support.ask(info, { id })).body.follow_ups
    const template_id = first!.template_id
    const follow_ups = [
      { template_id, days_after: 5 },
      { follow_up_id: last!.follow_up_id, template_id, days_after: 6 },
    ]
    setClock(server, '2026-08-04T00:20:00Z')
    expect((await support.ask(edit, { ...at(world, id), follow_ups, version: 1 })).body).toEqual({
      ...{ id, version: 2, cancelled: 2 },
    })
    const line = (await support.ask(stats, at(world, id))).body
    expect(
      line.steps.map(({ days_after, removed, skipped, waiting, ended }) => ({
        days_after,
        removed,
        skipped,
        waiting,
        ended,
      })),
    ).toEqual([
      { days_after: 3, removed: true, skipped: 3, waiting: 0, ended: 0 },
      { days_after: 5, removed: false, skipped: 0, waiting: 2, ended: 1 },
      { days_after: 6, removed: false, skipped: 0, waiting: 2, ended: 1 },
    ])
    expect(line.steps[0]!.reasons).toEqual([
      { reason: 'stopped', channel: 'sms', count: 2 },
      { reason: 'goal_reached', channel: 'sms', count: 1 },
    ])
    expect(line.steps.map((step) => [step.next, step.next_due])).toEqual([
      [0, null],
      [2, '2026-08-06'],
      [0, '2026-08-07'],
    ])
    expect(await tickAt(server, '2026-08-06T00:00:30Z')).toBe(2)
    expect(await tickAt(server, '2026-08-07T00:00:30Z')).toBe(2)
  })

  it('who had finished get an added follow-up that is still ahead, and none whose day has passed', async () => {
    const { world } = await newMedicine(server, 1)
    const sequence = await makeSequence(server, world, [3])
    const id = await uuidOf(sequence)
    const [only] = (await support.ask(info, { id })).body.follow_ups
    await afterUploadOf(server, world)
    expect(await tickAt(server, '2026-08-04T00:10:00Z')).toBe(1)
    const add = (days_after: number) => [only!, { template_id: only!.template_id, days_after }]
    setClock(server, '2026-08-10T00:00:00Z')
    await support.ask(edit, { ...at(world, id), follow_ups: add(5) })
    expect((await support.ask(stats, at(world, id))).body.steps[1]).toMatchObject({ added_later: 1, waiting: 0 })
    await support.ask(edit, { ...at(world, id), follow_ups: add(12) })
    expect((await support.ask(stats, at(world, id))).body.steps[1]).toMatchObject({
      waiting: 1,
      next_due: '2026-08-13',
    })
    expect(await tickAt(server, '2026-08-13T00:10:00Z')).toBe(1)
  })

  it('get nothing once it is deactivated or removed; restored, it is inactive', async () => {
    const week = [[540, 1200], null, [540, 1200], [540, 1200], [540, 1200], null, null] as const
    const { world, patients } = await newMedicine(server, 2, { week: [...week] })
    const sequence = await makeSequence(server, world, [3, 5])
    const id = await uuidOf(sequence)
    await afterUploadOf(server, world)
    expect(await tickAt(server, '2026-08-04T00:10:00Z')).toBe(2)
    expect((await support.ask(edit, { ...at(world, id), active: false })).body.cancelled).toBe(2)
    expect((await support.ask(stats, at(world, id))).body.message_info).toMatchObject({
      sms_skipped: 2,
      sms_scheduled: 0,
    })
    expect((await support.ask(edit, { ...at(world, id), active: true })).body.cancelled).toBe(0)
    expect(await tickAt(server, '2026-08-06T00:10:00Z')).toBe(2)
    setClock(server, '2026-08-06T00:11:00Z')
    expect((await support.ask(remove, at(world, id))).body).toEqual({ removed: true, cancelled: 2 })
    await send()
    const numbers = patients.map((patient) => patient.sms_to)
    expect([...phones.accepted.values()].filter((text) => numbers.includes(text.to))).toEqual([])
    expect(await decisionsOf(server, sequence)).toEqual([
      ...['1: sms skipped stopped', '1: sms skipped stopped'],
      ...['2: sms skipped stopped', '2: sms skipped stopped'],
    ])
    expect((await support.ask(info, { id })).status).toBe(404)
    expect((await support.ask(search, { search_term: id, removed: true })).body.total).toBe(1)
    expect((await support.ask(restore, at(world, id))).body).toEqual({ restored: true })
    expect((await support.ask(info, { id })).body.active).toBe(false)
    await support.ask(remove, at(world, id))
    await asOwner(server, `update sequence set removed_at = $2::timestamptz - interval '31 days' where uuid = $1`, [
      id,
      server.services.now(),
    ])
    expect((await support.ask(restore, at(world, id))).status).toBe(409)
  })
})
