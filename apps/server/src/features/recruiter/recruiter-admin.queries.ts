import { Refusal } from '@pillar/contract'
import { RECRUITER_TYPES, type RecruiterType } from '@pillar/domain/trial/recruiter'
import { sql } from 'kysely'
import { v7 as uuidv7 } from '../../api/uuid.ts'
import type { Tx } from '../../db/database.ts'
import { type ListAsk, pageOf } from '../../db/list.ts'
import { refuseTaken } from '../../db/taken.ts'

export interface RecruiterText {
  name: string
  description: string
  recruiter_or_provider: RecruiterType
  logo_url: string
  phone: string
  email: string
  website: string
  privacy_policy_url: string
}

export interface RecruiterRow extends RecruiterText {
  recruiter_provider_id: string
  version: number
}

const COLUMNS = sql`r.uuid as recruiter_provider_id, r.name, r.description, r.recruiter_or_provider, r.logo_url, r.phone,
  r.email, r.website, r.privacy_policy_url, r.version`

type Sort = 'name' | 'type' | 'updated_at'

/** One page of the recruiters and providers, found by part of their name; `type` null for both. */
export function listRecruiters(tx: Tx, type: RecruiterType | null, input: ListAsk<Sort>) {
  return pageOf<RecruiterRow, Sort>(
    tx,
    {
      select: COLUMNS,
      from: sql`recruiter_provider r`,
      where: [type === null ? null : sql`r.recruiter_or_provider = ${type}`],
      search: [sql`r.name`],
      uuid: sql`r.uuid`,
      sort: { name: sql`lower(r.name)`, type: sql`r.recruiter_or_provider`, updated_at: sql`r.updated_at` },
      key: sql`r.id`,
    },
    input,
  )
}

const NOT_FOUND = 'That recruiter or provider was not found.'

/** One recruiter or provider. @throws Refusal not_found */
export async function findRecruiter(tx: Tx, uuid: string): Promise<RecruiterRow> {
  const { rows } = await sql<RecruiterRow>`select ${COLUMNS} from recruiter_provider r where r.uuid = ${uuid}`.execute(
    tx,
  )
  if (!rows[0]) throw new Refusal('not_found', NOT_FOUND)
  return rows[0]
}

/** Locks a recruiter or provider until the transaction ends. @throws Refusal not_found */
export async function lockRecruiter(tx: Tx, uuid: string) {
  const found = await tx
    .selectFrom('recruiter_provider')
    .select(['id', 'name', 'recruiter_or_provider', 'version'])
    .where('uuid', '=', uuid)
    .forUpdate()
    .executeTakeFirst()
  if (!found) throw new Refusal('not_found', NOT_FOUND)
  return found
}

const taken = ({ name, recruiter_or_provider }: RecruiterText) => ({
  recruiter_provider_name: `There is already a ${RECRUITER_TYPES[recruiter_or_provider].toLowerCase()} called "${name}". Please enter another name.`,
})

/** Adds a recruiter or provider. @returns its uuid @throws Refusal conflict if the name is taken within its type */
export async function insertRecruiter(tx: Tx, text: RecruiterText): Promise<string> {
  const uuid = uuidv7()
  await refuseTaken(taken(text), () =>
    tx
      .insertInto('recruiter_provider')
      .values({ ...text, uuid })
      .execute(),
  )
  return uuid
}

/** Updates a recruiter or provider. @returns its new version @throws Refusal conflict if the name is taken within its type */
export async function updateRecruiter(tx: Tx, id: number, text: RecruiterText, now: Date): Promise<number> {
  const row = await refuseTaken(taken(text), () =>
    tx
      .updateTable('recruiter_provider')
      .set((eb) => ({ ...text, version: eb('version', '+', 1), updated_at: now }))
      .where('id', '=', id)
      .returning('version')
      .executeTakeFirstOrThrow(),
  )
  return row.version
}

/** What depends on a recruiter or provider being of its type. */
export interface RecruiterUses {
  /** Logins that see its referrals. */
  logins: number
  trials: number
}

/** How many logins and trials would be left without one. */
export async function recruiterUses(tx: Tx, id: number): Promise<RecruiterUses> {
  const { rows } = await sql<RecruiterUses>`
    select (select count(*) from login where recruiter_provider_id = ${id}) as logins,
      (select count(*) from trial where recruiter_id = ${id} or provider_id = ${id}) as trials`.execute(tx)
  return rows[0] ?? { logins: 0, trials: 0 }
}
