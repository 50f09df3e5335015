import { sql } from 'kysely'
import { v7 as uuidv7 } from '../../api/uuid.ts'
import type { Database, Tx } from '../../db/database.ts'
import { rowName, SEALED } from '../../db/field/columns.ts'
import type { Keys } from '../../db/field/key-ring.ts'

/** What a visitor wrote, cleaned. */
export interface SignupText {
  username: string
  email: string
  first_name: string
  last_name: string
  job_title: string | null
  phone: string | null
  pharmacy_name: string
  pharmacy_phone: string
  sources: string[]
  /** Those programs that are not supported yet: the page promises an email about them. */
  asked_for: string[]
  street_address: string
  town: string
  region: string
  postcode: string
  privacy_version: string
  email_marketing: boolean
  marketing_wording: string
}

/**
 * Stores a sign-up until its address is confirmed. One address has one open sign-up: an unconfirmed one is replaced by a newer one, one
 * waiting for support stays unchanged. @returns its id, and whether support has it already
 */
export async function keepSignup(
  tx: Tx,
  keys: Keys,
  text: SignupText,
  now: Date,
): Promise<{ id: number; waiting: boolean }> {
  // One at a time: while keys are rotated an address has two indexes, which no unique index can tie together.
  await sql`select pg_advisory_xact_lock(${sql.lit(SIGNUP_SPACE)})`.execute(tx)
  const indexes = await keys.indexes(EMAIL.name, EMAIL.index.of(text.email))
  const { rows } = await sql<{ id: number; uuid: string; state: string }>`
    select id, uuid, state from signup where state in ('unconfirmed', 'waiting')
      and (email_index = any(${indexes}::bytea[]) or lower(email) = ${EMAIL.index.of(text.email)}) for update`.execute(
    tx,
  )
  const [open] = rows
  if (open?.state === 'waiting') return { id: open.id, waiting: true }
  const uuid = open?.uuid ?? uuidv7()
  const columns = { ...(await sealedSignup(keys, uuid, text)), email_index: indexes[0], created_at: now }
  if (open) {
    await tx.updateTable('signup').set(columns).where('id', '=', open.id).execute()
    return { id: open.id, waiting: false }
  }
  const made = await tx
    .insertInto('signup')
    .values({ ...columns, uuid })
    .returning('id')
    .executeTakeFirstOrThrow()
  return { id: made.id, waiting: false }
}

const { signupEmail: EMAIL, signupPhone: PHONE } = SEALED

/** Advisory lock for storing sign-ups. */
const SIGNUP_SPACE = 7392

/** What a visitor wrote in stored form: the address and the number are sealed separately. */
export async function sealedSignup<T extends Pick<SignupText, 'email' | 'phone'>>(keys: Keys, uuid: string, text: T) {
  const { email, phone, ...rest } = text
  const [address, number] = [await keys.sealer(EMAIL.name), await keys.sealer(PHONE.name)]
  return {
    ...rest,
    ...{ email: null, email_sealed: address(rowName(uuid), email) },
    ...{ phone: null, phone_sealed: phone === null ? null : number(rowName(uuid), phone) },
  }
}

interface SealedSignup {
  uuid: string
  email: string | null
  email_sealed: Buffer | null
  phone?: string | null
  phone_sealed?: Buffer | null
}

/** A sign-up with its address and number opened. */
export async function openedSignup<T extends SealedSignup>(keys: Keys, row: T) {
  const { email_sealed, phone_sealed, ...rest } = row
  const name = rowName(row.uuid)
  const email = rest.email ?? (email_sealed ? await keys.open(EMAIL.name, name, email_sealed) : '')
  const phone = rest.phone ?? (phone_sealed ? await keys.open(PHONE.name, name, phone_sealed) : null)
  return { ...rest, email, phone }
}

/** The person and content of an unconfirmed sign-up; undefined if it is confirmed, decided or gone. */
export async function unconfirmed(db: Database | Tx, keys: Keys, id: number) {
  const row = await db
    .selectFrom('signup')
    .select(['uuid', 'username', 'email', 'email_sealed', 'first_name', 'last_name', 'pharmacy_name', 'sources'])
    .where('id', '=', id)
    .where('state', '=', 'unconfirmed')
    .executeTakeFirst()
  return row && openedSignup(keys, row)
}

/** Passes a sign-up to support, with the hash of the chosen password. @returns false if it is no longer unconfirmed */
export async function confirmSignup(tx: Tx, id: number, passwordHash: string, now: Date): Promise<boolean> {
  const done = await tx
    .updateTable('signup')
    .set({ state: 'waiting', password_hash: passwordHash, confirmed_at: now })
    .where('id', '=', id)
    .where('state', '=', 'unconfirmed')
    .executeTakeFirst()
  return done.numUpdatedRows === 1n
}

/** Removes sign-ups unconfirmed since before `unconfirmedBefore`, and those decided before `decidedBefore`. @returns how many */
export async function removeSignups(
  system: Database,
  { unconfirmedBefore, decidedBefore }: { unconfirmedBefore: Date; decidedBefore: Date },
): Promise<number> {
  const gone = await sql`
    delete from signup where (state = 'unconfirmed' and created_at < ${unconfirmedBefore}) or decided_at < ${decidedBefore}`.execute(
    system,
  )
  return Number(gone.numAffectedRows ?? 0)
}
