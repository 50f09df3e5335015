import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../db/database.ts'
import { contactSpellings } from '../../db/field/contact.ts'
import type { Keys } from '../../db/field/key-ring.ts'

/**
 * A query that selects the `id` of a pharmacy's patients with a number (in all its stored forms): those who have it now, and those texted
 * there.
 */
export const holdersOfNumber = (
  location: RawBuilder<unknown>,
  spellings: RawBuilder<unknown>,
): RawBuilder<{ id: number }> => sql`
    select id from patient where location_id = ${location} and sms_to = any(${spellings})
    union
    select patient_id from message where location_id = ${location} and contact = any(${spellings}) and channel = 'sms' and sent_at is not null`

/** The pharmacy's patients with that number: those who have it now, and those texted there. */
export async function patientsWithNumber(tx: Tx, keys: Keys, locationId: number, number: string): Promise<number[]> {
  const spellings = await contactSpellings(tx, keys, number)
  const holders = holdersOfNumber(sql`${locationId}`, sql`${spellings}::text[]`)
  const { rows } = await sql<{ id: number }>`${holders} order by 1`.execute(tx)
  return rows.map((row) => row.id)
}

/** The pharmacy's patients who have that number now. */
export async function patientsReachedAt(tx: Tx, keys: Keys, locationId: number, number: string): Promise<number[]> {
  const spellings = await contactSpellings(tx, keys, number)
  const { rows } = await sql<{ id: number }>`
    select id from patient where location_id = ${locationId} and sms_to = any(${spellings}::text[]) order by 1`.execute(
    tx,
  )
  return rows.map((row) => row.id)
}

/** Whether these are only fake patients for support's tests; false for an empty list. */
export async function areAllFake(tx: Tx, locationId: number, patientIds: readonly number[]): Promise<boolean> {
  if (patientIds.length === 0) return false
  const { rows } = await sql<{ fake: boolean }>`
    select bool_and(fake) as fake from patient where location_id = ${locationId} and id = any(${[...patientIds]}::bigint[])`.execute(
    tx,
  )
  return rows[0]?.fake ?? false
}
