import { contract } from '@pillar/contract'
import { Filters } from '@pillar/contract/campaign/cohort'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { asOwner, fresh } from '../../../test/people.ts'
import { startTestServer, type TestServer } from '../../../test/server.ts'
import { makeSupport, refusal, type Support } from '../../../test/support.ts'
import { untilWaiting } from '../../../test/waiting.ts'
import type { Tx } from '../../db/database.ts'
import { insertRecommendedCampaign } from './campaign-admin.queries.ts'
import { lockRecommendations, removeRecommendations } from './recommendation-admin.queries.ts'
import { ensureRecommendations } from './recommended.queries.ts'

const { search, list, info, affected, create, edit, remove, restore, restoreMany } = contract.templateRecommendation
let server: TestServer
let support: Support
beforeAll(async () => {
  server = await startTestServer()
  support = await makeSupport(server)
})
afterAll(() => server.close())

const draft = (name = fresh('Tip')) => ({ name, body: 'Hi from {Pharmacy Name}', sms_template: true })
const make = async (more: object = {}) => String((await support.ask(create, { ...draft(), ...more })).body.id)

describe('recommended templates in the console', () => {
  it('report how many companies they reach and what still uses them, and can be restored after withdrawal', async () => {
    const id = await make()
    await asOwner(
      server,
      `with own as (
         insert into template (uuid, company_id, name, body, sms_template, email_template, active, template_recommendation_id)
         select gen_random_uuid(), $1, 'Made of it', 'Hi {Pharmacy Name}', true, false, true, r.id
         from template_recommendation r where r.uuid = $2 returning id),
       made as (
         insert into campaign (uuid, company_id, name, goal_type, measure_by, goal, active)
         values (gen_random_uuid(), $1, 'Running', 'scripts', 'target', 1, true) returning id)
       insert into campaign_template (campaign_id, company_id, template_id) select made.id, $1, own.id from made, own`,
      [support.company.id, id],
    )
    const [count] = await asOwner<{ n: number }>(
      server,
      'select count(*)::int as n from company where removed_at is null',
    )
    expect((await support.ask(affected, { template_ids: [id] })).body).toEqual({
      ...{ recommended: 1, companies: count!.n, adopted: 1, templates: 1, campaigns: 1 },
    })
    await support.ask(remove, { template_ids: [id] })
    expect((await support.ask(affected, { template_ids: [id] })).status).toBe(404)
    expect((await support.ask(restore, { id })).body).toEqual({ restored: true })
    expect((await support.ask(info, { id })).body).toMatchObject({ removed_at: null })
    expect(refusal(await support.ask(restore, { id }))).toEqual([409, 'This template is not deleted.'])
  })

  it('can be created, filtered, changed and withdrawn', async () => {
    const word = fresh('Numbat')
    const sms = await make(draft(`${word} a`))
    const both = await make({
      ...draft(`${word} b`),
      email_template: true,
      subject: 'Hello',
      description: ' For winter ',
    })
    const ids = async (filter: object) =>
      (await support.ask(search, { search_term: word, ...filter })).body.templates.map(
        (one) => one.template_recommendation_id,
      )
    expect(await ids({})).toEqual([sms, both])
    expect(await ids({ type: 'both' })).toEqual([both])
    expect(await ids({ email_template: true })).toEqual([both])
    expect(await ids({ name: 'numbat' })).toEqual([sms, both])
    const chosen = await support.ask(list, { search_term: word, sms_template: true, page: 1 })
    expect(chosen.body).toMatchObject({ total: 2, current_page: 1, page_count: 1, per_page: 20 })
    const picked = async (toggles: { sms_template: boolean; email_template: boolean }) =>
      (await support.ask(list, { search_term: word, ...toggles })).body.templates.map(
        (one) => one.template_recommendation_id,
      )
    // A picker for one channel also shows templates for both, as the list of a company's templates does.
    expect(await picked({ sms_template: true, email_template: false })).toEqual([sms, both])
    expect(await picked({ sms_template: false, email_template: true })).toEqual([both])
    expect(await picked({ sms_template: true, email_template: true })).toEqual([sms, both])
    expect(await picked({ sms_template: false, email_template: false })).toEqual([sms, both])
    expect((await support.ask(info, { id: both })).body).toMatchObject({
      type: 'both',
      description: 'For winter',
      subject: 'Hello',
      used_by: [],
      version: 1,
    })
    expect((await support.ask(edit, { template_ids: [sms, both], body: 'Hello from {Pharmacy Name}' })).body).toEqual({
      updated: 2,
    })
    expect((await support.ask(info, { id: both })).body).toMatchObject({
      body: 'Hello from {Pharmacy Name}',
      version: 2,
    })
    const stale = await support.ask(edit, { template_ids: [both], name: 'X', version: 1 })
    expect(stale.body.code).toBe('conflict')
    const gone = await support.ask(remove, { filter: { search_term: word }, expected_count: 2 })
    expect(gone.body).toMatchObject({ deleted: 2 })
    expect(await ids({})).toEqual([])
    expect((await support.ask(info, { id: both })).status).toBe(404)
    const { removed_at } = gone.body
    expect((await support.ask(restoreMany, { removed_at })).body).toEqual({ restored: 2, not_restored: [] })
    expect((await ids({})).sort()).toEqual([sms, both].sort())
  })

  it('name what is missing, and refuse a duplicate name', async () => {
    expect(refusal(await support.ask(create, {}))).toEqual([
      422,
      'Please enter a template name, select at least one template type, enter a message body, and include {Pharmacy Name} in the message body.',
    ])
    const first = draft()
    const { body } = await support.ask(create, first)
    expect(body.data).toEqual({ id: body.id })
    expect(refusal(await support.ask(create, { ...first, name: first.name.toUpperCase() }))).toEqual([
      409,
      `There is already a recommended template called "${first.name.toUpperCase()}". Please enter another template name.`,
    ])
  })

  it('cannot be withdrawn while a recommended campaign uses them', async () => {
    await ensureRecommendations(server.services.pools.system, 'AU', server.services.now())
    const [used] = await asOwner<{ uuid: string; name: string }>(
      server,
      `select t.uuid, t.name from template_recommendation t
       join campaign_recommendation_template x on x.template_recommendation_id = t.id limit 1`,
    )
    const { status, body } = await support.ask(remove, { template_ids: [used!.uuid] })
    expect(status).toBe(409)
    expect(body.message).toMatch(
      new RegExp(`^"${used!.name}" is used by .*\\. Please choose another template there first\\.$`),
    )
  })

  it('stay, or are refused, if one is withdrawn while a campaign or a sequence using it is saved', async () => {
    const { system } = server.services.pools
    const [event] = await asOwner<{ uuid: string }>(server, 'select uuid from sequence_event limit 1')
    const aim = { description: '', goal_type: 'scripts' as const, measure_by: 'value' as const, goal: 5 }
    const rest = { ...aim, note: null, start_day: null, end_day: null, filters: Filters.parse({ age: ['65+'] }) }
    /** Runs `first` in a transaction and `second` before it ends. */
    const before = async <T>(first: (tx: Tx) => Promise<unknown>, second: () => Promise<T>): Promise<T> => {
      const [done, asked] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
      const holding = system.transaction().execute(async (tx) => {
        await first(tx)
        done.resolve()
        await asked.promise
      })
      await done.promise
      const answer = second()
      await untilWaiting(server)
      asked.resolve()
      await holding
      return answer
    }
    const id = await make()
    const campaign = { ...rest, name: fresh('Saved'), templates: [id] }
    const taken = await before(
      (tx) => insertRecommendedCampaign(tx, campaign, server.services.now()),
      () => support.ask(remove, { template_ids: [id] }),
    )
    expect(refusal(taken)[0]).toBe(409)

    for (const save of [
      (other: string) =>
        support.ask(contract.campaignRecommendationAdmin.create, {
          ...{ ...aim, name: fresh('Late'), filters: { age: ['65+'] }, template_recommendations: [other] },
        }),
      (other: string) =>
        support.ask(contract.sequenceRecommendation.create, {
          ...{ title: fresh('Late'), sequence_event_id: event!.uuid, template_ids: [other] },
        }),
    ]) {
      const other = await make()
      const late = await before(
        async (tx) => {
          const [found] = await lockRecommendations(tx, { template_ids: [other] })
          await removeRecommendations(tx, [found!.id], server.services.now())
        },
        () => save(other),
      )
      expect(refusal(late)).toEqual([404, 'That recommended template was not found.'])
    }
  })

  it('are restored before what uses them: a withdrawn campaign or sequence is not restored without its text', async () => {
    const [event] = await asOwner<{ uuid: string }>(server, 'select uuid from sequence_event limit 1')
    const id = await make({ name: fresh('Text') })
    const { name } = (await support.ask(info, { id })).body
    const campaigns = contract.campaignRecommendationAdmin
    const sequences = contract.sequenceRecommendation
    const [title, other] = [fresh('Back'), await make()]
    const aim = { description: '', goal_type: 'scripts' as const, measure_by: 'value' as const, goal: 5 }
    const add = async (template: string) =>
      String(
        (
          await support.ask(campaigns.create, {
            ...{ ...aim, name: fresh(title), filters: { age: ['65+'] }, template_recommendations: [template] },
          })
        ).body.id,
      )
    const [campaign, whole] = [await add(id), await add(other)]
    const made = { title, sequence_event_id: event!.uuid, template_ids: [id] }
    const sequence = String((await support.ask(sequences.create, made)).body.id)
    await support.ask(campaigns.remove, { campaign_ids: [campaign, whole] })
    await support.ask(sequences.remove, { id: sequence })
    expect((await support.ask(remove, { template_ids: [id] })).status).toBe(200)

    const why = (what: string) => [409, `The template "${name}" of ${what} was withdrawn. Please restore it first.`]
    const before = (await support.ask(campaigns.info, { id: campaign })).body
    expect(refusal(await support.ask(campaigns.restore, { id: campaign }))).toEqual(why(before.name))
    expect(refusal(await support.ask(sequences.restore, { id: sequence }))).toEqual(why(title))
    expect((await support.ask(campaigns.restoreMany, { campaign_ids: [campaign, whole] })).body).toEqual({
      restored: 1,
      not_restored: [{ name: before.name, reason: `Its template "${name}" was withdrawn.` }],
    })
    await support.ask(restore, { id })
    expect((await support.ask(campaigns.restore, { id: campaign })).body).toEqual({ restored: true })
    expect((await support.ask(sequences.restore, { id: sequence })).body).toEqual({ restored: true })
  })
})
