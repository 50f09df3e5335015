import { contract } from '@pillar/contract'
import { stepTotal } from '@pillar/domain/campaign/time-line'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { asOwner } from '../../../../test/people.ts'
import { at, startSequenceConsole } from '../../../../test/world/sequence-console.ts'
import {
  afterUploadOf,
  dispense,
  makeSequence,
  newMedicine,
  setClock,
  tickAt,
} from '../../../../test/world/sequence-world.ts'

const { stats } = contract.sequenceAdmin
let { server, support, send, uuidOf } = {} as Awaited<ReturnType<typeof startSequenceConsole>>
beforeAll(async () => {
  ;({ server, support, send, uuidOf } = await startSequenceConsole())
})
afterAll(() => server.close())

describe('the time line', () => {
  it('adds up to everybody who started, and to the ledger', async () => {
    const { world, place, patients, fresh } = await newMedicine(server, 12)
    const sequence = await makeSequence(server, world, [3, 5, 40], { budgetCents: 10 * 12 + 7 * 12 })
    await asOwner(server, 'update patient set mobile_sealed = null, sms_to = null where id = $1', [patients[0]!.id])
    await afterUploadOf(server, world)
    await asOwner(server, `update patient set deceased_on = '2026-08-02' where id = $1`, [patients[1]!.id])
    await tickAt(server, '2026-08-04T00:10:00Z')
    await send()
    const back = [2, 3, 4].map((index) => ({ patientId: patients[index]!.id, drugId: fresh.id, on: '2026-08-05' }))
    await dispense(server, place, back)
    setClock(server, '2026-08-05T09:00:00Z')
    await afterUploadOf(server, world)
    await tickAt(server, '2026-08-06T00:10:00Z')
    // One has left the gateway, the others are waiting.
    await asOwner(
      server,
      `update message set state = 'failed', cents = 0, sent_at = null where id = (
      select max(id) from message where location_id = $1 and state = 'queued')`,
      [place],
    )
    const line = (await support.ask(stats, at(world, await uuidOf(sequence)))).body
    expect(line).toMatchObject({ started: 12, in_progress: 9, ended: 3, completed: 0, first_event: '2026-08-01' })
    for (const step of line.steps) expect(stepTotal(step)).toBe(line.started)
    expect(line.steps).toMatchObject([
      { responded: 3, sent: 7, skipped: 2, waiting: 0, sms: 10, cost: 1.2 },
      { failed: 1, queued: 6, skipped: 2, ended: 3, waiting: 0 },
      { waiting: 9, next: 9, ended: 3, next_due: '2026-09-10' },
    ])
    expect(line.steps[0]!.reasons).toEqual([
      { reason: 'deceased', channel: null, count: 1 },
      { reason: 'no_contact', channel: 'sms', count: 1 },
    ])
    const ledger = await asOwner<{ state: string; n: number; cents: number }>(
      server,
      `select m.state, count(*)::int as n, sum(m.cents)::int as cents from message m join message_run r on r.id = m.run_id
       where r.sequence_id = $1 group by 1`,
      [sequence],
    )
    const inLedger = (...states: string[]) =>
      ledger.filter(({ state }) => states.includes(state)).reduce((sum, { n }) => sum + n, 0)
    const { cost, ...messages } = line.message_info
    expect(Object.values(messages).reduce((sum, count) => sum + count, 0)).toBe(
      ledger.reduce((sum, { n }) => sum + n, 0),
    )
    expect(messages).toMatchObject({
      sms_sent: inLedger('sent'),
      sms_failed: inLedger('failed'),
      sms_scheduled: inLedger('queued'),
      sms_skipped: inLedger('skipped'),
    })
    expect(cost).toBe(ledger.filter(({ state }) => state === 'sent').reduce((sum, { cents }) => sum + cents, 0) / 100)
    expect(line.steps.reduce((sum, step) => sum + step.sms, 0)).toBe(line.sequence_stats.sms)
    expect(line.sequence_stats).toEqual({ cost: 1.2, num_messaged: 10, num_responded: 3, sms: 10, email: 0 })
    expect(line.budget_used).toBe(1.2 + 6 * 0.12)
    expect(line.last_message_sent).not.toBe(null)
  })

  it('shows what somebody enrolled today would get and when, skipping days without sending hours', async () => {
    const week = [[540, 1200], null, [540, 1200], [540, 1200], [540, 1200], null, null] as const
    const { world } = await newMedicine(server, 1, { week: [...week] })
    const id = await uuidOf(await makeSequence(server, world, [0, 3, 4]))
    // Saturday, 1 August, 8 pm in Melbourne.
    const line = (await support.ask(stats, at(world, id))).body
    expect(line).toMatchObject({ today: '2026-08-01', time_zone: 'Australia/Melbourne' })
    expect(line.steps.map((step) => step.planned_at)).toEqual([
      // Monday at nine; Tuesday is closed, so Wednesday at nine; Wednesday at ten.
      '2026-08-02T23:00:00.000Z',
      '2026-08-04T23:00:00.000Z',
      '2026-08-05T00:00:00.000Z',
    ])
  })

  it('leaves test patients out', async () => {
    const { world, patients } = await newMedicine(server, 3)
    const sequence = await makeSequence(server, world, [3])
    await afterUploadOf(server, world)
    await tickAt(server, '2026-08-04T00:10:00Z')
    await send()
    await asOwner(server, 'update patient set fake = true where id = $1', [patients[0]!.id])
    await asOwner(server, 'update message set fake = true where patient_id = $1', [patients[0]!.id])
    const line = (await support.ask(stats, at(world, await uuidOf(sequence)))).body
    expect(line).toMatchObject({ started: 2, sequence_stats: { num_messaged: 2, sms: 2 }, steps: [{ sent: 2 }] })
  })
})
