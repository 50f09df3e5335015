import { Refusal } from '@pillar/contract'
import type { Filters } from '@pillar/contract/campaign/cohort'
import type { GoalType, Measure } from '@pillar/domain/campaign/goal'
import { type RawBuilder, sql } from 'kysely'
import { v7 as uuidv7 } from '../../api/uuid.ts'
import { type Chosen, chosenRows } from '../../db/chosen.ts'
import type { Tx } from '../../db/database.ts'
import { holds, type ListAsk, pageOf, searched } from '../../db/list.ts'
import { restoreRows } from '../../db/restore.ts'
import { refuseTaken } from '../../db/taken.ts'
import { NEW_DAYS } from './recommendation.queries.ts'

/** A recommended campaign as support sees it; days as ISO text. */
export interface AdminCampaignRecommendationRow {
  id: number
  uuid: string
  name: string
  description: string
  goal_type: GoalType
  measure_by: Measure
  goal: number
  note: string | null
  start_day: string | null
  end_day: string | null
  template_recommendations: { template_id: string; template_name: string }[]
  filters: Partial<Filters>
  new: boolean
  companies: number
  published_at: Date
  removed_at: Date | null
  version: number
}

const columns = (
  now: Date,
) => sql`r.id, r.uuid, r.name, r.description, r.goal_type, r.measure_by, r.goal, r.note, r.start_day, r.end_day,
  r.filters, r.published_at, r.removed_at, r.version,
  r.published_at > ${now}::timestamptz - make_interval(days => ${NEW_DAYS}) as new,
  (select count(distinct c.company_id)::int from campaign c where c.campaign_recommendation_id = r.id and c.removed_at is null) as companies,
  coalesce((
    select json_agg(json_build_object('template_id', t.uuid, 'template_name', t.name) order by t.name)
    from campaign_recommendation_template x join template_recommendation t on t.id = x.template_recommendation_id
    where x.campaign_recommendation_id = r.id and t.removed_at is null), '[]') as template_recommendations`
const RECOMMENDED = sql`campaign_recommendation r`

/** Support's filters for recommended campaigns; null or absent for any. */
export interface RecommendedFilter {
  search_term: string
  name?: string | null | undefined
  goal_type?: GoalType | null | undefined
  measure_by?: Measure | null | undefined
  removed?: boolean | null | undefined
}

const SEARCHED = { search: [sql`r.name`, sql`r.description`], uuid: sql`r.uuid` }

function conditions(filter: RecommendedFilter): (RawBuilder<unknown> | null)[] {
  return [
    filter.removed ? sql`r.removed_at is not null` : sql`r.removed_at is null`,
    holds(sql`r.name`, filter.name),
    filter.goal_type ? sql`r.goal_type = ${filter.goal_type}` : null,
    filter.measure_by ? sql`r.measure_by = ${filter.measure_by}` : null,
  ]
}

type Sort = 'name' | 'goal_type' | 'published_at'

/** One page of the recommended campaigns. */
export function listRecommendedCampaigns(tx: Tx, input: ListAsk<Sort> & RecommendedFilter, now: Date) {
  return pageOf<AdminCampaignRecommendationRow, Sort>(
    tx,
    {
      select: columns(now),
      from: RECOMMENDED,
      where: conditions(input),
      ...SEARCHED,
      sort: { name: sql`lower(r.name)`, goal_type: sql`r.goal_type`, published_at: sql`r.published_at` },
      key: sql`r.id`,
      chosenByKey: true,
    },
    input,
  )
}

/** One recommended campaign, deleted or not. @throws Refusal not_found */
export async function findRecommendedCampaign(
  tx: Tx,
  uuid: string,
  now: Date,
): Promise<AdminCampaignRecommendationRow> {
  const { rows } = await sql<AdminCampaignRecommendationRow>`
    select ${columns(now)} from ${RECOMMENDED} where r.uuid = ${uuid}`.execute(tx)
  if (!rows[0]) throw new Refusal('not_found', 'That campaign was not found.')
  return rows[0]
}

/** The recommended campaigns a bulk call acts on. @throws Refusal not_found, conflict */
export const chosenRecommended = (
  tx: Tx,
  chosen: Chosen<RecommendedFilter>,
  now: Date,
  options: { lock?: boolean; deleted?: boolean } = {},
): Promise<AdminCampaignRecommendationRow[]> =>
  chosenRows(
    tx,
    {
      noun: 'campaign',
      alias: 'r',
      select: columns(now),
      from: RECOMMENDED,
      conditions: (filter) => [...conditions(filter), ...searched(SEARCHED, filter.search_term)],
    },
    chosen,
    options,
  )

