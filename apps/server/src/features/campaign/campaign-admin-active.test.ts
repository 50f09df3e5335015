import { contract } from '@pillar/contract'
import { formatDay } from '@pillar/domain/time/day'
import { dayIn } from '@pillar/domain/time/zone'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { openConsole } from '../../../test/campaign-desk.ts'
import { onLastConnection } from '../../../test/last-connection.ts'
import { makeTemplate } from '../../../test/messaging.ts'
import { asOwner, fresh } from '../../../test/people.ts'
import { refusal } from '../../../test/support.ts'
import { untilWaiting } from '../../../test/waiting.ts'
import { REQUEST_MS } from '../../db/deadline.ts'

const { affected, forecast, editActiveStatus } = contract.campaignAdmin
let { desk, support, other, make, makeOther, named } = {} as Awaited<ReturnType<typeof openConsole>>
beforeAll(async () => {
  ;({ desk, support, other, make, makeOther, named } = await openConsole())
})
afterAll(() => desk.server.close())

const today = () => formatDay(dayIn('Australia/Sydney', desk.server.services.now()))

const SENT = `update message_run r set state = 'done' from campaign c where c.id = r.campaign_id and c.uuid = $1`
const text = async (name: string) => ({
  template_id: (await makeTemplate(desk.server, desk.world.company.id, { name: fresh(name) })).uuid,
})

