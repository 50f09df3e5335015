import { Refusal } from '@pillar/contract'
import type { ConsentKind } from '@pillar/domain/consent/consent'
import { sql } from 'kysely'
import { v7 as uuidv7 } from '../../api/uuid.ts'
import type { Tx } from '../../db/database.ts'
import { likePattern } from '../../db/like.ts'
import { refuseDuplicateName } from '../../db/taken.ts'

export interface TemplateRow {
  id: number
  uuid: string
  name: string
  body: string
  subject: string | null
  sms_template: boolean
  email_template: boolean
  message_kind: ConsentKind
  active: boolean
  demo: boolean
  version: number
  author: string | null
  created_at: Date
  updated_at: Date
  recommendation_uuid: string | null
  /** Campaigns that use it, by name, without deleted ones. */
  campaigns: { campaign_id: string; campaign_name: string; active: boolean }[]
  /** Sequences whose follow-ups use it, by title, and how many pharmacies have one of that title; active if any of them is. */
  sequences: { sequence_name: string; pharmacies: number; active: boolean }[]
}

export interface TemplateFilter {
  search: string
  /** Only templates for this channel; 'both' accepts every type. */
  type: 'sms' | 'email' | 'both'
  active: boolean | null
  limit: number
  offset: number
}

const TEMPLATE_ROW = sql`
    select t.id, t.uuid, t.name, t.body, t.subject, t.sms_template, t.email_template, t.message_kind, t.active, t.demo,
           t.version, n.name as author, t.created_at, t.updated_at, r.uuid as recommendation_uuid,
           coalesce((
             select json_agg(json_build_object('campaign_id', c.uuid, 'campaign_name', c.name, 'active', c.active) order by c.name)
             from campaign_template ct join campaign c on c.id = ct.campaign_id
             where ct.template_id = t.id and c.removed_at is null
           ), '[]') as campaigns,
           coalesce((
             select json_agg(json_build_object('sequence_name', s.title, 'pharmacies', s.pharmacies, 'active', s.active) order by s.title)
             from (
               select q.title, count(distinct q.location_id) as pharmacies, bool_or(q.active) as active
               from follow_up u join sequence q on q.location_id = u.location_id and q.id = u.sequence_id
               join location l on l.id = q.location_id and l.removed_at is null
               where u.template_id = t.id and u.removed_at is null and q.removed_at is null group by q.title
             ) s
           ), '[]') as sequences
    from template t
    left join template_recommendation r on r.id = t.template_recommendation_id
    left join login_name n on n.login_id = t.created_by`

/** One page of the company's templates, newest first, and the total. The search covers name and body. */
export async function listTemplates(tx: Tx, filter: TemplateFilter): Promise<{ rows: TemplateRow[]; total: number }> {
  const pattern = likePattern(filter.search)
  const where = sql`where t.removed_at is null and t.enterprise_template
    ${filter.active === null ? sql`` : sql`and t.active = ${filter.active}`}
    ${filter.type === 'sms' ? sql`and t.sms_template` : sql``}
    ${filter.type === 'email' ? sql`and t.email_template` : sql``}
    ${pattern === null ? sql`` : sql`and (t.name ilike ${pattern} or t.body ilike ${pattern})`}`
  const { rows } = await sql<TemplateRow>`
    ${TEMPLATE_ROW}
    ${where} order by t.created_at desc, t.id desc limit ${filter.limit} offset ${filter.offset}`.execute(tx)
  const counted = await sql<{ total: number }>`select count(*) as total from template t ${where}`.execute(tx)
  return { rows, total: counted.rows[0]?.total ?? 0 }
}

/** One template of the company as in the list. @throws Refusal not_found */
export async function findTemplate(tx: Tx, uuid: string): Promise<TemplateRow> {
  const { rows } = await sql<TemplateRow>`
    ${TEMPLATE_ROW} where t.uuid = ${uuid} and t.removed_at is null and t.enterprise_template`.execute(tx)
  if (!rows[0]) throw new Refusal('not_found', 'That template was not found.')
  return rows[0]
}

/** The fields of a template, cleaned and checked. */
export interface TemplateText {
  name: string
  body: string
  subject: string | null
  sms_template: boolean
  email_template: boolean
  message_kind: ConsentKind
}

