import { sql } from 'kysely'
import type { Tx } from '../../../db/database.ts'
import { ENTRY_COLUMNS, lineOf } from './chain-line.queries.ts'

/** The pharmacy whose register is loaded, the source of its numbers, and the upload. */
export interface RegisterTarget {
  locationId: number
  source: string
  timeZone: string
  /** The pharmacy's earlier zones, by which stored times may have been read. */
  earlierZones: readonly string[]
  uploadId: number
  now: Date
}

/** There are few look-ups by number compared with the stored rows: allows the planner to do each through the index. */
export async function beginRegister(tx: Tx): Promise<void> {
  await sql`set local enable_nestloop = on`.execute(tx)
}

/** Updates the statistics after a large upload, so that this upload and the first readers get fitting plans. */
export async function countStored(tx: Tx): Promise<void> {
  await sql`select s8_analyze()`.execute(tx)
}

const FLAGS = ['otp', 'cannabis', 'custom', 'inactive'] as const

/** Adds the products sent and changes the columns present in the file. */
export async function mergeProducts(tx: Tx, target: RegisterTarget, present: ReadonlySet<string>): Promise<void> {
  const flags = new Set<string>(FLAGS)
  const columns = [...present].filter((column) => column !== 'product_id')
  const value = (column: string) =>
    flags.has(column) ? sql`coalesce(${sql.ref(`s.${column}`)}, false)` : sql.ref(`s.${column}`)
  const sets = columns.map((column) => sql`${sql.ref(column)} = excluded.${sql.ref(column)}`)
  await sql`
    insert into s8_product (location_id, source, product_id, ${sql.join(columns.map((column) => sql.ref(column)))})
    select ${target.locationId}::bigint, ${target.source}, s.product_id, ${sql.join(columns.map(value))}
    from stage_s8_products s where not s.faulty
    on conflict (location_id, source, product_id) do update set ${sql.join(sets)}`.execute(tx)
}

/** Staged entries in stored form, in a temporary table, without those of unknown products. */
export async function readSent(tx: Tx, target: RegisterTarget): Promise<void> {
  await sql`
    create temp table s8_sent on commit drop as
    select s.line, ${target.locationId}::bigint as location_id, ${target.source}::text as source, s.transaction_id as number, p.name as product_name,
      s.product_id, s.entry_type, s.occurred_at at time zone ${target.timeZone} as occurred_at, s.occurred_at as occurred_local, s.name as party_name, s.address as party_address,
      s.patient_id, coalesce(s.quantity_in, 0)::numeric(12, 2) as quantity_in, coalesce(s.quantity_out, 0)::numeric(12, 2) as quantity_out,
      s.balance as stated_balance, s.counted, s.balance_check as stated_check, s.reference, s.prescribed, s.pharmacist,
      coalesce(s.intern, false) as intern, s.second_signer, s.doctor, s.note, s.refers_to,
      ${target.now}::timestamptz as received_at, ${target.uploadId}::bigint as upload_id
    from stage_s8_transactions s
    join s8_product p on p.location_id = ${target.locationId} and p.source = ${target.source} and p.product_id = s.product_id
    where not s.faulty`.execute(tx)
  await sql`analyze s8_sent (number, line)`.execute(tx)
}

/** Staged entries whose product is neither in the upload nor stored: the first 1,000 and the count. */
export async function unknownProducts(
  tx: Tx,
  target: RegisterTarget,
): Promise<{ count: number; first: { line: number; value: string }[] }> {
  const { rows } = await sql<{ count: number; first: { line: number; value: string }[] | null }>`
    with unknown as (
      select s.line, s.product_id as value from stage_s8_transactions s
      left join s8_product p on p.location_id = ${target.locationId} and p.source = ${target.source} and p.product_id = s.product_id
      where not s.faulty and p.product_id is null
    )
    select (select count(*)::int from unknown) as count,
           (select jsonb_agg(f order by f.line) from (select * from unknown order by line limit 1000) f) as first`.execute(
    tx,
  )
  return { count: rows[0]?.count ?? 0, first: rows[0]?.first ?? [] }
}

/**
 * Adds the entries with a new number at the end of the pharmacy's chain, in the order of their numbers. For a number that occurs twice in a
 * file the first row counts. The caller holds the pharmacy's lock.
 * @returns how many were added
 */
export async function appendEntries(tx: Tx, target: RegisterTarget): Promise<number> {
  await sql`
    insert into s8_head (location_id, seq, hash) values (${target.locationId}, 0, '') on conflict do nothing`.execute(
    tx,
  )
  const head = await tx
    .selectFrom('s8_head')
    .select(['seq', 'hash'])
    .where('location_id', '=', target.locationId)
    .forUpdate()
    .executeTakeFirstOrThrow()
  await sql`
    create temp table s8_fresh on commit drop as
    select ${head.seq}::bigint + row_number() over (order by f.number) as seq, f.* from (
      select distinct on (s.number) s.* from s8_sent s
      left join s8_entry e on e.location_id = ${target.locationId} and e.source = ${target.source} and e.number = s.number
      where e.number is null order by s.number, s.line
    ) f`.execute(tx)
  await sql`analyze s8_fresh (number, line, product_id)`.execute(tx)
  const columns = sql.join(ENTRY_COLUMNS.map((column) => sql.ref(column)))
  const added = await sql`
    insert into s8_entry (${columns}, hash)
    select ${columns}, s8_chain(${head.hash}::bytea, ${lineOf('f')}) over (order by f.seq rows unbounded preceding)
    from s8_fresh f order by f.seq`.execute(tx)
  const count = Number(added.numAffectedRows ?? 0)
  if (count > 0) {
    await sql`
      update s8_head h set seq = e.seq, hash = e.hash
      from s8_entry e where h.location_id = ${target.locationId} and e.location_id = ${target.locationId}
        and e.seq = ${Number(head.seq) + count}`.execute(tx)
  }
  return count
}
