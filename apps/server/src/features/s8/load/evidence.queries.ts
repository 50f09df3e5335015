import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../../db/database.ts'
import { contentOf, jsonOf } from './chain-line.queries.ts'
import type { RegisterTarget } from './register-merge.queries.ts'

/** What is stored beside a pharmacy's entries in its own chain: contradictions, and the counts of its system. */
export const EVIDENCE = {
  /** The text hashed for a contradiction. */
  contradiction: (row: string): RawBuilder<unknown> =>
    lineOf('contradiction', row, [
      ...['source', 'number', 'content'].map((column) => sql.ref(`${row}.${column}`)),
      sql`encode(${sql.ref(`${row}.content_hash`)}, 'hex')`,
      seconds(`${row}.received_at`),
      sql.ref(`${row}.upload_id`),
    ]),
  /** The text hashed for the counts of one moment. */
  status: (row: string): RawBuilder<unknown> =>
    lineOf('status', row, [
      sql.ref(`${row}.source`),
      seconds(`${row}.taken_at`),
      ...COUNTS.map((column) => sql.ref(`${row}.${column}`)),
      seconds(`${row}.received_at`),
    ]),
} as const

const COUNTS = [
  'incoming_scripts',
  'incoming_invoices',
  'active_odt_patients',
  'pending_odt_claims',
  'active_ss_patients',
] as const

// Instants as seconds: their text form depends on a session's settings.
const seconds = (column: string) => sql`extract(epoch from ${sql.ref(column)})`
const lineOf = (kind: string, row: string, cells: readonly RawBuilder<unknown>[]) =>
  sql`row(${sql.join([sql`${sql.lit(kind)}::text`, sql.ref(`${row}.location_id`), sql.ref(`${row}.seq`), ...cells])})::text`

/**
 * Stores what was sent under a used number with different content. The same content is nothing new, and neither is the same contradiction.
 * The caller holds the pharmacy's lock.
 * @returns how many were stored
 */
export async function keepContradictions(tx: Tx, target: RegisterTarget): Promise<number> {
  const columns = sql`location_id, source, number, content, content_hash, received_at, upload_id`
  // The same clock time, read earlier by another zone, is the same time.
  const instants = instantsOf(target, 's.occurred_local')
  const happened = sql`case when e.occurred_at = any(array[${sql.join(instants)}]) then e.occurred_at else s.occurred_at end`
  const hashed = (content: RawBuilder<unknown>) => sql`sha256(convert_to(${content}, 'UTF8'))`
  const end = await endOf(tx, target)
  const kept = await sql`
    with sent as (
      select s.line, s.location_id, s.source, s.number, ${jsonOf('s')} as content, ${hashed(contentOf('s'))} as content_hash,
        array[${sql.join(instants.map((instant) => hashed(contentOf('s', instant))))}] as known_as, s.received_at, s.upload_id
      from s8_sent s
      join s8_entry e on e.location_id = ${target.locationId} and e.source = ${target.source} and e.number = s.number
      left join s8_fresh f on f.line = s.line
      where f.line is null and ${contentOf('s', happened)} <> ${contentOf('e')}
    ), fresh as (
      select distinct on (s.number, s.content_hash) s.* from sent s
      left join s8_contradiction c on c.location_id = ${target.locationId} and c.source = s.source and c.number = s.number
        and c.content_hash = any(s.known_as)
      where c.number is null order by s.number, s.content_hash, s.line
    ), placed as (select f.*, ${end.seq}::bigint + row_number() over (order by f.line) as seq from fresh f)
    insert into s8_contradiction (${columns}, seq, hash)
    select ${columns}, p.seq, s8_chain(${end.hash}::bytea, ${EVIDENCE.contradiction('p')}) over (order by p.seq rows unbounded preceding)
    from placed p order by p.seq`.execute(tx)
  return moveEnd(tx, target, end.seq, kept.numAffectedRows, 's8_contradiction')
}

/** A clock time of the file as instants, by the zone of the pharmacy and by each of its earlier zones. */
const instantsOf = ({ timeZone, earlierZones }: RegisterTarget, clock: string) =>
  [timeZone, ...earlierZones].map((zone) => sql`(${sql.ref(clock)} at time zone ${zone})`)

/**
 * Adds the counts of the pharmacy's own system, once for each moment. Counts read earlier by another zone are the same only if the numbers
 * agree: a different count may fall on the moment as it was read then. The caller holds the pharmacy's lock.
 */
export async function addStatus(tx: Tx, target: RegisterTarget): Promise<void> {
  const columns = sql.join(['location_id', 'source', 'taken_at', ...COUNTS, 'received_at'].map((one) => sql.ref(one)))
  const countsOf = (row: string) => sql`row(${sql.join(COUNTS.map((one) => sql.ref(`${row}.${one}`)))})`
  const end = await endOf(tx, target)
  const added = await sql`
    with sent as (
      select s.line, ${target.locationId}::bigint as location_id, ${target.source}::text as source, s.taken_at at time zone ${target.timeZone} as taken_at,
        s.taken_at as taken_local, ${sql.join(COUNTS.map((one) => sql.ref(`s.${one}`)))}, ${target.now}::timestamptz as received_at
      from stage_s8_status s where not s.faulty
    ), fresh as (
      select distinct on (s.taken_at) s.* from sent s
      left join s8_status t on t.location_id = ${target.locationId} and t.source = s.source
        and t.taken_at = any(array[${sql.join(instantsOf(target, 's.taken_local'))}])
        and (t.taken_at = s.taken_at or ${countsOf('t')} is not distinct from ${countsOf('s')})
      where t.taken_at is null order by s.taken_at, s.line
    ), placed as (select f.*, ${end.seq}::bigint + row_number() over (order by f.taken_at) as seq from fresh f)
    insert into s8_status (${columns}, seq, hash)
    select ${columns}, p.seq, s8_chain(${end.hash}::bytea, ${EVIDENCE.status('p')}) over (order by p.seq rows unbounded preceding)
    from placed p order by p.seq`.execute(tx)
  await moveEnd(tx, target, end.seq, added.numAffectedRows, 's8_status')
}

/** The last link of the chain beside the entries, locked. */
async function endOf(tx: Tx, { locationId }: RegisterTarget): Promise<{ seq: number; hash: Buffer }> {
  await sql`insert into s8_head (location_id, seq, hash) values (${locationId}, 0, '') on conflict do nothing`.execute(
    tx,
  )
  const { evidence_seq, evidence_hash } = await tx
    .selectFrom('s8_head')
    .select(['evidence_seq', 'evidence_hash'])
    .where('location_id', '=', locationId)
    .forUpdate()
    .executeTakeFirstOrThrow()
  return { seq: Number(evidence_seq), hash: evidence_hash }
}

async function moveEnd(
  tx: Tx,
  { locationId }: RegisterTarget,
  before: number,
  added: bigint | undefined,
  table: 's8_contradiction' | 's8_status',
): Promise<number> {
  const count = Number(added ?? 0)
  if (count > 0) {
    await sql`
      update s8_head h set evidence_seq = r.seq, evidence_hash = r.hash from ${sql.table(table)} r
      where h.location_id = ${locationId} and r.location_id = ${locationId} and r.seq = ${before + count}`.execute(tx)
  }
  return count
}
