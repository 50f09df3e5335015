import { contract } from '@pillar/contract'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeMessagingWorld } from '../../../../test/messaging.ts'
import { asOwner, makeCompany, makeLogin, signIn } from '../../../../test/people.ts'
import { startTestServer, type TestServer } from '../../../../test/server.ts'
import { makeSupport, type Support } from '../../../../test/support.ts'

let server: TestServer
let support: Support
beforeAll(async () => {
  server = await startTestServer()
  support = await makeSupport(server)
})
afterAll(() => server.close())

it('a moved login starts afresh in its company: its own view and its refusal of monthly reports stay behind', async () => {
  const world = await makeMessagingWorld(server)
  const [place] = world.locations
  const to = await makeCompany(server)
  const person = await makeLogin(server, world.company.id, { flags: ['data_analytics'] })
  const colleague = await signIn(server, await makeLogin(server, world.company.id, { flags: ['data_analytics'] }))
  await asOwner(server, 'insert into login_location (location_id, company_id, login_id) values ($1, $2, $3)', [
    ...[place!.id, world.company.id, person.id],
  ])
  const before = await signIn(server, person)
  const view = (tab: { bearer: Record<string, string> }, name: string, shared = false) =>
    server.call<{ id: string }>('/api/saved-view/create', { name, shared, state: {} }, tab.bearer)
  const [mine, shared] = [await view(before, 'Mine'), await view(before, 'Ours', true)]
  const choose = (tab: { bearer: Record<string, string> }, id: string) =>
    server.call('/api/saved-view/default', { id }, tab.bearer)
  expect((await choose(before, mine.body.id)).status).toBe(200)
  expect((await server.call('/api/report-mail/stop', {}, before.bearer)).status).toBe(200)
  const which = { company_id: to.uuid, import_pharmacy_id: place!.uuid }
  expect((await support.ask(contract.locationImport.run, which)).body).toMatchObject({ moved_logins: 1 })

  const after = await signIn(server, person)
  const made = await view(after, 'Mine')
  expect([made.status, (await choose(after, made.body.id)).status]).toEqual([200, 200])
  const people = await server.call('/api/report-mail/list', {}, after.bearer)
  expect(JSON.stringify(people.body)).not.toContain('"stopped":true')
  const [stopped] = await asOwner(server, 'select * from report_mail_stop where login_id = $1', [person.id])
  expect(stopped).toBeUndefined()
  // Shared views stay with those they were shared with, who may now change them.
  const edit = { id: shared.body.id, name: 'Ours, kept' }
  expect((await server.call(`/api/saved-view/${edit.id}/edit`, edit, colleague.bearer)).status).toBe(200)
})

it('the contact of a pharmacy that stays does not move, and nobody who moved is the contact of a removed one', async () => {
  const world = await makeMessagingWorld(server, { locations: 3 })
  const [place, stays, removed] = world.locations
  const to = await makeCompany(server)
  const [contact, former] = [await makeLogin(server, world.company.id), await makeLogin(server, world.company.id)]
  for (const { id } of [contact, former])
    await asOwner(server, 'insert into login_location (location_id, company_id, login_id) values ($1, $2, $3)', [
      ...[place!.id, world.company.id, id],
    ])
  const own = 'update location set owner_login_id = $2, removed_at = $3 where id = $1'
  await asOwner(server, own, [stays!.id, contact.id, null])
  await asOwner(server, own, [removed!.id, former.id, new Date()])
  const which = { company_id: to.uuid, import_pharmacy_id: place!.uuid }
  const preview = await support.ask(contract.locationImport.preview, which)
  expect(preview.body.logins_staying).toMatchObject([{ uuid: contact.uuid, pharmacies: 1 }])
  expect((await support.ask(contract.locationImport.run, which)).body).toMatchObject({ moved_logins: 1 })
  const owners = await asOwner(server, 'select owner_login_id as id from location where company_id = $1 order by id', [
    world.company.id,
  ])
  expect(owners).toEqual([{ id: contact.id }, { id: null }])
})
