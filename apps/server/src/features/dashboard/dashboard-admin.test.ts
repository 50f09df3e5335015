import { randomUUID } from 'node:crypto'
import { contract } from '@pillar/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { asOwner, fresh, makeCompany } from '../../../test/people.ts'
import { startTestServer, type TestServer } from '../../../test/server.ts'
import { makeSupport, refusal, type Support } from '../../../test/support.ts'
import { inScope } from '../../db/scope.ts'

const { search, info, options, create, edit, remove, restore } = contract.dashboard
let server: TestServer
let support: Support
let company: Awaited<ReturnType<typeof makeCompany>>
beforeAll(async () => {
  server = await startTestServer()
  support = await makeSupport(server)
  company = await makeCompany(server)
})
afterAll(() => server.close())

const draft = (name = fresh('Category sales')) => ({
  ...{ name, company_id: company.uuid, dashboard_type: 'Supplier' as const, dashboard_id: randomUUID() },
  domain_url: 'https://analytics.pillar.example/',
})
const make = async (more: object = {}) => String((await support.ask(create, { ...draft(), ...more })).body.id)
const logOf = () =>
  asOwner<{ action: string; object: string }>(
    server,
    'select action, object from audit where company_id = $1 order by id',
    [company.id],
  )

describe('analytics dashboards in the console', () => {
  it('are created, found, changed and deactivated, and the company’s log records it', async () => {
    const given = draft()
    const id = await make(given)
    const page = await support.ask(search, { page: 1, name: given.name.toUpperCase() })
    expect(page.body).toMatchObject({ total: 1, current_page: 1, page_count: 1, per_page: 20 })
    expect(page.body.results[0]).toMatchObject({
      ...given,
      ...{ id, domain_url: 'https://analytics.pillar.example', company: company.name, active: true, production: true },
      ...{ host_allowed: true, version: 1, removed_at: null },
    })
    const changed = await support.ask(edit, { id, dashboard_type: 'Advertiser', name: `${given.name} 2`, version: 1 })
    expect(changed.body).toEqual({ id, version: 2 })
    expect((await support.ask(edit, { id, active: false, version: 2 })).body).toEqual({ id, version: 3 })
    expect((await support.ask(info, { id })).body).toMatchObject({
      ...{ name: `${given.name} 2`, dashboard_type: 'Advertiser', dashboard_id: given.dashboard_id, active: false },
    })
    expect((await support.ask(search, { search_term: company.name, active: true, page: 1 })).body.total).toBe(0)
    expect(await logOf()).toEqual([
      { action: 'dashboard.create', object: id },
      { action: 'dashboard.edit', object: id },
      { action: 'dashboard.edit', object: id },
    ])
    const [row] = await asOwner<{ detail: object }>(
      server,
      `select detail from audit where action = 'dashboard.edit' and company_id is null and object = $1 order by id desc limit 1`,
      [id],
    )
    expect(row!.detail).toMatchObject({ changes: [{ before: { active: true }, after: { active: false } }] })
  })

  it('moved to another company reveal nothing about the other, in its log or elsewhere', async () => {
    const to = await makeCompany(server)
    const id = await make({ name: 'Before it went', products: ['Amlodipine'] })
    const given = { id, company_id: to.uuid, name: 'After it came', products: ['Ramipril'] }
    expect((await support.ask(edit, given)).status).toBe(200)
    const logged = async (companyId: number) => {
      const rows = await asOwner<{ action: string; object_name: string; all: string }>(
        server,
        'select action, object_name, a::text as all from audit a where company_id = $1 and object = $2 order by id desc limit 1',
        [companyId, id],
      )
      return rows[0]!
    }
    const [old, now] = [await logged(company.id), await logged(to.id)]
    expect([old.action, old.object_name]).toEqual(['dashboard.remove', 'Before it went'])
    expect([now.action, now.object_name]).toEqual(['dashboard.create', 'After it came'])
    expect(old.all).not.toMatch(new RegExp(`After it came|Ramipril|${to.uuid}`))
    expect(now.all).not.toMatch(new RegExp(`Before it went|Amlodipine|${company.uuid}`))
  })

  it('name what is missing or not allowed', async () => {
    expect(refusal(await support.ask(create, { production: null }))).toEqual([
      422,
      'Please enter a dashboard name, select a company, select a dashboard type, enter a dashboard ID, enter a domain URL, and select a production status.',
    ])
    const elsewhere = { ...draft(), domain_url: 'https://analytics.pillar.example.evil.example' }
    const sentence = 'Please enter a domain URL that begins with https://analytics.pillar.example.'
    expect(refusal(await support.ask(create, elsewhere))).toEqual([422, sentence])
    const id = await make()
    expect(refusal(await support.ask(edit, { id, domain_url: 'http://analytics.pillar.example' }))).toEqual([
      422,
      sentence,
    ])
    expect(refusal(await support.ask(create, { ...draft(), company_id: id }))).toEqual([
      404,
      'That company was not found.',
    ])
    expect((await support.ask(options, {})).body).toEqual({
      hosts: ['analytics.pillar.example'],
      domain_url: 'https://analytics.pillar.example',
    })
  })

  it('have unique names within a company, and refuse an outdated version', async () => {
    const given = draft()
    const id = await make(given)
    const again = { ...draft(), name: given.name.toUpperCase() }
    expect((await support.ask(create, again)).status).toBe(409)
    expect((await support.ask(create, { ...again, company_id: support.company.uuid })).status).toBe(200)
    expect((await support.ask(edit, { id, name: 'Other', version: 7 })).body.code).toBe('conflict')
  })

  it('are removed, listed as removed and restored for 30 days', async () => {
    const given = draft()
    const id = await make(given)
    expect((await support.ask(remove, { id })).body).toEqual({ removed: true })
    const found = async (removed: boolean) =>
      (await support.ask(search, { search_term: id, removed, page: 1 })).body.results.map((row) => row.id)
    expect([await found(false), await found(true)]).toEqual([[], [id]])
    expect((await support.ask(info, { id })).status).toBe(404)
    expect((await support.ask(edit, { id, active: true })).status).toBe(404)
    expect((await support.ask(restore, { id })).body).toEqual({ restored: true })
    expect([await found(false), await found(true)]).toEqual([[id], []])
    await support.ask(remove, { id })
    await asOwner(server, `update dashboard set removed_at = now() - interval '31 days' where uuid = $1`, [id])
    expect(refusal(await support.ask(restore, { id }))).toEqual([
      409,
      `${given.name} was removed more than 30 days ago. Please create it again.`,
    ])
    expect(await found(true)).toEqual([])
  })

  it('say if their host is no longer allowed, and can still be switched off then', async () => {
    const id = await make()
    await asOwner(server, `update dashboard set domain_url = 'https://old.pillar.example' where uuid = $1`, [id])
    expect((await support.ask(info, { id })).body.host_allowed).toBe(false)
    expect((await support.ask(edit, { id, active: false })).status).toBe(200)
    expect((await support.ask(edit, { id, name: 'New name' })).status).toBe(422)
  })

  it('switched on or off together with their production status keep both', async () => {
    const id = await make({ production: false })
    expect((await support.ask(edit, { id, active: true, production: true })).status).toBe(200)
    expect((await support.ask(info, { id })).body).toMatchObject({ active: true, production: true })
    expect((await support.ask(edit, { id, active: false, production: false })).status).toBe(200)
    expect((await support.ask(info, { id })).body).toMatchObject({ active: false, production: false })
  })

  it('are visible in the database only to the company they belong to', async () => {
    const id = await make()
    const seenBy = (companyId: number) =>
      inScope(server.services.pools.app, { companyId, locationIds: [] }, (tx) =>
        tx.selectFrom('dashboard').select('uuid').where('uuid', '=', id).execute(),
      )
    expect(await seenBy(company.id)).toEqual([{ uuid: id }])
    expect(await seenBy(support.company.id)).toEqual([])
  })
})
