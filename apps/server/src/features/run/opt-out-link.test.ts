import { countSms } from '@pillar/domain/message/sms-text'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { consentRow, logOf } from '../../../test/consent.ts'
import { freshMobile, makeCampaign, makeMessagingWorld, makeTemplate, statesOf } from '../../../test/messaging.ts'
import { FakePhones } from '../../../test/outside/fake-gateway.ts'
import { asOwner } from '../../../test/people.ts'
import { forecastAndSend } from '../../../test/sending.ts'
import { startTestServer, type TestServer } from '../../../test/server.ts'
import { addPeople, person } from '../../../test/world/cohort-world.ts'
import type { Services } from '../../api/context.ts'

let server: TestServer
let services: Services
const phones = new FakePhones()
const NUMBER = '+61 488 000 123'
const NAMES = ['Ines', 'Jo', null, 'Maximilian Bartholomew', 'Zofië', 'R[x]', '王']
// Around the part limit with the link, well below it without.
const BODY =
  'Hi {First Name}, your next repeat is due at {Pharmacy Name}. Drop in, or reply to {Pharmacy Number}. {Consent ID}'

beforeAll(async () => {
  server = await startTestServer()
  services = { ...server.services, sms: phones.gateway() }
})
afterAll(() => server.close())

const open = (url: string) => server.call(`/api/validate-unsubscribe/${url.slice(url.lastIndexOf('/') + 1)}`)

it('a campaign from numbers and names sends exactly the forecast parts', async () => {
  const world = await makeMessagingWorld(server, { locations: 3 })
  const [, numbered, named] = world.locations
  await asOwner(server, 'update location set sms_sender = $1 where id = $2', [NUMBER, numbered!.id])
  await asOwner(server, `update location set sms_sender = 'SALTBUSH' where id = $1`, [named!.id])
  const shared = freshMobile()
  const people = [0, 1, 2].flatMap((at) =>
    NAMES.map((first_name) => {
      const sms_to = first_name === 'Jo' && at === 2 ? shared : freshMobile()
      return person({ at, first_name, sms_to, mobile: sms_to })
    }),
  )
  const ids = await addPeople(server, world, people)
  const template = await makeTemplate(server, world.company.id, { body: BODY })
  const { locationIds } = world.scope
  const campaign = await makeCampaign(server, world.company.id, { locationIds, templateIds: [template.id] })
  const { ledger, run } = await forecastAndSend(server, services, world, campaign)
  // The forecast shows links at full length, not their fields.
  expect(ledger.samples.map(({ text }) => /http/.test(text) && !/[{}]/.test(text))).toEqual([true])
  expect(await statesOf(server, run.id)).toEqual({ sent: people.length })

  const texts = [...phones.accepted.values()]
  const senders = [null, NUMBER, 'SALTBUSH']
  for (const [at, location] of world.locations.entries()) {
    const sent = texts.filter((text) => text.from === senders[at])
    expect(sent).toHaveLength(NAMES.length)
    const parts = sent.reduce((sum, { text }) => sum + countSms(text).parts, 0)
    expect(ledger.pharmacies.find((one) => one.pharmacy_id === location.uuid)).toMatchObject({
      parts,
      cents: parts * 12,
      unverified_sender: at === 2 ? 'SALTBUSH' : null,
      blank_fields: ['pharmacy_number'],
    })
    const [billed] = await asOwner<{ parts: number }>(
      server,
      'select sum(parts)::int as parts from message where run_id = $1 and location_id = $2',
      [run.id, location.id],
    )
    expect(billed!.parts).toBe(parts)
    for (const { text } of sent) {
      expect(text).toMatch(
        at === 2 ? /\nOpt out at http:\/\/localhost:3000\/u\/[\w-]{25}[AQgw]$/ : /\nReply STOP to opt out$/,
      )
      expect(text).not.toContain('{')
    }
  }
  const plain = ledger.pharmacies.find((one) => one.pharmacy_id === numbered!.uuid)!
  const linked = ledger.pharmacies.find((one) => one.pharmacy_id === named!.uuid)!
  expect(linked.parts).toBeGreaterThan(plain.parts)

  // Each text has its own link, which stops texts to that number.
  const links = texts.flatMap(({ to, text }) => {
    const link = /Opt out at (\S+)$/.exec(text)?.[1]
    return link ? [{ to, link }] : []
  })
  expect(new Set(links.map((one) => one.link)).size).toBe(NAMES.length)
  const { link } = links.find((one) => one.to === shared)!
  expect((await open(link)).body).toMatchObject({
    channel: 'sms',
    opt_out_status: false,
    location: { name: named!.name },
  })
  expect((await server.call(`/api/unsubscribe/${link.slice(link.lastIndexOf('/') + 1)}`)).status).toBe(200)
  const patient = { id: ids[people.findIndex((one) => one.sms_to === shared)]!, locationId: named!.id }
  const who = { ...patient, sms_to: shared, email_to: null }
  expect(await consentRow(server, who)).toMatchObject({ sms_health_outreach: 'out', sms_marketing: 'out' })
  expect(await logOf(server, who)).toMatchObject([{ type: 'stop', source: 'unsubscribe page', contact: shared }])
  expect((await open(links.find((one) => one.to !== shared)!.link)).body.opt_out_status).toBe(false)
})

it('a campaign in the United States warns of senders that are names, which no phone network there delivers', async () => {
  const world = await makeMessagingWorld(server, { locations: 2 })
  const { company, scope } = world
  await asOwner(server, `update company set country = 'US' where id = $1`, [company.id])
  await asOwner(
    server,
    `update location set country = 'US', sms_sender = case id when $2 then '+12025550123' else 'CORNERDRUG' end where company_id = $1`,
    [company.id, scope.locationIds[0]],
  )
  await addPeople(
    server,
    world,
    [0, 1].map((at) => person({ at, sms_to: freshMobile() })),
  )
  const refusedOf = async (more: { email?: boolean }) => {
    const template = await makeTemplate(server, company.id, { body: 'Hi {First Name}', ...more })
    const asked = { locationIds: scope.locationIds, templateIds: [template.id] }
    const campaign = await makeCampaign(server, company.id, asked)
    const { ledger } = await forecastAndSend(server, services, world, campaign)
    return world.locations.map(({ uuid }) => ledger.pharmacies.find((one) => one.pharmacy_id === uuid)!.refused_sender)
  }
  expect(await refusedOf({})).toEqual([null, 'CORNERDRUG'])
  expect(await refusedOf({ email: true })).toEqual([null, null])
})
