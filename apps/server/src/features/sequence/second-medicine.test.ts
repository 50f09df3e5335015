import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makePatients, type TestPatient } from '../../../test/messaging.ts'
import { FakePhones } from '../../../test/outside/fake-gateway.ts'
import { asOwner } from '../../../test/people.ts'
import { sendAll } from '../../../test/sending.ts'
import { startTestServer, type TestServer } from '../../../test/server.ts'
import {
  afterUploadOf,
  dispense,
  makeDrug,
  makeSequence,
  newMedicine,
  setClock,
  tickAt,
} from '../../../test/world/sequence-world.ts'
import { advanceRuns } from '../sending/lease.queries.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

/** Closed from Tuesday, 4 August, to Thursday morning. */
const WEEK = [[540, 1200], null, null, [540, 1200], [540, 1200], null, null] as const

/** A patient whose waiting text is taken back once the medicine's collection is known, and who began a second medicine on the same day. */
async function collected(budgetCents: number | null = null) {
  const { world, place, patients, fresh } = await newMedicine(server, 1, { week: [...WEEK] })
  const [anne] = patients as [TestPatient]
  await makeSequence(server, world, [3], { budgetCents })
  await afterUploadOf(server, world)
  expect(await tickAt(server, '2026-08-04T00:10:00Z')).toBe(1)
  setClock(server, '2026-08-05T12:00:00Z')
  await dispense(server, place, [{ patientId: anne.id, drugId: fresh.id, on: '2026-08-05' }])
  const second = await makeDrug(server, place)
  const secondBegins = async () => {
    await dispense(server, place, [{ patientId: anne.id, drugId: second.id, on: '2026-08-01' }])
    expect(await afterUploadOf(server, world)).toBe(1)
  }
  /** Another patient who began the first medicine on that day, known only now. */
  const comes = async (sms_to?: string | null) => {
    const [beth] = (await makePatients(server, place, 1, () => (sms_to ? { sms_to } : {}))) as [TestPatient]
    const old = await makeDrug(server, place)
    await dispense(server, place, [
      { patientId: beth.id, drugId: old.id, on: '2024-02-01' },
      { patientId: beth.id, drugId: fresh.id, on: '2026-08-01' },
    ])
    expect(await afterUploadOf(server, world)).toBe(1)
  }
  const send = async () => {
    await advanceRuns(server.services.pools.system, server.services.now())
    await sendAll({ ...server.services, sms: new FakePhones().gateway() })
    await advanceRuns(server.services.pools.system, server.services.now())
  }
  /** The text is taken back, and its run ends with nothing to send. */
  const end = async () => {
    expect(await afterUploadOf(server, world)).toBe(0)
    setClock(server, '2026-08-05T23:10:00Z')
    await send()
    const run =
      'select r.state, b.next_at from message_run r join message_batch b on b.run_id = r.id where b.location_id = $1'
    expect(await asOwner(server, run, [place])).toEqual([{ state: 'done', next_at: null }])
  }
  const tick = () => tickAt(server, '2026-08-05T12:01:00Z')
  const messages = async () =>
    (
      await asOwner<{ said: string }>(
        server,
        `select concat_ws(' ', state, reason) as said from message where location_id = $1 order by id`,
        [place],
      )
    ).map(({ said }) => said)
  return { anne, send, end, secondBegins, comes, tick, messages }
}

describe('a text for a second medicine', () => {
  it('does not follow one that somebody else gets at the same number', async () => {
    const { anne, secondBegins, comes, tick, messages } = await collected()
    await comes(anne.sms_to)
    await secondBegins()
    expect(await tick()).toBe(1)
    expect(await messages()).toEqual(['skipped goal_reached', 'queued'])
  })

  it('is the only one at its number', async () => {
    const { anne, secondBegins, comes, tick, messages } = await collected()
    await secondBegins()
    await comes(anne.sms_to)
    expect(await tick()).toBe(1)
    expect(await messages()).toEqual(['queued', 'skipped duplicate_contact'])
  })

  it('is sent although its run had ended', async () => {
    const { send, end, secondBegins, messages } = await collected()
    await end()
    await secondBegins()
    expect(await tickAt(server, '2026-08-05T23:20:00Z')).toBe(1)
    // The next look at what is due opens the run again.
    expect(await tickAt(server, '2026-08-05T23:21:00Z')).toBe(0)
    await send()
    expect(await messages()).toEqual(['sent'])
  })

  it('uses up the budget', async () => {
    const { secondBegins, comes, tick, messages } = await collected(12)
    await secondBegins()
    await comes()
    expect(await tick()).toBe(1)
    expect(await messages()).toEqual(['queued'])
  })
})
