import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { asOwner, fresh, stepUp } from '../../../../test/people.ts'
import { type ApprovalDesk, CEILING, openApprovalDesk, type Sender } from '../../../../test/world/approval-desk.ts'

let desk: ApprovalDesk
beforeAll(async () => {
  desk = await openApprovalDesk()
})
afterAll(() => desk.server.close())

const day = (ahead: number) => new Date(Date.now() + ahead * 86_400_000).toISOString().slice(0, 10)

/** Saves a campaign with a change, as an editor does. */
async function edit(who: Sender | null, id: string, more: object) {
  const found = (await desk.read(desk.path(id, 'info'))).body
  const { name, filters, goal_type, measure_by, goal, version } = found
  const { templates, pharmacies: locations, start_date, end_date } = found as unknown as Record<string, never[]>
  const ids = (templates as { template_id: string }[]).map((one) => one.template_id)
  const body = { ...{ name, filters, goal_type, measure_by, goal, version }, templates: ids, locations }
  return desk.ask(who, id, 'edit', { ...body, start_date, end_date, ...more }, 'save')
}

/** A text, and the second person's edit of it. */
async function textOfSecond() {
  const name = fresh('Worded')
  const draft = (body: string) => ({
    ...{ name, body, subject: '', sms_template: true, email_template: false, message_kind: 'health_outreach' },
    active: true,
  })
  const made = await desk.server.call<{ id: string }>(
    '/api/template/create/enterprise',
    draft('Harmless, {Pharmacy Name}'),
    await desk.grant('save', null),
  )
  const { id } = made.body
  return {
    id,
    word: async (body: string) => {
      const grant = await stepUp(desk.server, desk.second, 'save', id)
      expect((await desk.server.call(`/api/template/${id}/edit/enterprise`, draft(body), grant)).status).toBe(200)
    },
  }
}

const asks = async (id: string, ceiling = CEILING) => (await desk.ask(null, id, 'approval-request', ceiling)).body.hash!
const approves = async (who: Sender, id: string, hash: string) => {
  const { status, body } = await desk.ask(who, id, 'approval-approve', { hash }, 'activate')
  return [status, status === 200 ? body.state : body.message]
}
const OWN_TEXT = [403, 'You wrote or changed one of its texts, so somebody else has to approve it.']

describe('somebody who contributed to a campaign cannot approve it', () => {
  it('the author of a text, until a second person has approved the text', async () => {
    const text = await textOfSecond()
    await text.word('Stop taking your tablets, {Pharmacy Name}')
    const id = await desk.create({ templates: [text.id] })
    const hash = await asks(id)
    expect(await approves(desk.second, id, hash)).toEqual(OWN_TEXT)
    const state = await desk.ask(desk.second, id, 'approval')
    expect(state.body).toMatchObject({ approver_problem: OWN_TEXT[1], approvers: [] })
    const waiting = await desk.server.call<{ campaigns: object[] }>(
      '/api/campaign/approval/waiting/enterprise',
      {},
      desk.second.tab.bearer,
    )
    expect(waiting.body.campaigns).toContainEqual(expect.objectContaining({ campaign_id: id, for_you: false }))
    const third = await desk.someone()
    expect(await approves(third, id, hash)).toEqual([200, 'approved'])
    // The second person may approve what three have seen in the next campaign, but not a text they edited themselves.
    const next = await desk.create({ templates: [text.id] })
    expect(await approves(desk.second, next, await asks(next))).toEqual([200, 'approved'])
    await text.word('Take twice as many, {Pharmacy Name}')
    const last = await desk.create({ templates: [text.id] })
    expect(await approves(desk.second, last, await asks(last))).toEqual(OWN_TEXT)
  })

  it('an earlier editor, even if somebody else saved after them', async () => {
    const id = await desk.create({ locations: desk.places.slice(0, 1) })
    expect((await edit(desk.second, id, { filters: { adherence: [1, 2, 3, 4, 5] } })).status).toBe(200)
    expect((await edit(null, id, { goal: 6 })).status).toBe(200)
    const hash = await asks(id, { max_people: 50, max_cents: 5000 })
    expect(await approves(desk.second, id, hash)).toEqual([
      403,
      'You changed this campaign, so somebody else has to approve it.',
    ])
  })
})