describe('activating and deactivating campaigns', () => {
  it('does what the head office’s own activation does: hold, ledger, templates, and who did it', async () => {
    const off = await makeTemplate(desk.server, desk.world.company.id, { name: fresh('Off') })
    await asOwner(desk.server, 'update template set active = false where id = $1', [off.id])
    const id = await make({ templates: [{ template_id: off.uuid }] })
    const asked = { company_id: desk.world.company.uuid, campaign_id: id }
    expect((await support.ask(forecast, asked)).body).toMatchObject({
      messages: 11,
      will_receive: 11,
      held_back: 5,
      problem: '',
    })
    expect((await support.ask(affected, { campaign_ids: [id], active: true })).body).toEqual({
      template_names: [expect.stringContaining('Off')],
      campaigns: 1,
    })
    const grown = await support.ask(editActiveStatus, { campaign_ids: [id], active: true, expected_messages: 5 })
    expect(refusal(grown)).toEqual([409, expect.stringContaining('The cohort has grown: 11 messages')])
    const before = desk.server.services.now().getTime()
    const done = await support.ask(editActiveStatus, { campaign_ids: [id], active: true, expected_messages: 11 })
    expect(done.body).toMatchObject({ updated: 1, outcomes: [{ campaign_id: id, done: true, message: null }] })
    const run = await desk.prepared(id)
    expect(run.progress).toMatchObject({ messages: 16, queued: 11, skipped: 5 })
    expect(new Date(run.starts_at!).getTime() - before).toBeGreaterThanOrEqual(120_000)
    const runs = await asOwner(desk.server, 'select created_by from message_run where uuid = $1', [run.run_id])
    expect(runs).toEqual([{ created_by: support.login.id }])
    const log = await asOwner<{ action: string; detail: object }>(
      desk.server,
      `select action, detail from audit where company_id = $1 and object = $2 and login_id = $3 order by id desc limit 1`,
      [desk.world.company.id, id, support.login.id],
    )
    expect(log).toEqual([
      {
        action: 'campaignAdmin.editActiveStatus',
        detail: { changes: [{ object: id, before: { active: false }, after: { active: true } }] },
      },
    ])
    const texts = (await desk.messages(id)).length
    await support.ask(editActiveStatus, { campaign_ids: [id], active: true })
    expect((await desk.messages(id)).length).toBe(texts)

    expect((await support.ask(affected, { campaign_ids: [id], active: false })).body.template_names).toHaveLength(1)
    const stopped = await support.ask(editActiveStatus, { campaign_ids: [id], active: false })
    expect(stopped.body).toMatchObject({ updated: 1 })
    expect(await named(id)).toMatchObject({ active: false, end_date: today() })
    expect((await desk.messages(id)).filter((one) => one.state === 'queued')).toEqual([])
  })

  it('needs one connection of the console: calls that waited for a second one held up each other and the whole console', async () => {
    const id = await make()
    const ask = () => support.ask(editActiveStatus, { campaign_ids: [id], active: false })
    expect((await onLastConnection(desk.server, ask)).status).toBe(200)
  })

  it('is not cut off when several take longer than other calls may', async () => {
    const ids = [await make(), await make()]
    const other = new pg.Client({ connectionString: desk.server.ownerUrl })
    await other.connect()
    await other.query('begin')
    await other.query('select from campaign where uuid = any($1) for update', [ids])
    const now = performance.now.bind(performance)
    const switching = support.ask(editActiveStatus, { campaign_ids: ids, active: false })
    await untilWaiting(desk.server)
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => now() + 2 * REQUEST_MS)
    await other.end()
    const { status, body } = await switching
    clock.mockRestore()
    expect([status, body.updated]).toEqual([200, 2])
  })

  it('says that part of it was done when it fails afterwards: each campaign is saved separately', async () => {
    const id = await make()
    const audit = (change: string) => asOwner(desk.server, `alter table audit ${change}`)
    await audit(`add constraint no_row check (action <> 'campaignAdmin.remove' or company_id is not null) not valid`)
    const failed = await support.ask(contract.campaignAdmin.remove, { campaign_ids: [id] })
    await audit('drop constraint no_row')
    expect(refusal(failed)).toEqual([500, expect.stringMatching(/^This was done at least in part before it failed/)])
    expect(
      await asOwner(desk.server, 'select removed_at is not null as gone from campaign where uuid = $1', [id]),
    ).toEqual([{ gone: true }])
  })

  it('reports the outcome of each campaign of several companies', async () => {
    const [good, bare] = [await make(), await makeOther({ filters: {} })]
    const { body } = await support.ask(editActiveStatus, { campaign_ids: [bare, good], active: true })
    expect(body.updated).toBe(1)
    expect(body.outcomes.map(({ campaign_id, done, message }) => [campaign_id, done, message]).sort()).toEqual(
      [
        [good, true, null],
        [bare, false, 'Please select at least one patient filter.'],
      ].sort(),
    )
    expect([(await named(good)).active, (await named(bare)).active]).toEqual([true, false])
    const runs = 'select c.uuid from message_run r join campaign c on c.id = r.campaign_id where c.uuid = any($1)'
    expect(await asOwner(desk.server, runs, [[good, bare]])).toEqual([{ uuid: good }])
    // Sent, and still active: the price shown covers only the inactive ones.
    await asOwner(desk.server, `update message_run set state = 'done' where company_id = $1`, [desk.world.company.id])
    await support.ask(editActiveStatus, { campaign_ids: [bare, good], active: true })
    expect(await asOwner(desk.server, runs, [[good, bare]])).toEqual([{ uuid: good }])
    const alone = await support.ask(editActiveStatus, { campaign_ids: [bare], active: true })
    expect(refusal(alone)).toEqual([422, 'Please select at least one patient filter.'])
  })

  it('sends, of several, only those asked about: none that was active then, and none that has grown', async () => {
    const [one, grown, late] = [await make(), await make(), await make()]
    const expected = [
      { campaign_id: one, messages: 11 },
      { campaign_id: grown, messages: 5 },
    ]
    const { body } = await support.ask(editActiveStatus, { campaign_ids: [one, grown, late], active: true, expected })
    expect(Object.fromEntries(body.outcomes.map(({ campaign_id, message }) => [campaign_id, message]))).toEqual({
      [one]: null,
      [grown]: expect.stringContaining('The cohort has grown: 11 messages'),
      [late]: 'This campaign was active when you were asked, and is not any more. Please look at it again.',
    })
    expect([(await named(one)).active, (await named(grown)).active, (await named(late)).active]).toEqual([
      true,
      false,
      false,
    ])
    // A campaign that is still active is not treated as one that no longer is.
    const again = await support.ask(editActiveStatus, { campaign_ids: [one], active: true, expected: [] })
    expect(again.body).toMatchObject({ updated: 1, outcomes: [{ campaign_id: one, done: true, message: null }] })
  })

  it('names the templates of the campaigns being switched, and no others', async () => {
    const [own, others] = [await text('Own'), await text('Others')]
    const [off, on] = [await make({ templates: [own] }), await make({ templates: [others] })]
    const names = async (active: boolean) =>
      (await support.ask(affected, { campaign_ids: [off, on], active })).body.template_names
    await asOwner(desk.server, 'update campaign set active = true where uuid = $1', [on])
    expect(await names(false)).toEqual([expect.stringContaining('Others')])
    await asOwner(desk.server, 'update template set active = false where uuid = any($1)', [
      [own.template_id, others.template_id],
    ])
    expect(await names(true)).toEqual([expect.stringContaining('Own')])
    await support.ask(editActiveStatus, { campaign_ids: [off, on], active: true })
    expect((await named(off)).templates).toMatchObject([{ active: true }])
    expect((await named(on)).templates).toMatchObject([{ active: false }])
  })

  it('announces what the activation would refuse', async () => {
    const problem = async (id: string) =>
      (await support.ask(forecast, { company_id: desk.world.company.uuid, campaign_id: id })).body.problem
    const refused = async (id: string) => {
      const words = await problem(id)
      expect(refusal(await support.ask(editActiveStatus, { campaign_ids: [id], active: true }))[1]).toBe(words)
      return words
    }
    const sent = await make()
    await support.ask(editActiveStatus, { campaign_ids: [sent], active: true })
    await desk.prepared(sent)
    await asOwner(desk.server, SENT, [sent])
    expect(await refused(sent)).toBe('This campaign is active and has been sent. To send it again, copy it.')
    const rule = (on: boolean) =>
      asOwner(desk.server, 'update messaging_setting set approval = $2 where company_id = $1', [
        ...[desk.world.company.id, on],
      ])
    await rule(true)
    expect(await refused(await make())).toContain('approv')
    await rule(false)
  })

  it('activates at most 20 at a time, and refuses a filter that matches another number', async () => {
    const word = fresh('Many')
    await asOwner(
      desk.server,
      `insert into campaign (uuid, company_id, name, goal_type, measure_by, goal)
       select gen_random_uuid(), $1, $2 || n, 'scripts', 'value', 1 from generate_series(1, 21) n`,
      [other.company.id, word],
    )
    const all = { filter: { search_term: word }, expected_count: 21 }
    expect(refusal(await support.ask(editActiveStatus, { ...all, active: true }))).toEqual([
      422,
      'Please activate at most 20 campaigns at a time.',
    ])
    const fewer = await support.ask(editActiveStatus, { ...all, expected_count: 20, active: false })
    expect(refusal(fewer)).toEqual([409, '21 campaigns match now, not 20. Please look at the list again.'])
    expect((await support.ask(editActiveStatus, { ...all, active: false })).body.updated).toBe(21)
  })
})
