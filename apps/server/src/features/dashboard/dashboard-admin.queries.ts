import { Refusal } from '@pillar/contract'
import { restorableSince } from '@pillar/domain/company/removal'
import type { DashboardType } from '@pillar/domain/dashboard/dashboard'
import { sql } from 'kysely'
import { v7 as uuidv7 } from '../../api/uuid.ts'
import type { Tx } from '../../db/database.ts'
import { is, type ListAsk, pageOf } from '../../db/list.ts'
import { refuseTaken } from '../../db/taken.ts'

/** The fields of a dashboard that support writes. */
export interface DashboardFields {
  name: string
  /** Uuid. */
  company_id: string
  dashboard_id: string
  dashboard_type: DashboardType
  domain_url: string
  active: boolean
  production: boolean
  products: string[]
}

export interface DashboardRow extends DashboardFields {
  id: string
  company: string
  created_at: Date
  removed_at: Date | null
  version: number
}

const COLUMNS = sql`d.uuid as id, d.dashboard_id, d.name, c.uuid as company_id, c.name as company, d.dashboard_type, d.active,
  d.domain_url, d.production, d.products, d.created_at, d.removed_at, d.version`
const DASHBOARDS = sql`dashboard d join company c on c.id = d.company_id`

type Sort = 'name' | 'company' | 'dashboard_type' | 'active' | 'created_at'
interface Filter {
  dashboard_type?: DashboardType | null | undefined
  active?: boolean | null | undefined
  /** Selects removed ones that can still be restored, instead of current ones. */
  removed: boolean
}

/** One page of the dashboards, found by part of their name or of their company's. */
export function listDashboards(tx: Tx, input: ListAsk<Sort> & Filter, now: Date) {
  return pageOf<DashboardRow, Sort>(
    tx,
    {
      select: COLUMNS,
      from: DASHBOARDS,
      where: [
        input.removed ? sql`d.removed_at > ${restorableSince(now)}` : sql`d.removed_at is null`,
        sql`c.removed_at is null`,
        input.dashboard_type ? sql`d.dashboard_type = ${input.dashboard_type}` : null,
        is(sql`d.active`, input.active),
      ],
      search: [sql`d.name`, sql`c.name`],
      uuid: sql`d.uuid`,
      sort: {
        name: sql`lower(d.name)`,
        company: sql`lower(c.name)`,
        dashboard_type: sql`d.dashboard_type`,
        active: sql`d.active`,
        created_at: sql`d.created_at`,
      },
      key: sql`d.id`,
    },
    input,
  )
}

/** One dashboard. @throws Refusal not_found */
export async function findDashboard(tx: Tx, uuid: string): Promise<DashboardRow> {
  const { rows } = await sql<DashboardRow>`
    select ${COLUMNS} from ${DASHBOARDS} where d.uuid = ${uuid} and d.removed_at is null`.execute(tx)
  if (!rows[0]) throw new Refusal('not_found', 'That dashboard was not found.')
  return rows[0]
}

/** Locks a dashboard until the transaction ends. @param removed looks for a removed one @throws Refusal not_found */
export async function lockDashboard(tx: Tx, uuid: string, removed = false) {
  const found = await tx
    .selectFrom('dashboard')
    .select(['id', 'company_id', 'name', 'version', 'removed_at'])
    .where('uuid', '=', uuid)
    .where('removed_at', removed ? 'is not' : 'is', null)
    .forUpdate()
    .executeTakeFirst()
  if (!found) throw new Refusal('not_found', 'That dashboard was not found.')
  return found
}

const taken = (name: string) => ({
  dashboard_name: `The company already has a dashboard called "${name}". Please enter another dashboard name.`,
})

/** Adds a dashboard. @returns its uuid @throws Refusal conflict if the company has one of that name, ignoring letter case */
export async function insertDashboard(tx: Tx, fields: DashboardFields, companyId: number, now: Date): Promise<string> {
  const uuid = uuidv7()
  await refuseTaken(taken(fields.name), () =>
    tx
      .insertInto('dashboard')
      .values({ ...fields, uuid, company_id: companyId, created_at: now })
      .execute(),
  )
  return uuid
}

/** Changes a dashboard and increments its version. @returns the new version @throws Refusal conflict if the name is taken */
export async function updateDashboard(tx: Tx, id: number, fields: DashboardFields, companyId: number): Promise<number> {
  const row = await refuseTaken(taken(fields.name), () =>
    tx
      .updateTable('dashboard')
      .set((eb) => ({
        ...fields,
        products: [...fields.products],
        company_id: companyId,
        version: eb('version', '+', 1),
      }))
      .where('id', '=', id)
      .returning('version')
      .executeTakeFirstOrThrow(),
  )
  return row.version
}

/** Removes a dashboard from every list, or with null restores it. @throws Refusal conflict if its name has been taken meanwhile */
export async function setDashboardRemoved(tx: Tx, found: { id: number; name: string }, at: Date | null): Promise<void> {
  await refuseTaken(taken(found.name), () =>
    tx
      .updateTable('dashboard')
      .set((eb) => ({ removed_at: at, version: eb('version', '+', 1) }))
      .where('id', '=', found.id)
      .execute(),
  )
}
