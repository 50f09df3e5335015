import { contract } from '@pillar/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { storedAs } from '../../../test/field/contacts.ts'
import {
  freshMobile,
  type MessagingWorld,
  makeCampaign,
  makeMessagingWorld,
  makeTemplate,
} from '../../../test/messaging.ts'
import { FakePhones } from '../../../test/outside/fake-gateway.ts'
import { asOwner, dump, fresh, makeLogin, signIn } from '../../../test/people.ts'
import { sendAll } from '../../../test/sending.ts'
import { startTestServer, type TestServer } from '../../../test/server.ts'
import { confirmAs } from '../../../test/staff-contact.ts'
import { makeSupport, type Support } from '../../../test/support.ts'
import type { Services } from '../../api/context.ts'
import { insertGatewayEvents } from '../../gateways/gateway-event.queries.ts'
import { processEvents } from '../inbound/events.ts'

const { list, add, remove, test: testCall, campaigns } = contract.fakePatient
let server: TestServer
let support: Support
let world: MessagingWorld
let phones: FakePhones
let services: Services

beforeAll(async () => {
  server = await startTestServer()
  phones = new FakePhones()
  services = { ...server.services, sms: phones.gateway() }
})
afterAll(() => server.close())
beforeEach(async () => {
  server.clock.offsetMs = 0
  support = await makeSupport(server)
  world = await makeMessagingWorld(server, { cap: { messages: 1, hours: 744 }, week: NEVER })
})

/** Quiet hours all week: anything sent all the same is exempt from them. */
const NEVER = Array.from({ length: 7 }, () => null)
const first = () => world.locations[0]!
const person = (more: object = {}) => ({
  ...{ id: -48213, first_name: 'Testa', last_name: 'Person', age: 40, sex: 'Female' as const },
  ...{ mobile: '', email: '', adherence_level: 3 },
  ...more,
})
const given = (patient: object) => support.ask(add, { id: first().uuid, patient: patient as never })

/** Confirms a number as the support person's own. */
const confirm = (number: string, who = support) => confirmAs(who, server, number)
/** Adds a fake patient with a confirmed number. @returns the number */
async function reachable(mobile = freshMobile()): Promise<string> {
  await confirm(mobile)
  await given(person({ mobile }))
  return mobile
}
const textsTo = (number: string) => [...phones.accepted.values()].filter(({ to }) => to === number)

