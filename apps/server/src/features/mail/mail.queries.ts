import { sql } from 'kysely'
import type { Database, Tx } from '../../db/database.ts'

interface StoredMail {
  id: number
  recipient: string
  subject: string
  /** Encrypted (seal.ts); null once a mail server has accepted it. */
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

/** Locks an undelivered letter; undefined when it was delivered or another worker has it. */
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

/** Records a delivery; the text is deleted unless this installation keeps its mail. */
export async function markSent(tx: Tx, id: number, now: Date, keepBody: boolean): Promise<void> {
  await tx
    .updateTable('mail')
    .set({ sent_at: now, failure: null, ...(keepBody ? {} : { body: null }) })
    .where('id', '=', id)
    .execute()
}

/** Records why a delivery failed. */
export async function markFailed(system: Database, id: number, failure: string): Promise<void> {
  await system.updateTable('mail').set({ failure }).where('id', '=', id).where('sent_at', 'is', null).execute()
}

/** One page of letters that still have their text, newest first, and the total. */
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

/** Deletes the text of letters written before `before`. An undelivered one records that. @returns how many */
export async function eraseMailTexts(system: Database, before: Date): Promise<number> {
  const done = await sql`
    update mail set body = null,
      failure = case when sent_at is null then concat_ws(' ', failure, 'It was given up, and its text removed.') end
    where body is not null and created_at < ${before}`.execute(system)
  return Number(done.numAffectedRows ?? 0)
}

/** Deletes letters written before `before` whose text is gone. @returns how many */
export async function removeMail(system: Database, before: Date): Promise<number> {
  const gone = await system
    .deleteFrom('mail')
    .where('created_at', '<', before)
    .where('body', 'is', null)
    .executeTakeFirst()
  return Number(gone.numDeletedRows)
}
