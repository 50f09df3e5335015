import { Filters } from '@pillar/contract/campaign/cohort'
import { day, formatDay } from '@pillar/domain/time/day'
import type { Country } from '@pillar/domain/time/locale'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type MessagingWorld, makeMessagingWorld } from '../../../test/messaging.ts'
import { asOwner } from '../../../test/people.ts'
import { startTestServer, type TestServer } from '../../../test/server.ts'
import { addPeople, person } from '../../../test/world/cohort-world.ts'
import { cohortOf } from '../cohort/cohort-question.ts'
import { copyConsent } from '../cohort/fact/fact-consent.queries.ts'
import { forecastCohort } from '../cohort/forecast.ts'
import type { CampaignText } from '../template/text.queries.ts'

let server: TestServer
let world: MessagingWorld
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

const TEXT: CampaignText = {
  ...{ id: 0, uuid: '0', name: 'A text', body: 'Hi {First Name}.', subject: null },
  ...{ sms_template: true, email_template: false, message_kind: 'health_outreach' },
}

/** The forecast of a text to the people with these filters; `today` is the day at each pharmacy, in order. */
const forecast = (filters: object, today: readonly number[] = [], text = TEXT, country: Country = 'AU') =>
  world.inside(async (tx) => {
    const { now, pools } = server.services
    const cohort = await cohortOf(tx, {
      ...{ locationIds: world.scope.locationIds, filters: Filters.parse(filters), texts: [text], noHoldout: true },
      ...{ campaignId: null, country, now: now(), system: pools.system },
    })
    const { locations } = cohort.question
    const moved = locations.map((one, at) => ({ ...one, today: today[at] ?? one.today }))
    return forecastCohort(tx, server.services, { ...cohort, question: { ...cohort.question, locations: moved } })
  })

const texted = (at: number, number: number, more: object = {}) =>
  person({ at, mobile: '+614', sms_to: `+6140000010${number}`, ...more })

describe('who is selected', () => {
  it('goes by age on each pharmacy’s own day', async () => {
    world = await makeMessagingWorld(server, { locations: 2 })
    const [here, there] = [day('2026-11-20'), day('2026-11-21')]
    const years = (count: number, of: number) => `${2026 - count}${formatDay(of).slice(4)}`
    await addPeople(server, world, [
      ...[texted(0, 0, { born: years(75, here) }), texted(1, 1, { born: years(75, here) })],
      ...[texted(0, 2, { born: years(65, here) }), texted(1, 3, { born: years(65, there) })],
      ...[texted(0, 4, { born: years(65, there) }), texted(1, 5, { born: years(75, there) })],
    ])
    const { pharmacies } = await forecast({ age: ['65-74'] }, [here, there])
    const selectedAt = (at: number) =>
      pharmacies.find(({ pharmacy_id }) => pharmacy_id === world.locations[at]!.uuid)?.selected
    expect([selectedAt(0), selectedAt(1)]).toEqual([1, 1])
  })

  it('goes by miles where people measure in them', async () => {
    world = await makeMessagingWorld(server)
    const far = [8, 8.1, 32, 32.1, 32.2]
    await addPeople(
      server,
      world,
      far.map((distance_km, at) => texted(0, at, { distance_km })),
    )
    const selected = async (country: Country) =>
      (await forecast({ distance_from_store: ['5-20'] }, [], TEXT, country)).selected
    expect([await selected('AU'), await selected('US')]).toEqual([2, 3])
  })
})

describe('what holds a text back', () => {
  it('an opt-out in the dispensing system does, until the log has it: somebody who agreed after that is texted', async () => {
    world = await makeMessagingWorld(server)
    const agreed = {
      ...{ sms_health_outreach: 'in', sms_marketing: 'unknown' },
      ...{ email_health_outreach: 'unknown', email_marketing: 'unknown' },
    }
    const out = (number: number) => texted(0, number, { sms_opt_out: true, consent: agreed })
    const [first] = await addPeople(server, world, [out(0), out(1)])
    await asOwner(server, 'update consent set imported_sms_opt_out = true where patient_id = $1', [first])
    await world.inside((tx) => copyConsent(tx, world.locations[0]!.id, [first!]))
    const { will_receive, reasons } = await forecast({})
    expect([will_receive, reasons]).toEqual([1, [expect.objectContaining({ reason: 'opted_out', count: 1 })]])
  })
})

it('a text with both names counts each of their letters: 160 are one part, 161 are two', async () => {
  world = await makeMessagingWorld(server)
  await addPeople(server, world, [texted(0, 0)])
  // 'Hi Ines Moran' has 13 letters, the line about STOP 22.
  const parts = async (more: number) => {
    const body = `Hi {First Name} {Last Name}${'x'.repeat(more)}`
    return (await forecast({}, [], { ...TEXT, body })).channels[0]!.parts
  }
  expect([await parts(125), await parts(126)]).toEqual([1, 2])
})
