import { Refusal } from '@pillar/contract'
import type { CommunicationType } from '@pillar/domain/campaign/campaign-rule'
import type { ConsentKind } from '@pillar/domain/consent/consent'
import { listOf } from '@pillar/domain/text/sentence'
import { sql } from 'kysely'
import { v7 as uuidv7 } from '../../api/uuid.ts'
import { type Chosen, chosenRows } from '../../db/chosen.ts'
import type { Tx } from '../../db/database.ts'
import { type ListAsk, pageOf } from '../../db/list.ts'
import { restoreRows } from '../../db/restore.ts'
import { refuseTaken } from '../../db/taken.ts'
import type { TemplateText } from './template.queries.ts'
import { type TemplateFilter, templateConditions, typeOf } from './template-filter.queries.ts'

export interface AdminTemplateRow {
  uuid: string
  name: string
  type: CommunicationType
  subject: string | null
  body: string
  message_kind: ConsentKind
  active: boolean
  enterprise_template: boolean
  global_template: boolean
  company: { uuid: string; name: string } | null
  clinical_trials: { id: string; name: string }[]
  sequences: { id: string; name: string }[]
  demo: boolean
  created_at: Date
  updated_at: Date
  removed_at: Date | null
  version: number
}

const COLUMNS = sql`t.uuid, t.name, ${typeOf} as type, t.subject, t.body, t.message_kind, t.active, t.enterprise_template,
  t.company_id is null as global_template,
  case when c.id is not null then json_build_object('uuid', c.uuid, 'name', c.name) end as company,
  case when t.company_id is null then coalesce((
    select json_agg(json_build_object('id', y.uuid, 'name', y.name) order by lower(y.name), y.id)
    from trial_template x join trial y on y.id = x.trial_id where x.template_id = t.id), '[]') else '[]' end as clinical_trials,
  case when t.company_id is null then coalesce((
    select json_agg(json_build_object('id', q.uuid, 'name', q.title) order by q.title, q.uuid)
    from follow_up u join sequence q on q.location_id = u.location_id and q.id = u.sequence_id
    where u.template_id = t.id and u.removed_at is null and q.removed_at is null), '[]') else '[]' end as sequences,
  t.demo, t.created_at, t.updated_at, t.removed_at, t.version`
const TEMPLATES = sql`template t left join company c on c.id = t.company_id`
const OF_COMPANIES = sql`template t join company c on c.id = t.company_id`

type Sort = 'name' | 'company' | 'type' | 'active' | 'updated_at'

/** One page of the templates of all companies and the global ones. */
export function listAdminTemplates(tx: Tx, input: ListAsk<Sort> & TemplateFilter) {
  return pageOf<AdminTemplateRow, Sort>(
    tx,
    {
      select: COLUMNS,
      // Sorted by company, a list without global templates can start from the companies; any other order needs no company before its page
      // is chosen.
      from: input.sort_field === 'company' && input.global_template === false ? OF_COMPANIES : TEMPLATES,
      where: templateConditions(input),
      sort: {
        name: sql`lower(t.name)`,
        company: sql`lower(c.name)`,
        type: typeOf,
        active: sql`t.active`,
        updated_at: sql`t.updated_at`,
      },
      key: sql`t.id`,
      filled: input.global_template === false ? true : ['name', 'type', 'active', 'updated_at'],
      chosenByKey: true,
    },
    input,
  )
}

/** One template of a company, or a global one; with `removed`, a deleted one. @throws Refusal not_found */
export async function findAdminTemplate(tx: Tx, uuid: string, removed = false): Promise<AdminTemplateRow> {
  const { rows } = await sql<AdminTemplateRow>`
    select ${COLUMNS} from ${TEMPLATES} where t.uuid = ${uuid} and (t.removed_at is null or ${removed})`.execute(tx)
  if (!rows[0]) throw new Refusal('not_found', 'That template was not found.')
  return rows[0]
}

export interface LockedTemplate {
  id: number
  uuid: string
  company_id: number | null
  name: string
  demo: boolean
  enterprise_template: boolean
  active: boolean
  version: number
}

