import { contract } from '@pillar/contract'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type MessagingWorld, makeMessagingWorld } from '../../../test/messaging.ts'
import { asOwner, mailTo, makeCompany, makeLogin, type SignedIn, signIn, type TestLogin } from '../../../test/people.ts'
import { startTestServer, type TestServer } from '../../../test/server.ts'
import { makeSupport } from '../../../test/support.ts'
import { makeReport } from './report.jobs.ts'

let server: TestServer
let world: MessagingWorld
let tab: SignedIn
let contact: TestLogin
beforeAll(async () => {
  server = await startTestServer()
  world = await makeMessagingWorld(server, { locations: 2 })
  tab = await signIn(server, await makeLogin(server, world.company.id, { flags: ['data_analytics'] }))
  contact = await makeLogin(server, world.company.id)
  await asOwner(server, 'update location set owner_login_id = $1 where id = $2', [contact.id, world.locations[0]!.id])
})
afterAll(() => server.close())

it('a contact who was shut out is mailed no report, whenever it was requested, and no reply', async () => {
  const [{ id, uuid, name }] = world.locations as [MessagingWorld['locations'][0]]
  const today = new Date().toISOString().slice(0, 10)
  const ask = () => server.call('/api/message-history-report', { from: today, to: today, ids: [uuid] }, tab.bearer)
  expect((await ask()).status).toBe(200)
  const [request] = await asOwner<{ id: number }>(server, 'select id from report_request where location_id = $1', [id])
  const [reply] = await asOwner<{ uuid: string }>(
    server,
    `insert into message_reply (location_id, uuid, sender, received_by, body, may_stop, received_at)
     values ($1, gen_random_uuid(), '+61400111222', '+61400000000', 'Please call me', false, now()) returning uuid`,
    [id],
  )
  const support = await makeSupport(server)
  expect((await support.ask(contract.user.disable, { uuid: contact.uuid })).status).toBe(200)
  await asOwner(server, 'delete from mail')

  const later = await ask()
  expect([later.status, later.body.message]).toEqual([422, `Please leave out pharmacies without a contact: ${name}.`])
  await makeReport.run({ request_id: request!.id }, server.services)
  expect((await server.call(`/api/messaging/replies/${reply!.uuid}/forward`, {}, tab.bearer)).status).toBe(422)
  expect(await mailTo(server, contact.email)).toEqual([])
})

it('a report’s link ends with its reader being disabled or moved to another company; anybody else’s stays', async () => {
  const [, place] = world.locations as [unknown, MessagingWorld['locations'][0]]
  const reader = await makeLogin(server, world.company.id)
  await asOwner(server, 'update location set owner_login_id = $1 where id = $2', [reader.id, place.id])
  const today = new Date().toISOString().slice(0, 10)
  const asked = await server.call(
    '/api/message-history-report',
    { from: today, to: today, ids: [place.uuid] },
    tab.bearer,
  )
  expect(asked.status).toBe(200)
  const [request] = await asOwner<{ id: number }>(server, 'select id from report_request where location_id = $1', [
    place.id,
  ])
  await makeReport.run({ request_id: request!.id }, server.services)
  const [letter] = await mailTo(server, reader.email)
  const token = /\/download-file\/([\w-]+)/.exec(letter!.text)![1]!
  const take = async () => (await server.call('/api/download-file', { token })).status
  const change = (columns: string) => asOwner(server, `update login set ${columns} where id = $1`, [reader.id])

  const support = await makeSupport(server)
  expect((await support.ask(contract.user.disable, { uuid: reader.uuid })).status).toBe(200)
  expect(await take()).toBe(404)
  await change(`disabled_at = null, company_id = ${(await makeCompany(server)).id}`)
  expect(await take()).toBe(404)
  await change(`company_id = ${world.company.id}`)
  expect(await take()).toBe(200)
})

it('no report is made of a pharmacy removed after the request, and the requester is told', async () => {
  const other = await makeMessagingWorld(server)
  const asker = await makeLogin(server, other.company.id, { flags: ['data_analytics'] })
  const [place] = other.locations as [MessagingWorld['locations'][0]]
  const [request] = await asOwner<{ id: number }>(
    server,
    `insert into report_request (location_id, company_id, from_day, to_day, asked_by, asked_at, to_email)
     values ($1, $2, '2026-10-01', '2026-10-31', $3, now(), $4) returning id`,
    [place.id, other.company.id, asker.id, asker.email],
  )
  await asOwner(server, 'update location set removed_at = now() where id = $1', [place.id])
  await makeReport.run({ request_id: Number(request!.id) }, server.services)
  const [letter, ...more] = await mailTo(server, asker.email)
  expect([letter!.text, more]).toEqual([expect.stringContaining('no longer one of your company’s'), []])
})