export interface NewTemplate extends TemplateText {
  companyId: number
  active: boolean
  /** Internal id of the recommendation it was made from. */
  recommendationId: number | null
  loginId: number | null
  now: Date
}

/**
 * Adds a template.
 * @throws Refusal conflict if the company has one of that name, in any spelling
 */
export async function insertTemplate(tx: Tx, template: NewTemplate): Promise<{ id: number; uuid: string }> {
  const { companyId, recommendationId, loginId, now, ...columns } = template
  return refuseDuplicateName('template', template.name, () =>
    tx
      .insertInto('template')
      .values({
        ...columns,
        uuid: uuidv7(),
        company_id: companyId,
        template_recommendation_id: recommendationId,
        created_by: loginId,
        editors: loginId === null ? [] : [loginId],
        created_at: now,
        updated_at: now,
      })
      .returning(['id', 'uuid'])
      .executeTakeFirstOrThrow(),
  )
}

/**
 * Locks a template of the company until the transaction ends.
 * @throws Refusal not_found if it does not exist, belongs to another company, or is deleted
 */
export async function lockTemplate(tx: Tx, uuid: string) {
  const found = await tx
    .selectFrom('template')
    .select(['id', 'uuid', 'name', 'active', 'demo', 'version', 'template_recommendation_id'])
    .select(sql<ConsentKind>`message_kind`.as('message_kind'))
    .where('uuid', '=', uuid)
    .where('removed_at', 'is', null)
    .where('enterprise_template', '=', true)
    .forUpdate()
    .executeTakeFirst()
  if (!found) throw new Refusal('not_found', 'That template was not found.')
  return found
}

/**
 * Updates a template and increments its version.
 * @returns the new version
 * @throws Refusal conflict when another template of the company has the name
 */
export async function updateTemplate(
  tx: Tx,
  id: number,
  changes: TemplateText & { active?: boolean; template_recommendation_id?: number },
  by: { loginId: number; now: Date },
): Promise<number> {
  const row = await refuseDuplicateName('template', changes.name, () =>
    tx
      .updateTable('template')
      .set((eb) => ({
        ...changes,
        version: eb('version', '+', 1),
        editors: sql<number[]>`array(select distinct unnest(editors || ${by.loginId}::bigint))`,
        updated_at: by.now,
      }))
      .where('id', '=', id)
      .returning('version')
      .executeTakeFirstOrThrow(),
  )
  return row.version
}

/** Activates or deactivates a template. The version stays: nothing an editor holds has changed. */
export async function setTemplateActive(tx: Tx, id: number, active: boolean, now: Date): Promise<void> {
  await tx.updateTable('template').set({ active, updated_at: now }).where('id', '=', id).execute()
}

/** Removes a template from every list and campaign. The row stays, for messages sent with it. */
export async function removeTemplate(tx: Tx, id: number, now: Date): Promise<void> {
  await tx.deleteFrom('campaign_template').where('template_id', '=', id).execute()
  await tx
    .updateTable('template')
    .set({ active: false, removed_at: now, updated_at: now })
    .where('id', '=', id)
    .execute()
}

/** Names of the campaigns that use a template, by name; with `onlyActive`, only active ones. */
export async function campaignNamesOf(tx: Tx, templateId: number, onlyActive: boolean): Promise<string[]> {
  const rows = await tx
    .selectFrom('campaign_template')
    .innerJoin('campaign', 'campaign.id', 'campaign_template.campaign_id')
    .select('campaign.name')
    .where('campaign_template.template_id', '=', templateId)
    .where('campaign.removed_at', 'is', null)
    .$if(onlyActive, (query) => query.where('campaign.active', '=', true))
    .orderBy('campaign.name')
    .execute()
  return rows.map((row) => row.name)
}

/** Internal id of a template that exists in the scope. @throws Refusal not_found */
export async function findTemplateId(tx: Tx, uuid: string): Promise<number> {
  const found = await tx
    .selectFrom('template')
    .select('id')
    .where('uuid', '=', uuid)
    .where('removed_at', 'is', null)
    .where('enterprise_template', '=', true)
    .executeTakeFirst()
  if (!found) throw new Refusal('not_found', 'That template was not found.')
  return found.id
}
