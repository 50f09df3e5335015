import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type MessagingWorld, makeMessagingWorld, makePatients } from '../../../../test/messaging.ts'
import { asOwner } from '../../../../test/people.ts'
import { startTestServer, type TestServer } from '../../../../test/server.ts'
import { makeSupport, type Support } from '../../../../test/support.ts'
import { makeRunningTrial, signUp, trialTokenFor } from '../../../../test/trial.ts'

const HOUR = 3600_000
let server: TestServer
let world: MessagingWorld
let support: Support
let trialId: number

beforeAll(async () => {
  server = await startTestServer()
  world = await makeMessagingWorld(server)
  support = await makeSupport(server)
  trialId = (await makeRunningTrial(server, support)).id
})
afterAll(() => server.close())

async function invited() {
  const patient = (await makePatients(server, world.locations[0]!.id, 1))[0]!
  return {
    patient,
    token: await trialTokenFor(server, world, trialId, patient),
    attempt: randomBytes(16).toString('hex'),
  }
}
const referrals = (id: number) => asOwner(server, 'select postcode from trial_referral where patient_id = $1', [id])
const events = (id: number) =>
  asOwner(server, `select event from trial_event where patient_id = $1 and event = 'referred'`, [id])

it('a page whose answer was lost gets it again, and refers nobody twice', async () => {
  const { patient, token, attempt } = await invited()
  const first = await signUp(server, token, { attempt })
  expect(first).toMatchObject({ status: 200, body: { submitted: true, earlier: false } })
  const again = await signUp(server, token, { attempt, postcode: '2999' })
  expect(again).toMatchObject({ status: 200, body: { ...first.body, earlier: true } })
  expect(await referrals(patient.id)).toEqual([{ postcode: '2000' }])
  expect(await events(patient.id)).toHaveLength(1)
})

it('two submissions of one page at the same time both learn that the patient is signed up', async () => {
  const { patient, token, attempt } = await invited()
  const answers = await Promise.all([1, 2].map(() => signUp(server, token, { attempt })))
  expect(answers.map(({ status, body }) => [status, (body as { earlier?: boolean }).earlier]).sort()).toEqual([
    [200, false],
    [200, true],
  ])
  expect(await events(patient.id)).toHaveLength(1)
})

it('nobody else gets that answer: neither another page, nor one without a number, nor one after a withdrawal or a day', async () => {
  const { token, attempt } = await invited()
  const { body } = await signUp(server, token, { attempt })
  const status = async (more: object) => (await signUp(server, token, more)).status
  expect(await status({ attempt: randomBytes(16).toString('hex') })).toBe(404)
  expect(await status({})).toBe(404)
  const other = await invited()
  await signUp(server, other.token)
  expect((await signUp(server, other.token, { attempt })).status).toBe(404)

  server.clock.offsetMs = 25 * HOUR
  expect(await status({ attempt })).toBe(404)
  server.clock.offsetMs = 0
  expect(await status({ attempt })).toBe(200)
  await server.call(`/api/consent/${body.withdraw_id}/withdraw`, {})
  expect(await status({ attempt })).toBe(404)
})