const LOCKED = sql`t.id, t.uuid, t.company_id, t.name, t.demo, t.enterprise_template, t.active, t.version`
const query = { noun: 'template', alias: 't', select: LOCKED, from: TEMPLATES, conditions: templateConditions } as const

/** Locks the templates of a bulk call. @throws Refusal not_found, conflict */
export const lockTemplates = (tx: Tx, chosen: Chosen<TemplateFilter>) =>
  chosenRows<LockedTemplate, TemplateFilter>(tx, query, chosen)

/** Locks deleted ones. @throws Refusal not_found, conflict */
export const lockDeletedTemplates = (tx: Tx, chosen: Chosen<TemplateFilter>) =>
  chosenRows<LockedTemplate, TemplateFilter>(tx, query, chosen, { deleted: true })

/** Restores deleted templates where possible, inactive. */
export const restoreTemplates = (tx: Tx, ids: readonly number[], now: Date) =>
  restoreRows(
    tx,
    {
      ...{
        table: sql`template`,
        owner: sql`coalesce(company_id, 0)`,
        unique: ['template_name', 'template_global_name'],
      },
      set: sql`active = false, version = version + 1, updated_at = ${now}`,
    },
    ids,
    now,
  )

export type TemplateWithText = LockedTemplate & TemplateText
const withText = {
  ...query,
  select: sql`${LOCKED}, t.body, t.subject, t.sms_template, t.email_template, t.message_kind`,
}

/** The same with their text. @throws Refusal not_found, conflict */
export const lockTemplateTexts = (tx: Tx, chosen: Chosen<TemplateFilter>) =>
  chosenRows<TemplateWithText, TemplateFilter>(tx, withText, chosen)

/** Ids of the companies with these uuids, or of all. @throws Refusal not_found */
export async function companyIds(tx: Tx, uuids: readonly string[] | 'all'): Promise<number[]> {
  const wanted = uuids === 'all' ? null : [...new Set(uuids.map((uuid) => uuid.toLowerCase()))]
  const { rows } = await sql<{ id: number }>`
    select id from company where removed_at is null
    ${wanted === null ? sql`` : sql`and uuid = any (${wanted}::uuid[])`} order by id`.execute(tx)
  if (wanted !== null && rows.length !== wanted.length) throw new Refusal('not_found', 'That company was not found.')
  return rows.map((row) => row.id)
}

export interface NewAdminTemplate extends TemplateText {
  active: boolean
  enterprise_template: boolean
  loginId: number
  now: Date
}

/**
 * Creates a template for each of the companies; null stands for no company (a global template).
 * @returns their uuids, in the order of the companies @throws Refusal conflict if one of them has a template of that name
 */
export async function insertTemplates(
  tx: Tx,
  companies: readonly (number | null)[],
  { loginId, now, ...columns }: NewAdminTemplate,
): Promise<string[]> {
  await refuseNameAmong(tx, columns.name, companies)
  const uuids = companies.map(() => uuidv7())
  await refuseTaken(taken(columns.name), () =>
    tx
      .insertInto('template')
      .values(
        companies.map((company_id, index) => ({
          ...columns,
          company_id,
          uuid: uuids[index] ?? uuidv7(),
          created_by: loginId,
          created_at: now,
          updated_at: now,
        })),
      )
      .execute(),
  )
  return uuids
}

const taken = (name: string) => {
  const sentence = `There is already a template called "${name}". Please enter another template name.`
  return { template_name: sentence, template_global_name: sentence }
}

async function refuseNameAmong(tx: Tx, name: string, companies: readonly (number | null)[]): Promise<void> {
  const ids = companies.filter((id) => id !== null)
  if (ids.length === 0) return
  const { rows } = await sql<{ name: string }>`
    select c.name from template t join company c on c.id = t.company_id
    where t.removed_at is null and lower(t.name) = lower(${name}) and t.company_id = any (${ids}::bigint[])
    order by lower(c.name) limit 4`.execute(tx)
  if (rows.length === 0) return
  const shown = rows.slice(0, 3).map((row) => row.name)
  const owners = listOf(rows.length > 3 ? [...shown, 'others'] : shown)
  throw new Refusal(
    'conflict',
    `${owners} already ${rows.length === 1 ? 'has' : 'have'} a template called "${name}". Please enter another template name.`,
  )
}

