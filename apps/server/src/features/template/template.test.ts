import { randomUUID } from 'node:crypto'
import type { TemplateRecommendation, Template as TemplateRow } from '@pillar/contract/template/template'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  asOwner,
  fresh,
  makeCompany,
  makeLogin,
  type SignedIn,
  signIn,
  stepUp,
  type TestLogin,
} from '../../../test/people.ts'
import { startTestServer, type TestServer } from '../../../test/server.ts'

let server: TestServer
let company: { id: number }
let login: TestLogin
let tab: SignedIn
let foreign: SignedIn
let foreignLogin: TestLogin

beforeAll(async () => {
  server = await startTestServer()
  company = await makeCompany(server)
  login = await makeLogin(server, company.id, { flags: ['data_analytics'] })
  tab = await signIn(server, login)
  foreignLogin = await makeLogin(server, (await makeCompany(server)).id, { flags: ['data_analytics'] })
  foreign = await signIn(server, foreignLogin)
})
afterAll(() => server.close())

/** A call with the step-up its screen would use. */
const act = async (path: string, action: string, body: object, as = tab, who = login) => {
  const id = /template\/([0-9a-f-]{36})\//.exec(path)?.[1] ?? null
  const headers = await stepUp(server, { login: who, tab: as }, action, id)
  return server.call<Record<string, unknown> & { message: string; code: string }>(path, body, headers)
}
const draft = (more: object = {}) => ({
  name: fresh('Flu'),
  body: 'Hi {First Name}, your flu vaccine is here. {Pharmacy Name}',
  sms_template: true,
  email_template: false,
  ...more,
})
const create = async (more: object = {}) => {
  const reply = await act('/api/template/create/enterprise', 'save', draft(more))
  expect([reply.status, reply.body.message]).toEqual([200, undefined])
  return String(reply.body.id)
}
const list = async (body: object = {}, as = tab) => {
  type Answer = { templates: TemplateRow[]; total: number; page_count: number }
  return (await server.call<Answer>('/api/template/list/enterprise', body, as.bearer)).body
}
const find = async (id: string) => (await list({ search_term: '' })).templates.find((one) => one.template_id === id)!

