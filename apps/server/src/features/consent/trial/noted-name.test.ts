import { afterAll, beforeAll, expect, it } from 'vitest'
import { consentTokenFor } from '../../../../test/consent.ts'
import { type MessagingWorld, makeMessagingWorld, makePatients } from '../../../../test/messaging.ts'
import { asOwner } from '../../../../test/people.ts'
import { startTestServer, type TestServer } from '../../../../test/server.ts'
import { makeSupport } from '../../../../test/support.ts'
import { makeRunningTrial, signUp, trialTokenFor } from '../../../../test/trial.ts'

let server: TestServer
let world: MessagingWorld
beforeAll(async () => {
  server = await startTestServer()
  world = await makeMessagingWorld(server)
})
afterAll(() => server.close())

/** A patient in whose name their pharmacy noted something. */
async function noted() {
  const [one] = await makePatients(server, world.locations[0]!.id, 1)
  const names = "first_name = 'INES (HIV CLINIC)', last_name = 'Moran *owes $20'"
  await asOwner(server, `update patient set ${names} where id = $1`, [one!.id])
  return one!
}

it('the consent page shows no note that the pharmacy made behind a name', async () => {
  const token = await consentTokenFor(server, world, await noted())
  const { body } = await server.call(`/api/communication-consent/${token}`)
  expect(body).toMatchObject({ first_name: 'Ines', last_name: 'Moran' })
})

it('a trial’s page shows none either, and its recruiter reads none', async () => {
  const trial = await makeRunningTrial(server, await makeSupport(server))
  const one = await noted()
  const token = await trialTokenFor(server, world, trial.id, one)
  expect((await server.call(`/api/consent/${token}`)).body).toMatchObject({ first_name: 'Ines', last_name: 'Moran' })
  expect((await signUp(server, token)).status).toBe(200)
  const [referral] = await asOwner(server, 'select * from trial_referral where patient_id = $1', [one.id])
  expect(referral).toMatchObject({ first_name: 'Ines', last_name: 'Moran' })
})