/** The fields an edit writes; null for unchanged. */
export interface TemplateChanges {
  name: string | null
  body: string | null
  subject: string | null
  sms_template: boolean | null
  email_template: boolean | null
  message_kind: ConsentKind | null
}

/** Updates templates and increments their versions; a template without email has no subject. @throws Refusal conflict if a name is taken */
export async function updateTemplates(tx: Tx, ids: readonly number[], to: TemplateChanges, now: Date): Promise<void> {
  const email = sql`coalesce(${to.email_template}::boolean, email_template)`
  await refuseTaken(taken(to.name ?? ''), () =>
    sql`
      update template set name = coalesce(${to.name}::text, name), body = coalesce(${to.body}::text, body),
        sms_template = coalesce(${to.sms_template}::boolean, sms_template), email_template = ${email},
        subject = case when ${email} then nullif(coalesce(${to.subject}::text, subject), '') end,
        message_kind = coalesce(${to.message_kind}::text, message_kind), version = version + 1, updated_at = ${now}
      where id = any (${[...ids]}::bigint[])`.execute(tx),
  )
}

/** Activates or deactivates templates. Their versions stay: nothing an editor holds has changed. */
export async function setTemplatesActive(tx: Tx, ids: readonly number[], active: boolean, now: Date): Promise<void> {
  await sql`update template set active = ${active}, updated_at = ${now}
    where id = any (${[...ids]}::bigint[]) and active <> ${active}`.execute(tx)
}

/** Removes templates from every list and campaign. The rows stay, for messages sent with them. */
export async function removeTemplates(tx: Tx, ids: readonly number[], now: Date): Promise<void> {
  await sql`delete from campaign_template where template_id = any (${[...ids]}::bigint[])`.execute(tx)
  await sql`update template set active = false, removed_at = ${now}, updated_at = ${now}
    where id = any (${[...ids]}::bigint[])`.execute(tx)
}

/** Restores a deleted template, inactive. @throws Refusal conflict if its name has been taken meanwhile */
export async function restoreTemplate(
  tx: Tx,
  { uuid, name }: { uuid: string; name: string },
  now: Date,
): Promise<void> {
  await refuseTaken(taken(name), () =>
    sql`update template set removed_at = null, active = false, version = version + 1, updated_at = ${now} where uuid = ${uuid}`.execute(
      tx,
    ),
  )
}

/**
 * Names of campaigns, sequences and trials that use any of the chosen templates, each once, and how many templates are affected.
 * @param active the new state: then counts only active users, and only templates not in that state already; null for an edit or a deletion
 */
export async function usersOfTemplates(
  tx: Tx,
  { template_ids, filter }: Chosen<TemplateFilter>,
  active: boolean | null,
): Promise<Users> {
  const conditions = filter
    ? templateConditions(filter).filter((one) => one !== null)
    : [sql`t.removed_at is null`, sql`t.uuid = any (${[...(template_ids ?? [])]}::uuid[])`]
  const live = active === null ? sql`` : sql`and x.active`
  const { rows } = await sql<Users>`
    with meant as materialized (select t.id, t.active from ${TEMPLATES} where ${sql.join(conditions, sql` and `)}),
      chosen as (select id from meant where active is distinct from ${active}::boolean)
    select
      array(select distinct x.name from chosen join campaign_template ct on ct.template_id = chosen.id
        join campaign x on x.id = ct.campaign_id where x.removed_at is null ${live} order by 1) as campaign_names,
      array(select distinct x.title from chosen join follow_up u on u.template_id = chosen.id
        join sequence x on x.location_id = u.location_id and x.id = u.sequence_id
        where u.removed_at is null and x.removed_at is null ${live} order by 1) as sequence_names,
      array(select distinct x.name from chosen join trial_template tt on tt.template_id = chosen.id
        join trial x on x.id = tt.trial_id ${active === null ? sql`` : sql`where x.active`} order by 1) as trial_names,
      (select count(*) from meant) as templates`.execute(tx)
  return rows[0] ?? { campaign_names: [], sequence_names: [], trial_names: [], templates: 0 }
}

interface Users {
  campaign_names: string[]
  sequence_names: string[]
  trial_names: string[]
  templates: number
}
