import { Refusal } from '@pillar/contract'
import { sql } from 'kysely'
import type { Tx } from '../../db/database.ts'

/** A reply for a person to read, as it came. */
export interface NewReply {
  locationId: number
  /** Of the gateway's event and the pharmacy: the same one again changes nothing. */
  uuid: string
  sender: string
  receivedBy: string
  text: string
  mayStop: boolean
  at: Date
  /** The pharmacy's patients with that number; none for a stranger. */
  patientIds: readonly number[]
}

/** Keeps a reply, with the newest text of the pharmacy to that number before it as what it answers. */
export async function insertReply(tx: Tx, reply: NewReply): Promise<void> {
  await sql`
    insert into message_reply (location_id, uuid, sender, received_by, body, may_stop, patient_ids, message_id, received_at)
    select ${reply.locationId}::bigint, ${reply.uuid}::uuid, ${reply.sender}::text, ${reply.receivedBy}::text, ${reply.text}::text,
      ${reply.mayStop}::boolean, ${[...reply.patientIds]}::bigint[],
      (select id from message where location_id = ${reply.locationId} and channel = 'sms' and contact = ${reply.sender}
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
  received_at: Date
  answers_at: Date | null
  answers: string | null
  campaign_uuid: string | null
  read_at: Date | null
  read_by: string | null
}

/** One page of the replies to the scope's pharmacies, newest first, and how many there are over all pages. */
export async function listReplies(
  tx: Tx,
  { unread, limit, offset }: { unread: boolean; limit: number; offset: number },
): Promise<{ rows: ReplyRow[]; total: number }> {
  const { rows } = await sql<ReplyRow>`
    select r.uuid, l.uuid as pharmacy_uuid, l.name as pharmacy, l.time_zone,
      coalesce((select json_agg(p.source_id order by p.source_id) from patient p
                where p.location_id = r.location_id and p.id = any(r.patient_ids)), '[]') as patients,
      right(regexp_replace(r.sender, '\\D', '', 'g'), 3) as number_end, r.body, r.may_stop, r.received_at,
      m.sent_at as answers_at, coalesce(c.name, s.title, b.template_name) as answers,
      case when c.removed_at is null then c.uuid end as campaign_uuid, r.read_at, n.name as read_by
    from message_reply r
    join location l on l.id = r.location_id
    left join login_name n on n.login_id = r.read_by
    left join message m on m.location_id = r.location_id and m.id = r.message_id
    left join message_batch b on b.location_id = m.location_id and b.id = m.batch_id
    left join message_run run on run.id = m.run_id
    left join campaign c on c.id = run.campaign_id
    left join sequence s on s.location_id = r.location_id and s.id = run.sequence_id
    ${unread ? sql`where r.read_at is null` : sql``}
    order by r.received_at desc, r.location_id, r.id desc limit ${limit} offset ${offset}`.execute(tx)
  return { rows, total: await countReplies(tx, unread) }
}

/** How many replies the scope's pharmacies have, or how many of them nobody has read. */
export async function countReplies(tx: Tx, unread: boolean): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*) as n from message_reply r join location l on l.id = r.location_id
    ${unread ? sql`where r.read_at is null` : sql``}`.execute(tx)
  return rows[0]?.n ?? 0
}

/** Marks a reply as read, keeping who did first, or with null as unread again. @throws Refusal not_found, also for another company's */
export async function markReply(tx: Tx, uuid: string, read: { at: Date; by: number } | null): Promise<void> {
  const done = await sql`
    update message_reply set read_at = ${read === null ? null : sql`coalesce(read_at, ${read.at})`},
      read_by = ${read === null ? null : sql`coalesce(read_by, ${read.by})`}
    where uuid = ${uuid}`.execute(tx)
  if ((done.numAffectedRows ?? 0n) === 0n) throw new Refusal('not_found', 'That reply was not found.')
}
