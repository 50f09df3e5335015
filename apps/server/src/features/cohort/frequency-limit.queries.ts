import { type RawBuilder, sql } from 'kysely'
import type { Database, Tx } from '../../db/database.ts'
import type { Leaves, Question, WaitingBatch } from './selection.queries.ts'

/**
 * Batches of other runs at these pharmacies that send before messages due from `first`. Leaves out tests and answers to a STOP, which no
 * frequency limit covers.
 */
export async function readWaiting(
  tx: Tx,
  places: readonly { id: number; first: Date }[],
  campaignId: number | null,
): Promise<WaitingBatch[]> {
  const { rows } = await sql<WaitingBatch>`
    select b.location_id, b.id, w.first as until from message_batch b
      join message_run r on r.id = b.run_id
      join unnest(${places.map(({ id }) => id)}::bigint[], ${places.map(({ first }) => first)}::timestamptz[]) w(id, first)
        on w.id = b.location_id
    where b.next_at <= w.first and b.stopped_at is null and b.message_kind <> 'confirmation'
      and r.state in ('holding', 'sending') and not r.test and r.campaign_id is distinct from ${campaignId}::bigint`.execute(
    tx,
  )
  return rows
}

/**
 * Other pharmacies of the company, including closed ones, that have messages of the campaign or invitations to the trial, or messages due
 * to be sent by then. Runs as the system: the caller may see fewer pharmacies.
 */
export async function pharmaciesElsewhere(
  tx: Tx,
  system: Database,
  ask: { locationIds: readonly number[]; campaignId: number | null; trialId: number | undefined; until: Date },
): Promise<number[]> {
  const company = await sql<{ id: number }>`select scope_company_id() as id`.execute(tx)
  const batches = sql`message_batch b join message_run r on r.id = b.run_id join location l on l.id = b.location_id and l.company_id = r.company_id
    where r.company_id = ${company.rows[0]!.id} and b.location_id <> all(${[...ask.locationIds]}::bigint[])`
  const { rows } = await sql<{ id: number }>`
    select b.location_id as id from ${batches} and (r.campaign_id = ${ask.campaignId}::bigint or r.trial_id = ${ask.trialId ?? null}::bigint and r.context = 'trial')
    union select b.location_id from ${batches} and b.next_at <= ${ask.until} and b.stopped_at is null and r.state in ('holding', 'sending')
    order by id`.execute(system)
  return rows.map(({ id }) => Number(id))
}

/** Who received messages, and when: `key`, the hashed number or address, and `sent`. */
function sentTo({ waiting, now }: Question): RawBuilder<unknown> {
  const history = sql`(select hashtextextended(contact, 0) as key, sent from contact_history)`
  if (waiting.length === 0) return history
  // They count as at the moment when the question's own messages may be sent.
  const ahead = waiting.map(({ until }) => Math.max(0, until.getTime() - now.getTime()) / 1000)
  return sql`(
    select key, coalesce(h.sent, '{}') || coalesce(w.sent, '{}') as sent from ${history} h full join (
      select key, array_agg(sent) as sent from (
        select m.planned_at - make_interval(secs => b.ahead) as sent, hashtextextended(unnest(array[p.sms_to, p.email_to,
          case when m.contact is distinct from p.sms_to and m.contact is distinct from p.email_to then m.contact end]), 0) as key
        from message m
          join unnest(${waiting.map(({ location_id }) => location_id)}::bigint[], ${waiting.map(({ id }) => id)}::bigint[], ${ahead}::float8[])
            b(location_id, id, ahead) on b.location_id = m.location_id and b.id = m.batch_id
          -- Patient by patient: after a first upload the planner would go through all of them for each message.
          left join lateral (select * from patient p where p.location_id = m.location_id and p.id = m.patient_id offset 0) p on true
        where m.state = 'queued') q
      where key is not null group by key) w using (key))`
}

/** The limits that apply to a question, each with its column in the rows of `historyOf` and whether it applies at the pharmacy of `f`. */
function limitsOf({ limits, locations }: Question) {
  const asked = new Set(locations.map(({ id }) => id))
  return limits.flatMap((limit, index) => {
    if (limit.at !== null && !limit.at.some((id) => asked.has(id))) return []
    const holds = limit.at === null ? sql`true` : sql`f.location_id = any(${[...limit.at]}::bigint[])`
    return [{ ...limit, column: sql.ref(`room${index}`), holds }]
  })
}

