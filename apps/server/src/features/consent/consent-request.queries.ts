import { sql } from 'kysely'
import type { Database, Tx } from '../../db/database.ts'
import type { Keys } from '../../db/field/key-ring.ts'
import { openWritten, type StoredWritten, writtenOf } from '../../db/field/written.ts'
import { consentHash } from './link/consent-token.ts'
import { isStillTheirs } from './link/still-theirs.queries.ts'

/** A working consent link, found before anyone's company is known. */
export interface OpenRequest {
  id: number
  locationId: number
  companyId: number
}

/** The request behind a link that may still be submitted at `now`; undefined if the link is unknown, used or expired. Changes nothing. */
export async function findRequest(
  system: Database,
  secret: Buffer,
  token: string,
  now: Date,
): Promise<OpenRequest | undefined> {
  const row = await system
    .selectFrom('consent_request as r')
    .innerJoin('location as l', 'l.id', 'r.location_id')
    .select(['r.id', 'r.location_id', 'l.company_id'])
    .where('r.token_hash', '=', consentHash(secret, token))
    .where('r.used_at', 'is', null)
    .where('r.expires_at', '>', now)
    .where('l.removed_at', 'is', null)
    .executeTakeFirst()
  return row && { id: row.id, locationId: row.location_id, companyId: row.company_id }
}

/** What the form shows of the patient, and which kinds it asks about; undefined if the link went to a contact that is no longer theirs. */
export async function readRequest(tx: Tx, keys: Keys, { locationId, id }: OpenRequest) {
  const { rows } = await sql<AskedPatient & { messageId: number | null }>`
    select r.message_id as "messageId", r.marketing, r.health_outreach, p.first_name, p.last_name, p.postcode, ${writtenOf('p')}
    from consent_request r join patient p on p.location_id = r.location_id and p.id = r.patient_id
    where r.location_id = ${locationId} and r.id = ${id}`.execute(tx)
  const [row] = rows
  if (!row || !(await isStillTheirs(tx, keys, { locationId, messageId: row.messageId }))) return undefined
  return openWritten(keys, row)
}

interface AskedPatient extends StoredWritten {
  marketing: boolean
  health_outreach: boolean
  first_name: string | null
  last_name: string | null
  postcode: string | null
}

/** Uses up a request in one statement: of any number of concurrent calls exactly one gets its patient, the others undefined. */
export async function useRequest(tx: Tx, { locationId, id }: OpenRequest, now: Date) {
  return tx
    .updateTable('consent_request')
    .set({ used_at: now })
    .where('location_id', '=', locationId)
    .where('id', '=', id)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .returning(['patient_id', 'message_id', 'marketing', 'health_outreach'])
    .executeTakeFirst()
}

/** A pharmacy as patients know it, inside its own scope. */
export async function readPublicLocation(tx: Tx, locationId: number) {
  return tx
    .selectFrom('location')
    .select(['name', 'phone_number', 'street_address', 'town', 'region', 'postcode', 'country'])
    .where('id', '=', locationId)
    .executeTakeFirst()
}
