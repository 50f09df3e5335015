import { Refusal } from '@pillar/contract'
import type { Filters } from '@pillar/contract/campaign/cohort'
import type { GoalType, Measure } from '@pillar/domain/campaign/goal'
import { isUuid } from '@pillar/domain/text/uuid'
import type { Country } from '@pillar/domain/time/locale'
import { type RawBuilder, sql } from 'kysely'
import { type Chosen, chosenRows } from '../../db/chosen.ts'
import type { Tx } from '../../db/database.ts'
import { holds, is, type ListAsk, pageOf, searched } from '../../db/list.ts'
import { refuseDuplicateName } from '../../db/taken.ts'

/** A company's campaign as support sees it; days as ISO text. */
export interface AdminCampaignRow {
  id: number
  uuid: string
  name: string
  description: string | null
  active: boolean
  demo: boolean
  goal_type: GoalType
  measure_by: Measure
  goal: number
  note: string | null
  start_day: string | null
  end_day: string | null
  company: string
  company_id: string
  country: Country
  is_enterprise: boolean
  locations: { location_id: string; location_name: string }[]
  templates: { template_id: string; template_name: string; active: boolean }[]
  filters: Partial<Filters>
  no_holdout: boolean
  created_at: Date
  removed_at: Date | null
  version: number
}

const COLUMNS = sql`c.id, c.uuid, c.name, c.description, c.active, c.demo, c.goal_type, c.measure_by, c.goal, c.note, c.start_day, c.end_day,
  k.name as company, k.uuid as company_id, k.country, k.type = 'enterprise' as is_enterprise, c.filters, c.no_holdout, c.created_at, c.removed_at, c.version,
  coalesce((
    select json_agg(json_build_object('location_id', l.uuid, 'location_name', l.name) order by l.name)
    from campaign_location cl join location l on l.id = cl.location_id where cl.campaign_id = c.id and l.removed_at is null), '[]') as locations,
  coalesce((
    select json_agg(json_build_object('template_id', t.uuid, 'template_name', t.name, 'active', t.active) order by t.name)
    from campaign_template ct join template t on t.id = ct.template_id where ct.campaign_id = c.id and t.removed_at is null), '[]') as templates`
const CAMPAIGNS = sql`campaign c join company k on k.id = c.company_id and k.removed_at is null`

/** Support's filters for campaigns; null or absent for any. */
export interface CampaignFilter {
  search_term: string
  name?: string | null | undefined
  /** Part of the company's name, or its uuid. */
  company?: string | null | undefined
  active?: boolean | null | undefined
  goal_type?: GoalType | null | undefined
  measure_by?: Measure | null | undefined
  removed?: boolean | null | undefined
}

function conditions(filter: Omit<CampaignFilter, 'search_term'>): (RawBuilder<unknown> | null)[] {
  const company = filter.company?.trim() ?? ''
  return [
    filter.removed ? sql`c.removed_at is not null` : sql`c.removed_at is null`,
    holds(sql`c.name`, filter.name),
    isUuid(company) ? sql`k.uuid = ${company}` : holds(sql`k.name`, company),
    is(sql`c.active`, filter.active),
    filter.goal_type ? sql`c.goal_type = ${filter.goal_type}` : null,
    filter.measure_by ? sql`c.measure_by = ${filter.measure_by}` : null,
  ]
}

type Sort = 'name' | 'company' | 'start_date' | 'active' | 'created_at'
const SEARCHED = { search: [sql`c.name`, sql`k.name`], uuid: sql`c.uuid` }

/** One page of the campaigns of all companies; the search covers the names of campaigns and companies. */
export function listAdminCampaigns(tx: Tx, input: ListAsk<Sort> & CampaignFilter) {
  return pageOf<AdminCampaignRow, Sort>(
    tx,
    {
      select: COLUMNS,
      from: CAMPAIGNS,
      where: conditions(input),
      ...SEARCHED,
      sort: {
        name: sql`lower(c.name)`,
        company: sql`lower(k.name)`,
        start_date: sql`c.start_day`,
        active: sql`c.active`,
        created_at: sql`c.created_at`,
      },
      key: sql`c.id`,
      filled: ['name', 'company', 'active', 'created_at'],
      chosenByKey: true,
    },
    input,
  )
}

/** One campaign of a company, deleted or not. @throws Refusal not_found */
export async function findAdminCampaign(tx: Tx, uuid: string): Promise<AdminCampaignRow> {
  const { rows } = await sql<AdminCampaignRow>`select ${COLUMNS} from ${CAMPAIGNS} where c.uuid = ${uuid}`.execute(tx)
  if (!rows[0]) throw new Refusal('not_found', 'That campaign was not found.')
  return rows[0]
}

export interface ChosenCampaign {
  id: number
  uuid: string
  name: string
  company: string
  company_id: string
  active: boolean
}

/**
 * The campaigns a bulk call acts on, by company and name; not locked yet: each is locked when its turn comes. @throws Refusal not_found,
 * conflict
 */
export const chosenCampaigns = (tx: Tx, chosen: Chosen<CampaignFilter>, deleted = false): Promise<ChosenCampaign[]> =>
  chosenRows(
    tx,
    {
      noun: 'campaign',
      alias: 'c',
      from: CAMPAIGNS,
      select: sql`c.id, c.uuid, c.name, c.active, k.name as company, k.uuid as company_id`,
      conditions: (filter) => [...conditions(filter), ...searched(SEARCHED, filter.search_term)],
      order: sql`lower(k.name), k.id, lower(c.name), c.id`,
    },
    chosen,
    { deleted, lock: false },
  )

/** Restores a deleted campaign, inactive. @throws Refusal conflict if its name has been taken meanwhile */
export async function restoreCampaign(tx: Tx, { uuid, name }: { uuid: string; name: string }, now: Date) {
  await refuseDuplicateName('campaign', name, () =>
    sql`update campaign set removed_at = null, active = false, version = version + 1, updated_at = ${now} where uuid = ${uuid}`.execute(
      tx,
    ),
  )
}
