import { contract } from '@pillar/contract'
import { formatDay } from '@pillar/domain/time/day'
import { dayIn } from '@pillar/domain/time/zone'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openConsole } from '../../../test/campaign-desk.ts'
import { makeTemplate } from '../../../test/messaging.ts'
import { asOwner, fresh, makeCompany } from '../../../test/people.ts'
import { refusal } from '../../../test/support.ts'

const { search, create, edit, editActiveStatus, remove, restore, restoreMany } = contract.campaignAdmin
let { desk, support, other, draft, make, makeOther, named } = {} as Awaited<ReturnType<typeof openConsole>>
beforeAll(async () => {
  ;({ desk, support, other, draft, make, makeOther, named } = await openConsole())
})
afterAll(() => desk.server.close())

const today = () => formatDay(dayIn('Australia/Sydney', desk.server.services.now()))

describe('creating campaigns for a company', () => {
  it('creates them inactive in that company, from its start to its end, by the support person', async () => {
    const name = fresh('Flu')
    const id = await make({ name, start_date: `${today()}T00:00:00`, end_date: `${today()}T23:59:59`, note: ' Why ' })
    expect(await named(id)).toMatchObject({
      ...{ name, active: false, note: 'Why', start_date: today(), end_date: today(), num_made_goal: 0 },
      ...{ company: desk.world.company.name, company_id: desk.world.company.uuid, is_enterprise: true },
      ...{
        locations: desk.world.locations.map(({ uuid }) => ({ location_id: uuid, location_name: expect.any(String) })),
      },
      templates: [{ template_id: desk.template.uuid }],
    })
    expect((await desk.read(desk.path(id, 'info'))).body).toMatchObject({ name, end_date: today() })
    const [row] = await asOwner(desk.server, 'select created_by from campaign where uuid = $1', [id])
    expect(row).toEqual({ created_by: support.login.id })
    const log = await asOwner(desk.server, 'select action, login_id from audit where company_id = $1 and object = $2', [
      ...[desk.world.company.id, id],
    ])
    expect(log).toEqual([{ action: 'campaignAdmin.create', login_id: support.login.id }])
  })

  it('names everything missing in one sentence, and calls a pharmacy a pharmacy', async () => {
    const empty = { company_id: desk.world.company.uuid }
    expect(refusal(await support.ask(create, empty))).toEqual([
      422,
      'Please enter a campaign name, select a goal type, select a measurement type, enter a goal amount, select atleast one pharmacy, and select atleast one template.',
    ])
    expect(refusal(await support.ask(create, draft({ locations: [] })))[1]).toBe('Please select atleast one pharmacy.')
    expect(refusal(await support.ask(create, draft({ templates: [] })))[1]).toBe('Please select atleast one template.')
    expect(refusal(await support.ask(create, draft({ goal: 0 })))[1]).toBe('Please enter a goal amount greater than 0.')
    expect(refusal(await support.ask(create, draft({ goal_type: 'loyalty' })))[1]).toBe(
      'Please select a measurement type.',
    )
    expect(refusal(await support.ask(create, draft({ start_date: '2020-01-01' })))[1]).toBe(
      'Please select a start date from today on.',
    )
    const nowhere = await support.ask(create, { ...draft(), company_id: undefined } as never)
    expect(refusal(nowhere)).toEqual([422, 'Please select a company.'])
  })

  it('refuses pharmacies and templates of another company', async () => {
    expect((await support.ask(create, draft({ locations: [other.locations[0]!.uuid] }))).status).toBe(404)
    const foreign = await makeTemplate(desk.server, other.company.id)
    expect((await support.ask(create, draft({ templates: [{ template_id: foreign.uuid }] }))).status).toBe(404)
  })
})

describe('finding campaigns', () => {
  it('searches, filters and sorts over all companies; a uuid finds its campaign', async () => {
    const word = fresh('Quoll')
    const first = await make({ name: `${word} a`, goal_type: 'revenue' })
    const second = await makeOther({ name: `${word} b` })
    const ids = async (filter: object) =>
      (await support.ask(search, { search_term: word, ...filter })).body.results.map((one) => one.campaign_id)
    expect(await ids({})).toEqual([first, second])
    expect(await ids({ sort_order: 'desc' })).toEqual([second, first])
    expect(await ids({ company: other.company.uuid })).toEqual([second])
    expect(await ids({ company: other.company.name.slice(2) })).toEqual([second])
    expect(await ids({ goal_type: 'revenue' })).toEqual([first])
    expect(await ids({ measure_by: 'target' })).toEqual([])
    expect(await ids({ active: true })).toEqual([])
    expect(await ids({ search_term: second })).toEqual([second])
  })
})

