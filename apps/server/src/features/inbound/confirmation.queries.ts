import { countSms, smsCents } from '@pillar/domain/message/sms-text'
import { v7 as uuidv7 } from '../../api/uuid.ts'
import type { Tx } from '../../db/database.ts'
import { storedContact } from '../../db/field/contact.ts'
import type { Keys } from '../../db/field/key-ring.ts'

/** A confirmation later than this would only be puzzling. */
const USEFUL_MINUTES = 15

/** Queues the one confirmation of a STOP in a separate run, sent at once whatever the hour, because the patient has just written. */
export async function queueConfirmation(
  tx: Tx,
  keys: Keys,
  to: { companyId: number; locationId: number; patientId: number; number: string; sender: string | null; text: string },
  now: Date,
): Promise<void> {
  const run = await tx
    .insertInto('message_run')
    .values({
      uuid: uuidv7(),
      company_id: to.companyId,
      context: 'communication',
      state: 'sending',
      note: 'Confirmation of a STOP',
      starts_at: now,
      ends_at: new Date(now.getTime() + USEFUL_MINUTES * 60_000),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const batch = await tx
    .insertInto('message_batch')
    .values({
      location_id: to.locationId,
      uuid: uuidv7(),
      run_id: run.id,
      company_id: to.companyId,
      channel: 'sms',
      context: 'communication',
      template_name: 'Confirmation of a STOP',
      message_kind: 'confirmation',
      body: to.text,
      sms_sender: to.sender,
      next_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const { parts } = countSms(to.text)
  const patient = await tx
    .selectFrom('patient')
    .select('fake')
    .where('location_id', '=', to.locationId)
    .where('id', '=', to.patientId)
    .executeTakeFirst()
  await tx
    .insertInto('message')
    .values({
      location_id: to.locationId,
      run_id: run.id,
      batch_id: batch.id,
      patient_id: to.patientId,
      channel: 'sms',
      state: 'queued',
      contact: await storedContact(tx, keys, to.number),
      body: to.text,
      parts,
      cents: smsCents(parts),
      fake: patient?.fake ?? false,
      planned_at: now,
    })
    .execute()
}
