import type { TargetFigure } from '@pillar/domain/target/target'
import { sql } from 'kysely'
import { v7 as uuidv7 } from '../../../api/uuid.ts'
import type { Tx } from '../../../db/database.ts'

/** A stored target. Its value is money in currency, a count, or a fraction. */
export interface TargetRow {
  uuid: string
  /** Null for the whole company. */
  location_id: number | null
  figure: TargetFigure
  /** The key of its period: '2026', '2026Q3', '2026-11'. */
  period: string
  value: number
  set_by: string | null
  set_at: Date
  version: number
}

/** Whose targets to read: the company's, one pharmacy's by its id, or all. */
export type Whose = 'company' | 'all' | number

const ofWhom = (whose: Whose) =>
  whose === 'all'
    ? sql`(t.location_id is null or t.location_id = any ((select scope_location_ids())::bigint[]))`
    : whose === 'company'
      ? sql`t.location_id is null`
      : sql`t.location_id = ${whose}`

/** The targets of one period. */
export async function targetsOf(tx: Tx, period: string, whose: Whose): Promise<TargetRow[]> {
  const { rows } = await sql<TargetRow>`
    select t.uuid, t.location_id, t.figure, t.period, t.value::float8 as value, n.name as set_by, t.set_at, t.version
    from target t left join login_name n on n.login_id = t.set_by
    where t.company_id = scope_company_id() and t.period = ${period} and ${ofWhom(whose)}`.execute(tx)
  return rows
}

/** A figure's monthly targets, oldest first. */
export async function monthTargets(tx: Tx, figure: TargetFigure, whose: Exclude<Whose, 'all'>) {
  const { rows } = await sql<{ month: string; target: number }>`
    select t.period as month, t.value::float8 as target from target t
    where t.company_id = scope_company_id() and t.figure = ${figure} and t.period like '%-%' and ${ofWhom(whose)}
    order by t.period`.execute(tx)
  return rows
}

/** Pharmacies that have sent the cost of at least one script. */
export async function sendersOfCost(tx: Tx): Promise<Set<number>> {
  const { rows } = await sql<{ location_id: number }>`
    select distinct location_id from metric_figure where costed_scripts > 0`.execute(tx)
  return new Set(rows.map(({ location_id }) => location_id))
}

/** Identifies a target: one figure of the company (null) or a pharmacy in a period. */
export interface TargetKey {
  locationId: number | null
  figure: TargetFigure
  period: string
}

/** Locks and returns the target of a key; undefined if there is none. Of two people who set it at once, the second waits. */
export async function lockTarget(tx: Tx, { locationId, figure, period }: TargetKey) {
  await sql`select pg_advisory_xact_lock(hashtextextended('target' || scope_company_id() || '/' || ${locationId ?? 0}::bigint || ${figure}::text || ${period}::text, 0))`.execute(
    tx,
  )
  const { rows } = await sql<{ uuid: string; value: number; version: number }>`
    select uuid, value::float8 as value, version from target
    where company_id = scope_company_id() and coalesce(location_id, 0) = ${locationId ?? 0} and figure = ${figure} and period = ${period}
    for update`.execute(tx)
  return rows[0]
}

interface NewTarget extends TargetKey {
  companyId: number
  value: number
  setBy: number
  now: Date
}

/** Adds a target. @returns its id */
export async function insertTarget(tx: Tx, made: NewTarget): Promise<string> {
  const uuid = uuidv7()
  await tx
    .insertInto('target')
    .values({
      uuid,
      company_id: made.companyId,
      location_id: made.locationId,
      figure: made.figure,
      period: made.period,
      value: made.value,
      set_by: made.setBy,
      set_at: made.now,
    })
    .execute()
  return uuid
}

/** Changes the value of a target. @returns its new version */
export async function changeTarget(tx: Tx, uuid: string, set: Pick<NewTarget, 'value' | 'setBy' | 'now'>) {
  const row = await tx
    .updateTable('target')
    .set((eb) => ({ value: set.value, set_by: set.setBy, set_at: set.now, version: eb('version', '+', 1) }))
    .where('uuid', '=', uuid)
    .returning('version')
    .executeTakeFirstOrThrow()
  return row.version
}

/** Removes a target. @returns the removed one; undefined if no target has that id */
export async function deleteTarget(tx: Tx, uuid: string) {
  return tx
    .deleteFrom('target')
    .where('uuid', '=', uuid)
    .returning(['figure', 'period', 'location_id'])
    .executeTakeFirst()
}

/** The sums behind a pharmacy's figures in one period. Money in cents. */
export interface TargetSums {
  location_id: number
  revenue_cents: number
  scripts: number
  adherent: number
  non_adherent: number
  here_slots: number
  leaked_slots: number
  /** For the scripts whose cost was sent. */
  costed_scripts: number
  costed_revenue_cents: number
  cost_cents: number
}

/** The sums of each pharmacy with figures in a period; all of the scope if no ids are given. */
export async function targetSums(tx: Tx, period: number, locationIds: readonly number[] | null): Promise<TargetSums[]> {
  const which = locationIds === null ? sql`(select scope_location_ids())` : sql`${[...locationIds]}`
  const { rows } = await sql<TargetSums>`
    select t.location_id, t.revenue_cents::float8 as revenue_cents, t.scripts, t.adherent, t.non_adherent,
           coalesce(c.here_slots, 0) as here_slots, coalesce(c.leaked_slots, 0) as leaked_slots,
           coalesce(f.costed_scripts, 0) as costed_scripts,
           coalesce(f.costed_revenue_cents, 0)::float8 as costed_revenue_cents,
           coalesce(f.cost_cents, 0)::float8 as cost_cents
    from metric_total t
    left join metric_cell c on c.location_id = t.location_id and c.period = t.period and c.category_id = 0
    left join metric_figure f on f.location_id = t.location_id and f.period = t.period
    where t.location_id = any (${which}::bigint[]) and t.period = ${period}`.execute(tx)
  return rows
}
