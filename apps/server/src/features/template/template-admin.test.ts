import { contract } from '@pillar/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { asOwner, fresh, makeCompany, makeLogin, signIn, type TestCompany } from '../../../test/people.ts'
import { startTestServer, type TestServer } from '../../../test/server.ts'
import { makeSupport, refusal, type Support } from '../../../test/support.ts'

const { search, info, affected, create, createGlobal, edit, editActiveStatus, remove, restore } = contract.templateAdmin
let server: TestServer
let support: Support
let first: TestCompany
let second: TestCompany
beforeAll(async () => {
  server = await startTestServer()
  support = await makeSupport(server)
  first = await makeCompany(server, 'Acacia')
  second = await makeCompany(server, 'Banksia')
})
afterAll(() => server.close())

const text = (name = fresh('Flu')) => ({
  name,
  body: 'Hi {First Name}, {Pharmacy Name} has flu vaccine.',
  communication_type: 'sms' as const,
})
const makeFor = async (company: TestCompany, more: object = {}) => {
  const { body } = await support.ask(create, { ...text(), companies: [company.uuid], ...more })
  return String(body.ids[0])
}
const named = async (uuid: string) => (await support.ask(info, { id: uuid })).body

describe('creating templates', () => {
  it('creates one for each company named, with a row in its own log', async () => {
    const draft = text()
    const { body } = await support.ask(create, { ...draft, companies: [second.uuid, first.uuid] })
    expect(body.ids).toHaveLength(2)
    expect(await named(body.ids[0]!)).toMatchObject({
      name: draft.name,
      type: 'sms',
      active: true,
      enterprise_template: true,
      global_template: false,
      company: { uuid: first.uuid, name: 'Acacia' },
      sequences: [],
      clinical_trials: [],
    })
    expect(body.data).toEqual({ ids: body.ids })
    const log = await asOwner(server, 'select action, object from audit where company_id = $1 and object = $2', [
      first.id,
      body.ids[0],
    ])
    expect(log).toEqual([{ action: 'templateAdmin.create', object: body.ids[0] }])
    const head = await signIn(server, await makeLogin(server, first.id, { flags: ['data_analytics'] }))
    const own = await server.call<{ templates: { name: string }[] }>('/api/template/list/enterprise', {}, head.bearer)
    expect(own.body.templates.map((one) => one.name)).toContain(draft.name)
  })

  it('creates one for all companies; a pharmacy template starts inactive', async () => {
    const draft = text()
    const all = await support.ask(create, { ...draft, company_choice: 'all', enterprise_template: false })
    const [count] = await asOwner<{ n: string }>(server, 'select count(*) as n from company where removed_at is null')
    expect(all.body.ids).toHaveLength(Number(count?.n))
    const mine = await support.ask(search, { name: draft.name, company: 'acac' })
    expect(mine.body.results).toMatchObject([
      { enterprise_template: false, active: false, company: { name: 'Acacia' } },
    ])
    const head = await signIn(server, await makeLogin(server, first.id, { flags: ['data_analytics'] }))
    const uuid = mine.body.results[0]!.uuid
    expect((await server.call(`/api/template/${uuid}/info/enterprise`, {}, head.bearer)).status).toBe(404)
  })

  it('creates a global one, which no company sees', async () => {
    const draft = text()
    const { body } = await support.ask(createGlobal, draft)
    expect(body.data).toEqual({ id: body.id })
    expect(await named(body.id)).toMatchObject({ global_template: true, company: null, active: false })
    expect(refusal(await support.ask(createGlobal, draft))).toEqual([
      409,
      `There is already a template called "${draft.name}". Please enter another template name.`,
    ])
    const head = await signIn(server, await makeLogin(server, first.id, { flags: ['data_analytics'] }))
    expect((await server.call(`/api/template/${body.id}/info/enterprise`, {}, head.bearer)).status).toBe(404)
  })

  it('names the trial in a global one alone: what a company sends would have a hole there', async () => {
    const body = 'Hi {First Name}, {Pharmacy Name} helps with {Trial Name}'
    const says = [422, 'Please replace {Trial Name} with a field from the list.']
    const one = { companies: [first.uuid] }
    expect(refusal(await support.ask(create, { ...text(), body, ...one }))).toEqual(says)
    const made = (await support.ask(create, { ...text(), ...one })).body.ids[0]!
    expect(refusal(await support.ask(edit, { template_ids: [made], body, version: 1 }))).toEqual(says)
    const { id } = (await support.ask(createGlobal, { ...text(), body })).body
    const again = { template_ids: [id], body: `${body} of {Trial Provider}`, version: 1 }
    expect((await support.ask(edit, again)).body).toEqual({ updated: 1 })
  })

  it('names everything missing, and the companies where the name is taken', async () => {
    expect(refusal(await support.ask(create, {}))).toEqual([
      422,
      'Please enter a template name, select at least one template type, enter a message body, include {Pharmacy Name} in the message body, and select at least one company.',
    ])
    const draft = text()
    await makeFor(first, draft)
    const both = { ...draft, name: draft.name.toUpperCase(), companies: [first.uuid, second.uuid] }
    expect(refusal(await support.ask(create, both))).toEqual([
      409,
      `Acacia already has a template called "${both.name}". Please enter another template name.`,
    ])
    const unknown = { ...text(), companies: [first.uuid, support.login.uuid] }
    expect(refusal(await support.ask(create, unknown))).toEqual([404, 'That company was not found.'])
  })
})

