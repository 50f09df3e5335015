import { Refusal } from '@pillar/contract'
import type { CommunicationType } from '@pillar/domain/campaign/campaign-rule'
import type { ConsentKind } from '@pillar/domain/consent/consent'
import { sql } from 'kysely'
import { v7 as uuidv7 } from '../../api/uuid.ts'
import { type Chosen, chosenRows } from '../../db/chosen.ts'
import type { Tx } from '../../db/database.ts'
import { type ListAsk, pageOf } from '../../db/list.ts'
import { restoreRows } from '../../db/restore.ts'
import { refuseTaken } from '../../db/taken.ts'
import type { TemplateText } from '../template/template.queries.ts'
import type { TemplateChanges } from '../template/template-admin.queries.ts'
import { type TextFilter, textConditions, typeOf } from '../template/template-filter.queries.ts'

export interface AdminRecommendationRow {
  template_recommendation_id: string
  name: string
  description: string
  type: CommunicationType
  subject: string | null
  body: string
  sms_template: boolean
  email_template: boolean
  message_kind: ConsentKind
  used_by: string[]
  published_at: Date
  removed_at: Date | null
  version: number
}

/** Names of the recommended campaigns and sequences that use a recommended template `t`. */
const USED_BY = sql`array(
  select c.name from campaign_recommendation_template x join campaign_recommendation c on c.id = x.campaign_recommendation_id
  where x.template_recommendation_id = t.id and c.removed_at is null
  union
  select s.title from sequence_recommendation_template x join sequence_recommendation s on s.id = x.sequence_recommendation_id
  where x.template_recommendation_id = t.id and s.removed_at is null
  order by 1)`
const COLUMNS = sql`t.uuid as template_recommendation_id, t.name, t.description, ${typeOf} as type, t.subject, t.body, t.sms_template,
  t.email_template, t.message_kind, ${USED_BY} as used_by, t.published_at, t.removed_at, t.version`
const RECOMMENDED = sql`template_recommendation t`

type Sort = 'name' | 'type' | 'published_at'

/** One page of the recommended templates. */
export function listAdminRecommendations(tx: Tx, input: ListAsk<Sort> & TextFilter) {
  return pageOf<AdminRecommendationRow, Sort>(
    tx,
    {
      select: COLUMNS,
      from: RECOMMENDED,
      where: textConditions(input),
      sort: { name: sql`lower(t.name)`, type: typeOf, published_at: sql`t.published_at` },
      key: sql`t.id`,
      chosenByKey: true,
    },
    input,
  )
}

/** One recommended template; with `removed`, a deleted one. @throws Refusal not_found */
export async function findAdminRecommendation(tx: Tx, uuid: string, removed = false): Promise<AdminRecommendationRow> {
  const { rows } = await sql<AdminRecommendationRow>`
    select ${COLUMNS} from ${RECOMMENDED} where t.uuid = ${uuid} and (t.removed_at is null or ${removed})`.execute(tx)
  if (!rows[0]) throw new Refusal('not_found', 'That template was not found.')
  return rows[0]
}

export interface LockedRecommendation extends TemplateText {
  id: number
  version: number
}

const query = { noun: 'template', alias: 't', from: RECOMMENDED, conditions: textConditions } as const

/** Locks the templates of a bulk call. @throws Refusal not_found, conflict */
export function lockRecommendations(tx: Tx, chosen: Chosen<TextFilter>): Promise<LockedRecommendation[]> {
  const select = sql`t.id, t.version, t.name, t.body, t.subject, t.sms_template, t.email_template, t.message_kind`
  return chosenRows(tx, { ...query, select }, chosen)
}

/** The first of these templates that is used, and by which campaigns and sequences. For locked templates this can no longer change. */
export async function findUsed(
  tx: Tx,
  ids: readonly number[],
): Promise<{ name: string; used_by: string[] } | undefined> {
  const { rows } = await sql<{ name: string; used_by: string[] }>`
    select * from (select t.name, ${USED_BY} as used_by from ${RECOMMENDED} where t.id = any (${[...ids]}::bigint[]) order by t.id) u
    where used_by <> '{}' limit 1`.execute(tx)
  return rows[0]
}

/** Which of these recommended campaigns or sequences use a withdrawn template, with its name. Locks their templates. */
export async function withdrawnTemplates(
  tx: Tx,
  of: 'campaign' | 'sequence',
  ids: readonly number[],
): Promise<Map<number, string>> {
  const id = sql.ref(`x.${of}_recommendation_id`)
  const { rows } = await sql<{ id: number; name: string; gone: boolean }>`
    select ${id} as id, t.name, t.removed_at is not null as gone
    from ${sql.table(`${of}_recommendation_template`)} x join template_recommendation t on t.id = x.template_recommendation_id
    where ${id} = any (${[...ids]}::bigint[]) order by t.id for share of t`.execute(tx)
  return new Map(rows.filter(({ gone }) => gone).map((row) => [row.id, row.name]))
}

