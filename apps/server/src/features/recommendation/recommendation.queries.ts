import type { Filters } from '@pillar/contract/campaign/cohort'
import type { CampaignRecommendation } from '@pillar/contract/campaign/recommendation'
import type { TemplateRecommendation } from '@pillar/contract/template/template'
import { formatDay } from '@pillar/domain/time/day'
import type { Country } from '@pillar/domain/time/locale'
import { dayIn, zoneOf } from '@pillar/domain/time/zone'
import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../db/database.ts'
import { likePattern } from '../../db/like.ts'
import { foreignTo } from './recommended.ts'

/** Days for which a recommendation counts as new. */
export const NEW_DAYS = 30

export interface RecommendationFilter {
  search: string
  /** Leaves out those the company already uses. */
  onlyUnused: boolean
  /** The company's; templates about something its country does not have are not recommended to it. */
  country: Country
  limit: number
  offset: number
  now: Date
}

/** The filters of both lists: not withdrawn, the country, the search in name and description, and whether the company uses it. */
function conditions(filter: RecommendationFilter, adopted: RawBuilder<unknown>) {
  const pattern = likePattern(filter.search)
  return sql`where r.removed_at is null and r.uuid <> all (${foreignTo(filter.country)}::uuid[])
    ${filter.onlyUnused ? sql`and not ${adopted}` : sql``}
    ${pattern === null ? sql`` : sql`and (r.name ilike ${pattern} or r.description ilike ${pattern})`}`
}

const isNew = (now: Date) => sql`r.published_at > ${now}::timestamptz - make_interval(days => ${NEW_DAYS})`

/** One page of the templates recommended to every company, newest first, and the total; `adopted` is the scope's company's. */
export async function listTemplateRecommendations(
  tx: Tx,
  filter: RecommendationFilter,
): Promise<{ rows: TemplateRecommendation[]; total: number }> {
  const adopted = sql`exists (select from template t where t.template_recommendation_id = r.id and t.removed_at is null)`
  const where = conditions(filter, adopted)
  const { rows } = await sql<TemplateRecommendation>`
    select r.uuid as template_recommendation_id, 'template' as type, r.name, r.description, ${isNew(filter.now)} as new,
           ${adopted} as adopted, r.subject, r.body, r.sms_template, r.email_template, r.message_kind
    from template_recommendation r ${where}
    order by r.published_at desc, r.id desc limit ${filter.limit} offset ${filter.offset}`.execute(tx)
  return { rows, total: await countOf(tx, sql`template_recommendation r ${where}`) }
}

type CampaignRow = Omit<CampaignRecommendation, 'filters' | 'patients'> & { filters: Partial<Filters> }

/**
 * One page of the campaigns recommended to every company, newest first, and the total. `filters` hold only those that are set (parse them
 * with the contract's `Filters`). The cohort knows how many patients match.
 */
export async function listCampaignRecommendations(
  tx: Tx,
  filter: RecommendationFilter,
): Promise<{ rows: CampaignRow[]; total: number }> {
  const adopted = sql`exists (select from campaign c where c.campaign_recommendation_id = r.id and c.removed_at is null)`
  // A campaign meant for a time that has passed is no longer offered.
  const today = formatDay(dayIn(zoneOf(filter.country, null), filter.now))
  const where = sql`${conditions(filter, adopted)} and (r.end_day is null or r.end_day >= ${today}::date)
    ${filter.country === 'AU' ? sql`` : sql`and r.filters ->> 'double_dispensing' is null`}`
  const { rows } = await sql<CampaignRow>`
    select r.uuid as campaign_recommendation_id, 'campaign' as type, r.name, r.description, ${isNew(filter.now)} as new,
           ${adopted} as adopted, r.goal_type, r.measure_by, r.goal, r.note,
           r.start_day as start_date, r.end_day as end_date, r.filters,
           coalesce((
             select json_agg(json_build_object('template_recommendation_id', t.uuid, 'template_name', t.name,
                      'sms_template', t.sms_template, 'email_template', t.email_template) order by t.name)
             from campaign_recommendation_template l join template_recommendation t on t.id = l.template_recommendation_id
             where l.campaign_recommendation_id = r.id and t.removed_at is null
           ), '[]') as template_recommendations
    from campaign_recommendation r ${where}
    order by r.published_at desc, r.id desc limit ${filter.limit} offset ${filter.offset}`.execute(tx)
  return { rows, total: await countOf(tx, sql`campaign_recommendation r ${where}`) }
}

async function countOf(tx: Tx, from: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<{ total: number }>`select count(*) as total from ${from}`.execute(tx)
  return rows[0]?.total ?? 0
}
