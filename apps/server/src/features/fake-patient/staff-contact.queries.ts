import { Refusal } from '@pillar/contract'
import { CODES_AN_HOUR } from '@pillar/domain/message/fake-patient'
import { sql } from 'kysely'
import { v7 as uuidv7 } from '../../api/uuid.ts'
import type { Database, Tx } from '../../db/database.ts'

export interface StaffContact {
  id: number
  uuid: string
  channel: 'sms' | 'email'
  contact: string
  asked_at: Date
  wrong_codes: number
  confirmed_at: Date | null
  expires_at: Date | null
}

const COLUMNS = sql`id, uuid, channel, contact, asked_at, wrong_codes, confirmed_at, expires_at`
/** Advisory lock namespace of one support person's contacts. */
const CONTACT_SPACE = 7357

/** The contacts a support person has confirmed, or requested a code for. */
export async function listStaffContacts(tx: Tx, loginId: number): Promise<StaffContact[]> {
  const { rows } = await sql<StaffContact>`
    select ${COLUMNS} from staff_contact where login_id = ${loginId} order by channel desc, contact`.execute(tx)
  return rows
}

/**
 * Records that a code is sent to a contact; the previous one no longer works. @throws Refusal too_many after several in an hour to that
 * contact, by any person, or by that person
 */
export async function askForCode(
  tx: Tx,
  loginId: number,
  { channel, contact }: Pick<StaffContact, 'channel' | 'contact'>,
  now: Date,
): Promise<StaffContact> {
  await sql`select pg_advisory_xact_lock(${sql.lit(CONTACT_SPACE)}, (hashtext(${contact})))`.execute(tx)
  const { rows: counts } = await sql<{ there: number; own: number }>`
    select coalesce(sum(asks) filter (where contact = ${contact}), 0)::int as there,
      coalesce(sum(asks) filter (where login_id = ${loginId}), 0)::int as own
    from staff_contact where asked_at > ${now}::timestamptz - interval '1 hour'`.execute(tx)
  const { there, own } = counts[0]!
  if (there >= CODES_AN_HOUR.contact || own >= CODES_AN_HOUR.login) {
    const message = 'Too many codes were asked for in the last hour. No code was sent. Please try again in an hour.'
    throw new Refusal('too_many', message, { retryAfter: 3600 })
  }
  const { rows } = await sql<StaffContact>`
    insert into staff_contact as c (uuid, login_id, channel, contact, asked_at)
    values (${uuidv7()}, ${loginId}, ${channel}, ${contact}, ${now})
    on conflict (login_id, channel, contact) do update set wrong_codes = 0, asked_at = excluded.asked_at,
      asks = case when c.asked_at > ${now}::timestamptz - interval '1 hour' then c.asks + 1 else 1 end
    returning ${COLUMNS}`.execute(tx)
  return rows[0]!
}

/** The caller's own contact, locked. @throws Refusal not_found, also for another person's */
export async function lockStaffContact(tx: Tx, loginId: number, uuid: string): Promise<StaffContact> {
  const { rows } = await sql<StaffContact>`
    select ${COLUMNS} from staff_contact where uuid = ${uuid} and login_id = ${loginId} for update`.execute(tx)
  if (!rows[0]) throw new Refusal('not_found', 'That number or address was not found.')
  return rows[0]
}

/** Counts a wrong code. */
export async function countWrongCode(tx: Tx, id: number): Promise<void> {
  await sql`update staff_contact set wrong_codes = wrong_codes + 1 where id = ${id}`.execute(tx)
}

/** Confirms a contact until it expires; its code is used up. */
export async function confirmContact(
  tx: Tx,
  id: number,
  at: { now: Date; expires: Date; usedUp: number },
): Promise<void> {
  await sql`update staff_contact set confirmed_at = ${at.now}, expires_at = ${at.expires}, wrong_codes = ${at.usedUp}
    where id = ${id}`.execute(tx)
}

/** The contact for a code to be sent, while that code is the newest; null if another has been requested since. */
export async function contactToText(system: Database, id: number, askedAt: Date): Promise<StaffContact | null> {
  const { rows } = await sql<StaffContact>`
    select ${COLUMNS} from staff_contact where id = ${id} and asked_at = ${askedAt}`.execute(system)
  return rows[0] ?? null
}