describe('fake patients', () => {
  it('are added, listed with every field, and removed', async () => {
    const number = freshMobile()
    await confirm(number)
    const added = await given(
      person({
        mobile: number,
        medicare: '0000000000',
        dva: 'NX1',
        address: '4 Canary Lane',
        total_scripts: 9,
        leaked_scripts: 2,
        email_nocontact_reason: 'opted_out',
      }),
    )
    expect(added.status).toBe(200)
    const { body } = await support.ask(list, { id: first().uuid })
    expect(body.fake_patient_list).toEqual([added.body])
    expect(body.fake_patient_list[0]).toMatchObject({
      ...{ id: -48213, first_name: 'Testa', last_name: 'Person', age: 40, sex: 'Female', mobile: number },
      ...{
        adherence_level: 3,
        loyalty_level: 5,
        total_scripts: 9,
        leaked_scripts: 2,
        medicare: '0000000000',
        dva: 'NX1',
        address: '4 Canary Lane',
      },
      ...{ sms_reachable: true, email_reachable: false, email_nocontact_reason: 'opted_out' },
    })
    const everything = await dump(server)
    for (const plain of ['0000000000', 'NX1', 'Canary']) expect(everything).not.toContain(plain)
    await given(person({ id: -2 }))
    const some = await support.ask(list, { id: first().uuid, patient_ids: [-2, -3] })
    expect(some.body.fake_patient_list.map(({ id }) => id)).toEqual([-2])
    const all = await support.ask(list, { id: first().uuid, patient_ids: [] })
    expect(all.body.fake_patient_list).toHaveLength(2)
    expect(await given(person({ id: -2 }))).toMatchObject({
      status: 409,
      body: { message: 'There is already a fake patient with the id -2. Please refresh the id.' },
    })
    expect((await support.ask(remove, { id: first().uuid, patient_ids: [-2, -48213] })).body).toEqual({ removed: 2 })
    expect((await support.ask(list, { id: first().uuid })).body.fake_patient_list).toEqual([])
    expect((await support.ask(remove, { id: first().uuid, patient_ids: [-2] })).status).toBe(404)
    expect(await asOwner(server, 'select 1 from patient where location_id = $1', [first().id])).toEqual([])
  })

  it('cannot have a number that the support person has not confirmed', async () => {
    const [own, other] = [freshMobile(), freshMobile()]
    await confirm(own, await makeSupport(server))
    for (const mobile of [own, other]) {
      expect(await given(person({ mobile }))).toMatchObject({
        status: 422,
        body: {
          message: 'Please confirm this mobile number as your own first, or leave it empty. Nobody else is messaged.',
        },
      })
    }
    for (const other of [{ email: 'someone@mail.example' }, { mobile: 'none' }])
      expect((await given(person(other))).status).toBe(422)
    expect((await support.ask(list, { id: first().uuid })).body.fake_patient_list).toEqual([])
  })

  it('refuse values out of bounds, in sentences', async () => {
    for (const id of [0, 1, -1_000_000]) expect((await given(person({ id }))).status).toBe(422)
    for (const level of [0, 6]) expect((await given(person({ loyalty_level: level }))).status).toBe(422)
    expect((await given(person({ first_name: ' ' }))).body.message).toBe('Please enter a first name.')
    expect((await given(person({ medicare: '2123456701' }))).status).toBe(422)
  })

  it('are removed separately: the id of a real patient removes nobody', async () => {
    await asOwner(
      server,
      `insert into patient (location_id, source, source_id, first_name) values ($1, 'canonical', '-48213', 'Real')`,
      [first().id],
    )
    await given(person())
    await support.ask(remove, { id: first().uuid, patient_ids: [-48213] })
    const left = await asOwner(server, 'select first_name from patient where location_id = $1', [first().id])
    expect(left).toEqual([{ first_name: 'Real' }])
  })

  it('are open to support only, and the company’s log records each act', async () => {
    await given(person())
    await support.ask(remove, { id: first().uuid, patient_ids: [-48213] })
    const log = await asOwner(server, 'select action, login_id from audit where company_id = $1 order by id', [
      world.company.id,
    ])
    expect(log).toEqual([
      { action: 'fakePatient.add', login_id: support.login.id },
      { action: 'fakePatient.remove', login_id: support.login.id },
    ])
    const { bearer } = await signIn(server, await makeLogin(server, world.company.id, { flags: ['data_analytics'] }))
    expect((await server.call(list.path, { id: first().uuid }, bearer)).status).toBe(403)
  })
})

