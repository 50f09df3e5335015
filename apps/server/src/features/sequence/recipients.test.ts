import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { storedAs } from '../../../test/field/contacts.ts'
import { makeMessagingWorld, makePatients, type TestPatient } from '../../../test/messaging.ts'
import { FakePhones } from '../../../test/outside/fake-gateway.ts'
import { asOwner } from '../../../test/people.ts'
import { sendAll } from '../../../test/sending.ts'
import { startTestServer, type TestServer } from '../../../test/server.ts'
import {
  afterUploadOf,
  decisionsOf,
  dispense,
  makeDrug,
  makeSequence,
  newMedicine,
  setClock,
  statsOf,
  tickAt,
} from '../../../test/world/sequence-world.ts'
import type { Services } from '../../api/context.ts'
import { inScope } from '../../db/scope.ts'
import { recordConsent } from '../consent/consent-log.queries.ts'
import { advanceRuns } from '../sending/lease.queries.ts'

let server: TestServer
let services: Services

beforeAll(async () => {
  server = await startTestServer()
  services = { ...server.services, sms: new FakePhones().gateway() }
})
afterAll(() => server.close())

type P = TestPatient

async function send(): Promise<void> {
  await advanceRuns(services.pools.system, services.now())
  await sendAll(services, { hand: 50 })
}