/**
 * The hashed numbers and addresses that had messages within the hours of a limit, or have some waiting, and may get at most `most` more
 * under it: `key`, and for each limit a column with the number of messages left.
 * @param most default: all that had any
 * @param keys only these
 */
export function historyOf(
  question: Question,
  most = Number.POSITIVE_INFINITY,
  keys: readonly string[] | null = null,
): RawBuilder<unknown> {
  const limits = limitsOf(question).map((limit) => ({ ...limit, most: Math.min(most, limit.messages - 1) }))
  const now = sql`${question.now}::timestamptz`
  const rooms = limits.map(
    ({ column, messages, hours }) =>
      sql`${sql.lit(messages)} - (count(*) filter (where s > ${now} - make_interval(hours => ${sql.lit(hours)})))::int as ${column}`,
  )
  const few = limits.map((limit) => sql`${limit.column} <= ${sql.lit(limit.most)}`)
  const least = Math.min(...limits.map((limit) => limit.messages - limit.most))
  return sql`
    select h.key, c.* from ${sentTo(question)} h
    cross join lateral (select ${sql.join(rooms)} from unnest(h.sent) s where s <= ${now}) c
    where cardinality(h.sent) >= ${sql.lit(least)} and (${sql.join(few, sql` or `)})
      ${keys === null ? sql`` : sql`and h.key = any(${[...keys]}::bigint[])`}`
}

/** For the given hashed numbers and addresses that had messages: how many more each limit allows, as one list of numbers. */
export async function readRooms(
  tx: Tx,
  question: Question,
  keys: readonly string[],
): Promise<ReadonlyMap<string, readonly number[]>> {
  if (keys.length === 0) return new Map()
  const rooms = sql.join(limitsOf(question).map(({ column }) => column))
  const { rows } = await sql<{ key: string; rooms: number[] }>`
    select key::text, json_build_array(${rooms}) as rooms from (${historyOf(question, undefined, keys)}) h`.execute(tx)
  return new Map(rows.map((row) => [row.key, row.rooms]))
}

/** What such a list means at each pharmacy: how many more messages all limits there allow. */
export function roomAt(question: Question): (locationId: number) => (rooms: readonly number[] | undefined) => number {
  const limits = limitsOf(question)
  return (locationId) => {
    const here = [...limits.entries()].filter(([, { at }]) => at === null || at.includes(locationId))
    const most = Math.min(...here.map(([, { messages }]) => messages))
    return (rooms) => (rooms === undefined ? most : Math.min(...here.map(([place]) => rooms[place]!)))
  }
}

/** How many messages the limits leave for a patient's number and address, over `joined`. */
export function roomOf(question: Question, channel: 'sms' | 'email'): RawBuilder<number> {
  const table = sql.ref(channel === 'sms' ? 'hs' : 'he')
  return sql`least(${sql.join(
    limitsOf(question).map(
      ({ holds, messages, column }) =>
        sql`case when ${holds} then coalesce(${table}.${column}, ${sql.lit(messages)}) end`,
    ),
  )})`
}

/** Joins people, rows `f`, to a table `history` from `historyOf`. */
export const joined = sql`left join history hs on hs.key = f.sms_key left join history he on he.key = f.email_key`

/** Reads the join `joined`. */
export const leavesJoined =
  (question: Question): Leaves =>
  (messages) =>
    sql`least(${roomOf(question, 'sms')}, ${roomOf(question, 'email')}) <= ${sql.lit(messages)}`

/** Uses lists read beforehand: parallel workers of PostgreSQL cannot read a table of a `with`. */
export async function readLeaves(tx: Tx, question: Question): Promise<Leaves> {
  // For a person who shares no number, only the email can follow another message.
  const most = question.sms && question.email ? 1 : 0
  const limits = limitsOf(question)
  const lists = limits.flatMap(({ column }, at) =>
    [0, 1].map(
      (room) =>
        sql`(array_agg(key) filter (where ${column} <= ${sql.lit(room)}))::text as ${sql.ref(`list${2 * at + room}`)}`,
    ),
  )
  const { rows } = await sql<Record<string, string | null>>`
    select ${sql.join(lists)} from (${historyOf(question, most)}) h`.execute(tx)
  return (room) =>
    sql`(${sql.join(
      limits.map(({ holds, messages }, at) => {
        if (messages <= room) return holds
        const keys = rows[0]![`list${2 * at + room}`]!
        return keys === null
          ? sql`false`
          : sql`(${holds} and (f.sms_key = any(${keys}::bigint[]) or f.email_key = any(${keys}::bigint[])))`
      }),
      sql` or `,
    )})`
}
