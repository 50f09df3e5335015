import { contract } from '@pillar/contract'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { asOwner, fresh, mailTo, makeCompany, makeLocation, makeLogin, signIn } from '../../../test/people.ts'
import { startTestServer, type TestServer } from '../../../test/server.ts'
import { makeSupport, type Support } from '../../../test/support.ts'
import { untilWaiting } from '../../../test/waiting.ts'

const { search, info, create, remove } = contract.company
let server: TestServer
let support: Support
beforeAll(async () => {
  server = await startTestServer()
  support = await makeSupport(server)
})
afterAll(() => server.close())

const draft = () => ({
  company_name: fresh('Kurrajong Chemists'),
  username: fresh('jo'),
  email: `${fresh('jo')}@mail.example`,
  first_name: 'Jo',
  last_name: 'Marsh',
  password: 'nine pelicans near Broome',
})
type Row = { uuid: string; name: string; version: number; locations: number; logins: number }
const found = async (name: string) => (await support.ask(search, { name })).body.results as Row[]

describe('removing a company', () => {
  it('is refused while it still owns something, which is named', async () => {
    const company = await makeCompany(server)
    await makeLocation(server, company.id)
    const second = await makeLocation(server, company.id)
    await asOwner(
      server,
      `insert into campaign (uuid, company_id, name, goal_type, measure_by, goal, active)
       values (gen_random_uuid(), $1, 'c', 'scripts', 'target', 1, true)`,
      [company.id],
    )
    const refused = await support.ask(remove, { uuid: company.uuid })
    expect([refused.status, refused.body.message]).toEqual([
      409,
      `${company.name} still has 2 pharmacies and 1 active campaign. Please remove its pharmacies and deactivate its campaigns first.`,
    ])
    await asOwner(server, 'update campaign set active = false where company_id = $1', [company.id])
    await asOwner(server, 'update location set removed_at = now() where id = $1', [second.id])
    const still = await support.ask(remove, { uuid: company.uuid })
    expect(still.body.message).toBe(`${company.name} still has 1 pharmacy. Please remove its pharmacies first.`)
  })

  it('removes it from every list, blocks its logins and frees its name', async () => {
    const given = draft()
    const { uuid } = (await support.ask(create, given)).body as unknown as Row
    const tab = await signIn(server, given)
    expect((await support.ask(remove, { uuid })).body).toEqual({ removed: true })
    expect(await found(given.company_name)).toEqual([])
    expect((await support.ask(info, { id: uuid })).status).toBe(404)
    expect((await support.ask(remove, { uuid })).status).toBe(404)
    const change = { current_password: given.password, password: 'x', password_confirmation: 'x' }
    expect((await server.call('/api/user/change-password', change, tab.bearer)).status).toBe(401)
    expect(
      (await server.call('/api/enterprise-login', { name: given.username, password: given.password })).status,
    ).toBe(403)
    const again = { ...draft(), company_name: given.company_name }
    expect((await support.ask(create, again)).status).toBe(200)
  })

  it('can be undone for 30 days, with only the logins it blocked', async () => {
    const { restore } = contract.company
    const given = draft()
    const { uuid } = (await support.ask(create, given)).body as unknown as Row
    const [{ id }] = (await asOwner<{ id: number }>(server, 'select id from company where uuid = $1', [uuid])) as [
      { id: number },
    ]
    const blocked = await makeLogin(server, id)
    await asOwner(server, `update login set disabled_at = now() - interval '1 day' where id = $1`, [blocked.id])
    const before = (await support.ask(info, { id: uuid })).body
    await support.ask(remove, { uuid })
    const listed = (await support.ask(search, { name: given.company_name, removed: true })).body.results
    expect(listed).toMatchObject([{ uuid, removed_at: expect.any(String) }])
    expect((await support.ask(restore, { uuid })).body).toEqual(before)
    expect((await signIn(server, given)).reply.status).toBe(200)
    const [still] = await asOwner(server, 'select disabled_at is not null as blocked from login where id = $1', [
      blocked.id,
    ])
    expect(still).toEqual({ blocked: true })
    expect((await support.ask(restore, { uuid })).status).toBe(404)
    await support.ask(remove, { uuid })
    expect((await support.ask(create, { ...draft(), company_name: given.company_name })).status).toBe(200)
    expect((await support.ask(restore, { uuid })).body.message).toBe(
      `There is already a company called "${given.company_name}". Please enter another company name.`,
    )
    await asOwner(server, `update company set removed_at = removed_at - interval '30 days' where id = $1`, [id])
    expect((await support.ask(restore, { uuid })).body.message).toBe(
      `${given.company_name} was removed more than 30 days ago and cannot be restored.`,
    )
    expect((await support.ask(search, { name: given.company_name, removed: true })).body.results).toEqual([])
  })

  it('ends its logins’ sessions and links for good: restoring it opens none again', async () => {
    const given = draft()
    const { uuid } = (await support.ask(create, given)).body as unknown as Row
    const tab = await signIn(server, given)
    await server.call('/api/user/request-reset-password', { username: given.username })
    const [letter] = await mailTo(server, given.email)
    const reset_token = /reset-password\/([\w-]{43})/.exec(letter?.text ?? '')?.[1]
    expect((await server.call('/api/user/check-reset-link', { reset_token })).status).toBe(200)
    await support.ask(remove, { uuid })
    expect((await support.ask(contract.company.restore, { uuid })).status).toBe(200)
    expect((await server.call('/api/get-pharmacies', {}, tab.bearer)).status).toBe(401)
    expect((await server.call('/api/refresh', {}, tab.cookie)).status).toBe(401)
    expect((await server.call('/api/user/check-reset-link', { reset_token })).status).toBe(404)
    expect((await signIn(server, given)).reply.status).toBe(200)
  })

  it('is refused for one’s own company', async () => {
    const { status, body } = await support.ask(remove, { uuid: support.company.uuid })
    expect([status, body.message]).toEqual([
      409,
      `${support.company.name} is your own company. It can only be removed by support of another one.`,
    ])
  })
})

