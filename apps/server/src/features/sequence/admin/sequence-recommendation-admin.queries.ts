import { Refusal } from '@pillar/contract'
import { restorableSince } from '@pillar/domain/company/removal'
import { sql } from 'kysely'
import { v7 as uuidv7 } from '../../../api/uuid.ts'
import type { Tx } from '../../../db/database.ts'
import { type ListAsk, pageOf } from '../../../db/list.ts'
import { refuseTaken } from '../../../db/taken.ts'

export interface RecommendedFollowUp {
  template_id: string
  template_name: string
  follow_up_order: number
  days_after: number
  sms_template: boolean
  email_template: boolean
}

export interface SequenceRecommendationRow {
  sequence_recommendation_id: string
  title: string
  description: string
  sequence_event_id: string
  sequence_event: string
  templates: RecommendedFollowUp[]
  marketing_consent: boolean
  health_outreach_consent: boolean
  sequences: number
  active_sequences: number
  published_at: Date
  removed_at: Date | null
  version: number
}

const TEMPLATES = sql`coalesce((
  select jsonb_agg(jsonb_build_object('template_id', t.uuid, 'template_name', t.name, 'follow_up_order', l.follow_up_order,
    'days_after', l.days_after, 'sms_template', t.sms_template, 'email_template', t.email_template) order by l.follow_up_order)
  from sequence_recommendation_template l join template_recommendation t on t.id = l.template_recommendation_id
  where l.sequence_recommendation_id = r.id), '[]')`
const MADE = sql`from sequence s where s.sequence_recommendation_id = r.id and s.removed_at is null`
const COLUMNS = sql`r.uuid as sequence_recommendation_id, r.title, r.description, e.uuid as sequence_event_id, e.name as sequence_event,
  ${TEMPLATES} as templates, r.marketing_consent, r.health_outreach_consent, (select count(*) ${MADE}) as sequences,
  (select count(*) ${MADE} and s.active) as active_sequences, r.published_at, r.removed_at, r.version`
const RECOMMENDED = sql`sequence_recommendation r join sequence_event e on e.id = r.sequence_event_id`

type Sort = 'title' | 'sequence_event' | 'published_at'

/** One page of the recommended sequences, found by part of their title; if requested, the withdrawn ones that can be restored. */
export function listSequenceRecommendations(tx: Tx, input: ListAsk<Sort> & { removed: boolean }, now: Date) {
  return pageOf<SequenceRecommendationRow, Sort>(
    tx,
    {
      select: COLUMNS,
      from: RECOMMENDED,
      where: [input.removed ? sql`r.removed_at > ${restorableSince(now)}` : sql`r.removed_at is null`],
      search: [sql`r.title`],
      uuid: sql`r.uuid`,
      sort: { title: sql`lower(r.title)`, sequence_event: sql`lower(e.name)`, published_at: sql`r.published_at` },
      key: sql`r.id`,
    },
    input,
  )
}

/** One recommended sequence. @throws Refusal not_found */
export async function findSequenceRecommendation(tx: Tx, uuid: string): Promise<SequenceRecommendationRow> {
  const { rows } = await sql<SequenceRecommendationRow>`
    select ${COLUMNS} from ${RECOMMENDED} where r.uuid = ${uuid} and r.removed_at is null`.execute(tx)
  if (!rows[0]) throw notFound()
  return rows[0]
}

const notFound = () => new Refusal('not_found', 'That recommended sequence was not found.')

/** Locks a recommended sequence until the transaction ends. @param removed looks for a withdrawn one @throws Refusal not_found */
export async function lockSequenceRecommendation(tx: Tx, uuid: string, removed = false) {
  const found = await tx
    .selectFrom('sequence_recommendation')
    .select(['id', 'title as name', 'version', 'removed_at'])
    .where('uuid', '=', uuid)
    .where('removed_at', removed ? 'is not' : 'is', null)
    .forUpdate()
    .executeTakeFirst()
  if (!found) throw notFound()
  return found
}

export interface SequenceRecommendationFields {
  title: string
  description: string
  /** Uuid. */
  sequence_event_id: string
  marketing_consent: boolean
  health_outreach_consent: boolean
  follow_ups: readonly { template_id: string; days_after: number }[]
}

