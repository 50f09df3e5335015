import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  type MessagingWorld,
  makeMessagingWorld,
  makeRun,
  setOwnCap,
  type WorldOptions,
} from '../../../test/messaging.ts'
import { asOwner } from '../../../test/people.ts'
import { campaignOn, forecastOf, forecastOutcomes, outcomesOf, sendDue, writeCampaign } from '../../../test/sending.ts'
import { moveOnTo, startTestServer, type TestServer } from '../../../test/server.ts'
import { addPeople, type CohortPerson, person } from '../../../test/world/cohort-world.ts'
import type { Tx } from '../../db/database.ts'
import { inScope } from '../../db/scope.ts'
import type { Channel } from '../sending/lease.queries.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

const TEXT: readonly Channel[] = ['sms']
const EMAIL: readonly Channel[] = ['email']
const BOTH: readonly Channel[] = ['sms', 'email']
const patient = (at: number, first_name: string, sms_to: string | null, email_to: string | null): CohortPerson =>
  person({ at, first_name, sms_to, mobile: sms_to, email_to, email: email_to })
const PEOPLE = [
  patient(0, 'Ann', '+61491570156', 'ann@mail.example'),
  patient(0, 'Bob', '+61491570157', null),
  patient(0, 'Cat', null, 'cat@mail.example'),
  // Each shares another person's number or address.
  patient(1, 'Dan', '+61491570157', 'dan@mail.example'),
  patient(1, 'Eve', '+61491570158', 'cat@mail.example'),
]

const NINE_TO_FIVE = Array.from({ length: 7 }, () => [540, 1020] as const)

/** A company of two pharmacies at night, with these people. */
async function atNight(options: WorldOptions) {
  moveOnTo(server, 12)
  const world = await makeMessagingWorld(server, { locations: 2, week: NINE_TO_FIVE, ...options })
  await addPeople(server, world, PEOPLE)
  return world
}

it.each([
  ['a text', TEXT, 'a text', TEXT, 1],
  ['a text', TEXT, 'an email', EMAIL, 1],
  ['an email', EMAIL, 'a text', TEXT, 1],
  ['a text', TEXT, 'both', BOTH, 2],
  ['both', BOTH, 'both', BOTH, 3],
])(
  'if %s waits for the morning (%j), %s of a second campaign is sent as forecast (%j, at most %i messages)',
  async (_first, waiting, _second, channels, messages) => {
    const { services } = server
    const world = await atNight({ cap: { messages, hours: 48 } })
    const first = await campaignOn(server, world, waiting)
    const promised = forecastOutcomes(await forecastOf(services, world, first))
    const before = await writeCampaign(server, services, world, first)
    const second = await campaignOn(server, world, channels)
    const forecast = forecastOutcomes(await forecastOf(services, world, second))
    const run = await writeCampaign(server, services, world, second)
    moveOnTo(server, 22, 5)
    await sendDue(services)
    expect(await outcomesOf(server, before.id)).toEqual(promised)
    expect(await outcomesOf(server, run.id)).toEqual(forecast)
    expect(forecast.map(({ reason }) => reason)).toContain('capped')
  },
)

it('a waiting message counts towards the limit of its own pharmacy only', async () => {
  const { services } = server
  const world = await atNight({ cap: { messages: 5, hours: 48 } })
  await setOwnCap(server, world.locations[0]!.id, { messages: 1, hours: 48 })
  await writeCampaign(server, services, world, await campaignOn(server, world, TEXT))
  const second = await campaignOn(server, world, TEXT)
  const { pharmacies } = await forecastOf(services, world, second)
  const of = (at: number) => pharmacies.find(({ pharmacy_id }) => pharmacy_id === world.locations[at]!.uuid)!
  expect(of(0).reasons).toEqual(expect.arrayContaining([expect.objectContaining({ reason: 'capped', count: 2 })]))
  expect(of(1).reasons.map(({ reason }) => reason)).not.toContain('capped')
})

it.each([
  ['goes only after it', `update message_batch set next_at = next_at + interval '3 days' where run_id = $1`],
  ['waits in a stopped run', `update message_run set state = 'stopped' where id = $1`],
  ['was stopped at its pharmacy', 'update message_batch set stopped_at = now() where run_id = $1'],
  ['is a test to the phones of staff', 'update message_run set test = true where id = $1'],
  ['answers a STOP', `update message_batch set message_kind = 'confirmation' where run_id = $1`],
])('a message that %s takes nobody’s place', async (_what, change) => {
  const { services } = server
  const world = await atNight({ cap: { messages: 1, hours: 48 } })
  const patients = await asOwner<{ id: number; locationId: number; sms_to: string | null; email_to: string | null }>(
    server,
    `select id, location_id as "locationId", sms_to, email_to from patient where location_id = any ($1) and sms_to is not null`,
    [world.scope.locationIds],
  )
  const run = await makeRun(server, world, { patients })
  const campaign = await campaignOn(server, world, TEXT)
  const held = async () => (await forecastOf(services, world, campaign)).reasons.map(({ reason }) => reason)
  expect(await held()).toContain('capped')
  await asOwner(server, change, [run.id])
  expect(await held()).not.toContain('capped')
})