/** @throws Refusal conflict for a campaign or sequence with a withdrawn template */
export async function refuseWithoutTemplate(
  tx: Tx,
  of: 'campaign' | 'sequence',
  { id, name }: { id: number; name: string },
): Promise<void> {
  const template = (await withdrawnTemplates(tx, of, [id])).get(id)
  if (template !== undefined)
    throw new Refusal('conflict', `The template "${template}" of ${name} was withdrawn. Please restore it first.`)
}

/** Locks deleted ones. @throws Refusal not_found, conflict */
export function lockDeletedRecommendations(tx: Tx, chosen: Chosen<TextFilter>): Promise<{ id: number }[]> {
  return chosenRows(tx, { ...query, select: sql`t.id` }, chosen, { deleted: true })
}

/** Restores withdrawn templates where possible. */
export const restoreRecommendations = (tx: Tx, ids: readonly number[], now: Date) =>
  restoreRows(
    tx,
    {
      ...{ table: sql`template_recommendation`, unique: ['template_recommendation_name'] },
      set: sql`version = version + 1`,
    },
    ids,
    now,
  )

const taken = (name: string) => ({
  template_recommendation_name: `There is already a recommended template called "${name}". Please enter another template name.`,
})

/** Recommends a template. @returns its uuid @throws Refusal conflict if the name is taken */
export async function insertRecommendation(
  tx: Tx,
  recommendation: TemplateText & { description: string },
  now: Date,
): Promise<string> {
  const uuid = uuidv7()
  await refuseTaken(taken(recommendation.name), () =>
    tx
      .insertInto('template_recommendation')
      .values({ ...recommendation, uuid, published_at: now })
      .execute(),
  )
  return uuid
}

/** Updates recommended templates and increments their versions. @throws Refusal conflict if a name is taken */
export async function updateRecommendations(
  tx: Tx,
  ids: readonly number[],
  to: TemplateChanges & { description: string | null },
): Promise<void> {
  const email = sql`coalesce(${to.email_template}::boolean, email_template)`
  await refuseTaken(taken(to.name ?? ''), () =>
    sql`
      update template_recommendation set name = coalesce(${to.name}::text, name), body = coalesce(${to.body}::text, body),
        description = coalesce(${to.description}::text, description),
        sms_template = coalesce(${to.sms_template}::boolean, sms_template), email_template = ${email},
        subject = case when ${email} then nullif(coalesce(${to.subject}::text, subject), '') end,
        message_kind = coalesce(${to.message_kind}::text, message_kind), version = version + 1
      where id = any (${[...ids]}::bigint[])`.execute(tx),
  )
}

/** Removes recommended templates from every list; templates made from them stay. */
export async function removeRecommendations(tx: Tx, ids: readonly number[], now: Date): Promise<void> {
  await sql`update template_recommendation set removed_at = ${now} where id = any (${[...ids]}::bigint[])`.execute(tx)
}

/** Restores a withdrawn template. @throws Refusal conflict if its name has been taken meanwhile */
export async function restoreRecommendation(tx: Tx, uuid: string, name: string): Promise<void> {
  await refuseTaken(taken(name), () =>
    sql`update template_recommendation set removed_at = null, version = version + 1 where uuid = ${uuid}`.execute(tx),
  )
}

/** The number of companies, and what they made from the chosen recommended templates. */
export async function madeFromTemplates(tx: Tx, { template_ids, filter }: Chosen<TextFilter>) {
  const conditions = filter
    ? textConditions(filter).filter((one) => one !== null)
    : [sql`t.removed_at is null`, sql`t.uuid = any (${[...(template_ids ?? [])]}::uuid[])`]
  const { rows } = await sql<Record<'recommended' | 'companies' | 'adopted' | 'templates' | 'campaigns', number>>`
    with chosen as materialized (select t.id from ${RECOMMENDED} where ${sql.join(conditions, sql` and `)}),
    made as materialized (
      select o.id, o.company_id from template o join company k on k.id = o.company_id and k.removed_at is null
      where o.template_recommendation_id in (select id from chosen) and o.removed_at is null)
    select (select count(*)::int from chosen) as recommended,
      (select count(*)::int from company where removed_at is null) as companies,
      (select count(distinct company_id)::int from made) as adopted, (select count(*)::int from made) as templates,
      (select count(distinct c.id)::int from made join campaign_template x on x.template_id = made.id
       join campaign c on c.id = x.campaign_id where c.active and c.removed_at is null) as campaigns`.execute(tx)
  return rows[0]!
}