/** The stored fields of a recommended campaign; templates by their uuids. */
export interface RecommendedDraft {
  name: string
  description: string
  goal_type: GoalType
  measure_by: Measure
  goal: number
  note: string | null
  start_day: string | null
  end_day: string | null
  filters: Filters
  templates: readonly string[]
}

const taken = (name: string) => ({
  campaign_recommendation_name: `There is already a recommended campaign called "${name}". Please enter another campaign name.`,
})

/** Recommends a campaign. @returns its uuid @throws Refusal conflict if the name is taken, not_found for an unknown template */
export async function insertRecommendedCampaign(tx: Tx, draft: RecommendedDraft, now: Date): Promise<string> {
  const { templates, filters, ...columns } = draft
  const made = await refuseTaken(taken(draft.name), () =>
    tx
      .insertInto('campaign_recommendation')
      .values({ ...columns, filters: JSON.stringify(filters), uuid: uuidv7(), published_at: now })
      .returning(['id', 'uuid'])
      .executeTakeFirstOrThrow(),
  )
  await attach(tx, made.id, templates)
  return made.uuid
}

/** Saves a recommended campaign and increments its version. @throws Refusal conflict if the name is taken, not_found */
export async function updateRecommendedCampaign(tx: Tx, id: number, draft: RecommendedDraft): Promise<void> {
  const { templates, filters, ...columns } = draft
  await refuseTaken(taken(draft.name), () =>
    tx
      .updateTable('campaign_recommendation')
      .set((eb) => ({ ...columns, filters: JSON.stringify(filters), version: eb('version', '+', 1) }))
      .where('id', '=', id)
      .execute(),
  )
  await tx.deleteFrom('campaign_recommendation_template').where('campaign_recommendation_id', '=', id).execute()
  await attach(tx, id, templates)
}

/** Locked until the campaign is saved, so that none of them is withdrawn meanwhile. */
async function attach(tx: Tx, id: number, templates: readonly string[]): Promise<void> {
  const wanted = [...new Set(templates.map((uuid) => uuid.toLowerCase()))]
  const { numAffectedRows } = await sql`
    insert into campaign_recommendation_template (campaign_recommendation_id, template_recommendation_id)
    select ${id}::bigint, t.id from template_recommendation t
    where t.uuid = any (${wanted}::uuid[]) and t.removed_at is null order by t.id for share of t`.execute(tx)
  if (Number(numAffectedRows) !== wanted.length)
    throw new Refusal('not_found', 'That recommended template was not found.')
}

/** Restores withdrawn campaigns where possible. */
export const restoreRecommended = (tx: Tx, ids: readonly number[], now: Date) =>
  restoreRows(
    tx,
    {
      ...{ table: sql`campaign_recommendation`, unique: ['campaign_recommendation_name'] },
      set: sql`version = version + 1`,
    },
    ids,
    now,
  )

/**
 * Removes recommended campaigns from every list, or restores one as a new version; campaigns made from them stay. @throws Refusal conflict
 * if a name is taken
 */
export async function setRecommendedRemoved(
  tx: Tx,
  rows: readonly { id: number; name: string }[],
  removedAt: Date | null,
): Promise<void> {
  await refuseTaken(taken(rows[0]?.name ?? ''), () =>
    sql`update campaign_recommendation set removed_at = ${removedAt}, version = version + ${removedAt ? 0 : 1}::int
      where id = any (${rows.map((row) => row.id)}::bigint[])`.execute(tx),
  )
}

/** The number of companies, and what they made from these recommended campaigns. */
export async function madeFromRecommended(tx: Tx, ids: readonly number[]) {
  const { rows } = await sql<{ companies: number; adopted: number; campaigns: number; active: number }>`
    select (select count(*)::int from company where removed_at is null) as companies,
           count(distinct c.company_id)::int as adopted, count(*)::int as campaigns, (count(*) filter (where c.active))::int as active
    from campaign c join company k on k.id = c.company_id and k.removed_at is null
    where c.campaign_recommendation_id = any (${[...ids]}::bigint[]) and c.removed_at is null`.execute(tx)
  return rows[0]!
}