describe('recipients of a sequence', () => {
  const consentTo = (place: number, patient: TestPatient, columns: Record<string, string>) =>
    asOwner(
      server,
      `insert into consent (location_id, patient_id, ${Object.keys(columns).join(', ')}) values ($1, $2, ${Object.values(
        columns,
      )
        .map((value) => `'${value}'`)
        .join(', ')})`,
      [place, patient.id],
    )

  it('are those who agreed, on the preferred channel or the other one', async () => {
    const { world, place, patients } = await newMedicine(server, 8)
    const [plain, out, noPhone, nothing, agreed, family, dead, deadBoth] = patients as [P, P, P, P, P, P, P, P]
    await consentTo(place, out, { sms_health_outreach: 'out' })
    await consentTo(place, agreed, { sms_marketing: 'in' })
    await asOwner(server, 'update patient set sms_to = null, mobile_sealed = null where id = any($1)', [
      [noPhone.id, nothing.id],
    ])
    await asOwner(server, 'update patient set email_to = null, email_sealed = null where id = $1', [nothing.id])
    await asOwner(server, 'update patient set sms_to = $1, email_to = null, email_sealed = null where id = $2', [
      await storedAs(server, plain.sms_to),
      family.id,
    ])
    await asOwner(server, 'update patient set sms_gone_at = now() where id = any($1)', [[dead.id, deadBoth.id]])
    await asOwner(server, 'update patient set email_gone_at = now() where id = $1', [deadBoth.id])
    const both = await makeSequence(server, world, [3])
    await asOwner(
      server,
      `update template set email_template = true, subject = 'Hello' where id = (select template_id from follow_up where sequence_id = $1)`,
      [both],
    )
    const texts = await makeSequence(server, world, [3])
    const offers = await makeSequence(server, world, [3], { template: { marketing: true } })
    const asked = await makeSequence(server, world, [3], { marketingConsent: true })
    await afterUploadOf(server, world)
    await tickAt(server, '2026-08-04T00:10:00Z')
    expect(await decisionsOf(server, both)).toEqual([
      '1: sms queued',
      '1: email queued',
      '1: email queued',
      '1: sms skipped no_contact',
      '1: sms queued',
      '1: sms skipped duplicate_contact',
      '1: email queued',
      '1: sms skipped unreachable',
    ])
    expect(await decisionsOf(server, texts)).toEqual([
      '1: sms queued',
      '1: no_consent',
      '1: sms skipped no_contact',
      '1: sms skipped no_contact',
      '1: sms queued',
      '1: sms skipped duplicate_contact',
      '1: sms skipped unreachable',
      '1: sms skipped unreachable',
    ])
    for (const id of [offers, asked]) {
      expect((await decisionsOf(server, id)).filter((one) => one !== '1: no_consent')).toEqual(['1: sms queued'])
      const rows = await asOwner(
        server,
        'select patient_id, rule from message m join message_run r on r.id = m.run_id where r.sequence_id = $1',
        [id],
      )
      expect(rows).toEqual([{ patient_id: agreed.id, rule: 'Marketing: agreed to' }])
    }
  })

  it('who decline health outreach before it is sent get no message that needs both, even if they agreed to offers', async () => {
    const { world, place, patients } = await newMedicine(server, 2)
    for (const one of patients) await consentTo(place, one, { sms_marketing: 'in' })
    const both = await makeSequence(server, world, [3], { template: { marketing: true } })
    const offers = await makeSequence(server, world, [3], { template: { marketing: true } })
    await asOwner(server, 'update sequence set health_outreach_consent = false where id = $1', [offers])
    const byText = await makeSequence(server, world, [3], { marketingConsent: true, healthOutreachConsent: false })
    await afterUploadOf(server, world)
    await tickAt(server, '2026-08-04T00:10:00Z')
    const answers = {
      ...{ health_outreach_sms_consent: false, health_outreach_email_consent: false },
      ...{ marketing_sms_consent: true, marketing_email_consent: false },
    }
    const [who] = patients as [TestPatient]
    const entry = {
      locationId: place,
      patientId: who.id,
      at: services.now(),
      event: { type: 'form', answers },
    } as const
    await inScope(server.services.pools.app, { companyId: world.company.id, locationIds: [place] }, (tx) =>
      recordConsent(tx, { ...entry, wording: 'No to one, yes to the other', source: 'consent page' }, services.now()),
    )
    setClock(server, '2026-08-04T02:00:00Z')
    await send()
    expect(await decisionsOf(server, both)).toEqual(['1: sms skipped opted_out', '1: sms sent'])
    expect(await decisionsOf(server, byText)).toEqual(['1: sms skipped opted_out', '1: sms sent'])
    expect(await decisionsOf(server, offers)).toEqual(['1: sms sent', '1: sms sent'])
  })

  it('who come later in the day get nothing at a number that had the text, and at another get it in its present wording', async () => {
    const { world, place, patients, fresh } = await newMedicine(server, 2)
    const [had, out] = patients as [TestPatient, TestPatient]
    const id = await makeSequence(server, world, [3])
    await afterUploadOf(server, world)
    expect(await tickAt(server, '2026-08-04T00:10:00Z')).toBe(2)
    const stop = { locationId: place, patientId: out.id, at: services.now(), event: { type: 'stop' } } as const
    await world.inside((tx) => recordConsent(tx, { ...stop, wording: 'STOP', source: 'reply' }, services.now()))
    await send()
    const late = await makePatients(server, place, 2, (at) => ({ sms_to: [had, out][at]!.sms_to }))
    const old = await makeDrug(server, place)
    const lines = late.flatMap(({ id: patientId }) => [
      { patientId, drugId: old.id, on: '2024-02-01' },
      { patientId, drugId: fresh.id, on: '2026-08-01' },
    ])
    await dispense(server, place, lines)
    await asOwner(
      server,
      `update template set body = 'Hello {First Name}' where id = (select template_id from follow_up where sequence_id = $1)`,
      [id],
    )
    await afterUploadOf(server, world)
    expect(await tickAt(server, '2026-08-04T02:00:00Z')).toBe(1)
    await send()
    expect(await decisionsOf(server, id)).toEqual([
      '1: sms sent',
      '1: sms skipped opted_out',
      '1: sms skipped duplicate_contact',
      '1: sms sent',
    ])
    const batches = `select b.body, count(*)::int as n from message m join message_batch b on b.id = m.batch_id
      join message_run r on r.id = m.run_id where r.sequence_id = $1 group by b.id, b.body order by b.id`
    expect(await asOwner(server, batches, [id])).toEqual([
      { body: 'Hi {First Name}. {Pharmacy Name}', n: 2 },
      { body: 'Hello {First Name}', n: 2 },
    ])
  })

  it('get one message for several medicines on one day', async () => {
    const { world, place, patients } = await newMedicine(server)
    const other = await makeDrug(server, place)
    await dispense(server, place, [{ patientId: patients[0]!.id, drugId: other.id, on: '2026-08-01' }])
    const id = await makeSequence(server, world, [3])
    expect(await afterUploadOf(server, world)).toBe(2)
    expect(await tickAt(server, '2026-08-04T00:10:00Z')).toBe(1)
    expect(await decisionsOf(server, id)).toEqual(['1: sms queued', '1: sms queued'])
    // Collecting one of the two leaves the reminder of the other.
    await dispense(server, place, [{ patientId: patients[0]!.id, drugId: other.id, on: '2026-08-04' }])
    await afterUploadOf(server, world)
    await send()
    expect(await statsOf(server, world, id)).toMatchObject({ num_messaged: 1, sms: 1, cost: 0.12 })
  })

  it('have not responded by the supply that started it, if they are texted on that day', async () => {
    const { world, place, patients, fresh } = await newMedicine(server, 2)
    const id = await makeSequence(server, world, [0])
    setClock(server, '2026-07-31T23:00:00Z')
    expect(await afterUploadOf(server, world)).toBe(2)
    expect(await tickAt(server, '2026-08-01T00:10:00Z')).toBe(2)
    await send()
    setClock(server, '2026-08-20T00:00:00Z')
    await afterUploadOf(server, world)
    expect(await statsOf(server, world, id)).toMatchObject({ num_messaged: 2, num_responded: 0 })
    await dispense(server, place, [{ patientId: patients[1]!.id, drugId: fresh.id, on: '2026-08-15' }])
    await afterUploadOf(server, world)
    expect(await statsOf(server, world, id)).toMatchObject({ num_messaged: 2, num_responded: 1 })
  })

  it('have responded if they come on the day a repeat is due and they are texted', async () => {
    const { world, place, patients } = await newMedicine(server)
    const drug = await makeDrug(server, place)
    const patientId = patients[0]!.id
    // Lasts to 31 August: five days before is 26 August.
    await dispense(server, place, [{ patientId, drugId: drug.id, on: '2026-08-01', k: 1, repeats: 5 }])
    const id = await makeSequence(server, world, [0], { event: 'refill_due' })
    setClock(server, '2026-08-25T23:00:00Z')
    expect(await afterUploadOf(server, world)).toBe(1)
    expect(await tickAt(server, '2026-08-26T00:10:00Z')).toBe(1)
    await send()
    await dispense(server, place, [{ patientId, drugId: drug.id, on: '2026-08-26', k: 2, repeats: 5 }])
    setClock(server, '2026-08-27T00:00:00Z')
    await afterUploadOf(server, world)
    expect(await statsOf(server, world, id)).toMatchObject({ num_messaged: 1, num_responded: 1 })
  })

  it('are followed up in the pharmacy’s time zone, across a clock change', async () => {
    const world = await makeMessagingWorld(server, { locations: 2 })
    const zones = ['Australia/Melbourne', 'Australia/Perth']
    const ids: number[] = []
    for (const [at, place] of world.locations.entries()) {
      await asOwner(server, 'update location set time_zone = $1 where id = $2', [zones[at], place.id])
      const [patient] = await makePatients(server, place.id, 1)
      const [old, drug] = [await makeDrug(server, place.id), await makeDrug(server, place.id)]
      await dispense(server, place.id, [
        { patientId: patient!.id, drugId: old.id, on: '2024-02-01' },
        { patientId: patient!.id, drugId: drug.id, on: '2026-10-01' },
      ])
      setClock(server, '2026-10-01T12:00:00Z')
      // Clocks go forward in Melbourne on 4 October 2026.
      ids.push(await makeSequence(server, world, [2, 4], { at }))
      await afterUploadOf(server, world, at, zones[at])
    }
    const next = async () =>
      (
        await asOwner<{ at: Date | null }>(
          server,
          'select next_at as at from enrolment where sequence_id = any($1) order by sequence_id',
          [ids],
        )
      ).map((row) => row.at?.toISOString() ?? null)
    expect(await next()).toEqual(['2026-10-03T00:00:00.000Z', '2026-10-03T02:00:00.000Z'])
    expect(await tickAt(server, '2026-10-03T00:00:00Z')).toBe(1)
    expect(await tickAt(server, '2026-10-03T02:00:00Z')).toBe(1)
    expect(await next()).toEqual(['2026-10-04T23:00:00.000Z', '2026-10-05T02:00:00.000Z'])
    expect(await tickAt(server, '2026-10-04T23:00:00Z')).toBe(1)
    expect(await tickAt(server, '2026-10-05T02:00:00Z')).toBe(1)
    expect(await next()).toEqual([null, null])
  })

  /**
   * A patient with a waiting message, whose medicine was collected and who began a second one: closed from Tuesday, 4 August, to Thursday
   * morning.
   */
  async function secondMedicine() {
    const week = [[540, 1200], null, null, [540, 1200], [540, 1200], null, null] as const
    const { world, place, patients, fresh } = await newMedicine(server, 1, { week: [...week] })
    const id = await makeSequence(server, world, [3])
    await afterUploadOf(server, world)
    expect(await tickAt(server, '2026-08-04T00:10:00Z')).toBe(1)
    const second = await makeDrug(server, place)
    await dispense(server, place, [
      { patientId: patients[0]!.id, drugId: fresh.id, on: '2026-08-05' },
      { patientId: patients[0]!.id, drugId: second.id, on: '2026-08-01' },
    ])
    setClock(server, '2026-08-05T12:00:00Z')
    return { world, place, id }
  }

  it('are messaged for a second medicine if the message was cancelled because the first was collected', async () => {
    const { world, id } = await secondMedicine()
    expect(await afterUploadOf(server, world)).toBe(1)
    expect(await tickAt(server, '2026-08-05T12:01:00Z')).toBe(1)
    setClock(server, '2026-08-05T23:30:00Z')
    await send()
    expect(await decisionsOf(server, id)).toEqual(['1: sms sent', '1: sms sent'])
    expect(await statsOf(server, world, id)).toMatchObject({ num_messaged: 1, sms_sent: 1, cost: 0.12 })
  })

  it('have no message from a stopped batch for a second medicine, and its run ends', async () => {
    const { world, place } = await secondMedicine()
    await afterUploadOf(server, world)
    const ours = 'where location_id = $1'
    await asOwner(server, `update message_batch set stopped_at = now(), next_at = null ${ours}`, [place])
    expect(await tickAt(server, '2026-08-05T12:01:00Z')).toBe(0)
    setClock(server, '2026-08-05T23:30:00Z')
    await send()
    expect(await asOwner(server, `select next_at from message_batch ${ours}`, [place])).toEqual([{ next_at: null }])
    expect(await asOwner(server, `select state, reason from message ${ours}`, [place])).toEqual([
      { state: 'skipped', reason: 'goal_reached' },
    ])
  })
})
