import { sql } from 'kysely'
import { v7 as uuidv7 } from '../../api/uuid.ts'
import type { Database, Tx } from '../../db/database.ts'

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
  /** Those of them that are not supported yet: the page promises an email about them. */
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
 * Keeps a sign-up until its address is confirmed. One address has one open sign-up: an unconfirmed one is replaced by the newer, one that
 * waits for support stays as it is. @returns its id, and whether support has it already
 */
export async function keepSignup(tx: Tx, text: SignupText, now: Date): Promise<{ id: number; waiting: boolean }> {
  const row = await tx
    .insertInto('signup')
    .values({ ...text, uuid: uuidv7(), created_at: now })
    .onConflict((conflict) =>
      conflict
        .expression(sql`lower(email)`)
        .where(sql<boolean>`state in ('unconfirmed', 'waiting')`)
        .doUpdateSet({ ...text, created_at: now })
        .where('signup.state', '=', 'unconfirmed'),
    )
    .returning('id')
    .executeTakeFirst()
  if (row) return { id: row.id, waiting: false }
  const open = await tx
    .selectFrom('signup')
    .select('id')
    .where(sql<boolean>`lower(email) = lower(${text.email}) and state in ('unconfirmed', 'waiting')`)
    .executeTakeFirstOrThrow()
  return { id: open.id, waiting: true }
}

/** Whom and what an unconfirmed sign-up is about; undefined when it is confirmed, decided or gone. */
export async function unconfirmed(db: Database | Tx, id: number) {
  return db
    .selectFrom('signup')
    .select(['username', 'email', 'first_name', 'last_name', 'pharmacy_name', 'sources'])
    .where('id', '=', id)
    .where('state', '=', 'unconfirmed')
    .executeTakeFirst()
}

/** Puts a sign-up before support, with the hash of the password that was chosen. @returns false when it is not unconfirmed any more */
export async function confirmSignup(tx: Tx, id: number, passwordHash: string, now: Date): Promise<boolean> {
  const done = await tx
    .updateTable('signup')
    .set({ state: 'waiting', password_hash: passwordHash, confirmed_at: now })
    .where('id', '=', id)
    .where('state', '=', 'unconfirmed')
    .executeTakeFirst()
  return done.numUpdatedRows === 1n
}

/** Removes sign-ups that nobody confirmed since before `unconfirmedBefore`, and those decided before `decidedBefore`. @returns how many */
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
