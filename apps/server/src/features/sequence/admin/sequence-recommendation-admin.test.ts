import { contract } from '@pillar/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeMessagingWorld } from '../../../../test/messaging.ts'
import { asOwner, fresh, makeLogin } from '../../../../test/people.ts'
import { startTestServer, type TestServer } from '../../../../test/server.ts'
import { makeSupport, refusal, type Support } from '../../../../test/support.ts'
import { ensureRecommendations } from '../../recommendation/recommended.queries.ts'
import { adoptSequence, ensureSequenceRecommendations } from '../recommended.queries.ts'

const { list, info, create, edit, remove, restore } = contract.sequenceRecommendation
let server: TestServer
let support: Support
let event: string
let templates: string[]
beforeAll(async () => {
  server = await startTestServer()
  support = await makeSupport(server)
  await ensureRecommendations(server.services.pools.system, 'AU', server.services.now())
  await ensureSequenceRecommendations(server.services.pools.system, server.services.now())
  event = (await support.ask(contract.sequenceEvent.list, { search_term: 'Repeat is due' })).body.sequence_events[0]!
    .event_id
  const found = await support.ask(contract.templateRecommendation.list, { page: 1 })
  templates = found.body.templates.slice(0, 3).map((one) => one.template_recommendation_id)
})
afterAll(() => server.close())

const draft = (title = fresh('Sequence')) => ({ title, sequence_event_id: event, template_ids: templates.slice(0, 2) })
const make = async (more: object = {}) => String((await support.ask(create, { ...draft(), ...more })).body.id)
const daysOf = async (id: string) => (await support.ask(info, { id })).body.templates.map((one) => one.days_after)

describe('recommended sequences in the console', () => {
  it('can be created, found and changed', async () => {
    const given = { ...draft(), description: ' For winter ', days_after: [3, 23], marketing_consent: true }
    const id = await make(given)
    const page = (await support.ask(list, { search_term: given.title.toLowerCase() })).body
    expect(page).toMatchObject({ total: 1, current_page: 1 })
    expect(page.sequence_recommendations[0]).toMatchObject({
      ...{ sequence_recommendation_id: id, title: given.title, description: 'For winter', sequence_event_id: event },
      ...{ sequence_event: 'Repeat is due', template_ids: templates.slice(0, 2), sequences: 0, version: 1 },
      ...{ marketing_consent: true, health_outreach_consent: true },
      templates: [
        { follow_up_order: 1, days_after: 3 },
        { follow_up_order: 2, days_after: 23 },
      ],
    })
    const next = { ...given, id, title: `${given.title} 2`, template_ids: templates, days_after: [0, 0, 9], version: 1 }
    expect((await support.ask(edit, next)).body).toEqual({ id, version: 2 })
    expect(await daysOf(id)).toEqual([0, 0, 9])
    expect((await support.ask(edit, next)).body.code).toBe('conflict')
    const [row] = await asOwner<{ detail: { changes: { after: object }[] } }>(
      server,
      `select detail from audit where action = 'sequenceRecommendation.edit' and object = $1`,
      [id],
    )
    expect(row!.detail.changes[0]!.after).toMatchObject({ title: next.title })
  })

  it('keep their days if only templates are named, and place new ones a week later', async () => {
    const id = await make({ days_after: [3, 23] })
    const { title } = (await support.ask(info, { id })).body
    await support.ask(edit, { id, ...draft(title), template_ids: templates })
    expect(await daysOf(id)).toEqual([3, 23, 30])
    expect(await daysOf(await make())).toEqual([0, 7])
  })

  it('name what is missing, and refuse a duplicate title', async () => {
    expect(refusal(await support.ask(create, {}))).toEqual([
      422,
      'Please enter a title, select a sequence event, and add at least one follow-up.',
    ])
    expect(refusal(await support.ask(create, { ...draft(), days_after: [9, 3] }))).toEqual([
      422,
      'Please let no follow-up come before the one above it.',
    ])
    expect(refusal(await support.ask(create, { ...draft(), days_after: [9] }))[0]).toBe(422)
    expect(refusal(await support.ask(create, { ...draft(), template_ids: [event] }))).toEqual([
      404,
      'That recommended template was not found.',
    ])
    const given = draft()
    await support.ask(create, given)
    expect((await support.ask(create, draft(given.title.toUpperCase()))).status).toBe(409)
  })

  it('say how many pharmacies use them; withdrawn, those continue, and after 30 days nothing can be restored', async () => {
    const world = await makeMessagingWorld(server)
    const { id: loginId } = await makeLogin(server, world.company.id)
    const id = await make()
    const by = { companyId: world.company.id, loginId, now: server.services.now() }
    const sequence = await world.inside((tx) => adoptSequence(tx, world.locations[0]!.id, id, by))
    expect((await support.ask(info, { id })).body).toMatchObject({ sequences: 1, active_sequences: 1 })
    expect((await support.ask(remove, { id })).body).toEqual({ removed: true, sequences: 1 })
    expect((await support.ask(info, { id })).status).toBe(404)
    const [row] = await asOwner(server, 'select active, removed_at from sequence where id = $1', [sequence])
    expect(row).toEqual({ active: true, removed_at: null })
    expect((await support.ask(list, { search_term: id, removed: true })).body.total).toBe(1)
    expect((await support.ask(restore, { id })).body).toEqual({ restored: true })
    await support.ask(remove, { id })
    await asOwner(
      server,
      `update sequence_recommendation set removed_at = now() - interval '31 days' where uuid = $1`,
      [id],
    )
    expect((await support.ask(restore, { id })).status).toBe(409)
  })
})