describe('a test', () => {
  let campaign: { uuid: string; id: number }
  beforeEach(async () => {
    const template = await makeTemplate(server, world.company.id, {
      body: 'Hi {First Name}, this is {Pharmacy Name}.',
      marketing: true,
    })
    campaign = await makeCampaign(server, world.company.id, {
      name: 'Flu shots',
      locationIds: [first().id],
      templateIds: [template.id],
    })
  })
  const send = () => support.ask(testCall, { id: first().uuid, campaign_id: campaign.uuid })
  const ledger = () =>
    asOwner(server, 'select state, reason, fake, contact from message where location_id = $1 order by id', [first().id])

  it('goes through the ledger to confirmed numbers, at any hour, marked fake; the campaign is untouched', async () => {
    const number = await reachable()
    await given(person({ id: -2, mobile: number, sms_nocontact_reason: 'opted_out' }))
    await given(person({ id: -3 }))
    expect((await support.ask(campaigns, { id: first().uuid })).body.campaigns).toEqual([
      { campaign_id: campaign.uuid, name: 'Flu shots' },
    ])
    const before = await asOwner(server, 'select * from campaign where id = $1', [campaign.id])
    expect((await send()).body).toMatchObject({ queued: 1, held_back: 2 })
    await sendAll(services)
    expect(textsTo(number).map(({ text }) => text)).toEqual([expect.stringContaining('Hi Testa, this is')])
    const rows = await ledger()
    expect(rows).toHaveLength(3)
    expect(rows.map(({ state, reason, fake }) => [state, reason, fake])).toEqual(
      expect.arrayContaining([
        ['sent', null, true],
        ['skipped', 'opted_out', true],
        ['skipped', 'no_contact', true],
      ]),
    )
    expect(await asOwner(server, 'select * from campaign where id = $1', [campaign.id])).toEqual(before)
    expect(await asOwner(server, 'select 1 from message_run where campaign_id = $1', [campaign.id])).toEqual([])
    // It does not use up the frequency limit of the number.
    expect(
      await asOwner(server, 'select 1 from contact_history where contact = $1', [await storedAs(server, number)]),
    ).toEqual([])
    const info = await support.ask(contract.runAdmin.info, { location_id: first().uuid })
    expect(info.body.message_batches).toMatchObject([{ fake_patients: 3, message_context: 'test' }])
    // Each test is a separate run.
    expect((await send()).body.queued).toBe(1)
    await sendAll(services)
    expect(textsTo(number)).toHaveLength(2)
  })

  it('reaches nobody once the confirmation has expired, the person is disabled, or the number differs', async () => {
    const number = await reachable()
    const holds = async (what: string, undo: string) => {
      expect((await send()).body.queued).toBe(1)
      await asOwner(server, what)
      await sendAll(services)
      expect((await ledger()).at(-1)).toMatchObject({ state: 'skipped' })
      await asOwner(server, undo)
    }
    const mine = `where login_id = ${support.login.id}`
    await holds(
      `update staff_contact set expires_at = now() - interval '1 second' ${mine}`,
      `update staff_contact set expires_at = now() + interval '1 day' ${mine}`,
    )
    await holds(
      `update login set disabled_at = now() where id = ${support.login.id}`,
      `update login set disabled_at = null where id = ${support.login.id}`,
    )
    await holds(
      `update login set sr_login = false where id = ${support.login.id}`,
      `update login set sr_login = true where id = ${support.login.id}`,
    )
    await holds(
      `update patient set sms_to = '${await storedAs(server, freshMobile())}' where location_id = ${first().id}`,
      `update patient set sms_to = '${await storedAs(server, number)}' where location_id = ${first().id}`,
    )
    expect(textsTo(number)).toEqual([])
    server.clock.offsetMs = 31 * 86_400_000
    const asked = await makeSupport(server)
    const late = await asked.ask(testCall, { id: first().uuid, campaign_id: campaign.uuid })
    expect(late.body).toMatchObject({ queued: 0, held_back: 1 })
  })

  it('is no marketing text for a patient who declined marketing on the form', async () => {
    const number = await reachable()
    const no = `insert into consent (location_id, patient_id, sms_health_outreach, sms_marketing)
                select location_id, id, 'in', 'out' from patient where location_id = $1`
    await asOwner(server, no, [first().id])
    await send()
    await sendAll(services)
    expect([textsTo(number), await ledger()]).toMatchObject([[], [{ state: 'skipped', reason: 'opted_out' }]])
  })

  it('cannot be turned into a text to a real patient', async () => {
    const number = await reachable()
    await send()
    await asOwner(server, 'update patient set fake = false where location_id = $1', [first().id])
    await asOwner(server, 'update message set fake = false where location_id = $1', [first().id])
    await sendAll(services)
    expect(textsTo(number)).toEqual([])
    expect(await ledger()).toMatchObject([{ state: 'skipped', reason: 'test_patient' }])
  })

  it('is limited to 50 messages a pharmacy in 24 hours', async () => {
    const mobile = await reachable()
    for (let id = -1; id >= -25; id--) await given(person({ id, mobile }))
    expect((await send()).body.queued).toBe(26)
    const more = await send()
    expect([more.status, more.body.message]).toEqual([
      429,
      'A pharmacy’s fake patients get at most 50 test messages in 24 hours. Nothing was sent.',
    ])
    expect(await ledger()).toHaveLength(26)
  })

  it('says what is missing', async () => {
    expect((await send()).body.message).toBe('This pharmacy has no fake patient. Please add one first.')
    const other = await makeCampaign(server, world.company.id, { locationIds: [] })
    const elsewhere = await support.ask(testCall, { id: first().uuid, campaign_id: other.uuid })
    expect([elsewhere.status, elsewhere.body.message]).toEqual([404, 'That campaign was not found at this pharmacy.'])
  })

  it('replies reach no head office, and a STOP is respected', async () => {
    const number = await reachable()
    await send()
    await sendAll(services)
    const reply = async (text: string) => {
      const to = textsTo(number)[0]!.from ?? '+61400000000'
      const event = { kind: 'reply', from: number, to, text, at: new Date().toISOString(), id: fresh('e') }
      await insertGatewayEvents(services.pools.system, services.keys, 'fake', [event as never])
      await processEvents(services)
    }
    await reply('Thanks, got it')
    await reply('STOP')
    expect(await asOwner(server, 'select 1 from message_reply where location_id = $1', [first().id])).toEqual([])
    // The answer to the STOP is a test too: no report of the pharmacy counts it.
    expect((await ledger()).map(({ fake }) => fake)).toEqual([true, true])
    await send()
    await sendAll(services)
    expect((await ledger()).at(-1)).toMatchObject({ state: 'skipped', reason: 'opted_out' })
  })
})
