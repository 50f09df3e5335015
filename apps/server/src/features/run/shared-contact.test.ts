import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type MessagingWorld, makeMessagingWorld, setOwnCap } from '../../../test/messaging.ts'
import { campaignOn, forecastAndSend, forecastOutcomes, type Outcome, outcomesOf } from '../../../test/sending.ts'
import { startTestServer, type TestServer } from '../../../test/server.ts'
import { addHistoryOf, addPeople, person } from '../../../test/world/cohort-world.ts'
import type { Channel } from '../sending/lease.queries.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

const X = '+61491570156'
const Y = '+61491570157'
const TEXT: readonly Channel[] = ['sms']
const EMAIL: readonly Channel[] = ['email']
const BOTH: readonly Channel[] = ['sms', 'email']
const patient = (at: number, first_name: string, sms_to: string | null, email_to: string | null) =>
  person({ at, first_name, sms_to, mobile: sms_to, email_to, email: email_to })

it.each([
  ['a text and an email', BOTH, 1],
  ['a text and an email', BOTH, 2],
  ['a text and an email', BOTH, 3],
  ['a text', TEXT, 1],
  ['an email', EMAIL, 1],
])(
  'people who share a number or an address get %s as forecast (%j, at most %i messages)',
  async (_what, channels, messages) => {
    const world = await makeMessagingWorld(server, { locations: 2, cap: { messages, hours: 48 } })
    await addPeople(server, world, [
      patient(0, 'Ann', X, 'ann@mail.example'),
      patient(0, 'Bob', X, 'bob@mail.example'),
      patient(0, 'Cat', Y, 'two@mail.example'),
      patient(1, 'Dan', '+61491570158', 'two@mail.example'),
      patient(1, 'Eve', '+61491570159', 'ann@mail.example'),
      patient(1, 'Fay', '+61491570110', 'fay@mail.example'),
    ])
    await addHistoryOf(server, world.company.id, new Map([['bob@mail.example', 1]]))
    const { became, forecast } = await outcomeOf(world, channels)
    expect(became).toEqual(forecast)
    expect(sum(became)).toBe(6 * channels.length)
  },
)

describe.each([
  ['the first', 0],
  ['the second', 1],
])('if %s of two pharmacies has a stricter frequency limit of its own', (_which, strict) => {
  it.each([
    ['texts and emails', BOTH, { messages: 2, hours: 48 }, { messages: 1, hours: 48 }],
    ['texts and emails', BOTH, { messages: 3, hours: 48 }, { messages: 2, hours: 744 }],
    ['texts', TEXT, { messages: 2, hours: 48 }, { messages: 1, hours: 744 }],
    ['emails', EMAIL, { messages: 3, hours: 48 }, { messages: 2, hours: 744 }],
  ])('%s are sent as forecast (%j; company %j, pharmacy %j)', async (_what, channels, cap, own) => {
    const world = await makeMessagingWorld(server, { locations: 2, cap })
    await setOwnCap(server, world.locations[strict]!.id, own)
    const names = ['Fay', 'New', 'Few', 'Old']
    const people = [0, 1].flatMap((at) => [
      // At both pharmacies: with one number only, and with one address only.
      patient(at, 'Ann', X, 'ann@mail.example'),
      patient(at, 'Bob', Y, `bob${at}@mail.example`),
      patient(at, 'Cat', `+6149157011${at}`, 'cat@mail.example'),
      ...names.map((name, n) => patient(at, name, `+614915702${n}${at}`, `${name}${at}@mail.example`)),
    ])
    await addPeople(server, world, people)
    const had = (name: string, count: number) =>
      new Map([0, 1].flatMap((at): [string, number][] => (count > 0 ? [[`${name}${at}@mail.example`, count]] : [])))
    await addHistoryOf(server, world.company.id, had('New', own.messages))
    await addHistoryOf(server, world.company.id, had('Few', own.messages - 1))
    // Within 744 hours, but not within 48.
    await addHistoryOf(server, world.company.id, had('Old', own.messages), 100)
    const { became, forecast } = await outcomeOf(world, channels)
    expect(became).toEqual(forecast)
    expect(sum(became)).toBe(14 * channels.length)
    expect(became.map(({ reason }) => reason)).toEqual(expect.arrayContaining(['capped', 'goes']))
  })
})

const sum = (outcomes: readonly Outcome[]) => outcomes.reduce((all, { count }) => all + count, 0)

/** Sends a campaign to all people of a world. Returns the forecast of each channel's messages, and their outcome. */
async function outcomeOf(
  world: MessagingWorld,
  channels: readonly Channel[],
): Promise<{ forecast: Outcome[]; became: Outcome[] }> {
  const campaign = await campaignOn(server, world, channels)
  const { ledger, run } = await forecastAndSend(server, server.services, world, campaign)
  return { forecast: forecastOutcomes(ledger), became: await outcomesOf(server, run.id) }
}
