import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { asOwner, makeCompany } from '../../../../test/people.ts'
import { type ApprovalDesk, CEILING, openApprovalDesk } from '../../../../test/world/approval-desk.ts'

let desk: ApprovalDesk
beforeAll(async () => {
  desk = await openApprovalDesk()
})
afterAll(() => desk.server.close())

const actions = async (id: string) => (await desk.log(id)).map(({ action }) => action)

describe('a campaign of a company that needs approval', () => {
  it('is not activated without it, and the refusal says who may approve', async () => {
    const id = await desk.create()
    const { status, body } = await desk.activate(id)
    expect(status).toBe(409)
    expect(body.message).toBe(
      'This campaign needs approval by a second person before it is sent. Save it and ask for approval. Robin Vale can approve it.',
    )
    expect(await desk.state(id)).toMatchObject({ required: true, state: 'none', changes: [], hash: null })
    expect(await desk.messages(id)).toEqual([])
    const draft = {
      ...{ name: `At once ${id}`, filters: desk.filters, goal_type: 'scripts', measure_by: 'value', goal: 5 },
      ...{ templates: [desk.template.uuid], locations: desk.places, active: true },
    }
    const grant = await desk.grant('activate', null)
    const atOnce = await desk.server.call<{ message: string }>('/api/campaign/create/enterprise', draft, grant)
    expect([atOnce.status, atOnce.body.message]).toEqual([409, body.message])
  })

  it('is approved by another person of the company and then sent, once; everything is in the log', async () => {
    const { id, hash } = await desk.asked()
    expect(hash).toMatch(/^[0-9a-f]{64}$/)
    expect((await desk.activate(id)).body.message).toBe(
      'This campaign waits for approval by a second person. Robin Vale can approve it.',
    )
    const waiting = (who: typeof desk.second) =>
      desk.server.call<{ campaigns: object[] }>('/api/campaign/approval/waiting/enterprise', {}, who.tab.bearer)
    expect((await waiting(desk.second)).body.campaigns).toContainEqual(
      expect.objectContaining({ campaign_id: id, max_people: 12, max_cents: 5000, for_you: true }),
    )
    const bare = await desk.ask(desk.second, id, 'approval-approve', { hash })
    expect(bare.status).toBe(403)
    const approved = await desk.ask(desk.second, id, 'approval-approve', { hash }, 'activate')
    expect([approved.status, approved.body]).toMatchObject([
      200,
      { state: 'approved', decided_by: 'Robin Vale', max_people: 12, max_cents: 5000 },
    ])
    expect((await desk.activate(id)).status).toBe(200)
    await desk.prepared(id)
    expect((await desk.messages(id)).filter(({ state }) => state === 'queued')).toHaveLength(11)
    expect((await desk.state(id)).state).toBe('used')
    const log = (await desk.log(id)).filter(({ action }) => action.startsWith('campaignApproval'))
    expect(log.map(({ action }) => action)).toEqual(['campaignApproval.request', 'campaignApproval.approve'])
    expect(log[1]!.login_id).toBe(desk.second.login.id)
    expect(log[1]!.detail).toMatchObject({
      changes: [{ after: { state: 'approved', hash, people_at_most: 12, cost_at_most: '50.00' } }],
    })
    // It covers one sending.
    await desk.ask(null, id, 'activate', { active: false }, 'deactivate')
    expect((await desk.activate(id)).status).toBe(409)
  })

  it('is not approved by anybody who wrote, changed or requested it', async () => {
    const { id, hash } = await desk.asked()
    const own = await desk.ask(null, id, 'approval-approve', { hash }, 'activate')
    expect([own.status, own.body.message]).toEqual([
      403,
      'You wrote this campaign, so somebody else has to approve it.',
    ])
    expect((await desk.ask(null, id, 'approval-decline', { hash, reason: 'No' })).status).toBe(403)
    // The second changes it and asks: then a third person may approve, but neither of those two.
    const found = (await desk.read(desk.path(id, 'info'))).body
    const edited = await desk.ask(desk.second, id, 'edit', edit(found, { goal: 7 }), 'save')
    expect([edited.status, edited.body.message]).toEqual([200, undefined])
    const third = await desk.someone()
    const again = await desk.ask(third, id, 'approval-request', CEILING)
    const said = async (who: typeof third | null) =>
      (await desk.ask(who, id, 'approval-approve', { hash: again.body.hash }, 'activate')).body.message
    expect(await said(desk.second)).toBe('You changed this campaign, so somebody else has to approve it.')
    expect(await said(third)).toBe('You asked for this approval, so somebody else has to approve it.')
    expect(await said(null)).toBe('You wrote this campaign, so somebody else has to approve it.')
    const fourth = await desk.someone()
    expect(await said(fourth)).toBeUndefined()
    await asOwner(desk.server, 'update login set disabled_at = now() where id = any($1)', [
      [third.login.id, fourth.login.id],
    ])
  })

  it('is declined with a reason', async () => {
    const { id, hash } = await desk.asked()
    expect((await desk.ask(desk.second, id, 'approval-decline', { hash, reason: ' ' })).status).toBe(422)
    const { body } = await desk.ask(desk.second, id, 'approval-decline', { hash, reason: 'Wrong medicine.' })
    expect(body).toMatchObject({ state: 'declined', reason: 'Wrong medicine.', decided_by: 'Robin Vale' })
    expect((await desk.activate(id)).body.message).toContain('Approval of this campaign was declined.')
    expect(await actions(id)).toContain('campaignApproval.decline')
  })

  it('is unknown to another company', async () => {
    const { id, hash } = await desk.asked()
    const stranger = await desk.someone((await makeCompany(desk.server)).id)
    const replies = [
      await desk.ask(stranger, id, 'approval'),
      await desk.ask(stranger, id, 'approval-approve', { hash }, 'activate'),
      await desk.ask(stranger, id, 'approval-decline', { hash, reason: 'No' }),
      await desk.ask(stranger, id, 'approval-request', CEILING),
    ]
    expect(replies.map(({ status }) => status)).toEqual([404, 404, 404, 404])
    expect((await desk.state(id)).state).toBe('waiting')
  })

  it('proposes a ceiling that covers what would be sent now', async () => {
    const id = await desk.create()
    const { status, body } = await desk.ask(null, id, 'approval-request', { max_people: 10, max_cents: 5000 })
    expect(status).toBe(422)
    expect(body.message).toMatch(
      /^Please ask for more: as it is now, the campaign would cost \$\d\.\d\d for 11 people\.$/,
    )
  })

  it('is approved by one of two who approve at once', async () => {
    const third = await desk.someone()
    const { id, hash } = await desk.asked()
    const replies = await Promise.all(
      [desk.second, third].map((who) => desk.ask(who, id, 'approval-approve', { hash }, 'activate')),
    )
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 409])
    expect(replies.find(({ status }) => status === 409)!.body.message).toBe(
      'Robin Vale has approved this campaign already.',
    )
    expect((await actions(id)).filter((action) => action === 'campaignApproval.approve')).toHaveLength(1)
    await asOwner(desk.server, 'update login set disabled_at = now() where id = $1', [third.login.id])
  })
})

describe('without the rule', () => {
  it('nothing is different', async () => {
    await desk.require(false)
    const id = await desk.create()
    expect(await desk.state(id)).toMatchObject({ required: false, state: 'none' })
    expect((await desk.ask(null, id, 'approval-request', CEILING)).status).toBe(409)
    expect((await desk.activate(id)).status).toBe(200)
    await desk.prepared(id)
    expect(await desk.messages(id)).toHaveLength(16)
    await desk.require(true)
  })
})

/** A campaign as an editor sends it back. */
const edit = (found: Awaited<ReturnType<ApprovalDesk['read']>>['body'], more: object) => ({
  ...{
    name: found.name,
    filters: found.filters,
    goal_type: found.goal_type,
    measure_by: found.measure_by,
    goal: found.goal,
  },
  ...{ templates: [desk.template.uuid], locations: desk.places, version: found.version },
  ...more,
})
