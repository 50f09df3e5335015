import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { TestPatient } from '../../../test/messaging.ts'
import { asOwner } from '../../../test/people.ts'
import { startTestServer, type TestServer } from '../../../test/server.ts'
import {
  afterUploadOf,
  decisionsOf,
  dispense,
  makeDrug,
  makeSequence,
  newMedicine,
  setClock,
  tickAt,
  timeLine,
} from '../../../test/world/sequence-world.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

/** Closed from Tuesday, 4 August, to Thursday morning. */
const WEEK = [[540, 1200], null, null, [540, 1200], [540, 1200], null, null] as const

const changeScripts = (place: number, drug: number, change: string) =>
  asOwner(server, `update script set ${change} where location_id = $1 and drug_id = $2`, [place, drug])

describe('a follow-up whose event the record no longer shows', () => {
  it('is not sent: the script was reversed, because it was of somebody else', async () => {
    const { world, place, patients, fresh } = await newMedicine(server, 2)
    const id = await makeSequence(server, world, [3, 20])
    expect(await afterUploadOf(server, world)).toBe(2)
    await asOwner(server, 'update script set reversed = true where patient_id = $1 and drug_id = $2', [
      patients[0]!.id,
      fresh.id,
    ])
    setClock(server, '2026-08-02T20:00:00Z')
    expect(await afterUploadOf(server, world)).toBe(0)
    expect(await tickAt(server, '2026-08-04T00:00:30Z')).toBe(1)
    const messages = await asOwner(server, 'select patient_id from message where location_id = $1', [place])
    expect(messages).toEqual([{ patient_id: patients[1]!.id }])
    expect(await timeLine(server, world, id)).toMatchObject({ started: 1, in_progress: 1 })
  })

  it('is taken back while it waits for an hour, and the next one is not written', async () => {
    const { world, place, fresh } = await newMedicine(server, 1, { week: [...WEEK] })
    const id = await makeSequence(server, world, [3, 20])
    await afterUploadOf(server, world)
    expect(await tickAt(server, '2026-08-04T00:10:00Z')).toBe(1)
    await changeScripts(place, fresh.id, 'reversed = true')
    await afterUploadOf(server, world)
    expect(await decisionsOf(server, id)).toEqual(['1: sms skipped event_gone'])
    await tickAt(server, '2026-08-21T01:00:00Z')
    expect(await decisionsOf(server, id)).toHaveLength(1)
    expect(await timeLine(server, world, id)).toMatchObject({
      ...{ started: 1, in_progress: 0, completed: 1, ended: 0 },
      steps: [
        { skipped: 1, reasons: [{ reason: 'event_gone' }] },
        { skipped: 1, reasons: [{ reason: 'event_gone' }] },
      ],
    })
  })

  it('still covers another medicine of that day', async () => {
    const { world, place, patients, fresh } = await newMedicine(server, 1, { week: [...WEEK] })
    const [anne] = patients as [TestPatient]
    const second = await makeDrug(server, place)
    await dispense(server, place, [{ patientId: anne.id, drugId: second.id, on: '2026-08-01' }])
    const id = await makeSequence(server, world, [3])
    expect(await afterUploadOf(server, world)).toBe(2)
    expect(await tickAt(server, '2026-08-04T00:10:00Z')).toBe(1)
    await changeScripts(place, fresh.id, 'reversed = true')
    await afterUploadOf(server, world)
    expect(await decisionsOf(server, id)).toEqual(['1: sms queued', '1: sms queued'])
    await changeScripts(place, second.id, 'reversed = true')
    await afterUploadOf(server, world)
    expect(await decisionsOf(server, id)).toEqual(['1: sms skipped event_gone', '1: sms skipped event_gone'])
    // A third medicine of the same day needs the text after all.
    const third = await makeDrug(server, place)
    await dispense(server, place, [{ patientId: anne.id, drugId: third.id, on: '2026-08-01' }])
    expect(await afterUploadOf(server, world)).toBe(1)
    expect(await tickAt(server, '2026-08-04T00:12:00Z')).toBe(1)
    expect((await decisionsOf(server, id)).at(-1)).toBe('1: sms queued')
  })
})