/** A removal that has counted what the company owns and waits for one of its logins, and a function that lets it go on. */
async function heldRemoval(company: { id: number; uuid: string }) {
  const { id } = await makeLogin(server, company.id)
  const holder = new pg.Client({ connectionString: server.ownerUrl })
  await holder.connect()
  await holder.query('begin')
  await holder.query('select from login where id = $1 for update', [id])
  const removed = support.ask(remove, { uuid: company.uuid })
  await untilWaiting(server)
  const goOn = async () => {
    await holder.end()
    return (await removed).status
  }
  return { goOn }
}

/** By then the other request has been answered, or waits for the removal. */
const aMoment = () => new Promise((done) => setTimeout(done, 500))

describe('while a company is being removed', () => {
  it('none of its pharmacies can be restored: a pharmacy with an upload key must have a company', async () => {
    const company = await makeCompany(server)
    const place = await makeLocation(server, company.id)
    await asOwner(server, 'update location set removed_at = now() where id = $1', [place.id])
    const { goOn } = await heldRemoval(company)
    const restored = support.ask(contract.locationAdmin.restore, { uuid: place.uuid })
    await aMoment()
    expect(await goOn()).toBe(200)
    expect((await restored).status).toBe(404)
    expect(await asOwner(server, 'select from location where id = $1 and removed_at is null', [place.id])).toEqual([])
  })

  it.each(['enable', 'restore'] as const)('%s lets none of its users in', async (act) => {
    const company = await makeCompany(server)
    const user = await makeLogin(server, company.id)
    const removedAt = act === 'restore' ? 'now()' : 'null'
    await asOwner(server, `update login set disabled_at = now(), removed_at = ${removedAt} where id = $1`, [user.id])
    const { goOn } = await heldRemoval(company)
    const back = support.ask(contract.user[act], { uuid: user.uuid })
    await aMoment()
    expect(await goOn()).toBe(200)
    expect((await back).status).toBe(404)
    expect(await asOwner(server, 'select from login where id = $1 and disabled_at is null', [user.id])).toEqual([])
  })
})