describe('templates', () => {
  it('are created, listed newest first, changed, switched and deleted', async () => {
    const older = await create()
    const id = await create({ name: ' Asthma \n review ', message_kind: 'marketing', active: false })
    const rows = (await list()).templates
    expect(rows.slice(0, 2).map((row) => row.template_id)).toEqual([id, older])
    expect(rows[0]).toMatchObject({ name: 'Asthma review', active: false, demo: false, version: 1, campaigns: [] })
    expect(rows[0]).toMatchObject({ author: 'Robin Vale', message_kind: 'marketing', subject: null })
    const edited = await act(`/api/template/${id}/edit/enterprise`, 'save', draft({ name: 'Asthma', version: 1 }))
    expect(edited.body).toEqual({ id, version: 2 })
    const on = await act(`/api/template/${id}/activate/enterprise`, 'activate', { active: true })
    expect(on.body).toEqual({ active: true })
    expect(await find(id)).toMatchObject({ name: 'Asthma', active: true, version: 2 })
    expect((await act(`/api/template/${id}/activate/enterprise`, 'deactivate', { active: false })).status).toBe(200)
    expect((await act(`/api/template/${id}/delete/enterprise`, 'delete', {})).body).toEqual({ deleted: true })
    expect(await find(id)).toBeUndefined()
    const [kept] = await asOwner(server, 'select removed_at, body from template where uuid = $1', [id])
    expect(kept).toMatchObject({ removed_at: expect.any(Date), body: expect.stringContaining('flu vaccine') })
    expect((await act(`/api/template/${id}/delete/enterprise`, 'delete', {})).status).toBe(404)
  })

  it('name everything missing in one sentence', async () => {
    const sentence = async (body: object) => (await act('/api/template/create/enterprise', 'save', body)).body.message
    expect(await sentence({})).toBe(
      'Please enter a template name, select at least one template type, enter a message body, and include {Pharmacy Name} in the message body.',
    )
    expect(await sentence(draft({ body: 'Hello' }))).toBe('Please include {Pharmacy Name} in the message body.')
    expect(await sentence(draft({ body: '{Pharmacy Name} {Frist Name}' }))).toBe(
      'Please replace {Frist Name} with a field from the list.',
    )
    expect(await sentence(draft({ name: ' \u00a0 ' }))).toBe('Please enter a template name.')
    const refused = await act('/api/template/create/enterprise', 'save', {})
    expect([refused.status, refused.body.code]).toEqual([422, 'invalid'])
  })

  it('are stored in plain characters and canonical fields, with subjects only for email', async () => {
    const body = 'Hi {first_name} – it’s ready&hellip;\r\n{pharmacy  name}\n '
    const id = await create({ body, subject: 'News\r\nBcc: x', email_template: true })
    expect(await find(id)).toMatchObject({
      body: "Hi {First Name} - it's ready...\n{Pharmacy Name}",
      subject: 'News Bcc: x',
    })
    expect(await find(await create({ subject: 'Lost' }))).toMatchObject({ subject: null })
  })

  it('have unique names in any letter case; a deleted name is free again', async () => {
    const id = await create({ name: 'Shared name' })
    const again = await act('/api/template/create/enterprise', 'save', draft({ name: 'SHARED name' }))
    expect([again.status, again.body.message]).toEqual([
      409,
      'There is already a template called "SHARED name". Please enter another template name.',
    ])
    const other = await create()
    const renamed = await act(`/api/template/${other}/edit/enterprise`, 'save', draft({ name: 'shared NAME' }))
    expect(renamed.status).toBe(409)
    const theirs = draft({ name: 'Shared name' })
    expect((await act('/api/template/create/enterprise', 'save', theirs, foreign, foreignLogin)).status).toBe(200)
    await act(`/api/template/${id}/delete/enterprise`, 'delete', {})
    await create({ name: 'Shared name' })
  })

  it('warn the second of two editors', async () => {
    const id = await create({ name: 'Twice' })
    const path = `/api/template/${id}/edit/enterprise`
    expect((await act(path, 'save', draft({ name: 'Twice', version: 1 }))).status).toBe(200)
    const late = await act(path, 'save', draft({ name: 'Twice', body: '{Pharmacy Name} late', version: 1 }))
    expect([late.status, late.body.message]).toEqual([
      409,
      'Somebody else has saved "Twice" since you opened it. Please open it again before you make your changes.',
    ])
    expect((await find(id)).body).not.toContain('late')
  })

  it('can be edited without a version, which the audit log records', async () => {
    const id = await create({ name: 'Unversioned' })
    const path = `/api/template/${id}/edit/enterprise`
    expect((await act(path, 'save', draft({ name: 'Unversioned' }))).body).toEqual({ id, version: 2 })
    expect((await act(path, 'save', draft({ name: 'Unversioned', version: 2 }))).status).toBe(200)
    const rows = await asOwner<{ detail: object }>(
      server,
      `select detail from audit where action = 'template.edit' and object = $1 order by id`,
      [id],
    )
    expect(rows.map((row) => row.detail)).toEqual([{ version: 'no version given' }, {}])
  })

  it('keep their kind, at first that of their recommendation, if none is named, as in the specification’s own body', async () => {
    const offer = randomUUID()
    const fields = '(uuid, name, body, sms_template, email_template, message_kind)'
    const values = `($1, 'Offer', '{Pharmacy Name}', true, false, 'marketing')`
    await asOwner(server, `insert into template_recommendation ${fields} values ${values}`, [offer])
    const id = await create({ template_recommendation_id: offer })
    for (const message_kind of [undefined, null, 'health_outreach']) {
      expect(await find(id)).toMatchObject({ message_kind: 'marketing' })
      await act(`/api/template/${id}/edit/enterprise`, 'save', draft({ message_kind }))
    }
    expect(await find(id)).toMatchObject({ message_kind: 'health_outreach', version: 4 })
  })

  it('of the demo can be switched, never edited or deleted', async () => {
    const id = await create({ name: 'Demo' })
    await asOwner(server, 'update template set demo = true where uuid = $1', [id])
    const edited = await act(`/api/template/${id}/edit/enterprise`, 'save', draft())
    expect([edited.status, edited.body.message]).toEqual([409, 'This is a demo template and cannot be edited.'])
    const removed = await act(`/api/template/${id}/delete/enterprise`, 'delete', {})
    expect([removed.status, removed.body.message]).toEqual([409, 'This is a demo template and cannot be deleted.'])
    expect((await act(`/api/template/${id}/activate/enterprise`, 'deactivate', { active: false })).status).toBe(200)
    expect(await find(id)).toMatchObject({ name: 'Demo', active: false, demo: true })
  })

  it('need step-up for their own action and object (T12)', async () => {
    const id = await create()
    const other = await create()
    const grantFor = (action: string, object: string | null) => stepUp(server, { login, tab }, action, object)
    const remove = (headers: Record<string, string>) =>
      server.call(`/api/template/${id}/delete/enterprise`, {}, headers)
    const wrong = [
      tab.bearer,
      { ...tab.bearer, 'x-step-up-grant': 'made-up' },
      await grantFor('save', id),
      await grantFor('delete', other),
      await grantFor('delete', null),
    ]
    for (const headers of wrong) expect((await remove(headers)).body).toMatchObject({ code: 'step_up_needed' })
    const switched = await act(`/api/template/${id}/activate/enterprise`, 'activate', { active: false })
    expect(switched.body.code).toBe('step_up_needed')
    const grant = await grantFor('delete', id)
    expect((await remove(grant)).status).toBe(200)
    expect((await remove(grant)).body).toMatchObject({ code: 'step_up_needed' })
  })

  it('of another company are not found', async () => {
    const id = await create()
    expect((await list({}, foreign)).templates.map((row) => row.template_id)).not.toContain(id)
    for (const uuid of [id, randomUUID()]) {
      const tries: [string, string, object][] = [
        [`/api/template/${uuid}/edit/enterprise`, 'save', draft()],
        [`/api/template/${uuid}/activate/enterprise`, 'deactivate', { active: false }],
        [`/api/template/${uuid}/delete/enterprise`, 'delete', {}],
        [`/api/template/${uuid}/affected-campaigns/enterprise`, 'save', {}],
      ]
      for (const [path, action, body] of tries) {
        const reply = await act(path, action, body, foreign, foreignLogin)
        expect([path, reply.status, reply.body.message]).toEqual([path, 404, 'That template was not found.'])
      }
    }
    expect(await find(id)).toMatchObject({ active: true, version: 1 })
  })
})

