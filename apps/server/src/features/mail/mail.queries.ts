import { sql } from 'kysely'
import type { Database, Tx } from '../../db/database.ts'

interface StoredMail {
  id: number
  recipient: string
  subject: string
  /** Sealed (seal.ts); null once it has left by a mail server. */
  body: Buffer | null
  created_at: Date
}

/** Adds a letter to be delivered. @returns its id */
export async function insertMail(
  tx: Tx,
  mail: { recipient: string; subject: string; body: Buffer; now: Date },
): Promise<number> {
  const { now, ...columns } = mail
  const row = await tx
    .insertInto('mail')
    .values({ ...columns, created_at: now })
    .returning('id')
    .executeTakeFirstOrThrow()
  return row.id
}

/** Locks a letter that has not left; undefined when it has, or when another worker is at it. */
export async function claimMail(tx: Tx, id: number): Promise<StoredMail | undefined> {
  return tx
    .selectFrom('mail')
    .select(['id', 'recipient', 'subject', 'body', 'created_at'])
    .where('id', '=', id)
    .where('sent_at', 'is', null)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst()
}

/** Records that a letter left; its text is forgotten unless this installation keeps its mail. */
export async function markSent(tx: Tx, id: number, now: Date, keepBody: boolean): Promise<void> {
  await tx
    .updateTable('mail')
    .set({ sent_at: now, failure: null, ...(keepBody ? {} : { body: null }) })
    .where('id', '=', id)
    .execute()
}

/** Records why a letter did not leave. */
export async function markFailed(system: Database, id: number, failure: string): Promise<void> {
  await system.updateTable('mail').set({ failure }).where('id', '=', id).where('sent_at', 'is', null).execute()
}

/** One page of letters whose text is still here, newest first, and how many there are. */
export async function listMail(
  system: Database,
  page: number,
  perPage: number,
): Promise<{ rows: StoredMail[]; total: number }> {
  const kept = system.selectFrom('mail').where('body', 'is not', null)
  const rows = await kept
    .select(['id', 'recipient', 'subject', 'body', 'created_at'])
    .orderBy('id', 'desc')
    .limit(perPage)
    .offset((page - 1) * perPage)
    .execute()
  const counted = await kept.select((count) => count.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  return { rows, total: Number(counted.total) }
}

/** Forgets the text of letters written before `before`. One that never left says so. @returns how many */
export async function eraseMailTexts(system: Database, before: Date): Promise<number> {
  const done = await sql`
    update mail set body = null,
      failure = case when sent_at is null then concat_ws(' ', failure, 'It was given up, and its text removed.') end
    where body is not null and created_at < ${before}`.execute(system)
  return Number(done.numAffectedRows ?? 0)
}

/** Forgets letters written before `before` whose text is gone. @returns how many */
export async function removeMail(system: Database, before: Date): Promise<number> {
  const gone = await system
    .deleteFrom('mail')
    .where('created_at', '<', before)
    .where('body', 'is', null)
    .executeTakeFirst()
  return Number(gone.numDeletedRows)
}