describe('a request for approval', () => {
  it('returns everything its hash covers while it waits: texts, pharmacies, dates and audience', async () => {
    const other = await desk.text('{Pharmacy Name}: A second text.')
    const id = await desk.create({ templates: [desk.template.uuid, other.id], end_date: day(9), note: 'By ear' })
    const hash = await asks(id)
    const { content, ...state } = (await desk.ask(desk.second, id, 'approval')).body
    expect(state.hash).toBe(hash)
    expect(content).toMatchObject({ note: 'By ear', start_date: null, end_date: day(9), goal: 5, holdout_percent: 0 })
    expect(content!.texts.map(({ template_id }) => template_id).sort()).toEqual([desk.template.uuid, other.id].sort())
    expect(content!.texts.find(({ template_id }) => template_id === other.id)).toMatchObject({
      ...{ body: '{Pharmacy Name}: A second text.', subject: null, sms_template: true, email_template: false },
      message_kind: 'health_outreach',
    })
    expect(content!.pharmacies.map(({ location_id }) => location_id).sort()).toEqual([...desk.places].sort())
    expect(content!.pharmacies.every(({ name }) => name.length > 0)).toBe(true)
    expect(content!.filters).toMatchObject(desk.filters)
    // Once edited it no longer waits, and nothing is shown that nobody may approve.
    expect((await edit(null, id, { goal: 7 })).status).toBe(200)
    expect((await desk.ask(desk.second, id, 'approval')).body).toMatchObject({ state: 'changed', content: null })
  })
})

describe('a request whose campaign changed without an edit', () => {
  it('cannot be approved with its old hash after the holdout changed', async () => {
    const { id, hash } = await desk.asked()
    const keepBack = (percent: number) =>
      asOwner(desk.server, 'update messaging_setting set holdout_percent = $2 where company_id = $1', [
        ...[desk.world.company.id, percent],
      ])
    await keepBack(10)
    const said = await approves(desk.second, id, hash)
    await keepBack(0)
    expect(said).toEqual([409, 'This campaign was changed since approval was asked for. Please look at it again.'])
  })
})

describe('the approved end date', () => {
  it('cannot be moved later while the campaign sends, only earlier', async () => {
    const id = await desk.create({ end_date: day(5) })
    expect(await approves(desk.second, id, await asks(id))).toEqual([200, 'approved'])
    expect((await desk.activate(id)).status).toBe(200)
    await desk.prepared(id)
    for (const end_date of [null, day(6)]) {
      const { status, body } = await edit(null, id, { end_date })
      expect(status).toBe(409)
      expect(body.message).toMatch(
        /^This campaign was approved to end on \d+ \w+ \d{4}\. To send for longer, deactivate it and ask for approval again\.$/,
      )
    }
    expect((await edit(null, id, { end_date: day(3) })).status).toBe(200)
    expect((await edit(null, id, { end_date: day(5) })).status).toBe(200)
    await desk.ask(null, id, 'activate', { active: false }, 'deactivate')
  })

  it('does not exist if deactivating set it: it is shown and sent that way', async () => {
    const first = await desk.approved()
    expect((await desk.activate(first.id)).status).toBe(200)
    await desk.prepared(first.id)
    await desk.ask(null, first.id, 'activate', { active: false }, 'deactivate')
    const hash = await asks(first.id, { max_people: 50, max_cents: 5000 })
    expect((await desk.ask(desk.second, first.id, 'approval')).body.content).toMatchObject({ end_date: null })
    expect(await approves(desk.second, first.id, hash)).toEqual([200, 'approved'])
    const again = await desk.activate(first.id)
    expect([again.status, again.body.message]).toEqual([200, undefined])
    await desk.ask(null, first.id, 'activate', { active: false }, 'deactivate')
  })
})