/** A patient of a medicine for 30 days, with repeats, since 2 June 2026: used up on 2 July, overdue on 9 July. */
async function overdue() {
  const { world, place, patients } = await newMedicine(server)
  const [anne] = patients as [TestPatient]
  const medicine = await makeDrug(server, place)
  const paper = { k: 1, repeats: 5, prescribedOn: '2026-06-01' }
  await dispense(server, place, [{ patientId: anne.id, drugId: medicine.id, on: '2026-06-02', ...paper }])
  const id = await makeSequence(server, world, [3], { event: 'refill_overdue' })
  setClock(server, '2026-07-09T10:00:00Z')
  expect(await afterUploadOf(server, world)).toBe(1)
  return { world, place, anne, medicine, id }
}

describe('a reminder of an overdue repeat', () => {
  it('is not sent after a file that came late shows that it was collected before', async () => {
    const { world, place, anne, medicine } = await overdue()
    await dispense(server, place, [{ patientId: anne.id, drugId: medicine.id, on: '2026-07-08', k: 2, repeats: 5 }])
    await afterUploadOf(server, world)
    expect(await tickAt(server, '2026-07-12T01:00:00Z')).toBe(0)
  })

  it('is not sent once the prescription was ceased', async () => {
    const { world, place } = await overdue()
    await asOwner(server, `update prescription set ceased_on = '2026-07-07' where location_id = $1`, [place])
    setClock(server, '2026-07-10T10:00:00Z')
    await afterUploadOf(server, world)
    expect(await tickAt(server, '2026-07-12T01:00:00Z')).toBe(0)
  })

  it('comes on the right day after the days of the pack were corrected', async () => {
    const { world, place, medicine, id } = await overdue()
    await changeScripts(place, medicine.id, 'days_supply = 60')
    await afterUploadOf(server, world)
    expect(await tickAt(server, '2026-07-12T01:00:00Z')).toBe(0)
    setClock(server, '2026-08-08T10:00:00Z')
    expect(await afterUploadOf(server, world)).toBe(1)
    expect(await tickAt(server, '2026-08-11T01:00:00Z')).toBe(1)
    expect(await decisionsOf(server, id)).toEqual(['1: sms queued'])
  })

  it('is sent if the record shows its event again, and once', async () => {
    const { world, place, medicine, id } = await overdue()
    await changeScripts(place, medicine.id, 'days_supply = 60')
    await afterUploadOf(server, world)
    await changeScripts(place, medicine.id, 'days_supply = 30')
    expect(await afterUploadOf(server, world)).toBe(1)
    expect(await afterUploadOf(server, world)).toBe(0)
    expect(await tickAt(server, '2026-07-12T01:00:00Z')).toBe(1)
    expect(await tickAt(server, '2026-07-12T01:01:00Z')).toBe(0)
    expect(await decisionsOf(server, id)).toEqual(['1: sms queued'])
  })

  it('is sent although its day moved, as long as it has come', async () => {
    const { world, place, medicine } = await overdue()
    await changeScripts(place, medicine.id, 'days_supply = 28')
    await afterUploadOf(server, world)
    expect(await tickAt(server, '2026-07-12T01:00:00Z')).toBe(1)
  })

  it('does not start again within 90 days if a message of the wrong one has gone', async () => {
    const { world, place, medicine } = await overdue()
    expect(await tickAt(server, '2026-07-12T01:00:00Z')).toBe(1)
    await asOwner(server, `update message set state = 'sent', sent_at = now() where location_id = $1`, [place])
    await changeScripts(place, medicine.id, 'days_supply = 60')
    await afterUploadOf(server, world)
    setClock(server, '2026-08-08T10:00:00Z')
    expect(await afterUploadOf(server, world)).toBe(0)
  })
})

it('a death or a care facility is still the reason where it is one', async () => {
  const { world, place, patients } = await newMedicine(server, 2)
  const id = await makeSequence(server, world, [3])
  await afterUploadOf(server, world)
  await asOwner(server, `update patient set deceased_on = '2026-08-02' where id = $1`, [patients[0]!.id])
  await asOwner(server, 'update patient set facility = true where id = $1', [patients[1]!.id])
  await afterUploadOf(server, world)
  await tickAt(server, '2026-08-04T00:10:00Z')
  expect(await decisionsOf(server, id)).toEqual(['1: deceased', '1: sms skipped facility'])
  expect(await asOwner(server, 'select from message where location_id = $1', [place])).toHaveLength(1)
})