describe('editing campaigns', () => {
  it('changes only the given fields for several companies, and null leaves them unchanged', async () => {
    const [a, b] = [await make({ note: 'A' }), await makeOther({ note: 'B' })]
    const { body } = await support.ask(edit, { campaign_ids: [a, b], goal: 9, note: null, version: null })
    expect(body).toMatchObject({ updated: 2 })
    expect([(await named(a)).goal, (await named(b)).goal]).toEqual([9, 9])
    expect([(await named(a)).note, (await named(b)).note]).toEqual(['A', 'B'])
    // Each company reads of its own campaign only.
    const logged = await asOwner(
      desk.server,
      `select company_id, object_name as name, detail->'changes' as changes from audit where object = any($1) and action like '%edit' order by id`,
      [[a, b]],
    )
    const change = (object: string) => ({ object, before: { goal: 5 }, after: { goal: 9 } })
    expect(logged).toEqual([
      { company_id: desk.world.company.id, name: (await named(a)).name, changes: [change(a)] },
      { company_id: other.company.id, name: (await named(b)).name, changes: [change(b)] },
    ])
    await support.ask(edit, { campaign_ids: [a], note: null })
    expect(await named(a)).toMatchObject({ note: null, version: 3 })
    const places = [desk.places[0]!]
    const mixed = await support.ask(edit, { campaign_ids: [a, b], locations: places })
    expect(mixed.body).toMatchObject({ updated: 1 })
    expect((await named(a)).locations).toHaveLength(1)
    const [newest] = await asOwner<{ detail: { changes: unknown } }>(
      desk.server,
      `select detail from audit where company_id = $1 and object = $2 order by id desc limit 1`,
      [desk.world.company.id, a],
    )
    expect(newest?.detail.changes).toEqual([
      { object: a, before: { locations: desk.places }, after: { locations: places } },
    ])
  })

  it('refuses an outdated version, a demo campaign, and a change that would leave it incomplete', async () => {
    const id = await make()
    await support.ask(edit, { campaign_ids: [id], name: fresh('Newer'), version: 1 })
    expect((await support.ask(edit, { campaign_ids: [id], goal: 3, version: 1 })).status).toBe(409)
    expect(refusal(await support.ask(edit, { campaign_ids: [id], locations: [] }))[1]).toBe(
      'Please select atleast one pharmacy.',
    )
    await asOwner(desk.server, 'update campaign set demo = true where uuid = $1', [id])
    expect((await support.ask(edit, { campaign_ids: [id], goal: 3 })).status).toBe(409)
    expect((await support.ask(remove, { campaign_ids: [id] })).status).toBe(409)
  })

  it('lets a campaign that has ended keep its dates, but no active one lose its cohort or move its start', async () => {
    const ended = await make()
    await asOwner(desk.server, `update campaign set start_day = '2024-01-01', end_day = '2024-02-01' where uuid = $1`, [
      ended,
    ])
    expect((await support.ask(edit, { campaign_ids: [ended], goal: 8 })).status).toBe(200)
    expect(await named(ended)).toMatchObject({ goal: 8, start_date: '2024-01-01', end_date: '2024-02-01' })
    const id = await make()
    await support.ask(editActiveStatus, { campaign_ids: [id], active: true })
    expect(refusal(await support.ask(edit, { campaign_ids: [id], filters: {} }))[1]).toBe(
      'Please select atleast one patient cohort.',
    )
    expect(refusal(await support.ask(edit, { campaign_ids: [id], start_date: '2099-01-01' }))[1]).toBe(
      'Please deactivate the campaign before you change its start date.',
    )
  })
})

describe('deleting and restoring', () => {
  it('cancels unsent messages, frees the name, and restores it inactive within 30 days', async () => {
    const name = fresh('Gone')
    const id = await make({ name })
    await support.ask(editActiveStatus, { campaign_ids: [id], active: true })
    await desk.prepared(id)
    expect((await support.ask(remove, { campaign_ids: [id] })).body).toMatchObject({ deleted: 1 })
    const [left] = await asOwner(
      desk.server,
      `select count(*) from message m join message_run r on r.id = m.run_id join campaign c on c.id = r.campaign_id
       where c.uuid = $1 and m.state = 'queued'`,
      [id],
    )
    expect(left).toEqual({ count: 0 })
    expect((await support.ask(search, { search_term: name })).body.total).toBe(0)
    expect((await support.ask(search, { search_term: name, removed: true })).body.total).toBe(1)
    const second = await make({ name })
    expect(refusal(await support.ask(restore, { id }))).toEqual([409, expect.stringContaining('already a campaign')])
    await support.ask(remove, { campaign_ids: [second] })
    expect((await support.ask(restore, { id })).body).toEqual({ restored: true })
    expect(await named(id)).toMatchObject({ active: false, removed_at: null })
    expect(refusal(await support.ask(restore, { id }))).toEqual([409, 'This campaign is not deleted.'])
    await asOwner(desk.server, `update campaign set removed_at = now() - interval '31 days' where uuid = $1`, [second])
    expect(refusal(await support.ask(restore, { id: second }))[1]).toMatch(/over 30 days ago/)
  })

  it('restores everything one call deleted, and names what could not be', async () => {
    const names = [fresh('Both'), fresh('Both'), fresh('Both')]
    const ids = [await make({ name: names[0] }), await make({ name: names[1] }), await make({ name: names[2] })]
    const { removed_at } = (await support.ask(remove, { campaign_ids: ids })).body
    await make({ name: names[1] })
    const answer = (await support.ask(restoreMany, { removed_at, expected_count: 3 })).body
    expect(answer).toEqual({
      restored: 2,
      not_restored: [{ name: names[1], reason: expect.stringContaining('already a campaign') }],
    })
    expect(await named(ids[0]!)).toMatchObject({ active: false, removed_at: null })
    expect(await named(ids[2]!)).toMatchObject({ active: false, removed_at: null })
    expect((await support.ask(restoreMany, { campaign_ids: [ids[0]!] })).status).toBe(404)
    expect((await support.ask(restoreMany, { removed_at, campaign_ids: ids })).status).toBe(422)
  })

  it('leaves out removed companies', async () => {
    const gone = await makeCompany(desk.server)
    await asOwner(desk.server, 'update company set removed_at = now() where id = $1', [gone.id])
    expect((await support.ask(create, draft({ company_id: gone.uuid }))).status).toBe(404)
  })
})
