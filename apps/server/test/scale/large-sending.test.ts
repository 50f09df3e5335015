import { contract } from '@pillar/contract'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import type { Services } from '../../src/api/context.ts'
import type { Tx } from '../../src/db/database.ts'
import { processEvents } from '../../src/features/inbound/events.ts'
import { newestRun } from '../../src/features/run/run.queries.ts'
import { runCsv } from '../../src/features/run/run-answer.ts'
import { carryOutStatus } from '../../src/features/trial/change/trial-status.jobs.ts'
import { inviteTrial } from '../../src/features/trial/invite.jobs.ts'
import { countTrials } from '../../src/features/trial/trial-count.jobs.ts'
import { followUp } from '../../src/features/upload/after-upload.jobs.ts'
import { insertGatewayEvents } from '../../src/gateways/gateway-event.queries.ts'
import { makeCampaign, makeTemplate } from '../messaging.ts'
import { FakePhones } from '../outside/fake-gateway.ts'
import { asOwner, fresh } from '../people.ts'
import { sendDue, writeCampaign } from '../sending.ts'
import { startTestServer, type TestServer } from '../server.ts'
import { makeSupport, type Support } from '../support.ts'
import { makeRunningTrial } from '../trial.ts'
import { type LargeWorld, MANY, makeLargePharmacy } from './pharmacy.ts'
import { type Watched, watchVisits } from './visits.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

let server: TestServer
let services: Services
let support: Support
let world: LargeWorld
let watched: Watched
const phones = new FakePhones()

beforeAll(async () => {
  server = await startTestServer()
  services = { ...server.services, sms: phones.gateway() }
  support = await makeSupport(server)
  world = await makeLargePharmacy(server)
  await followUp(services, world.company.id, world.large)
  watched = await watchVisits(server)
})
afterAll(() => server.close())

/** Steps of the statements during `work` that read more rows than any has reason to. */
async function quadratic(work: () => Promise<unknown>) {
  const [from, begun] = [watched.visits.length, watched.statements.length]
  await work()
  expect(watched.statements.length).toBeGreaterThan(begun)
  return watched.visits.slice(from).filter(({ rows }) => rows > MANY)
}

/** The gateway reports everything it accepted as delivered. @returns how many */
async function tellDelivered(): Promise<number> {
  const at = new Date().toISOString()
  const told = [...phones.accepted.keys()].map((reference) => ({
    ...{ id: fresh('receipt'), at, kind: 'receipt', reference, gatewayRef: null, status: 'delivered', reason: null },
  }))
  phones.accepted.clear()
  await insertGatewayEvents(services.pools.system, services.keys, 'fake', told as never)
  return processEvents(services)
}

/** Sends queued messages as though their time had come. */
async function sendNow(): Promise<void> {
  await asOwner(server, `update message_run set starts_at = now() - interval '1 minute' where state = 'holding'`)
  await asOwner(server, `update message set planned_at = now() - interval '1 minute' where state = 'queued'`)
  await asOwner(server, `update message_batch set next_at = now() - interval '1 minute' where next_at is not null`)
  await sendDue(services)
}

/** A trial for which everybody is eligible, whose text contains the link. */
async function trialForAll() {
  // Otherwise the frequency limit would hold back people who have just had a message.
  await asOwner(server, 'delete from contact_history')
  const { body } = await support.ask(contract.templateAdmin.createGlobal, {
    name: fresh('Invitation'),
    body: 'Hi {First Name}, {Pharmacy Name} helps with {Trial Name} of {Trial Provider}: {Consent ID}',
    communication_type: 'sms',
  })
  return makeRunningTrial(server, support, { template_ids: [String(body.id)] })
}

const count = (trialId: number) => countTrials(services, trialId, services.now())
const invite = (trialId: number) =>
  inviteTrial.run({ uuid: crypto.randomUUID(), trial_id: trialId, login_id: null }, services)

it('a campaign that is sent to everybody and delivered', async () => {
  const { id } = await makeTemplate(server, world.company.id)
  const of = { locationIds: [world.large], templateIds: [id] }
  const own = { ...world, scope: { ...world.scope, locationIds: [world.large] } }
  await asOwner(server, 'delete from contact_history')
  const campaign = await makeCampaign(server, world.company.id, of)
  await writeCampaign(server, services, own, campaign)
  expect(await quadratic(sendNow)).toEqual([])
  expect(await quadratic(async () => expect(await tellDelivered()).toBeGreaterThan(MANY ** 0.5))).toEqual([])
})

it('the file of a campaign’s recipients comes pharmacy by pharmacy and is never in memory as a whole', async () => {
  const { id } = await makeTemplate(server, world.company.id)
  const { locationIds } = world.scope
  for (const one of locationIds) await followUp(services, world.company.id, one, ['facts'])
  const of = { locationIds, templateIds: [id] }
  const campaign = await makeCampaign(server, world.company.id, of)
  const run = await writeCampaign(server, services, world, campaign)
  const parts: string[] = []
  const file = async (tx: Tx) => {
    const newest = await newestRun(tx, campaign.id)
    for await (const part of runCsv(tx, newest!, 'AU', new AbortController().signal)) parts.push(part)
  }
  expect(await quadratic(() => world.inside(file))).toEqual([])
  expect(parts).toHaveLength(1 + world.locations.length)
  const [written] = await asOwner<{ n: number }>(server, 'select count(*)::int as n from message where run_id = $1', [
    run.id,
  ])
  expect(parts.join('').trim().split('\n')).toHaveLength(1 + written!.n)
  // Due together with a trial's invitations, either might be sent first, and the frequency limit would hold the other back.
  const cancelled = `update message set state = 'skipped', reason = 'cancelled', settled_at = now() where state = 'queued'`
  await asOwner(server, cancelled)
})

it('invitations of everybody to a trial: counted, forecast, written, sent and delivered', async () => {
  const trial = await trialForAll()
  expect(await quadratic(() => count(trial.id))).toEqual([])
  const asked = async () =>
    expect(await support.ask(contract.trialInvite.forecast, { trial_id: trial.trial_id })).toMatchObject({
      status: 200,
    })
  expect(await quadratic(asked)).toEqual([])
  expect(await quadratic(() => invite(trial.id))).toEqual([])
  expect(await quadratic(sendNow)).toEqual([])
  expect(await quadratic(async () => expect(await tellDelivered()).toBeGreaterThan(MANY ** 0.5))).toEqual([])
  const reached = 'select from trial_participant where trial_id = $1 and location_id = $2 and contacted_at is not null'
  expect((await asOwner(server, reached, [trial.id, world.large])).length).toBeGreaterThan(MANY ** 0.5)
})

it('invitations that are cancelled with their trial', async () => {
  const trial = await trialForAll()
  await count(trial.id)
  await invite(trial.id)
  const off = { trial_id: trial.trial_id, active: false, cancel_messages: true }
  await support.ask(contract.clinicalTrial.editActiveStatus, off)
  const [change] = await asOwner<{ id: number }>(server, 'select max(id) as id from trial_status_change')
  const queued = () => asOwner(server, `select from message where state = 'queued' and location_id = $1`, [world.large])
  expect((await queued()).length).toBeGreaterThan(MANY ** 0.5)
  expect(await quadratic(() => carryOutStatus.run({ change_id: change!.id }, services))).toEqual([])
  expect(await queued()).toEqual([])
})
