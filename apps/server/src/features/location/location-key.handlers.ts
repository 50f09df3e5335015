import { type contract, Refusal } from '@pillar/contract'
import { recordInLogs } from '../../api/audit.ts'
import { type Context, callerOf, type HandlersOf, staffTx } from '../../api/context.ts'
import { unseal } from '../../api/seal.ts'
import { findPharmacy, lockPharmacy } from './location-admin.queries.ts'
import { addKey, endCurrentKey, endKey, findKey, type KeyRow, listKeys, readSealedKey } from './location-key.queries.ts'

const DAY = 86_400_000

export const locationKeyHandlers: HandlersOf<typeof contract.locationKey> = {
  async list({ id }, context) {
    const tx = staffTx(context)
    await findPharmacy(tx, id)
    return { data: (await listKeys(tx, id, context.services.now())).map(keyOf) }
  },

  async show({ id, key_id }, context) {
    const { services } = context
    const location = await lockPharmacy(staffTx(context), id)
    const found = await findKey(staffTx(context), location.id, key_id)
    if (hasEnded(found, services.now()))
      throw new Refusal('conflict', 'This key has ended. Nothing can be sent with it.')
    // The console's role may not read it, even sealed.
    const sealed = await readSealedKey(services.pools.system, found.id)
    if (!sealed) throw new Refusal('conflict', ONLY_HASHED)
    await tell(context, 'locationKey.show', location)
    return { key: opened(services.secret, sealed, location.uuid) }
  },

  async replace({ id, overlap_days }, context) {
    const tx = staffTx(context)
    const now = context.services.now()
    const location = await lockPharmacy(tx, id)
    await endCurrentKey(tx, location.id, new Date(now.getTime() + overlap_days * DAY))
    const key = await addKey(tx, location, context.services.secret, now)
    await tell(context, 'locationKey.replace', location)
    return { key_id: key.uuid, key: key.key }
  },

  async end({ id, key_id, ends_at }, context) {
    const tx = staffTx(context)
    const now = context.services.now()
    const location = await lockPharmacy(tx, id)
    const found = await findKey(tx, location.id, key_id)
    if (!found.ends_at) throw new Refusal('conflict', 'This is the key in use. Replace it first, then end it.')
    if (hasEnded(found, now)) throw new Refusal('conflict', 'This key has ended already.')
    const at = ends_at ? new Date(ends_at) : now
    if (at > found.ends_at) throw new Refusal('invalid', 'Please choose an earlier end than the planned one.')
    await endKey(tx, found.id, new Date(Math.max(at.getTime(), now.getTime())))
    await tell(context, 'locationKey.end', location)
    return keyOf(await findKey(tx, location.id, key_id))
  },
}

const ONLY_HASHED =
  'This key was made before keys were kept, so it cannot be shown. Replace it to get one that can; it goes on working meanwhile.'

/** @throws Refusal conflict if it was sealed with another installation's secret */
function opened(secret: Buffer, sealed: Buffer, owner: string): string {
  try {
    return unseal(secret, sealed, owner, 'upload key')
  } catch {
    throw new Refusal(
      'conflict',
      'This key was sealed with another secret than this installation has, so it cannot be shown. Replace it to get one that can.',
    )
  }
}

const hasEnded = ({ ends_at }: KeyRow, now: Date) => ends_at !== null && ends_at <= now

const keyOf = (row: KeyRow) => ({
  key_id: row.uuid,
  prefix: row.prefix,
  created_at: row.created_at.toISOString(),
  last_used_at: row.last_used_at?.toISOString() ?? null,
  ends_at: row.ends_at?.toISOString() ?? null,
})

/** Records an act in the log of the pharmacy's company; never the key. */
const tell = (context: Context, action: string, location: { uuid: string; company_id: number }) =>
  recordInLogs(staffTx(context), callerOf(context), action, [{ companyId: location.company_id, ids: [location.uuid] }])