const taken = (title: string) => ({
  sequence_recommendation_title: `There is already a recommended sequence called "${title}". Please enter another title.`,
})

/** Recommends a sequence. @returns its uuid @throws Refusal conflict if the title is taken, not_found for its event or a template */
export async function insertSequenceRecommendation(
  tx: Tx,
  { follow_ups, sequence_event_id, ...columns }: SequenceRecommendationFields,
  now: Date,
): Promise<string> {
  const uuid = uuidv7()
  const eventId = await eventIdOf(tx, sequence_event_id)
  const { id } = await refuseTaken(taken(columns.title), () =>
    tx
      .insertInto('sequence_recommendation')
      .values({ ...columns, uuid, sequence_event_id: eventId, published_at: now })
      .returning('id')
      .executeTakeFirstOrThrow(),
  )
  await placeTemplates(tx, id, follow_ups)
  return uuid
}

/** Changes a recommended sequence with its follow-ups. @returns its new version @throws Refusal conflict, not_found as for a new one */
export async function updateSequenceRecommendation(
  tx: Tx,
  id: number,
  { follow_ups, sequence_event_id, ...columns }: SequenceRecommendationFields,
): Promise<number> {
  const eventId = await eventIdOf(tx, sequence_event_id)
  const { version } = await refuseTaken(taken(columns.title), () =>
    tx
      .updateTable('sequence_recommendation')
      .set((eb) => ({ ...columns, sequence_event_id: eventId, version: eb('version', '+', 1) }))
      .where('id', '=', id)
      .returning('version')
      .executeTakeFirstOrThrow(),
  )
  await tx.deleteFrom('sequence_recommendation_template').where('sequence_recommendation_id', '=', id).execute()
  await placeTemplates(tx, id, follow_ups)
  return version
}

/** The internal id of a sequence event. @throws Refusal not_found */
export async function eventIdOf(tx: Tx, uuid: string): Promise<number> {
  const found = await tx
    .selectFrom('sequence_event')
    .select('id')
    .where('uuid', '=', uuid)
    .where('removed_at', 'is', null)
    .executeTakeFirst()
  if (!found) throw new Refusal('not_found', 'That sequence event was not found.')
  return found.id
}

/** @throws Refusal not_found if one of these is not a recommended template */
export async function demandTemplates(tx: Tx, uuids: readonly string[]): Promise<void> {
  const wanted = [...new Set(uuids)]
  const { rows } = await sql<{ found: number }>`select count(*) as found from template_recommendation
    where uuid = any (${wanted}::uuid[]) and removed_at is null`.execute(tx)
  if (rows[0]?.found !== wanted.length) throw new Refusal('not_found', 'That recommended template was not found.')
}

/** Locked until the sequence is saved, so that none of the templates is withdrawn meanwhile. */
async function placeTemplates(tx: Tx, id: number, followUps: SequenceRecommendationFields['follow_ups']) {
  const { rows } = await sql<{ id: number; place: number }>`
    select t.id, f.place from unnest(${followUps.map((one) => one.template_id)}::uuid[]) with ordinality as f(uuid, place)
    join template_recommendation t on t.uuid = f.uuid and t.removed_at is null order by f.place for share of t`.execute(
    tx,
  )
  if (rows.length < followUps.length) throw new Refusal('not_found', 'That recommended template was not found.')
  await tx
    .insertInto('sequence_recommendation_template')
    .values(
      rows.map((row, index) => ({
        sequence_recommendation_id: id,
        template_recommendation_id: row.id,
        follow_up_order: index + 1,
        days_after: followUps[index]!.days_after,
      })),
    )
    .execute()
}

/** Withdraws a recommended sequence, or with null recommends it again. @throws Refusal conflict if its title has been taken meanwhile */
export async function setSequenceRecommendationRemoved(
  tx: Tx,
  found: { id: number; name: string },
  at: Date | null,
): Promise<void> {
  await refuseTaken(taken(found.name), () =>
    tx
      .updateTable('sequence_recommendation')
      .set((eb) => ({ removed_at: at, version: eb('version', '+', 1) }))
      .where('id', '=', found.id)
      .execute(),
  )
}
