import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { consentRow, optOutTokenFor, unsubscribeTokenFor } from '../../../test/consent.ts'
import { type MessagingWorld, makeMessagingWorld, makePatients } from '../../../test/messaging.ts'
import { asOwner } from '../../../test/people.ts'
import { startTestServer, type TestServer } from '../../../test/server.ts'
import { makeSupport } from '../../../test/support.ts'
import { makeRunningTrial, signUp, trialTokenFor } from '../../../test/trial.ts'

let server: TestServer
let world: MessagingWorld
beforeAll(async () => {
  server = await startTestServer()
  world = await makeMessagingWorld(server)
})
afterAll(() => server.close())
afterEach(() => asOwner(server, 'truncate throttle'))

const post = (path: string) => server.call(path)
const patient = async () => (await makePatients(server, world.locations[0]!.id, 1))[0]!
const oneClick = async (token: string) => {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const payload = 'List-Unsubscribe=One-Click'
  const url = `/unsubscribe-one-click/${token}`
  return (await server.app.inject({ method: 'POST', url, payload, headers })).statusCode
}
const DEAD = '1.1.AAAAAAAAAAAAAAAAAAAAAA'

describe('when others on the same network have opened as many dead links as allowed', () => {
  beforeEach(async () => {
    expect((await post(`/api/validate-unsubscribe/${DEAD}`)).status).toBe(404)
    await asOwner(server, `update throttle set points = 200 where key like 'link:%'`)
    expect((await post(`/api/validate-unsubscribe/${DEAD}`)).status).toBe(429)
    expect((await post(`/api/unsubscribe/${DEAD}`)).status).toBe(429)
    expect(await oneClick(DEAD)).toBe(429)
  })

  it('the one click of a mail program still counts', async () => {
    const one = await patient()
    const { token } = await unsubscribeTokenFor(server, world, one)
    expect(await oneClick(token)).toBe(200)
    expect(await consentRow(server, one)).toMatchObject({ email_marketing: 'out', email_health_outreach: 'out' })
  })

  it.each([
    ['an email', unsubscribeTokenFor, { email_marketing: 'out' }],
    ['a text', optOutTokenFor, { sms_marketing: 'out' }],
  ] as const)('the page to unsubscribe with the link of %s still opens and counts', async (_what, tokenFor, out) => {
    const one = await patient()
    const { token } = await tokenFor(server, world, one)
    expect((await post(`/api/validate-unsubscribe/${token}`)).status).toBe(200)
    expect((await post(`/api/unsubscribe/${token}`)).status).toBe(200)
    expect(await consentRow(server, one)).toMatchObject(out)
  })
})

it('a trial participant can withdraw even if others on the network opened too many dead links', async () => {
  const trial = await makeRunningTrial(server, await makeSupport(server))
  const token = await trialTokenFor(server, world, trial.id, await patient())
  const { body } = await signUp(server, token)
  const dead = `/api/consent/${'A'.repeat(22)}/withdraw`
  expect((await post(dead)).status).toBe(404)
  await asOwner(server, `update throttle set points = 200 where key like 'link:%'`)
  expect((await post(dead)).status).toBe(429)
  // Guesses at invitations are counted with them.
  expect((await post(`/api/consent/${'A'.repeat(22)}`)).status).toBe(429)
  expect((await post(`/api/consent/${body.withdraw_id}/withdrawal`)).status).toBe(200)
  expect((await post(`/api/consent/${body.withdraw_id}/withdraw`)).body).toEqual({ withdrawn: true })
})

it('once its pharmacy has left, a trial takes nobody there any more, and whoever takes part can still withdraw', async () => {
  const trial = await makeRunningTrial(server, await makeSupport(server))
  const [joined, invited] = [await patient(), await patient()]
  const { body } = await signUp(server, await trialTokenFor(server, world, trial.id, joined))
  const token = await trialTokenFor(server, world, trial.id, invited)
  const leave = (at: string) =>
    asOwner(server, `update location set removed_at = ${at} where id = $1`, [world.locations[0]!.id])
  expect((await post(`/api/consent/${token}`)).status).toBe(200)
  await leave('now()')
  expect((await post(`/api/consent/${token}`)).status).toBe(404)
  expect((await signUp(server, token)).status).toBe(404)
  expect((await post(`/api/consent/${body.withdraw_id}/withdraw`)).body).toEqual({ withdrawn: true })
  await leave('null')
})
