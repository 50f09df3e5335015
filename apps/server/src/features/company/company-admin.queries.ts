import { type Flag, Refusal } from '@pillar/contract'
import type { CompanyOwns } from '@pillar/domain/company/company'
import { restorableSince } from '@pillar/domain/company/removal'
import { LIVE_RUN_STATES } from '@pillar/domain/message/run-state'
import { findTerm } from '@pillar/domain/text/find-term'
import { isUuid } from '@pillar/domain/text/uuid'
import type { Country } from '@pillar/domain/time/locale'
import { sql } from 'kysely'
import { v7 as uuidv7 } from '../../api/uuid.ts'
import type { Tx } from '../../db/database.ts'
import { type ListAsk, pageOf, searched } from '../../db/list.ts'
import { refuseTaken } from '../../db/taken.ts'
import { shutOut } from '../session/login.queries.ts'

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
  removed_at: string | null
}

/** An instant as sent over the wire. */
export const isoTime = (column: ReturnType<typeof sql>) =>
  sql`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

/** Counted only for the rows of a page: PostgreSQL evaluates the select list after the limit. */
const LOCATIONS = sql`(select count(*) from location l where l.company_id = c.id and l.removed_at is null)`
const LOGINS = sql`(select count(*) from login o where o.company_id = c.id and o.disabled_at is null)`
const COLUMNS = sql`c.uuid, c.name, c.type, c.country, ${isoTime(sql`c.created_at`)} as created_at, ${LOCATIONS} as locations,
  ${LOGINS} as logins, c.sixty_day_signup, c.cloud_ecdr, c.ad_dashboard, c.supplier_dashboard, c.version,
  ${isoTime(sql`c.removed_at`)} as removed_at`

type Sort = 'name' | 'created_at' | 'locations' | 'logins'

/** A company in a list, with up to three of its pharmacies that matched the search. */
export interface FoundCompany extends CompanyRow {
  found_locations: string[]
}

const FOUND_LOCATIONS = 3

/** One page of the companies, found by part of their name or the beginnings of words in a pharmacy's name. */
export function listCompanies(tx: Tx, input: ListAsk<Sort> & { removed: boolean }, now: Date) {
  const place = placeNamed(input.search_term)
  const [named = null] = searched({ search: [sql`c.name`], uuid: sql`c.uuid` }, input.search_term)
  return pageOf<FoundCompany, Sort>(
    tx,
    {
      select: sql`${COLUMNS}, ${
        place
          ? // A company found by its own name needs no other explanation.
            sql`case when ${named ?? sql`false`} then '{}' else
              array(select l.name from location l where l.company_id = c.id and ${place} order by lower(l.name), l.id limit ${sql.lit(FOUND_LOCATIONS)}) end`
          : sql`'{}'::text[]`
      } as found_locations`,
      from: sql`company c`,
      where: [
        input.removed ? sql`c.removed_at > ${restorableSince(now)}` : sql`c.removed_at is null`,
        named && place ? sql`(${named} or c.id in (select l.company_id from location l where ${place}))` : named,
      ],
      sort: {
        name: sql`lower(c.name)`,
        created_at: sql`c.created_at`,
        locations: LOCATIONS,
        logins: LOGINS,
      },
      key: sql`c.id`,
    },
    { ...input, search_term: '' },
  )
}

/** A condition that a pharmacy `l` is in use and words of its name begin with those of the search; null without words. */
function placeNamed(term: string) {
  const words = isUuid(term) ? [] : (findTerm(term)?.words ?? [])
  if (words.length === 0) return null
  const query = words.map((word) => `${word}:*`).join(' & ')
  return sql`l.removed_at is null and name_words(l.name) @@ to_tsquery('simple', ${query})`
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
    select ${COLUMNS} from company c where c.uuid = ${uuid} and c.removed_at is null`.execute(tx)
  if (!rows[0]) throw new Refusal('not_found', 'That company was not found.')
  return rows[0]
}

/** Locks a company until the transaction ends; with `removed`, a removed one. @throws Refusal not_found */
export async function lockCompany(tx: Tx, uuid: string, removed = false) {
  const found = await tx
    .selectFrom('company')
    .select(['id', 'name', 'version', 'demo', 'removed_at'])
    .where('uuid', '=', uuid)
    .where('removed_at', removed ? 'is not' : 'is', null)
    .forUpdate()
    .executeTakeFirst()
  if (!found) throw new Refusal('not_found', 'That company was not found.')
  return found
}

const taken = (name: string) => ({
  company_name: `There is already a company called "${name}". Please enter another company name.`,
})

/** Adds a company. @throws Refusal conflict if the name is taken, ignoring letter case */
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

/** Changes a company and increments its version. @throws Refusal conflict if the name is taken */
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

/** The login flag that opens each feature of a company. */
export const FEATURE_FLAGS = {
  sixty_day_signup: 'sixty_day_signup',
  cloud_ecdr: 'ecdr',
  ad_dashboard: 'ad_analytics',
  supplier_dashboard: 'supplier_analytics',
} as const satisfies Record<keyof CompanyFeatures, Flag>

/**
 * Opens a newly enabled feature to logins that may open the head office's pages, and closes a disabled one to everybody of the company, at
 * once: every request reads the flags. Unchanged features change no login.
 */
export async function switchFeatures(
  tx: Tx,
  companyId: number,
  before: CompanyFeatures,
  after: CompanyFeatures,
): Promise<void> {
  for (const feature of Object.keys(FEATURE_FLAGS) as (keyof CompanyFeatures)[]) {
    if (before[feature] === after[feature]) continue
    const [flag, on] = [sql.ref(FEATURE_FLAGS[feature]), after[feature]]
    await sql`update login set ${flag} = ${on}, version = version + 1
      where company_id = ${companyId} and ${flag} <> ${on} and (data_analytics or not ${on})`.execute(tx)
  }
}

/** What a company still owns that prevents its removal. */
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

/** Removes a company from every list and locks out its logins with everything they hold; its records stay. */
export async function removeCompany(tx: Tx, id: number, now: Date): Promise<void> {
  await tx.updateTable('company').set({ removed_at: now }).where('id', '=', id).execute()
  const shut = await tx
    .updateTable('login')
    .set({ disabled_at: now })
    .where('company_id', '=', id)
    .where('disabled_at', 'is', null)
    .returning('id')
    .execute()
  for (const login of shut) await shutOut(tx, login.id, now)
}

/**
 * Restores a removed company with the logins its removal blocked, recognised by the same time. Those blocked before stay blocked.
 * @throws Refusal conflict if its name has been taken meanwhile
 */
export async function restoreCompany(tx: Tx, company: { id: number; name: string }): Promise<void> {
  await sql`
    update login o set disabled_at = null from company c
    where c.id = ${company.id} and o.company_id = c.id and o.disabled_at = c.removed_at`.execute(tx)
  await refuseTaken(taken(company.name), () =>
    tx.updateTable('company').set({ removed_at: null }).where('id', '=', company.id).execute(),
  )
}
