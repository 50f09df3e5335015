import { isRefusedName, showsUnverified } from '@pillar/domain/message/sms-sender'
import { sql } from 'kysely'
import type { Tx } from '../../db/database.ts'
import type { MessagingPharmacy } from '../location/messaging-pharmacy.queries.ts'

type Sending = Pick<MessagingPharmacy, 'id' | 'country' | 'sms_sender'>

/** Sender names that the phone networks of a pharmacy's country do not deliver, by internal id of the pharmacy. */
export function refusedSenders(pharmacies: readonly Sending[], defaultSender: string): Map<number, string> {
  const senders = pharmacies.map((one) => [one, one.sms_sender ?? defaultSender] as const)
  return new Map(
    senders.filter(([one, sender]) => isRefusedName(one.country, sender)).map(([one, sender]) => [one.id, sender]),
  )
}

/**
 * Senders that phones show as "Unverified", by internal id of the pharmacy: names not recorded as registered. `defaultSender` applies where
 * a pharmacy has none of its own.
 */
export async function unverifiedSenders(
  tx: Tx,
  pharmacies: readonly Sending[],
  defaultSender: string,
): Promise<Map<number, string>> {
  const senderOf = (one: Sending) => one.sms_sender ?? defaultSender
  const named = pharmacies.filter((one) => showsUnverified(one.country, senderOf(one), false))
  if (named.length === 0) return new Map()
  const rows = await tx
    .selectFrom('location as l')
    .leftJoin('messaging_setting as s', 's.company_id', 'l.company_id')
    .select('l.id')
    .where(
      'l.id',
      'in',
      named.map((one) => one.id),
    )
    // For a pharmacy without its own name, the company's applies.
    .where(
      sql<boolean>`not case when l.sms_sender is null then coalesce(s.sms_sender_registered, false) else l.sms_sender_registered end`,
    )
    .execute()
  const unregistered = new Set(rows.map((row) => row.id))
  return new Map(named.filter((one) => unregistered.has(one.id)).map((one) => [one.id, senderOf(one)]))
}
