import { Refusal } from '@pillar/contract'
import { CODES_AN_HOUR } from '@pillar/domain/message/fake-patient'
import { counted } from '@pillar/domain/text/sentence'
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
/** Advisory lock namespace of a contact, and of a support person's contacts. */
const CONTACT_SPACE = 7357
const HOUR_MS = 3_600_000

/** The contacts a support person has confirmed, or requested a code for. */
export async function listStaffContacts(tx: Tx, loginId: number): Promise<StaffContact[]> {
  const { rows } = await sql<StaffContact>`
    select ${COLUMNS} from staff_contact where login_id = ${loginId} order by channel desc, contact`.execute(tx)
  return rows
}

/**
 * Records that a code is sent to a contact; the previous one no longer works. @throws Refusal too_many after several within an hour to that
 * contact, by any person, or by that person
 */
export async function askForCode(
  tx: Tx,
  loginId: number,
  { channel, contact }: Pick<StaffContact, 'channel' | 'contact'>,
  now: Date,
): Promise<StaffContact> {
  for (const key of [String(loginId), contact])
    await sql`select pg_advisory_xact_lock(${sql.lit(CONTACT_SPACE)}, hashtext(${key}))`.execute(tx)
  const hourAgo = sql`${now}::timestamptz - interval '1 hour'`
  const { rows: asks } = await sql<{ at: Date; there: boolean; own: boolean }>`
    select at, contact = ${contact} as there, login_id = ${loginId} as own from staff_contact, unnest(asked_times) at
    where (contact = ${contact} or login_id = ${loginId}) and at > ${hourAgo} order by at`.execute(tx)
  const wait = Math.max(
    waitMs(
      asks.filter(({ there }) => there).map(({ at }) => at),
      CODES_AN_HOUR.contact,
      now,
    ),
    waitMs(
      asks.filter(({ own }) => own).map(({ at }) => at),
      CODES_AN_HOUR.login,
      now,
    ),
  )
  if (wait > 0) {
    const again = counted(Math.ceil(wait / 60_000), 'minute', 'minutes')
    const message = `Too many codes were asked for in the last hour. No code was sent. Please try again in ${again}.`
    throw new Refusal('too_many', message, { retryAfter: Math.ceil(wait / 1000) })
  }
  const { rows } = await sql<StaffContact>`
    insert into staff_contact as c (uuid, login_id, channel, contact, asked_at, asked_times)
    values (${uuidv7()}, ${loginId}, ${channel}, ${contact}, ${now}, array[${now}::timestamptz])
    on conflict (login_id, channel, contact) do update set wrong_codes = 0, asked_at = excluded.asked_at,
      asked_times = array(select at from unnest(c.asked_times) at where at > ${hourAgo}) || excluded.asked_times
    returning ${COLUMNS}`.execute(tx)
  return rows[0]!
}

/** Milliseconds until fewer than `most` of these times, oldest first, lie within an hour; 0 if they do now. */
function waitMs(times: readonly Date[], most: number, now: Date): number {
  const blocking = times.at(-most)
  return blocking ? blocking.getTime() + HOUR_MS - now.getTime() : 0
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
