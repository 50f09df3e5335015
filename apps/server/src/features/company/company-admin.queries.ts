import { Refusal } from '@pillar/contract'
import type { CompanyOwns } from '@pillar/domain/company'
import type { Country } from '@pillar/domain/locale'
import { LIVE_RUN_STATES } from '@pillar/domain/run-state'
import { sql } from 'kysely'
import { v7 as uuidv7 } from '../../api/uuid.ts'
import type { Tx } from '../../db/database.ts'
import { type ListAsk, pageOf } from '../../db/list.ts'
import { refuseTaken } from '../../db/taken.ts'

export interface CompanyFeatures {
  sixty_day_signup: boolean
  cloud_ecdr: boolean
  ad_dashboard: boolean
  supplier_dashboard: boolean
}

export interface CompanyRow extends CompanyFeatures {
  uuid: string
  name: string
  type: string
  country: Country
  created_at: string
  locations: number
  logins: number
  version: number
}

/** An instant as it crosses the wire. */
export const isoTime = (column: ReturnType<typeof sql>) =>
  sql`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

const COLUMNS = sql`c.uuid, c.name, c.type, c.country, ${isoTime(sql`c.created_at`)} as created_at, n.locations, n.logins,
  c.sixty_day_signup, c.cloud_ecdr, c.ad_dashboard, c.supplier_dashboard, c.version`
const COMPANIES = sql`company c cross join lateral (select
  (select count(*) from location l where l.company_id = c.id and l.removed_at is null) as locations,
  (select count(*) from login o where o.company_id = c.id and o.disabled_at is null) as logins) n`

type Sort = 'name' | 'created_at' | 'locations' | 'logins'

/** One page of the companies, by part of their name. */
export function listCompanies(tx: Tx, input: ListAsk<Sort>) {
  return pageOf<CompanyRow, Sort>(
    tx,
    {
      select: COLUMNS,
      from: COMPANIES,
      where: [sql`c.removed_at is null`],
      search: [sql`c.name`],
      sort: {
        name: sql`lower(c.name)`,
        created_at: sql`c.created_at`,
        locations: sql`n.locations`,
        logins: sql`n.logins`,
      },
      key: sql`c.id`,
    },
    input,
  )
}

/** Names of all companies, by name. */
export async function listCompanyNames(tx: Tx): Promise<{ uuid: string; name: string }[]> {
  const { rows } = await sql<{ uuid: string; name: string }>`
    select uuid, name from company where removed_at is null order by lower(name), id`.execute(tx)
  return rows
}

/** One company. @throws Refusal not_found */
export async function findCompany(tx: Tx, uuid: string): Promise<CompanyRow> {
  const { rows } = await sql<CompanyRow>`
    select ${COLUMNS} from ${COMPANIES} where c.uuid = ${uuid} and c.removed_at is null`.execute(tx)
  if (!rows[0]) throw new Refusal('not_found', 'That company was not found.')
  return rows[0]
}

/** Locks a company until the transaction ends. @throws Refusal not_found */
export async function lockCompany(tx: Tx, uuid: string) {
  const found = await tx
    .selectFrom('company')
    .select(['id', 'name', 'version', 'demo'])
    .where('uuid', '=', uuid)
    .where('removed_at', 'is', null)
    .forUpdate()
    .executeTakeFirst()
  if (!found) throw new Refusal('not_found', 'That company was not found.')
  return found
}

const taken = (name: string) => ({
  company_name: `There is already a company called "${name}". Please enter another company name.`,
})

/** Adds a company. @throws Refusal conflict when the name is taken, letter case ignored */
export async function insertCompany(
  tx: Tx,
  company: CompanyFeatures & { name: string; country: Country },
): Promise<{ id: number; uuid: string }> {
  return refuseTaken(taken(company.name), () =>
    tx
      .insertInto('company')
      .values({ ...company, uuid: uuidv7() })
      .returning(['id', 'uuid'])
      .executeTakeFirstOrThrow(),
  )
}

/** Changes a company and counts its version up. @throws Refusal conflict when the name is taken */
export async function updateCompany(
  tx: Tx,
  id: number,
  changes: Partial<CompanyFeatures> & { name: string },
): Promise<void> {
  await refuseTaken(taken(changes.name), () =>
    tx
      .updateTable('company')
      .set((eb) => ({ ...changes, version: eb('version', '+', 1) }))
      .where('id', '=', id)
      .execute(),
  )
}

/** What a company still owns that keeps it from being removed. */
export async function companyOwns(tx: Tx, id: number): Promise<CompanyOwns> {
  const { rows } = await sql<CompanyOwns>`select
    (select count(*) from location where company_id = ${id} and removed_at is null) as pharmacies,
    (select count(*) from campaign where company_id = ${id} and removed_at is null and active) as "activeCampaigns",
    (select count(*) from message_run where company_id = ${id} and state in (${sql.join(LIVE_RUN_STATES)})) as "liveRuns"`.execute(
    tx,
  )
  if (!rows[0]) throw new Error('a select without from answers one row')
  return rows[0]
}

/** Takes a company out of every list and shuts its logins out; its records stay. @returns how many logins */
export async function removeCompany(tx: Tx, id: number, now: Date): Promise<number> {
  await tx.updateTable('company').set({ removed_at: now }).where('id', '=', id).execute()
  const shut = await tx
    .updateTable('login')
    .set({ disabled_at: now })
    .where('company_id', '=', id)
    .where('disabled_at', 'is', null)
    .executeTakeFirst()
  return Number(shut.numUpdatedRows)
}
