import type { Channel } from '@pillar/domain/consent/consent'
import { sql } from 'kysely'
import type { Tx } from '../../db/database.ts'
import { withoutNestedLoops } from '../../db/scope.ts'
import { standing } from '../sending/rule/cancelled.queries.ts'
import { moveParticipant, recountFunnel } from './participant.queries.ts'

/**
 * Marks the recipients of a pharmacy's just delivered invitations as contacted, with a row in the log. A person who answered before the
 * receipt came was contacted too, and stays opted out.
 */
export async function noteDelivered(tx: Tx, locationId: number, messageIds: readonly number[]): Promise<void> {
  if (messageIds.length === 0) return
  const { rows } = await withoutNestedLoops(tx, () =>
    sql<{ trial_id: number }>`
    with reached as (
      update trial_participant p set state = case p.state when 'eligible' then 'contacted' else p.state end, contacted_at = m.settled_at
      from message m
      where m.location_id = ${locationId} and m.id = any(${[...messageIds]}::bigint[]) and m.state = 'delivered'
        and p.location_id = ${locationId} and p.message_id = m.id and p.contacted_at is null
      returning p.trial_id, p.patient_id, p.contacted_at
    ), logged as (
      insert into trial_event (location_id, trial_id, patient_id, event, at)
      select ${locationId}, trial_id, patient_id, 'contacted', contacted_at from reached
    )
    select distinct trial_id from reached order by trial_id`.execute(tx),
  )
  for (const { trial_id } of rows) await recountFunnel(tx, locationId, trial_id)
}

/**
 * Marks a patient who answers an invitation by opting out. A person who has signed up stays: they withdraw with their own link, and ending
 * a pharmacy's messages is a different wish.
 * @param channels those on which the patient has opted out now
 */
export async function noteOptedOut(
  tx: Tx,
  locationId: number,
  patientId: number,
  channels: readonly Channel[],
  now: Date,
): Promise<void> {
  if (channels.length === 0) return
  const { rows } = await sql<{ trial_id: number }>`
    select p.trial_id from trial_participant p join message m on m.location_id = p.location_id and m.id = p.message_id
      join message_batch b on b.location_id = m.location_id and b.id = m.batch_id join message_run r on r.id = m.run_id
    where p.location_id = ${locationId} and p.patient_id = ${patientId} and p.state in ('eligible', 'contacted')
      and ${standing().state} <> 'skipped' and m.channel = any(${[...channels]}::text[]) order by p.trial_id`.execute(
    tx,
  )
  for (const { trial_id } of rows)
    await moveParticipant(tx, { locationId, trialId: trial_id, patientId }, 'opted_out', { loginId: null, now })
}