describe('finding templates', () => {
  it('filters by every field of the specification', async () => {
    const word = fresh('Quoll')
    const sms = await makeFor(first, text(`${word} sms`))
    const both = await makeFor(first, { ...text(`${word} both`), communication_type: 'both', subject: 'Hello' })
    const email = await makeFor(second, {
      ...text(`${word} email`),
      communication_type: 'email',
      subject: 'Hello',
      body: 'A kookaburra at {Pharmacy Name}',
      active: false,
    })
    const global = String((await support.ask(createGlobal, text(`${word} global`))).body.id)
    const ids = async (filter: object) =>
      (await support.ask(search, { search_term: word, ...filter })).body.results.map((one) => one.uuid)
    expect(await ids({})).toEqual([both, email, global, sms])
    expect(await ids({ sort_order: 'desc' })).toEqual([sms, global, email, both])
    expect(await ids({ sort_field: 'company' })).toEqual([sms, both, email, global])
    expect(await ids({ type: 'both' })).toEqual([both])
    expect(await ids({ type: ['email', 'both'] })).toEqual([both, email])
    expect(await ids({ sms_template: true })).toEqual([both, global, sms])
    expect(await ids({ email_template: true })).toEqual([both, email])
    expect(await ids({ active: false })).toEqual([email, global])
    expect(await ids({ global_template: true })).toEqual([global])
    expect(await ids({ enterprise_template: true })).toEqual([both, email, sms])
    expect(await ids({ company: second.uuid })).toEqual([email])
    expect(await ids({ company: 'ACA' })).toEqual([both, sms])
    expect(await ids({ name: 'both' })).toEqual([both])
    expect(await ids({ body: 'kookaburra' })).toEqual([email])
    expect(await ids({ search_term: 'kookaburra' })).toEqual([email])
  })
})

describe('editing templates', () => {
  it('changes only the given fields, in several at once, and names what is missing', async () => {
    const [a, b] = [await makeFor(first), await makeFor(second, { communication_type: 'both', subject: 'Hello' })]
    const { body } = await support.ask(edit, { template_ids: [a, b], name: 'Renamed everywhere', body: ' ' })
    expect(body).toEqual({ updated: 2 })
    expect(await named(a)).toMatchObject({ name: 'Renamed everywhere', type: 'sms', version: 2, subject: null })
    expect(await named(b)).toMatchObject({ name: 'Renamed everywhere', type: 'both', version: 2, subject: 'Hello' })
    expect(refusal(await support.ask(edit, { template_ids: [a], body: 'Hello' }))).toEqual([
      422,
      'Please include {Pharmacy Name} in the message body.',
    ])
    expect(refusal(await support.ask(edit, { template_ids: [a], name: '' }))).toEqual([
      422,
      'Please enter a template name.',
    ])
    await support.ask(edit, { template_ids: [b], communication_type: 'sms' })
    expect(await named(b)).toMatchObject({ type: 'sms', subject: null })
    const stale = await support.ask(edit, { template_ids: [b], name: 'Again', version: 2 })
    expect([stale.status, stale.body.code]).toEqual([409, 'conflict'])
  })

  it('refuses unknown and demo templates, an empty list, and too many ids', async () => {
    const [a, demo] = [await makeFor(first), await makeFor(first)]
    await asOwner(server, 'update template set demo = true where uuid = $1', [demo])
    const name = { name: fresh('x') }
    expect(refusal(await support.ask(edit, { template_ids: [a, support.login.uuid], ...name }))).toEqual([
      404,
      'That template was not found.',
    ])
    expect(refusal(await support.ask(remove, { template_ids: [a, demo] }))[1]).toMatch(
      /is a demo template and cannot be deleted\. Please leave it out\.$/,
    )
    expect((await named(a)).name).toBeTruthy()
    expect(refusal(await support.ask(remove, { template_ids: [] }))).toEqual([
      422,
      'Please select at least one template.',
    ])
    const many = Array.from({ length: 1001 }, () => a)
    expect(refusal(await support.ask(remove, { template_ids: many }))).toEqual([
      422,
      'Please select at most 1,000 templates, or use Select All Matching.',
    ])
  })

  it('needs step-up for exactly these templates', async () => {
    const [a, b] = [await makeFor(first), await makeFor(first)]
    const { path } = remove
    const bare = await server.call(path, { template_ids: [a] }, support.tab.bearer)
    expect(bare.body.code).toBe('step_up_needed')
    const object = [a, b].sort().join(',')
    const confirmed = await server.call<{ grant: string }>(
      '/api/confirm-enterprise-login',
      { name: support.login.username, password: support.login.password, action: 'delete', object },
      support.tab.bearer,
    )
    const headers = { ...support.tab.bearer, 'x-step-up-grant': confirmed.body.grant }
    expect((await server.call(path, { template_ids: [a] }, headers)).body.code).toBe('step_up_needed')
    expect((await server.call(path, { template_ids: [b, a] }, headers)).body).toMatchObject({ deleted: 2 })
  })
})

