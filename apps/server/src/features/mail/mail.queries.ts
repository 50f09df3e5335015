import { sql } from 'kysely'
import { v7 as uuidv7 } from '../../api/uuid.ts'
import type { Database, Tx } from '../../db/database.ts'
import { rowName, SEALED } from '../../db/field/columns.ts'
import { AlteredField } from '../../db/field/envelope.ts'
import type { Keys } from '../../db/field/key-ring.ts'

export interface StoredMail {
  id: number
  uuid: string
  /** Decrypted. */
  recipient: string
  subject: string
  /** Encrypted (seal.ts); null once a mail server has accepted it. */
  body: Buffer | null
  created_at: Date
}

/** Adds an email to deliver. @returns its id */
export async function insertMail(
  tx: Tx,
  keys: Keys,
  mail: { recipient: string; subject: string; body: Buffer; now: Date },
): Promise<number> {
  const { now, recipient, ...columns } = mail
  const uuid = uuidv7()
  const recipient_sealed = (await keys.sealer(RECIPIENT))(rowName(uuid), recipient)
  const row = await tx
    .insertInto('mail')
    .values({ ...columns, uuid, recipient_sealed, created_at: now })
    .returning('id')
    .executeTakeFirstOrThrow()
  return row.id
}

/** Locks an undelivered email; undefined if it was delivered. Waits for another transaction that holds it, which may fail to deliver it. */
export async function claimMail(tx: Tx, keys: Keys, id: number): Promise<StoredMail | undefined> {
  const row = await tx
    .selectFrom('mail')
    .select(STORED)
    .where('id', '=', id)
    .where('sent_at', 'is', null)
    .forUpdate()
    .executeTakeFirst()
  return row && opened(keys, row)
}

/** Well below the time after which PostgreSQL ends a transaction that does nothing. */
const AWAKE_MS = 30_000

/** Keeps a transaction open while something outside is waited for, however long that takes. @returns ends it */
export function keepAwake(tx: Tx): () => void {
  const timer = setInterval(() => void sql`select 'a letter is being delivered'`.execute(tx).catch(() => {}), AWAKE_MS)
  return () => clearInterval(timer)
}

const RECIPIENT = SEALED.mailRecipient.name
const STORED = ['id', 'uuid', 'recipient', 'recipient_sealed', 'subject', 'body', 'created_at'] as const

type SealedMail = Omit<StoredMail, 'recipient'> & {
  recipient: string | null
  recipient_sealed: Buffer | null
}

async function opened(keys: Keys, { recipient_sealed: sealed, ...row }: SealedMail): Promise<StoredMail> {
  const recipient = row.recipient ?? (sealed ? await keys.open(RECIPIENT, rowName(row.uuid), sealed) : '')
  return { ...row, recipient }
}

/**
 * Every stored email with its recipient and, if kept, its text. Waits for none that is being delivered.
 * @returns the emails, and the ids of those whose recipient does not open
 */
export async function everyLetter(tx: Tx, keys: Keys): Promise<{ letters: StoredMail[]; closed: number[] }> {
  const rows = await tx.selectFrom('mail').select(STORED).execute()
  const closed: number[] = []
  const letters = await Promise.all(
    rows.map((row) =>
      opened(keys, row).catch((error: unknown) => {
        closed.push(row.id)
        return unopened(error)
      }),
    ),
  )
  return { letters: letters.filter((letter) => letter !== null), closed }
}

/** Deletes these emails. */
export async function removeLetters(tx: Tx, ids: readonly number[]): Promise<void> {
  await tx
    .deleteFrom('mail')
    .where('id', 'in', [0, ...ids])
    .execute()
}

/** Deletes the texts that these emails still have. */
export async function forgetLetters(tx: Tx, ids: readonly number[]): Promise<void> {
  const failure = sql<string>`coalesce(failure, 'Its text was erased.')`
  await tx
    .updateTable('mail')
    .set({ body: null, failure })
    .where('id', 'in', [0, ...ids])
    .where('body', 'is not', null)
    .execute()
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

/** One page of emails that still have their text, newest first, and the total. The recipient is null if it does not open. */
export async function listMail(
  system: Database,
  keys: Keys,
  page: number,
  perPage: number,
): Promise<{ rows: (Omit<StoredMail, 'recipient'> & { recipient: string | null })[]; total: number }> {
  const kept = system.selectFrom('mail').where('body', 'is not', null)
  const rows = await kept
    .select(STORED)
    .orderBy('id', 'desc')
    .limit(perPage)
    .offset((page - 1) * perPage)
    .execute()
  const counted = await kept.select((count) => count.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  const shown = await Promise.all(
    rows.map((row) => opened(keys, row).catch((error: unknown) => ({ ...row, recipient: unopened(error) }))),
  )
  return { rows: shown, total: Number(counted.total) }
}

/** Nothing, for a sealed value that was altered. @throws every other error */
function unopened(error: unknown): null {
  if (error instanceof AlteredField) return null
  throw error
}

/** Deletes the text of up to `limit` emails written before `before`. An undelivered one records that. @returns how many */
export async function eraseMailTexts(system: Database, before: Date, limit: number): Promise<number> {
  const done = await sql`
    update mail set body = null,
      failure = case when sent_at is null then concat_ws(' ', failure, 'It was given up, and its text removed.') end
    where id = any(array(
      select id from mail where body is not null and created_at < ${before} order by id limit ${limit} for update skip locked))`.execute(
    system,
  )
  return Number(done.numAffectedRows ?? 0)
}

/** Deletes up to `limit` emails written before `before` whose text is gone. @returns how many */
export async function removeMail(system: Database, before: Date, limit: number): Promise<number> {
  const gone = await sql`
    delete from mail where id = any(array(
      select id from mail where created_at < ${before} and body is null order by id limit ${limit} for update skip locked))`.execute(
    system,
  )
  return Number(gone.numAffectedRows ?? 0)
}
