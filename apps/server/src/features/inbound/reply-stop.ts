import { Refusal } from '@pillar/contract'
import { MESSAGE_TEXT_MONTHS } from '@pillar/domain/access/retention'
import type { Tx } from '../../db/database.ts'
import type { Keys } from '../../db/field/key-ring.ts'
import { lockConsent } from '../consent/consent-log.queries.ts'
import { entryUuid } from './entry-uuid.ts'
import { recordForNumber } from './number-consent.ts'
import { markStopped, readReplyToStop } from './reply.queries.ts'

/**
 * Stops the pharmacy's texts to the number of a reply, as the patient's own STOP would, and marks the reply; repeating it changes nothing,
 * even after START has reopened them. The opt-out counts from now, not from the time of the reply, so it overrides consent given in
 * between. No confirmation text is sent. A STOP is confirmed so that the sender knows the system understood; here a person asked in their
 * own words for no more texts, maybe days ago, and must not get another (decision 016).
 * @throws Refusal not_found; conflict when no patient has the number, or the text of the reply is deleted
 */
export async function stopNumberOf(
  tx: Tx,
  replyUuid: string,
  by: { login: number; keys: Keys },
  now: Date,
): Promise<void> {
  const { location_id: locationId } = await readReplyToStop(tx, by.keys, replyUuid)
  await lockConsent(tx, locationId)
  // Checked again under the lock: another person may have done the same.
  const reply = await readReplyToStop(tx, by.keys, replyUuid)
  if (reply.stopped) return
  if (reply.body === null) {
    throw new Refusal(
      'conflict',
      `The text of this reply was removed after ${MESSAGE_TEXT_MONTHS} months, so what was asked is not known. Have the pharmacy note an opt-out in its dispensing system.`,
    )
  }
  const uuidOf = (patientId: number) => entryUuid({ gateway: 'head office', eventId: replyUuid }, locationId, patientId)
  const { patients } = await recordForNumber(
    tx,
    {
      ...{
        locationId,
        number: reply.sender,
        type: 'stop',
        at: now,
        wording: reply.body,
        source: 'head office',
        uuidOf,
      },
      keys: by.keys,
    },
    now,
  )
  if (patients.length === 0) {
    throw new Refusal('conflict', `No patient of ${reply.pharmacy} has this number, so there are no texts to stop.`)
  }
  await markStopped(tx, replyUuid, now, by.login)
}
