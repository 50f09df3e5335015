import { contract } from '@pillar/contract'
import { SEQUENCE_EVENTS } from '@pillar/domain/campaign/sequence'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { asOwner } from '../../../test/people.ts'
import { startTestServer, type TestServer } from '../../../test/server.ts'
import { makeSupport, refusal, type Support } from '../../../test/support.ts'

const { list, info, create, edit } = contract.sequenceEvent
let server: TestServer
let support: Support
beforeAll(async () => {
  server = await startTestServer()
  support = await makeSupport(server)
})
afterAll(() => server.close())

const events = async (
  input: { search_term?: string; sort_field?: 'name' | 'value'; sort_order?: 'asc' | 'desc' } = {},
) => (await support.ask(list, input)).body.sequence_events as { name: string; value: string; event_id: string }[]

describe('sequence events in the console', () => {
  it('include the standard ones, by name, and can be found by part of a name', async () => {
    const { body } = await support.ask(list, { page: 1 })
    expect(body).toMatchObject({ current_page: 1, page_count: 1, per_page: 20, total: 6 })
    const names = Object.values(SEQUENCE_EVENTS).toSorted((a, b) => a.localeCompare(b))
    expect((await events()).map((one) => one.name)).toEqual(names)
    expect((await events({ search_term: 'REPEAT' })).map((one) => one.value)).toEqual([
      'last_repeat_dispensed',
      'refill_due',
      'refill_overdue',
    ])
    expect((await events({ search_term: '%' })).length).toBe(0)
    expect((await events({ sort_field: 'name', sort_order: 'desc' }))[0]?.name).toBe('Script is about to expire')
  })

  it('can be added, viewed and changed, with audit rows', async () => {
    const made = await support.ask(create, { name: '  Third  month ', value: 'refill_due' })
    expect(made.status).toBe(200)
    const event_id = String(made.body.id)
    expect((await support.ask(info, { event_id })).body).toEqual({
      event_id,
      name: 'Third month',
      value: 'refill_due',
      sequences: 0,
      recommended_sequences: 0,
      version: 1,
    })
    const changed = await support.ask(edit, { event_id, name: 'Fourth month', value: 'lapsed_patient', version: 1 })
    expect(changed.body).toEqual({ id: event_id, version: 2 })
    expect((await events({ search_term: 'month' })).map((one) => [one.name, one.value])).toEqual([
      ['Fourth month', 'lapsed_patient'],
    ])
    const rows = await asOwner(
      server,
      `select action, object, company_id, login_id from audit where object = $1 order by id`,
      [event_id],
    )
    const by = { object: event_id, company_id: null, login_id: support.login.id }
    expect(rows).toEqual([
      { action: 'sequenceEvent.create', ...by },
      { action: 'sequenceEvent.edit', ...by },
    ])
  })

  it('keep what starts them while sequences use them: patients of every pharmacy would start those for another reason', async () => {
    const { body } = await support.ask(create, { name: 'In use', value: 'first_script' })
    const event_id = String(body.id)
    const recommend = `insert into sequence_recommendation (uuid, title, sequence_event_id)
      select gen_random_uuid(), $2, id from sequence_event where uuid = $1`
    await asOwner(server, recommend, [event_id, 'Welcome'])
    const change = (value: 'first_script' | 'lapsed_patient') =>
      support.ask(edit, { event_id, name: 'Still in use', value }).then(refusal)
    expect(await change('lapsed_patient')).toEqual([
      409,
      '"In use" starts 1 recommended sequence. Please create another event and choose it there. Nothing was changed.',
    ])
    expect((await change('first_script'))[0]).toBe(200)
    await asOwner(server, `update sequence_recommendation set removed_at = now() where title = 'Welcome'`)
    expect((await change('lapsed_patient'))[0]).toBe(200)
  })

  it('are refused when incomplete, unknown, taken, removed or saved by somebody else', async () => {
    const refused = async (call: typeof create | typeof edit, input: object) => {
      const { status, body } = await support.ask(call as typeof edit, input as never)
      return [status, body.message]
    }
    expect(await refused(create, {})).toEqual([422, 'Please enter an event name and select what starts the sequence.'])
    expect(await refused(create, { name: ' ', value: 'refill_due' })).toEqual([422, 'Please enter an event name.'])
    const wrong = await refused(create, { name: 'x', value: 'full_moon' })
    expect(wrong[0]).toBe(422)
    expect(wrong[1]).toMatch(/^Value: please choose first_script, .* or lapsed_patient\.$/)
    expect(await refused(create, { name: 'repeat IS due', value: 'refill_due' })).toEqual([
      409,
      'There is already a sequence event called "repeat IS due". Please enter another name.',
    ])
    const [first, second] = await events()
    const to = { event_id: first!.event_id, name: second!.name, value: 'refill_due' }
    expect((await refused(edit, to))[0]).toBe(409)
    expect(await refused(edit, { ...to, name: 'New name', version: 7 })).toEqual([
      409,
      `Somebody else has saved "${first!.name}" since you opened it. Please open it again before you make your changes.`,
    ])
    expect(await refused(edit, { ...to, event_id: support.company.uuid })).toEqual([
      404,
      'That sequence event was not found.',
    ])
    // An edit without a version is accepted, and may change the letter case of its own name.
    expect((await refused(edit, { ...to, name: first!.name.toUpperCase() }))[0]).toBe(200)
  })
})
