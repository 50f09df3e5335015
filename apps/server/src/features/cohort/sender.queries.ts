import { showsUnverified } from '@pillar/domain/message/sms-sender'
import type { Tx } from '../../db/database.ts'
import type { MessagingPharmacy } from '../location/messaging-pharmacy.queries.ts'

/**
 * Senders that phones show as "Unverified", by internal id of the pharmacy: names that nobody has noted as registered. `defaultSender` is
 * whose texts they are where a pharmacy has none of its own.
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
    .selectFrom('location')
    .select('id')
    .where(
      'id',
      'in',
      named.map((one) => one.id),
    )
    .where('sms_sender_registered', '=', false)
    .execute()
  const unregistered = new Set(rows.map((row) => row.id))
  return new Map(named.filter((one) => unregistered.has(one.id)).map((one) => [one.id, senderOf(one)]))
}
