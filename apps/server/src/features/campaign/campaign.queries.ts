import { Refusal } from '@pillar/contract'
import type { Progress } from '@pillar/contract/campaign/campaign-stats'
import type { Filters } from '@pillar/contract/campaign/cohort'
import type { GoalType, Measure } from '@pillar/domain/campaign/goal'
import type { RunState } from '@pillar/domain/message/run-state'
import { sql } from 'kysely'
import { v7 as uuidv7 } from '../../api/uuid.ts'
import type { Tx } from '../../db/database.ts'
import { likePattern } from '../../db/like.ts'
import { refuseDuplicateName } from '../../db/taken.ts'
import { HELD_REASON, PROGRESS } from '../run/run.queries.ts'

/** A campaign with its related rows; days as ISO text. */
export interface CampaignRow {
  id: number
  uuid: string
  name: string
  note: string | null
  description: string | null
  goal_type: GoalType
  measure_by: Measure
  goal: number
  filters: Partial<Filters>
  /** Nobody is held out at random, whatever share the company holds out. */
  no_holdout: boolean
  active: boolean
  demo: boolean
  start_day: string | null
  end_day: string | null
  /** The end date is the day it was deactivated. */
  ended_early: boolean
  version: number
  author: string | null
  recommendation_uuid: string | null
  templates: {
    template_id: string
    template_name: string
    sms_template: boolean
    email_template: boolean
    active: boolean
  }[]
  template_recommendations: string[]
  locations: { location_id: string; location_name: string }[]
  run_state: RunState | null
  run_held: boolean
  next_at: Date | null
  progress: Progress | null
}

const COLUMNS = sql`
  c.id, c.uuid, c.name, c.note, c.description, c.goal_type, c.measure_by, c.goal, c.filters, c.no_holdout, c.active, c.demo, c.start_day, c.end_day,
  c.ended_early, c.version, a.name as author, r.uuid as recommendation_uuid,
  coalesce((
    select json_agg(json_build_object('template_id', t.uuid, 'template_name', t.name, 'sms_template', t.sms_template,
             'email_template', t.email_template, 'active', t.active) order by t.name)
    from campaign_template ct join template t on t.id = ct.template_id where ct.campaign_id = c.id and t.removed_at is null
  ), '[]') as templates,
  coalesce((
    select json_agg(distinct tr.uuid)
    from campaign_template ct join template t on t.id = ct.template_id join template_recommendation tr on tr.id = t.template_recommendation_id
    where ct.campaign_id = c.id and t.removed_at is null
  ), '[]') as template_recommendations,
  coalesce((
    select json_agg(json_build_object('location_id', l.uuid, 'location_name', l.name) order by l.name)
    from campaign_location cl join location l on l.id = cl.location_id where cl.campaign_id = c.id and l.removed_at is null
  ), '[]') as locations,
  run.state as run_state, run.held_reason is not null as run_held,
  case when run.state = 'sending' then (select min(b.next_at) from message_batch b where b.run_id = run.id and b.stopped_at is null) end as next_at,
  case when run.id is not null then (select ${PROGRESS} from message_batch b where b.run_id = run.id) end as progress`

const FROM = sql`campaign c
  left join login_name a on a.login_id = c.created_by
  left join campaign_recommendation r on r.id = c.campaign_recommendation_id
  left join lateral (select id, state, ${HELD_REASON} as held_reason from message_run where campaign_id = c.id order by id desc limit 1) run on true`

export interface CampaignFilter {
  active: boolean | null
  search: string
  limit: number
  offset: number
}

/** One page of the company's campaigns, newest first, and the total. The search covers names. */
export async function listCampaigns(tx: Tx, filter: CampaignFilter): Promise<{ rows: CampaignRow[]; total: number }> {
  const pattern = likePattern(filter.search)
  const where = sql`where c.removed_at is null
    ${filter.active === null ? sql`` : sql`and c.active = ${filter.active}`}
    ${pattern === null ? sql`` : sql`and c.name ilike ${pattern}`}`
  const { rows } = await sql<CampaignRow>`
    select ${COLUMNS} from ${FROM} ${where}
    order by c.created_at desc, c.id desc limit ${filter.limit} offset ${filter.offset}`.execute(tx)
  const counted = await sql<{ total: number }>`select count(*) as total from campaign c ${where}`.execute(tx)
  return { rows, total: counted.rows[0]?.total ?? 0 }
}

const notFound = () => new Refusal('not_found', 'That campaign was not found.')

/** One campaign with all its fields. @throws Refusal not_found if it does not exist, belongs to another company, or is deleted */
export async function findCampaign(tx: Tx, uuid: string): Promise<CampaignRow> {
  const { rows } = await sql<CampaignRow>`
    select ${COLUMNS} from ${FROM} where c.uuid = ${uuid} and c.removed_at is null`.execute(tx)
  if (!rows[0]) throw notFound()
  return rows[0]
}

/** Locks a campaign until the transaction ends, so that activations, edits and deletes run one after another. @throws Refusal not_found */
export async function lockCampaign(tx: Tx, uuid: string): Promise<CampaignRow> {
  const found = await tx
    .selectFrom('campaign')
    .select('id')
    .where('uuid', '=', uuid)
    .where('removed_at', 'is', null)
    .forUpdate()
    .executeTakeFirst()
  if (!found) throw notFound()
  return findCampaign(tx, uuid)
}

