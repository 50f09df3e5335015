import { Refusal } from '@pillar/contract'
import type { Country } from '@pillar/domain/time/locale'
import { sql } from 'kysely'
import type { Tx } from '../../db/database.ts'
import { contactSpellings, openContact, openWholeContacts, storedContact } from '../../db/field/contact.ts'
import type { Keys } from '../../db/field/key-ring.ts'
import { holdersOfNumber } from '../consent/number-holder.queries.ts'

/** A reply for a person to read, as received. */
export interface NewReply {
  locationId: number
  /** Made from the gateway's event and the pharmacy: repeating it changes nothing. */
  uuid: string
  sender: string
  receivedBy: string
  text: string
  mayStop: boolean
  at: Date
  /** The pharmacy's patients with that number; empty for a stranger. */
  patientIds: readonly number[]
}

/** Stores a reply; it answers the pharmacy's newest earlier text to that number. */
export async function insertReply(tx: Tx, keys: Keys, reply: NewReply): Promise<void> {
  const spellings = await contactSpellings(tx, keys, reply.sender)
  const sender = await storedContact(tx, keys, reply.sender)
  await sql`
    insert into message_reply (location_id, uuid, sender, received_by, body, may_stop, patient_ids, message_id, received_at)
    select ${reply.locationId}::bigint, ${reply.uuid}::uuid, ${sender}::text, ${reply.receivedBy}::text, ${reply.text}::text,
      ${reply.mayStop}::boolean, ${[...reply.patientIds]}::bigint[],
      (select id from message where location_id = ${reply.locationId} and channel = 'sms' and contact = any(${spellings}::text[])
         and sent_at <= ${reply.at} order by sent_at desc, id desc limit 1), ${reply.at}::timestamptz
    on conflict (uuid) do nothing`.execute(tx)
}

export interface ReplyRow {
  uuid: string
  pharmacy_uuid: string
  pharmacy: string
  time_zone: string
  patients: string[]
  number_end: string
  body: string | null
  may_stop: boolean
  holders: number
  holders_out: number
  received_at: Date
  answers_at: Date | null
  answers: string | null
  campaign_uuid: string | null
  read_at: Date | null
  read_by: string | null
  stopped_at: Date | null
  stopped_by: string | null
}

/** Unread replies that may be an opt-out, and whose number still gets texts, come before all others. */
const WISH_FIRST = (table: 'p' | 'r') =>
  sql`(${sql.ref(`${table}.may_stop`)} and ${sql.ref(`${table}.read_at`)} is null) desc`

/** One page of the replies to the scope's pharmacies, unread possible opt-outs first, then newest first; and the total. */
export async function listReplies(
  tx: Tx,
  keys: Keys,
  { unread, limit, offset }: { unread: boolean; limit: number; offset: number },
): Promise<{ rows: ReplyRow[]; total: number }> {
  const { rows } = await sql<ReplyRow & { sender: string }>`
    select r.uuid, l.uuid as pharmacy_uuid, l.name as pharmacy, l.time_zone,
      coalesce((select json_agg(p.source_id order by p.source_id) from patient p
                where p.location_id = r.location_id and p.id = any(r.patient_ids)), '[]') as patients,
      r.sender, r.body, r.may_stop, r.received_at,
      m.sent_at as answers_at, coalesce(c.name, s.title, b.template_name) as answers,
      case when c.removed_at is null then c.uuid end as campaign_uuid, r.read_at, n.name as read_by,
      r.stopped_at, stopper.name as stopped_by, h.patients as holders, h.out as holders_out
    from (
      select p.* from message_reply p join location on location.id = p.location_id
      ${unread ? sql`where p.read_at is null` : sql``}
      order by ${WISH_FIRST('p')}, p.received_at desc, p.location_id, p.id desc limit ${limit} offset ${offset}) r
    join location l on l.id = r.location_id
    left join login_name n on n.login_id = r.read_by
    left join login_name stopper on stopper.login_id = r.stopped_by
    cross join lateral (
      select count(*) as patients, count(*) filter (where o.sms_health_outreach = 'out' and o.sms_marketing = 'out') as out
      from (${holdersOfNumber(sql`r.location_id`, sql`array[r.sender]`)}) w
      left join consent o on o.location_id = r.location_id and o.patient_id = w.id) h
    left join message m on m.location_id = r.location_id and m.id = r.message_id
    left join message_batch b on b.location_id = m.location_id and b.id = m.batch_id
    left join message_run run on run.id = m.run_id
    left join campaign c on c.id = run.campaign_id
    left join sequence s on s.location_id = r.location_id and s.id = run.sequence_id
    order by ${WISH_FIRST('r')}, r.received_at desc, r.location_id, r.id desc`.execute(tx)
  const opened = await openWholeContacts(
    tx,
    keys,
    rows.map(({ sender }) => sender),
  )
  const shown = rows.map(({ sender, ...row }) => ({ ...row, number_end: numberEnd(opened.get(sender) ?? null) }))
  return { rows: shown, total: await countReplies(tx, unread) }
}