it('a waiting message counts beside those sent before', async () => {
  const { services } = server
  const world = await atNight({ cap: { messages: 2, hours: 48 } })
  const capped = async () => {
    const { reasons } = await forecastOf(services, world, await campaignOn(server, world, TEXT))
    return reasons.some(({ reason }) => reason === 'capped')
  }
  await writeCampaign(server, services, world, await campaignOn(server, world, TEXT))
  moveOnTo(server, 22, 5)
  await sendDue(services)
  moveOnTo(server, 12)
  expect(await capped()).toBe(false)
  await writeCampaign(server, services, world, await campaignOn(server, world, TEXT))
  expect(await capped()).toBe(true)
})

it('a waiting campaign does not block itself', async () => {
  const world = await atNight({ cap: { messages: 1, hours: 48 } })
  const campaign = await campaignOn(server, world, TEXT)
  await writeCampaign(server, server.services, world, campaign)
  const { reasons } = await forecastOf(server.services, world, campaign)
  expect(reasons.map(({ reason }) => reason)).toContain('already_contacted')
  expect(reasons.map(({ reason }) => reason)).not.toContain('capped')
})

it('messages that wait until tomorrow do not count for a campaign that starts after its hours', async () => {
  const { services } = server
  const world = await atNight({ cap: { messages: 1, hours: 48 } })
  await writeCampaign(server, services, world, await campaignOn(server, world, TEXT))
  const second = await campaignOn(server, world, TEXT)
  const inDays = (days: number) => new Date(services.now().getTime() + days * 86_400_000)
  const held = async (days: number) =>
    (await forecastOf(services, world, second, inDays(days))).reasons.map(({ reason }) => reason)
  expect(await held(1)).toContain('capped')
  expect(await held(4)).not.toContain('capped')
})

it.each([
  [
    'what waits at a pharmacy that was not chosen counts towards the limit of whoever has the same number or address',
    1,
  ],
  ['and takes nobody’s place where the limit allows both', 9],
])('%s', async (_what, messages) => {
  const { services } = server
  const world = await atNight({ cap: { messages, hours: 48 } })
  const at = (place: number): MessagingWorld => {
    const scope = { ...world.scope, locationIds: [world.locations[place]!.id] }
    return { ...world, scope, inside: (work) => inScope(services.pools.app, scope, work) }
  }
  await writeCampaign(server, services, at(0), await campaignOn(server, at(0), BOTH))
  const second = await campaignOn(server, at(1), BOTH)
  const forecast = forecastOutcomes(await forecastOf(services, at(1), second))
  const run = await writeCampaign(server, services, at(1), second)
  moveOnTo(server, 22, 5)
  await sendDue(services)
  expect(await outcomesOf(server, run.id)).toEqual(forecast)
  expect(forecast.some(({ reason }) => reason === 'capped')).toBe(messages === 1)
})

it('a campaign sent at another pharmacy before sends its text to nobody with the same number or address again', async () => {
  const { services } = server
  const world = await atNight({ cap: { messages: 9, hours: 48 } })
  const campaign = await campaignOn(server, world, TEXT)
  const choose = (place: number) =>
    asOwner(server, 'update campaign_location set location_id = $2 where campaign_id = $1', [
      ...[campaign.id, world.locations[place]!.id],
    ])
  await asOwner(server, 'delete from campaign_location where campaign_id = $1 and location_id <> $2', [
    ...[campaign.id, world.locations[0]!.id],
  ])
  await writeCampaign(server, services, world, campaign)
  moveOnTo(server, 22, 5)
  await sendDue(services)
  await asOwner(server, `update message_run set state = 'done' where campaign_id = $1`, [campaign.id])
  await choose(1)
  const scope = { ...world.scope, locationIds: [world.locations[1]!.id] }
  const there = {
    ...world,
    scope,
    inside: <T>(work: (tx: Tx) => Promise<T>) => inScope(services.pools.app, scope, work),
  }
  const forecast = forecastOutcomes(await forecastOf(services, there, campaign))
  const again = await writeCampaign(server, services, there, campaign)
  await sendDue(services)
  expect(await outcomesOf(server, again.id)).toEqual(forecast)
  // Dan has Bob's number; Eve is new.
  expect(forecast).toEqual([
    { channel: 'sms', reason: 'already_contacted', count: 1 },
    { channel: 'sms', reason: 'goes', count: 1 },
  ])
})