/** The validated content of a campaign. Pharmacies and templates by internal id. */
export interface CampaignDraft {
  name: string
  note: string | null
  goal_type: GoalType
  measure_by: Measure
  goal: number
  filters: Filters
  no_holdout: boolean
  start_day: string | null
  end_day: string | null
  locationIds: readonly number[]
  templateIds: readonly number[]
}

interface Maker {
  companyId: number
  loginId: number
  now: Date
}

/**
 * Adds an inactive campaign with its pharmacies and templates.
 * @throws Refusal conflict when the company already has one of that name, in any letter case
 */
export async function insertCampaign(
  tx: Tx,
  draft: CampaignDraft,
  by: Maker & { recommendationId: number | null; description: string | null },
): Promise<{ id: number; uuid: string }> {
  const { locationIds, templateIds, filters, ...columns } = draft
  const made = await refuseDuplicateName('campaign', draft.name, () =>
    tx
      .insertInto('campaign')
      .values({
        ...columns,
        filters: JSON.stringify(filters),
        uuid: uuidv7(),
        company_id: by.companyId,
        campaign_recommendation_id: by.recommendationId,
        description: by.description,
        created_by: by.loginId,
        created_at: by.now,
        updated_at: by.now,
      })
      .returning(['id', 'uuid'])
      .executeTakeFirstOrThrow(),
  )
  await attach(tx, made.id, by.companyId, locationIds, templateIds)
  return made
}

/**
 * Updates a campaign and increments its version.
 * @returns the new version
 * @throws Refusal conflict when another campaign of the company has the name
 */
export async function updateCampaign(tx: Tx, id: number, draft: CampaignDraft, by: Maker): Promise<number> {
  const { locationIds, templateIds, filters, ...columns } = draft
  const { version } = await refuseDuplicateName('campaign', draft.name, () =>
    tx
      .updateTable('campaign')
      .set((eb) => ({
        ...columns,
        filters: JSON.stringify(filters),
        // An unchanged end keeps its meaning; a new one was chosen.
        ended_early: sql<boolean>`ended_early and end_day is not distinct from ${draft.end_day}::date`,
        version: eb('version', '+', 1),
        changed_by: by.loginId,
        editors: sql<number[]>`array(select distinct unnest(editors || ${by.loginId}::bigint))`,
        updated_at: by.now,
      }))
      .where('id', '=', id)
      .returning('version')
      .executeTakeFirstOrThrow(),
  )
  await tx.deleteFrom('campaign_location').where('campaign_id', '=', id).execute()
  await tx.deleteFrom('campaign_template').where('campaign_id', '=', id).execute()
  await attach(tx, id, by.companyId, locationIds, templateIds)
  return version
}

async function attach(
  tx: Tx,
  id: number,
  companyId: number,
  locations: readonly number[],
  templates: readonly number[],
) {
  await sql`insert into campaign_location (campaign_id, company_id, location_id)
            select distinct ${id}::bigint, ${companyId}::bigint, u from unnest(${[...locations]}::bigint[]) u`.execute(
    tx,
  )
  await sql`insert into campaign_template (campaign_id, company_id, template_id)
            select distinct ${id}::bigint, ${companyId}::bigint, u from unnest(${[...templates]}::bigint[]) u`.execute(
    tx,
  )
}

/**
 * Activates or deactivates a campaign and sets its days. The version stays: of an editor's fields only the days change, and it sends them
 * back unchanged.
 */
export async function setCampaignActive(
  tx: Tx,
  id: number,
  change: { active: boolean; ended_early: boolean; start_day?: string | null; end_day?: string | null },
  now: Date,
): Promise<void> {
  await tx
    .updateTable('campaign')
    .set({ ...change, updated_at: now })
    .where('id', '=', id)
    .execute()
}

/** Removes a campaign from every list. The row and its messages stay. */
export async function removeCampaign(tx: Tx, id: number, now: Date): Promise<void> {
  await tx
    .updateTable('campaign')
    .set({ active: false, removed_at: now, updated_at: now })
    .where('id', '=', id)
    .execute()
}

/**
 * Templates that activating or deactivating these campaigns would also switch, each once, by name: the inactive ones, or the active ones
 * that no other active campaign or sequence uses.
 */
export async function affectedTemplates(
  tx: Tx,
  campaigns: readonly number[],
  active: boolean,
): Promise<{ id: number; uuid: string; name: string }[]> {
  const ids = [...campaigns]
  const { rows } = await sql<{ id: number; uuid: string; name: string }>`
    select distinct t.id, t.uuid, t.name from campaign_template ct join template t on t.id = ct.template_id
    where ct.campaign_id = any (${ids}::bigint[]) and t.removed_at is null and t.active = ${!active}
      and (${active} or not exists (
        select from campaign_template o join campaign c on c.id = o.campaign_id
        where o.template_id = t.id and o.campaign_id <> all (${ids}::bigint[]) and c.active and c.removed_at is null))
      and (${active} or not exists (
        select from follow_up u join sequence q on q.location_id = u.location_id and q.id = u.sequence_id
        where u.template_id = t.id and u.removed_at is null and q.active and q.removed_at is null))
    order by t.name, t.id`.execute(tx)
  return rows
}
