import { randomUUID } from 'node:crypto'
import type { contract, ReplyOf } from '@pillar/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type MessagingWorld, makeMessagingWorld, makeTemplate } from '../../../test/messaging.ts'
import { asOwner, fresh, makeLogin, type SignedIn, signIn, stepUp, type TestLogin } from '../../../test/people.ts'
import { startTestServer, type TestServer } from '../../../test/server.ts'

/** Answers of the campaign calls, successful or refused. */
type Body = ReplyOf<typeof contract.campaign.info> &
  ReplyOf<typeof contract.campaign.list> & { id: string; message: string }

let server: TestServer
let world: MessagingWorld
let login: TestLogin
let me: SignedIn
let template: { id: number; uuid: string }

beforeAll(async () => {
  server = await startTestServer()
  world = await makeMessagingWorld(server, { locations: 2 })
  login = await makeLogin(server, world.company.id, { flags: ['data_analytics'] })
  me = await signIn(server, login)
  template = await makeTemplate(server, world.company.id)
})
afterAll(() => server.close())

const grant = (action: string, object: string | null) => stepUp(server, { login, tab: me }, action, object)
const read = (path: string, body: object = {}) => server.call<Body>(path, body, me.bearer)
const write = async (path: string, action: string, object: string | null, body: object = {}) =>
  server.call<Body>(path, body, await grant(action, object))
const createPath = '/api/campaign/create/enterprise'
const draft = (more: object = {}) => ({
  name: fresh('Winter'),
  filters: { age: ['65+'] },
  goal_type: 'revenue',
  measure_by: 'target',
  goal: 40_000,
  templates: [template.uuid],
  locations: world.locations.map((location) => location.uuid),
  ...more,
})
const create = async (more: object = {}) => {
  const reply = await write(createPath, 'save', null, draft(more))
  expect([reply.status, reply.body.message]).toEqual([200, undefined])
  return String(reply.body.id)
}
const path = (id: string, what: string) => `/api/campaign/${id}/${what}/enterprise`

