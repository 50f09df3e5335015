import { contract } from '@pillar/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeMessagingWorld } from '../../../test/messaging.ts'
import { asOwner, fresh, makeLogin, signIn } from '../../../test/people.ts'
import { moveOnTo, startTestServer, type TestServer } from '../../../test/server.ts'
import { makeSupport, refusal, type Support } from '../../../test/support.ts'

const { search, info, affected, create, edit, remove, restore, restoreMany } = contract.campaignRecommendationAdmin
let server: TestServer
let support: Support
let template: string
beforeAll(async () => {
  server = await startTestServer()
  support = await makeSupport(server)
  template = await makeTemplate()
})
afterAll(() => server.close())

async function makeTemplate(): Promise<string> {
  const text = { name: fresh('Text'), body: 'Hi from {Pharmacy Name}', sms_template: true }
  return (await support.ask(contract.templateRecommendation.create, text)).body.id
}
const draft = (more: object = {}) => ({
  name: fresh('Flu'),
  description: 'Patients from 65.',
  goal_type: 'scripts' as const,
  measure_by: 'value' as const,
  goal: 5,
  template_recommendations: [template],
  filters: { age: ['65+'] },
  ...more,
})
const make = async (more: object = {}) => String((await support.ask(create, draft(more))).body.id)
const named = async (id: string) => (await support.ask(info, { id })).body

