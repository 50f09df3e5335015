import type { SkipReason } from '@pillar/domain/cohort/held-back'
import { sql } from 'kysely'
import type { Tx } from '../../db/database.ts'
import { queueRecount } from './recount-queue.queries.ts'

/**
 * Queued messages for these patients that consent now forbids become skipped `opted_out`. Consent does not cover the confirmation of a
 * STOP. @returns how many messages
 */
export async function skipOptedOut(
  tx: Tx,
  locationId: number,
  patientIds: readonly number[],
  now: Date,
): Promise<number> {
  const done = await sql`
    update message m set state = 'skipped', reason = 'opted_out', cents = 0, settled_at = ${now}
    from message_batch b, consent c
    where m.location_id = ${locationId} and m.patient_id = any(${[...patientIds]}::bigint[]) and m.state = 'queued'
      and b.location_id = ${locationId} and b.id = m.batch_id
      and c.location_id = ${locationId} and c.patient_id = m.patient_id
      and case when b.message_kind = 'confirmation' then 'in'
               when b.message_kind = 'marketing' then case m.channel when 'sms' then c.sms_marketing else c.email_marketing end
               else case m.channel when 'sms' then c.sms_health_outreach else c.email_health_outreach end end = 'out'`.execute(
    tx,
  )
  const skipped = Number(done.numAffectedRows ?? 0)
  if (skipped > 0) await queueRecount(tx, [locationId])
  return skipped
}

/** All queued messages of a run become skipped for this reason. @returns how many messages */
export async function skipQueuedOfRun(tx: Tx, runId: number, reason: SkipReason, now: Date): Promise<number> {
  const { rows } = await sql<{ location_id: number; n: number }>`
    with gone as (
      update message m set state = 'skipped', reason = ${reason}, cents = 0, settled_at = ${now}
      from message_batch b
      where b.run_id = ${runId} and m.location_id = b.location_id and m.batch_id = b.id and m.state = 'queued'
      returning m.location_id
    ) select location_id, count(*) as n from gone group by location_id order by location_id`.execute(tx)
  await queueRecount(
    tx,
    rows.map((row) => row.location_id),
  )
  return rows.reduce((sum, row) => sum + row.n, 0)
}