describe('creating campaigns', () => {
  it('starts none with a text that names a clinical trial: nothing fills that in a campaign', async () => {
    const body = 'Hi {First Name}, join {Trial Name} at {Pharmacy Name}'
    const old = await makeTemplate(server, world.company.id, { name: fresh('Old'), body })
    const id = await create({ templates: [old.uuid] })
    const { status, body: says } = await write(path(id, 'activate'), 'activate', id, { active: true })
    expect([status, says.message]).toEqual([
      422,
      expect.stringMatching(/^Please replace \{Trial Name\} in "Old.*", which only/),
    ])
    expect((await read(path(id, 'info'))).body).toMatchObject({ active: false })
  })

  it('starts none with a text that no gateway takes: filled in, it would be too long', async () => {
    const name = fresh('Letter')
    const long = await makeTemplate(server, world.company.id, { name, body: `${'x'.repeat(1590)} {Pharmacy Name}` })
    const id = await create({ templates: [long.uuid] })
    const { status, body: says } = await write(path(id, 'activate'), 'activate', id, { active: true })
    expect([status, says.message]).toEqual([
      422,
      expect.stringMatching(
        /^"Letter.*" can have 1,6\d\d characters at .*, with its opt-out line\. A text can have 1,600/,
      ),
    ])
    expect((await read(path(id, 'info'))).body).toMatchObject({ active: false })
  })

  it('returns it with author, days left and no run', async () => {
    const name = fresh('Statins')
    const id = await create({ name, note: 'For the winter', end_date: '2099-12-31' })
    const { body } = await read(path(id, 'info'))
    expect(body).toMatchObject({
      campaign_id: id,
      name,
      active: false,
      demo: false,
      goal_type: 'revenue',
      measure_by: 'target',
      goal: 40_000,
      note: 'For the winter',
      start_date: null,
      end_date: '2099-12-31',
      templates: [{ template_id: template.uuid, sms_template: true, email_template: false, active: true }],
      author: 'Robin Vale',
      version: 1,
      run_state: null,
      run_held: false,
      progress: null,
    })
    expect([...body.pharmacies].sort()).toEqual(world.locations.map((one) => one.uuid).sort())
    expect(body.filters).toMatchObject({ age: ['65+'], adherence: [], double_dispensing: null })
    const listed = await read('/api/campaign/enterprise/list', { search_term: name.slice(2).toUpperCase() })
    expect(listed.body).toMatchObject({ total: 1, page_count: 1, current_page: 1, campaigns: [{ campaign_id: id }] })
  })

  it('names everything missing in the words of the specification', async () => {
    const reply = await write(createPath, 'save', null, {})
    expect([reply.status, reply.body.message]).toEqual([
      422,
      'Please enter a campaign name, select at least one pharmacy, select a goal type, select a measure by, enter a goal, select at least one template, and select at least one patient filter.',
    ])
    const cases: [object, string][] = [
      [{ goal: 0 }, 'Please enter a goal.'],
      [{ goal_type: 'adherence', measure_by: 'value' }, 'Please select a measure by.'],
      [{ filters: {} }, 'Please select at least one patient filter.'],
      [{ filters: { age: ['old'] } }, 'The age "old" is not a range such as 65-74 or 75+.'],
      [{ filters: { drug_type: ['Sweets'] } }, 'There is no drug type "Sweets".'],
      [{ filters: { molecules: ['aspirine'] } }, 'There is no molecule "aspirine".'],
      [{ start_date: '2020-01-01' }, 'Please select a start date from today on.'],
      [{ start_date: '2099-01-02', end_date: '2099-01-01' }, 'Please select an end date on or after the start date.'],
      [{ start_date: '0001-01-01' }, 'Start date: please enter a date such as 2026-11-20.'],
      [{ goal: 1e15 }, 'Please enter a smaller goal.'],
    ]
    for (const [more, message] of cases) {
      const refused = await write(createPath, 'save', null, draft(more))
      expect([more, refused.status, refused.body.message]).toEqual([more, 422, message])
    }
    const odd = await write(createPath, 'save', null, draft({ start_date: 'soon' }))
    expect(odd.status).toBe(422)
  })

  it('refuses a taken name in any letter case', async () => {
    const name = fresh('Taken')
    await create({ name })
    const reply = await write(createPath, 'save', null, draft({ name: name.toUpperCase() }))
    expect(reply.status).toBe(409)
    expect(reply.body.message).toBe(
      `There is already a campaign called "${name.toUpperCase()}". Please enter another campaign name.`,
    )
  })

  it('turns recommended templates into own ones, with the sentences of recommended campaigns', async () => {
    const [recommended, campaign] = [randomUUID(), randomUUID()]
    await asOwner(
      server,
      `with c as (insert into campaign_recommendation (uuid, name, goal_type, measure_by, goal) values ($1, 'Asthma', 'scripts', 'percentage', 5) returning id),
            t as (insert into template_recommendation (uuid, name, body, sms_template, email_template)
                  values ($2, 'Asthma text', 'Hello from {Pharmacy Name}', true, false) returning id)
       insert into campaign_recommendation_template select c.id, t.id from c, t`,
      [campaign, recommended],
    )
    const bare = await write(createPath, 'save', null, { campaign_recommendation_id: campaign, name: 'A', goal: 0 })
    expect(bare.body.message).toBe(
      'Please select a goal type, select a measurement type, enter a goal amount greater than 0, select atleast one pharmacy, select atleast one template, and select atleast one patient cohort.',
    )
    const templates = [{ template_id: null, template_recommendation_id: recommended }]
    const id = await create({ campaign_recommendation_id: campaign, templates })
    const { body } = await read(path(id, 'info'))
    expect(body.campaign_recommendation_id).toBe(campaign)
    expect(body.templates).toMatchObject([{ template_name: 'Asthma text', active: false }])
    expect(body.template_recommendations).toEqual([recommended])
    // Once the company has its own version, that text is sent and counted, even if edited.
    const own = body.templates[0]!.template_id
    await asOwner(server, `update template set sms_template = false, email_template = true where uuid = $1`, [own])
    const asked = { filters: {}, pharmacies: [world.locations[0]!.uuid], templates: [...templates, own] }
    const counted = await read('/api/campaign/cohort/enterprise', asked)
    expect(counted.body).toMatchObject({ channels: [{ channel: 'email' }] })
    const offered = await read('/api/campaign-recommendation/company/list', { new: true })
    expect(offered.body.campaigns.map((one) => one.campaign_recommendation_id)).not.toContain(campaign)
  })

  it('needs step-up for the right action and object (T12)', async () => {
    const id = await create()
    const without = await server.call(createPath, draft(), me.bearer)
    expect([without.status, without.body.code]).toEqual([403, 'step_up_needed'])
    for (const what of ['edit', 'delete', 'activate', 'resume'])
      expect([what, (await server.call(path(id, what), { active: true }, me.bearer)).status]).toEqual([what, 403])
    const wrong = await server.call(path(id, 'edit'), draft(), await grant('delete', id))
    expect(wrong.status).toBe(403)
    const saves = await server.call(createPath, draft({ active: true }), await grant('save', null))
    expect(saves.status).toBe(403)
  })
})