describe('switching templates and deleting them', () => {
  it('lists the campaigns affected, and removes a deleted template from them', async () => {
    const a = await makeFor(first)
    await asOwner(
      server,
      `with made as (insert into campaign (uuid, company_id, name, goal_type, measure_by, goal, active)
         values (gen_random_uuid(), $1, 'Running', 'scripts', 'target', 1, true),
                (gen_random_uuid(), $1, 'Resting', 'scripts', 'target', 1, false) returning id)
       insert into campaign_template (campaign_id, company_id, template_id)
       select made.id, $1, t.id from made, template t where t.uuid = $2`,
      [first.id, a],
    )
    const touched = async (more: object) => (await support.ask(affected, { template_ids: [a], ...more })).body
    expect(await touched({ active: false })).toEqual({
      ...{ campaign_names: ['Running'], sequence_names: [], trial_names: [], templates: 1 },
    })
    expect(await touched({})).toMatchObject({ campaign_names: ['Resting', 'Running'] })
    expect((await support.ask(editActiveStatus, { template_ids: [a], active: false })).body).toEqual({ updated: 1 })
    expect(await named(a)).toMatchObject({ active: false, version: 1 })
    // It is inactive already: deactivating it affects nobody.
    expect(await touched({ active: false })).toMatchObject({ campaign_names: [], templates: 1 })
    expect(await touched({ active: true })).toMatchObject({ campaign_names: ['Running'] })
    expect((await support.ask(remove, { template_ids: [a] })).body).toMatchObject({ deleted: 1 })
    expect((await support.ask(info, { id: a })).status).toBe(404)
    const links = await asOwner(
      server,
      'select 1 from campaign_template c join template t on t.id = c.template_id where t.uuid = $1',
      [a],
    )
    expect(links).toEqual([])
  })

  it('are listed separately when deleted, not edited, and restored inactive within 30 days unless the name is taken', async () => {
    const name = fresh('Gone')
    const a = await makeFor(first, { name })
    await support.ask(remove, { template_ids: [a] })
    const ids = async (more: object) =>
      (await support.ask(search, { search_term: name, ...more })).body.results.map((one) => one.uuid)
    expect([await ids({}), await ids({ removed: true })]).toEqual([[], [a]])
    const second = await makeFor(first, { name })
    expect((await support.ask(edit, { template_ids: [a], body: 'Deleted' })).status).toBe(404)
    expect((await support.ask(restore, { id: a })).status).toBe(409)
    await support.ask(remove, { template_ids: [second] })
    expect((await support.ask(restore, { id: a })).body).toEqual({ restored: true })
    expect(await named(a)).toMatchObject({ active: false, removed_at: null })
    const log = await asOwner<{ action: string }>(
      server,
      'select action from audit where company_id = $1 and object = $2 order by id',
      [first.id, a],
    )
    expect(log.map(({ action }) => action)).toEqual(
      ['create', 'remove', 'restore'].map((act) => `templateAdmin.${act}`),
    )
    expect(refusal(await support.ask(restore, { id: a }))).toEqual([409, 'This template is not deleted.'])
    await asOwner(server, `update template set removed_at = now() - interval '31 days' where uuid = $1`, [second])
    expect(refusal(await support.ask(restore, { id: second }))[1]).toMatch(/over 30 days ago/)
  })

  it('tell the audit which fields changed, and never the text', async () => {
    const a = await makeFor(first)
    const { name } = await named(a)
    await support.ask(edit, { template_ids: [a], name: `${name} new`, body: 'A secret text of {Pharmacy Name}' })
    const [row] = await asOwner<{ detail: { changes: object[] } }>(
      server,
      `select detail from audit where action = 'templateAdmin.edit' and object = $1 and company_id is null`,
      [a],
    )
    expect(row?.detail.changes).toMatchObject([{ before: { name }, after: { name: `${name} new` } }])
    expect(JSON.stringify(row)).not.toContain('secret text')
  })

  it('leaves pharmacies’ templates to the pharmacies', async () => {
    const a = await makeFor(first, { enterprise_template: false })
    const { status, body } = await support.ask(editActiveStatus, { template_ids: [a], active: true })
    expect([status, body.message]).toEqual([
      409,
      `"${(await named(a)).name}" is a pharmacy template. Only enterprise and global templates are activated or deactivated here.`,
    ])
    expect(await named(a)).toMatchObject({ active: false })
  })

  it('switches a global one, which is created inactive and would otherwise stay so', async () => {
    const { id } = (await support.ask(createGlobal, text('For sequences'))).body
    for (const active of [true, false]) {
      expect((await support.ask(editActiveStatus, { template_ids: [id], active })).body).toEqual({ updated: 1 })
      expect(await named(id)).toMatchObject({ global_template: true, active })
    }
  })
})