describe('the list of templates', () => {
  it('searches name and body, with % and _ as literals', async () => {
    const percent = await create({ name: 'Save 20% now' })
    const under = await create({ body: 'under_score {Pharmacy Name}' })
    const names = async (search_term: string) => (await list({ search_term })).templates.map((row) => row.template_id)
    expect(await names('20%')).toEqual([percent])
    expect(await names('UNDER_SCORE')).toEqual([under])
    expect(await names('under%score')).toEqual([])
    expect(await names('\\')).toEqual([])
  })

  it('filters by type and status, and pages', async () => {
    const both = await create({ sms_template: true, email_template: true })
    const email = await create({ sms_template: false, email_template: true, active: false })
    const ids = async (body: object) => (await list(body)).templates.map((row) => row.template_id)
    const emails = await ids({ email_template: true, sms_template: false })
    expect(emails).toEqual(expect.arrayContaining([both, email]))
    expect(await ids({ sms_template: true })).toContain(both)
    expect(await ids({ sms_template: true })).not.toContain(email)
    expect(await ids({ sms_template: true, email_template: true })).toEqual(expect.arrayContaining([both, email]))
    expect(await ids({ active: false })).toContain(email)
    expect(await ids({ active: true })).not.toContain(email)
    const total = (await list()).total
    for (let missing = 25 - total; missing > 0; missing--) await create()
    const [first, second] = [await list({ page: 1 }), await list({ page: '2' })]
    expect([first.templates.length, first.page_count]).toEqual([20, 2])
    expect(second.templates).toHaveLength(second.total - 20)
    expect((await list({ page: 9 })).total).toBe(second.total)
  })

  it('shows a template’s campaigns, and what switching it affects', async () => {
    const id = await create({ name: 'In campaigns' })
    for (const [name, active] of [
      ['Beta', true],
      ['Alpha', false],
      ['Gone', true],
    ] as const) {
      await asOwner(
        server,
        `with c as (insert into campaign (uuid, company_id, name, goal_type, measure_by, goal, active, removed_at)
           values (gen_random_uuid(), $1, $2, 'scripts', 'value', 1, $3, case when $2 = 'Gone' then now() end) returning id)
         insert into campaign_template select c.id, $1, t.id from c, template t where t.uuid = $4`,
        [company.id, name, active, id],
      )
    }
    expect((await find(id)).campaigns.map((one) => one.campaign_name)).toEqual(['Alpha', 'Beta'])
    const path = `/api/template/${id}/affected-campaigns/enterprise`
    const affected = async (body: object) => (await server.call(path, body, tab.bearer)).body.campaign_names
    expect(await affected({ active: false })).toEqual(['Beta'])
    expect(await affected({})).toEqual(['Alpha', 'Beta'])
    await act(`/api/template/${id}/delete/enterprise`, 'delete', {})
    expect(await asOwner(server, 'select 1 from campaign_template where company_id = $1', [company.id])).toEqual([])
  })
})

describe('recommended templates', () => {
  it('are new for 30 days, and adopted once the company uses one', async () => {
    const recommend = async (name: string, days: number) => {
      const uuid = randomUUID()
      await asOwner(
        server,
        `insert into template_recommendation (uuid, name, body, sms_template, email_template, published_at)
         values ($1, $2, 'Hello from {Pharmacy Name}', true, false, now() - make_interval(days => $3))`,
        [uuid, name, days],
      )
      return uuid
    }
    const [fresher, older] = [await recommend('Fresh idea', 29), await recommend('Old idea', 31)]
    const asked = async (body: object) => {
      const reply = await server.call<{ templates: TemplateRecommendation[] }>(
        '/api/template-recommendation/company/list',
        body,
        tab.bearer,
      )
      return reply.body.templates.map((one) => [one.template_recommendation_id, one.new, one.adopted])
    }
    expect(await asked({ search_term: 'idea' })).toEqual([
      [fresher, true, false],
      [older, false, false],
    ])
    const made = await create({ template_recommendation_id: older })
    expect((await find(made)).template_recommendation_id).toBe(older)
    expect(await asked({ search_term: 'idea', new: true })).toEqual([[fresher, true, false]])
    expect(await asked({ search_term: 'idea' })).toEqual([
      [fresher, true, false],
      [older, false, true],
    ])
    const unknown = draft({ template_recommendation_id: randomUUID() })
    expect((await act('/api/template/create/enterprise', 'save', unknown)).status).toBe(404)
    await asOwner(server, 'update template_recommendation set removed_at = now() where uuid = $1', [fresher])
    expect(await asked({ search_term: 'idea', new: true })).toEqual([])
  })
})