describe('changing campaigns', () => {
  it('updates it, increments the version and refuses an outdated editor', async () => {
    const id = await create()
    const only = [world.locations[0]!.uuid]
    const edited = await write(path(id, 'edit'), 'save', id, draft({ goal: 5, locations: only, version: 1 }))
    expect([edited.status, edited.body]).toEqual([200, { id, version: 2 }])
    expect((await read(path(id, 'info'))).body).toMatchObject({ goal: 5, pharmacies: only, version: 2 })
    const stale = await write(path(id, 'edit'), 'save', id, draft({ version: 1 }))
    expect([stale.status, stale.body.message]).toEqual([
      409,
      'Somebody else saved this campaign meanwhile. Please open it again.',
    ])
    const quiet = await write(path(id, 'edit'), 'save', id, draft({ active: true }))
    expect(quiet.status).toBe(422)
  })

  it('never changes a demo campaign', async () => {
    const id = await create()
    await asOwner(server, 'update campaign set demo = true where uuid = $1', [id])
    const edited = await write(path(id, 'edit'), 'save', id, draft())
    expect([edited.status, edited.body.message]).toEqual([409, 'This is a demo campaign and cannot be edited.'])
  })

  it('finds no campaigns, templates or pharmacies of another company', async () => {
    const theirs = await makeMessagingWorld(server)
    const foreign = await makeTemplate(server, theirs.company.id)
    const id = randomUUID()
    await asOwner(
      server,
      `insert into campaign (uuid, company_id, name, goal_type, measure_by, goal) values ($1, $2, 'Theirs', 'scripts', 'target', 1)`,
      [id, theirs.company.id],
    )
    for (const one of [id, randomUUID()]) {
      const answers = [
        await read(path(one, 'info')),
        await read(path(one, 'affected-templates')),
        await write(path(one, 'edit'), 'save', one, draft()),
      ]
      for (const reply of answers)
        expect([reply.status, reply.body.message]).toEqual([404, 'That campaign was not found.'])
    }
    for (const uuid of [foreign.uuid, randomUUID()]) {
      const reply = await write(createPath, 'save', null, draft({ templates: [uuid] }))
      expect([reply.status, reply.body.message]).toEqual([404, 'That template was not found.'])
    }
    const place = await write(createPath, 'save', null, draft({ locations: [theirs.locations[0]!.uuid] }))
    expect(place.status).toBe(404)
    const listed = await read('/api/campaign/enterprise/list', { search_term: 'Theirs' })
    expect(listed.body.total).toBe(0)
  })
})

describe('counting a cohort over HTTP', () => {
  const ask = (more: object = {}) => read('/api/campaign/cohort/enterprise', { filters: {}, pharmacies: [], ...more })

  it('returns counts that add up, and as CSV', async () => {
    const pharmacies = world.locations.map((location) => location.uuid)
    const { status, body } = await ask({ pharmacies, templates: [template.uuid] })
    expect(status).toBe(200)
    expect(body).toMatchObject({
      selected: 0,
      will_receive: 0,
      held_back: 0,
      cents: 0,
      channels: [{ channel: 'sms', selected: 0 }],
      simulated: true,
      rate_per_minute: 1200,
    })
    const csv = await server.call<string>('/api/campaign/cohort-csv/enterprise', { filters: {}, pharmacies }, me.bearer)
    expect(csv.body.split('\n')[0]).toBe(
      'Pharmacy,Data to,Selected,Will receive,Held back,Messages,SMS parts,"Cost, AUD"',
    )
    const today = new Date().toLocaleDateString('sv-SE', { timeZone: 'Australia/Sydney' })
    expect(String(csv.headers['content-disposition'])).toContain(`"cohort_${today}.csv"`)
    expect((await ask()).body).toMatchObject({ selected: 0, pharmacies: [] })
  })

  it('refuses ids of other companies and invalid filters', async () => {
    const theirs = await makeMessagingWorld(server)
    const foreign = await makeTemplate(server, theirs.company.id)
    for (const more of [
      { pharmacies: [theirs.locations[0]!.uuid] },
      { templates: [foreign.uuid] },
      { templates: [{ template_recommendation_id: randomUUID() }] },
      { campaign_id: randomUUID() },
    ])
      expect([more, (await ask(more)).status]).toEqual([more, 404])
    const odd = await ask({ filters: { polypharmacy: ['9-5'] } })
    expect([odd.status, odd.body.message]).toEqual([
      422,
      'The number of medicines "9-5" is not a range such as 5-9 or 10+.',
    ])
  })
})
