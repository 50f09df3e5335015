import { Refusal } from '@pillar/contract'
import type { Signup } from '@pillar/contract/company/signup-admin'
import type { SignupState } from '@pillar/domain/signup/signup'
import { sql } from 'kysely'
import type { Tx } from '../../db/database.ts'
import { SEALED } from '../../db/field/columns.ts'
import type { Keys } from '../../db/field/key-ring.ts'
import { type ListAsk, pageOf } from '../../db/list.ts'
import { isoTime } from '../company/company-admin.queries.ts'
import { openedSignup } from './signup.queries.ts'

const COLUMNS = sql`s.uuid, s.state, s.username, s.email, s.email_sealed, s.first_name, s.last_name, s.job_title, s.phone, s.phone_sealed, s.pharmacy_name,
  s.pharmacy_phone, s.sources, s.asked_for, ${isoTime(sql`s.supported_told_at`)} as supported_told_at, s.street_address, s.town, s.region, s.postcode, s.email_marketing, s.reason,
  ${isoTime(sql`s.created_at`)} as created_at, ${isoTime(sql`s.confirmed_at`)} as confirmed_at,
  ${isoTime(sql`s.decided_at`)} as decided_at, d.first_name || ' ' || d.last_name as decided_by,
  case when c.id is not null then json_build_object('uuid', c.uuid, 'name', c.name) end as company`
const FROM = sql`signup s left join login d on d.id = s.decided_by left join company c on c.id = s.company_id`

type Sort = 'created_at' | 'pharmacy_name' | 'name'

/** One page of the sign-ups, in a given state or all. Waiting ones come first, the oldest at the top. */
export async function listSignups({ tx, keys }: Reader, state: SignupState | null, input: ListAsk<Sort>) {
  const { name, index } = SEALED.signupEmail
  const indexes = await keys.indexes(name, index.of(input.search_term))
  // An address is found whole or not at all: sealed values cannot be searched in part.
  const email = sql`case when s.email_index = any(${indexes}::bytea[]) then ${input.search_term} else s.email end`
  const page = await pageOf<SealedRow, Sort>(
    tx,
    {
      select: COLUMNS,
      from: FROM,
      where: [state === null ? null : sql`s.state = ${state}`],
      search: [sql`s.pharmacy_name`, sql`s.first_name || ' ' || s.last_name`, email, sql`s.username`],
      uuid: sql`s.uuid`,
      sort: {
        created_at: sql`s.created_at`,
        pharmacy_name: sql`lower(s.pharmacy_name)`,
        name: sql`lower(s.last_name || ' ' || s.first_name)`,
      },
      key: sql`s.id`,
    },
    input,
  )
  const { rows } = await sql<{ waiting: number }>`
    select count(*) as waiting from signup where state = 'waiting'`.execute(tx)
  const opened = await Promise.all(page.rows.map((row) => openedSignup(keys, row)))
  return { ...page, rows: opened, waiting: Number(rows[0]?.waiting ?? 0) }
}

/** A transaction of support's, and the keys for the sealed columns it reads. */
interface Reader {
  tx: Tx
  keys: Keys
}

type SealedRow = Omit<Signup, 'email'> & {
  email: string | null
  email_sealed: Buffer | null
  phone_sealed: Buffer | null
}

const NOT_FOUND = 'That sign-up was not found.'

/** One sign-up. @throws Refusal not_found */
export async function findSignup({ tx, keys }: Reader, uuid: string): Promise<Signup> {
  const { rows } = await sql<SealedRow>`select ${COLUMNS} from ${FROM} where s.uuid = ${uuid}`.execute(tx)
  if (!rows[0]) throw new Refusal('not_found', NOT_FOUND)
  return openedSignup(keys, rows[0])
}

/** Locks a sign-up until the transaction ends, so that of two decisions the second sees the first. @throws Refusal not_found */
export async function lockSignup(tx: Tx, uuid: string): Promise<{ id: number; state: SignupState }> {
  const { rows } = await sql<{ id: string; state: SignupState }>`
    select id, state from signup where uuid = ${uuid} for update`.execute(tx)
  if (!rows[0]) throw new Refusal('not_found', NOT_FOUND)
  return { id: Number(rows[0].id), state: rows[0].state }
}

/** Marks a sign-up as approved. @returns the hash of the chosen password, for its login; null if it was not waiting */
export async function approveSignup(
  tx: Tx,
  signup: { id: number; companyId: number; decidedBy: number },
  now: Date,
): Promise<string | null> {
  const { rows } = await sql<{ hash: string | null }>`
    select approve_signup(${signup.id}, ${signup.companyId}, ${signup.decidedBy}, ${now}) as hash`.execute(tx)
  return rows[0]?.hash ?? null
}

/** Records that the person was emailed that their software is now supported. */
export async function noteTold(tx: Tx, id: number, now: Date): Promise<void> {
  await sql`update signup set supported_told_at = ${now} where id = ${id}`.execute(tx)
}

/** Marks a sign-up as rejected and deletes its password. */
export async function rejectSignup(
  tx: Tx,
  signup: { id: number; decidedBy: number; reason: string },
  now: Date,
): Promise<void> {
  await sql`select reject_signup(${signup.id}, ${signup.decidedBy}, ${signup.reason}, ${now})`.execute(tx)
}
