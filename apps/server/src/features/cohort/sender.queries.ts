import { showsUnverified } from '@pillar/domain/message/sms-sender'
import { sql } from 'kysely'
import type { Tx } from '../../db/database.ts'
import type { MessagingPharmacy } from '../location/messaging-pharmacy.queries.ts'

/**
 * Senders that phones show as "Unverified", by internal id of the pharmacy: names not recorded as registered. `defaultSender` applies where
 * a pharmacy has none of its own.
 */
export async function unverifiedSenders(
  tx: Tx,
  pharmacies: readonly Pick<MessagingPharmacy, 'id' | 'country' | 'sms_sender'>[],
  defaultSender: string,
): Promise<Map<number, string>> {
  const senderOf = (one: Pick<MessagingPharmacy, 'sms_sender'>) => one.sms_sender ?? defaultSender
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
