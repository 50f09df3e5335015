import { LIVE_RUN_STATES } from '@pillar/domain/message/run-state'
import { sql } from 'kysely'
import type { Tx } from '../../src/db/database.ts'
import { lockRun } from '../../src/features/run/run-state.queries.ts'
import { skipQueuedOfRun } from '../../src/features/run/skip.queries.ts'
import { lockSequences } from '../../src/features/sequence/enrolment.queries.ts'

/**
 * Switches a sequence of a pharmacy on or off. Off, nobody enrols, what is queued is skipped `stopped`, and nothing of it is handed over
 * once the transaction has committed; follow-ups that become due meanwhile are skipped `inactive`. @returns messages kept back
 */
export async function setSequenceActive(
  tx: Tx,
  locationId: number,
  id: number,
  active: boolean,
  now: Date,
): Promise<number> {
  await lockSequences(tx, locationId)
  await tx
    .updateTable('sequence')
    .set({ active, updated_at: now })
    .where('location_id', '=', locationId)
    .where('id', '=', id)
    .execute()
  if (active) return 0
  const runs = await tx
    .selectFrom('message_run')
    .select('id')
    .where('sequence_id', '=', id)
    .where('state', 'in', LIVE_RUN_STATES)
    .orderBy('id')
    .execute()
  let kept = 0
  for (const run of runs) {
    await lockRun(tx, run.id)
    await tx.updateTable('message_run').set({ state: 'done', ended_at: now }).where('id', '=', run.id).execute()
    kept += await skipQueuedOfRun(tx, run.id, 'stopped', now)
  }
  return kept
}

/** What a sequence came to, test patients never being in one. */
interface SequenceStats {
  /** Cents of messages a gateway took. */
  cents: number
  /** Patients with a message sent or delivered, and those of them dispensed the event's molecule within 14 days. */
  num_messaged: number
  num_responded: number
  /** Messages sent or delivered. */
  sms: number
  email: number
  sms_sent: number
  sms_delivered: number
  sms_failed: number
  sms_scheduled: number
  email_sent: number
  email_delivered: number
  email_failed: number
  email_scheduled: number
  last_message_sent: Date | null
}

/** What each of these sequences of a pharmacy came to, by internal id; one without messages has zeros. */
export async function sequenceStats(
  tx: Tx,
  locationId: number,
  sequenceIds: readonly number[],
): Promise<Map<number, SequenceStats>> {
  const count = (channel: 'sms' | 'email', states: readonly string[]) =>
    sql`count(m.id) filter (where m.channel = ${sql.lit(channel)} and m.state = any(${[...states]}::text[]))`
  const went = ['sent', 'delivered']
  const { rows } = await sql<SequenceStats & { id: number }>`
    select q.id,
      coalesce(sum(m.cents) filter (where m.sent_at is not null), 0) as cents,
      count(distinct m.patient_id) filter (where m.state = any(${went}::text[])) as num_messaged,
      (select count(distinct f.patient_id) from follow_up_message f
       where f.location_id = q.location_id and f.sequence_id = q.id and f.responded_day is not null) as num_responded,
      ${count('sms', went)} as sms, ${count('email', went)} as email,
      ${count('sms', ['sent'])} as sms_sent, ${count('sms', ['delivered'])} as sms_delivered,
      ${count('sms', ['failed'])} as sms_failed, ${count('sms', ['queued', 'sending'])} as sms_scheduled,
      ${count('email', ['sent'])} as email_sent, ${count('email', ['delivered'])} as email_delivered,
      ${count('email', ['failed'])} as email_failed, ${count('email', ['queued', 'sending'])} as email_scheduled,
      max(m.sent_at) as last_message_sent
    from sequence q
    left join message_run r on r.sequence_id = q.id
    left join message m on m.location_id = q.location_id and m.run_id = r.id and not m.fake
    where q.location_id = ${locationId} and q.id = any(${[...sequenceIds]}::bigint[])
    group by q.location_id, q.id`.execute(tx)
  return new Map(rows.map(({ id, ...stats }) => [id, stats]))
}
