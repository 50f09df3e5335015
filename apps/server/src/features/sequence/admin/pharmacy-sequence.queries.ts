import { Refusal } from '@pillar/contract'
import type { AdminFollowUp } from '@pillar/contract/sequence/pharmacy-sequence-read'
import type { SequenceEvent } from '@pillar/domain/campaign/sequence'
import { restorableSince } from '@pillar/domain/company/removal'
import { isUuid } from '@pillar/domain/text/uuid'
import type { Country } from '@pillar/domain/time/locale'
import { sql } from 'kysely'
import type { Tx } from '../../../db/database.ts'
import { likePattern } from '../../../db/like.ts'
import { is, type ListAsk, pageOf } from '../../../db/list.ts'
import type { Channel } from '../../sending/lease.queries.ts'

/** A sequence without its pharmacy. */
export interface SequenceRow {
  sequence_id: string
  title: string
  description: string
  preferred_communication_method: Channel
  budget_cents: number | null
  /** ISO. */
  start_date: string | null
  end_date: string | null
  active: boolean
  marketing_consent: boolean
  health_outreach_consent: boolean
  sequence_event: { event_id: string; name: string; value: SequenceEvent }
  sequence_recommendation: { sequence_recommendation_id: string; title: string } | null
  follow_ups: AdminFollowUp[]
  removed_at: Date | null
  version: number
}

/** With its pharmacy and company. */
export interface PharmacySequenceRow extends SequenceRow {
  location_id: string
  location_name: string
  company_id: string
  company: string
  country: Country
}

const FOLLOW_UPS = sql`coalesce((
  select jsonb_agg(jsonb_build_object('follow_up_id', u.uuid, 'follow_up_order', u.follow_up_order, 'days_after', u.days_after,
    'template_id', t.uuid, 'template', t.name, 'template_body', t.body, 'template_subject', t.subject, 'sms_template', t.sms_template,
    'email_template', t.email_template, 'template_active', t.active and t.removed_at is null) order by u.follow_up_order)
  from follow_up u join template t on t.id = u.template_id
  where u.location_id = q.location_id and u.sequence_id = q.id and u.removed_at is null), '[]')`
const PLACE = sql`l.uuid as location_id, l.name as location_name, c.uuid as company_id, c.name as company, c.country`
const COLUMNS = sql`q.uuid as sequence_id, q.title, q.description, q.preferred_communication_method, q.budget_cents, q.start_day as start_date, q.end_day as end_date, q.active,
  q.marketing_consent, q.health_outreach_consent, jsonb_build_object('event_id', e.uuid, 'name', e.name, 'value', e.value) as sequence_event,
  case when r.id is not null then jsonb_build_object('sequence_recommendation_id', r.uuid, 'title', r.title) end as sequence_recommendation,
  ${FOLLOW_UPS} as follow_ups, q.removed_at, q.version`
const PHARMACIES = sql`location l join company c on c.id = l.company_id`
const SEQUENCES = sql`sequence q
  join sequence_event e on e.id = q.sequence_event_id left join sequence_recommendation r on r.id = q.sequence_recommendation_id`
const AT_PHARMACIES = sql`${SEQUENCES} join location l on l.id = q.location_id join company c on c.id = l.company_id`

type Sort = 'location_name' | 'company'
interface Filter {
  active?: boolean | null | undefined
  event?: SequenceEvent | null | undefined
  removed: boolean
}

/** The conditions of the list on a sequence `q` of a pharmacy `l` of a company `c`. */
function conditions({ search_term, active, event, removed }: ListAsk<Sort> & Filter, now: Date) {
  const pattern = likePattern(search_term)
  const uuid = search_term.trim()
  const all = [
    removed ? sql`q.removed_at > ${restorableSince(now)}` : sql`q.removed_at is null`,
    sql`l.removed_at is null and c.removed_at is null`,
    is(sql`q.active`, active),
    event ? sql`q.sequence_event_id in (select id from sequence_event where value = ${event})` : null,
    pattern === null
      ? null
      : isUuid(uuid)
        ? sql`(q.uuid = ${uuid} or l.uuid = ${uuid})`
        : sql`(q.id in (select id from sequence where title ilike ${pattern}) or l.id in (select id from location where name ilike ${pattern})
            or c.id in (select id from company where name ilike ${pattern}))`,
  ]
  return sql.join(
    all.filter((one) => one !== null),
    sql` and `,
  )
}

/** One page of the pharmacies with matching sequences, and those sequences. */
export async function listPharmacySequences(tx: Tx, input: ListAsk<Sort> & Filter, now: Date) {
  const wanted = conditions(input, now)
  const { rows: places, ...page } = await pageOf<{ id: number; location_id: string } & PlaceNames, Sort>(
    tx,
    {
      select: sql`l.id, ${PLACE}`,
      from: PHARMACIES,
      where: [sql`exists (select from sequence q where q.location_id = l.id and ${wanted})`],
      sort: { location_name: sql`lower(l.name)`, company: sql`lower(c.name)` },
      key: sql`l.id`,
    },
    { ...input, search_term: '' },
  )
  const { rows } = await sql<PharmacySequenceRow>`
    select ${COLUMNS}, ${PLACE} from ${AT_PHARMACIES} where q.location_id = any(${places.map((place) => place.id)}::bigint[]) and ${wanted}
    order by q.active desc, lower(q.title), q.id`.execute(tx)
  const sequencesOf = (uuid: string) => rows.filter((row) => row.location_id === uuid)
  return {
    places: places.map(({ id: _, ...place }) => ({ ...place, sequences: sequencesOf(place.location_id) })),
    page,
  }
}
interface PlaceNames {
  location_name: string
  company_id: string
  company: string
}

/** One sequence with its pharmacy and company, for the console. @throws Refusal not_found */
export async function findPharmacySequence(tx: Tx, uuid: string): Promise<PharmacySequenceRow> {
  const { rows } = await sql<PharmacySequenceRow>`
    select ${COLUMNS}, ${PLACE} from ${AT_PHARMACIES}
    where q.uuid = ${uuid} and q.removed_at is null and l.removed_at is null and c.removed_at is null`.execute(tx)
  if (!rows[0]) throw sequenceNotFound()
  return rows[0]
}

/** One sequence of a pharmacy, in the scope of its company, by its internal id. */
export async function readSequence(tx: Tx, locationId: number, id: number): Promise<SequenceRow> {
  const { rows } = await sql<SequenceRow>`
    select ${COLUMNS} from ${SEQUENCES} where q.location_id = ${locationId} and q.id = ${id}`.execute(tx)
  if (!rows[0]) throw sequenceNotFound()
  return rows[0]
}

export const sequenceNotFound = () => new Refusal('not_found', 'That sequence was not found at this pharmacy.')
