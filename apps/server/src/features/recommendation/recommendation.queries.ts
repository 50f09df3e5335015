import { Refusal } from '@pillar/contract'
import type { Filters } from '@pillar/contract/cohort'
import type { CampaignRecommendation } from '@pillar/contract/recommendation'
import type { TemplateRecommendation } from '@pillar/contract/template'
import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../db/database.ts'
import { likePattern } from '../../db/like.ts'
import { insertTemplate } from '../template/template.queries.ts'

/** Days for which a recommendation counts as new. */
export const NEW_DAYS = 30

export interface RecommendationFilter {
  search: string
  /** Leaves out those the company already uses. */
  onlyUnused: boolean
  limit: number
  offset: number
  now: Date
}

/** What both lists filter by: not withdrawn, the search in name and description, and whether the company uses it. */
function conditions(filter: RecommendationFilter, adopted: RawBuilder<unknown>) {
  const pattern = likePattern(filter.search)
  return sql`where r.removed_at is null
    ${filter.onlyUnused ? sql`and not ${adopted}` : sql``}
    ${pattern === null ? sql`` : sql`and (r.name ilike ${pattern} or r.description ilike ${pattern})`}`
}

const isNew = (now: Date) => sql`r.published_at > ${now}::timestamptz - make_interval(days => ${NEW_DAYS})`

/** One page of the templates recommended to every company, newest first, and how many over all pages; `adopted` is the scope's company's. */
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
 * One page of the campaigns recommended to every company, newest first, and how many over all pages. `filters` hold only those that
 * are set (parse them with the contract's `Filters`). How many patients match is the cohort's to say.
 */
export async function listCampaignRecommendations(
  tx: Tx,
  filter: RecommendationFilter,
): Promise<{ rows: CampaignRow[]; total: number }> {
  const adopted = sql`exists (select from campaign c where c.campaign_recommendation_id = r.id and c.removed_at is null)`
  const where = conditions(filter, adopted)
  const { rows } = await sql<CampaignRow>`
    select r.uuid as campaign_recommendation_id, 'campaign' as type, r.name, r.description, ${isNew(filter.now)} as new,
           ${adopted} as adopted, r.goal_type, r.measure_by, r.goal, r.note, r.filters,
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

/** A recommended template that is still offered. @throws Refusal not_found */
export async function findTemplateRecommendation(tx: Tx, uuid: string) {
  const found = await tx
    .selectFrom('template_recommendation')
    .select(['id', 'name', 'body', 'subject', 'sms_template', 'email_template', 'message_kind'])
    .where('uuid', '=', uuid)
    .where('removed_at', 'is', null)
    .executeTakeFirst()
  if (!found) throw new Refusal('not_found', 'That recommended template was not found.')
  return found
}

/** Internal id of a recommended campaign that is still offered. @throws Refusal not_found */
export async function findCampaignRecommendation(tx: Tx, uuid: string): Promise<number> {
  const found = await tx
    .selectFrom('campaign_recommendation')
    .select('id')
    .where('uuid', '=', uuid)
    .where('removed_at', 'is', null)
    .executeTakeFirst()
  if (!found) throw new Refusal('not_found', 'That recommended campaign was not found.')
  return found.id
}

/**
 * The company's own template of a recommended one: what it made of it before, else a copy under the same name (a number behind it when
 * the name is taken), inactive until its campaign is activated.
 * @returns the template's internal id
 * @throws Refusal not_found when the recommendation is unknown or withdrawn
 */
export async function ownTemplateOf(
  tx: Tx,
  uuid: string,
  by: { companyId: number; loginId: number; now: Date },
): Promise<number> {
  const { id: recommendationId, name, ...text } = await findTemplateRecommendation(tx, uuid)
  const { rows } = await sql<{ id: number | null; taken: string[] }>`
    select (select id from template where template_recommendation_id = ${recommendationId} and removed_at is null order by id desc limit 1) as id,
           array(select lower(t.name) from template t where t.removed_at is null) as taken`.execute(tx)
  const { id, taken } = rows[0]!
  if (id !== null) return id
  const free = [name, ...taken.map((_, index) => `${name} (${index + 2})`)].find(
    (wanted) => !taken.includes(wanted.toLowerCase()),
  )!
  const kind = text.message_kind as 'health_outreach' | 'marketing'
  const made = { ...text, message_kind: kind, name: free, active: false, recommendationId, ...by }
  return (await insertTemplate(tx, made)).id
}