describe('recommended campaigns', () => {
  it('are offered to every company as soon as they are saved, and a company adopts one', async () => {
    const name = fresh('Offered')
    const id = await make({ name, start_date: '2099-01-01T00:00:00', end_date: '2099-02-01T23:59:59', note: 'Why' })
    expect(await named(id)).toMatchObject({
      ...{ name, note: 'Why', start_date: '2099-01-01', end_date: '2099-02-01', new: true, companies: 0, version: 1 },
      template_recommendations: [{ template_id: template }],
    })
    const { company } = await makeMessagingWorld(server)
    const head = await signIn(server, await makeLogin(server, company.id, { flags: ['data_analytics'] }))
    const offered = await server.call<{ campaigns: object[] }>(
      '/api/campaign-recommendation/company/list',
      { search_term: name },
      head.bearer,
    )
    expect(offered.body.campaigns).toMatchObject([{ name, filters: { age: ['65+'] }, start_date: '2099-01-01' }])
    await asOwner(
      server,
      `insert into campaign (uuid, company_id, name, goal_type, measure_by, goal, active, campaign_recommendation_id)
       select gen_random_uuid(), $1, 'Made of it ' || n, 'scripts', 'value', 1, n = 1, r.id
       from campaign_recommendation r, generate_series(1, 2) n where r.uuid = $2`,
      [company.id, id],
    )
    const [count] = await asOwner<{ n: number }>(
      server,
      'select count(*)::int as n from company where removed_at is null',
    )
    expect((await support.ask(affected, { campaign_ids: [id] })).body).toEqual({
      ...{ recommended: 1, companies: count!.n, adopted: 1, campaigns: 2, active: 1 },
    })
    expect((await named(id)).companies).toBe(1)
  })

  it('name everything missing in one sentence', async () => {
    expect(refusal(await support.ask(create, {}))).toEqual([
      422,
      'Please enter a campaign name, select a goal type, select a measurement type, enter a goal amount, and select atleast one template.',
    ])
    expect(refusal(await support.ask(create, draft({ goal_type: 'adherence' })))[1]).toBe(
      'Please select a measurement type.',
    )
    expect(refusal(await support.ask(create, draft({ goal: -1 })))[1]).toBe(
      'Please enter a goal amount greater than 0.',
    )
    expect(refusal(await support.ask(create, draft({ end_date: '2020-01-01' })))[1]).toBe(
      'Please select an end date from today on.',
    )
    expect(refusal(await support.ask(create, draft({ template_recommendations: [support.login.uuid] })))).toEqual([
      404,
      'That recommended template was not found.',
    ])
    const name = fresh('Twice')
    await make({ name })
    expect(refusal(await support.ask(create, draft({ name })))).toEqual([
      409,
      `There is already a recommended campaign called "${name}". Please enter another campaign name.`,
    ])
  })

  it('are changed several at once in the given fields only, with before and after in the audit', async () => {
    const [a, b] = [await make({ note: 'A' }), await make({ note: 'B' })]
    const second = await makeTemplate()
    const { body } = await support.ask(edit, {
      campaign_ids: [a, b],
      goal: 7,
      note: null,
      template_recommendations: [second],
    })
    expect(body.data).toEqual({ ids: body.ids })
    expect(body.ids.sort()).toEqual([a, b].sort())
    expect([await named(a), await named(b)]).toMatchObject([
      { goal: 7, note: 'A', version: 2, template_recommendations: [{ template_id: second }] },
      { goal: 7, note: 'B', version: 2 },
    ])
    expect((await support.ask(edit, { campaign_ids: [a], goal: 8, version: 1 })).status).toBe(409)
    expect((await named(a)).goal).toBe(7)
    const [row] = await asOwner<{ detail: { changes: unknown[] } }>(
      server,
      `select detail from audit where action = 'campaignRecommendationAdmin.edit' order by id limit 1`,
    )
    expect(row?.detail.changes).toHaveLength(2)
    expect(row?.detail.changes[0]).toMatchObject({ before: { goal: 5 }, after: { goal: 7 } })
  })

  it('are searched and filtered; deleted ones are listed separately and restored', async () => {
    const word = fresh('Quoll')
    const id = await make({ name: `${word} a`, goal_type: 'revenue' })
    const other = await make({ name: `${word} b` })
    const ids = async (filter: object) =>
      (await support.ask(search, { search_term: word, ...filter })).body.results.map(
        (one) => one.campaign_recommendation_id,
      )
    expect(await ids({})).toEqual([id, other])
    expect(await ids({ goal_type: 'revenue' })).toEqual([id])
    expect(await ids({ search_term: other })).toEqual([other])
    const all = { filter: { search_term: word }, expected_count: 3 }
    expect((await support.ask(remove, all)).status).toBe(409)
    const gone = (await support.ask(remove, { ...all, expected_count: 2 })).body
    expect(gone.deleted).toBe(2)
    expect([await ids({}), await ids({ removed: true })]).toEqual([[], [id, other]])
    expect((await support.ask(restore, { id })).body).toEqual({ restored: true })
    expect(await ids({})).toEqual([id])
    expect((await support.ask(restore, { id })).status).toBe(409)
    // An editor that had it open before it was deleted gets a conflict.
    expect((await support.ask(edit, { campaign_ids: [id], goal: 7, version: 1 })).status).toBe(409)
    // Campaigns deleted by the same call come back together; existing ones are left alone.
    const { removed_at } = gone
    expect((await support.ask(restoreMany, { removed_at })).body).toEqual({ restored: 1, not_restored: [] })
    expect(await ids({})).toEqual([id, other])
    await support.ask(remove, { campaign_ids: [id, other] })
    const named = (await support.ask(restoreMany, { campaign_ids: [other] })).body
    expect([named.restored, await ids({})]).toEqual([1, [other]])
    expect((await support.ask(restoreMany, { filter: { search_term: word } })).body.restored).toBe(1)
  })

  it('are offered until their last day ends in the country of the company', async () => {
    const name = fresh('Last day')
    await make({ name })
    const offeredTo = async (country: string) => {
      const { company } = await makeMessagingWorld(server)
      await asOwner(server, 'update company set country = $1 where id = $2', [country, company.id])
      const head = await signIn(server, await makeLogin(server, company.id, { flags: ['data_analytics'] }))
      const path = '/api/campaign-recommendation/company/list'
      const { body } = await server.call<{ campaigns: object[] }>(path, { search_term: name }, head.bearer)
      return body.campaigns.length === 1
    }
    // 10:30 or 11:30 pm of that day in Sydney, then the small hours of the next.
    moveOnTo(server, 12, 30)
    const day = server.services.now().toISOString().slice(0, 10)
    await asOwner(server, 'update campaign_recommendation set end_day = $1 where name = $2', [day, name])
    expect(await offeredTo('AU')).toBe(true)
    moveOnTo(server, 14, 30)
    expect(await offeredTo('AU')).toBe(false)
    // The evening of that day in New York.
    moveOnTo(server, 1)
    expect(await offeredTo('US')).toBe(true)
    moveOnTo(server, 6)
    expect(await offeredTo('US')).toBe(false)
  })
})