/** The last three digits of a sender; empty for an erased one. */
const numberEnd = (sender: string | null) => (sender ?? '').replaceAll(/\D/g, '').slice(-3)

/** The number of replies, or of unread replies, to the scope's pharmacies. */
export async function countReplies(tx: Tx, unread: boolean): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*) as n from message_reply r join location l on l.id = r.location_id
    ${unread ? sql`where r.read_at is null` : sql``}`.execute(tx)
  return rows[0]?.n ?? 0
}

/** Marks a reply as read, keeping the first reader, or with null as unread again. @throws Refusal not_found, also for another company's */
export async function markReply(tx: Tx, uuid: string, read: { at: Date; by: number } | null): Promise<void> {
  const done = await sql`
    update message_reply set read_at = ${read === null ? null : sql`coalesce(read_at, ${read.at})`},
      read_by = ${read === null ? null : sql`coalesce(read_by, ${read.by})`}
    where uuid = ${uuid}`.execute(tx)
  if ((done.numAffectedRows ?? 0n) === 0n) throw new Refusal('not_found', 'That reply was not found.')
}

/** Marks every unread reply up to an instant as read, except possible opt-outs: each of those needs a decision. @returns how many */
export async function markAllRead(tx: Tx, until: Date, read: { at: Date; by: number }): Promise<number> {
  const done = await sql`
    update message_reply set read_at = ${read.at}, read_by = ${read.by}
    where location_id = any ((select scope_location_ids())::bigint[]) and read_at is null and not may_stop and received_at <= ${until}`.execute(
    tx,
  )
  return Number(done.numAffectedRows ?? 0)
}

export interface ReplyToForward {
  pharmacy: string
  email: string | null
  patients: string[]
  number_end: string
  body: string | null
  received_at: Date
  time_zone: string
  country: Country
}

/** A reply and the contact of its pharmacy, unless that contact has been locked out. @throws Refusal not_found, also for another company's */
export async function readReplyToForward(tx: Tx, keys: Keys, uuid: string): Promise<ReplyToForward> {
  const { rows } = await sql<ReplyToForward & { sender: string }>`
    select l.name as pharmacy, case when o.reachable then o.email end as email, l.time_zone, l.country, r.body, r.received_at, r.sender,
      coalesce((select json_agg(p.source_id order by p.source_id) from patient p
                where p.location_id = r.location_id and p.id = any(r.patient_ids)), '[]') as patients
    from message_reply r join location l on l.id = r.location_id left join location_owner o on o.location_id = l.id
    where r.uuid = ${uuid}`.execute(tx)
  if (!rows[0]) throw new Refusal('not_found', 'That reply was not found.')
  const { sender, ...reply } = rows[0]
  return { ...reply, number_end: numberEnd(await openContact(tx, keys, sender)) }
}

export interface ReplyToStop {
  location_id: number
  pharmacy: string
  sender: string
  body: string | null
  stopped: boolean
}

/** The fields of a reply needed to stop texts to its number. @throws Refusal not_found, also for another company's */
export async function readReplyToStop(tx: Tx, keys: Keys, uuid: string): Promise<ReplyToStop> {
  const { rows } = await sql<ReplyToStop>`
    select r.location_id, l.name as pharmacy, r.sender, r.body, r.stopped_at is not null as stopped
    from message_reply r join location l on l.id = r.location_id where r.uuid = ${uuid}`.execute(tx)
  if (!rows[0]) throw new Refusal('not_found', 'That reply was not found.')
  return { ...rows[0], sender: (await openContact(tx, keys, rows[0].sender)) ?? '' }
}

/** Records for good who stopped the texts to a reply's number, and marks it as read unless it was read before. */
export async function markStopped(tx: Tx, uuid: string, at: Date, by: number): Promise<void> {
  await sql`
    update message_reply set stopped_at = ${at}, stopped_by = ${by}, read_at = coalesce(read_at, ${at}), read_by = coalesce(read_by, ${by})
    where uuid = ${uuid} and stopped_at is null`.execute(tx)
}
