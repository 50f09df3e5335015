import { sql } from 'kysely'
import type { Tx } from '../../../db/database.ts'
import { differs, refersTo } from '../refers-to.queries.ts'
import type { RegisterTarget } from './register-merge.queries.ts'

/** How long settled items stay in the list from which trends are counted. */
const TREND_DAYS = 100

/**
 * Calculates the balances of every product with a new entry, from the first new one on: balance before + in − out, in the order of the
 * numbers, and how each compares with the register's own (the rules of domain/s8/balance, set-based).
 */
export async function addUpBalances(tx: Tx, target: RegisterTarget): Promise<void> {
  const { locationId, source } = target
  await sql`
    create temp table s8_touched on commit drop as
    select t.product_id, t.from_number, coalesce(b.balance, 0) as base
    from (select product_id, min(number) as from_number from s8_fresh group by 1) t
    left join lateral (
      select e.number from s8_entry e
      where e.location_id = ${locationId} and e.source = ${source} and e.product_id = t.product_id and e.number < t.from_number
      order by e.number desc limit 1
    ) last on true
    left join s8_balance b on b.location_id = ${locationId} and b.source = ${source} and b.number = last.number`.execute(
    tx,
  )
  await sql`analyze s8_touched`.execute(tx)
  await sql`
    insert into s8_balance (location_id, source, number, balance, balance_check)
    select ${locationId}::bigint, ${source}, r.number, r.balance,
      case when r.counted is not null then case when r.counted = r.balance then 'correct' else 'incorrect' end
           when r.stated_balance <> r.balance then 'incorrect'
           else coalesce(r.stated_check, case when r.stated_balance is null then 'skipped' else 'correct' end) end
    from (
      select e.number, e.counted, e.stated_balance, e.stated_check,
        t.base + sum(e.quantity_in - e.quantity_out) over (partition by e.product_id order by e.number) as balance
      from s8_touched t join s8_entry e on e.product_id = t.product_id and e.number >= t.from_number
      where e.location_id = ${locationId} and e.source = ${source}
    ) r
    on conflict (location_id, source, number) do update set balance = excluded.balance, balance_check = excluded.balance_check
      where (s8_balance.balance, s8_balance.balance_check) is distinct from (excluded.balance, excluded.balance_check)`.execute(
    tx,
  )
}

/** Whether an entry `e` is a stocktake. PostgreSQL uses the index s8_entry_count only if the query repeats its condition. */
const isCount = sql`(e.entry_type = 'count' and e.entry_type in ('count', 'adjustment'))`

/**
 * Brings the balance and the last stocktake of every product with a new entry up to date. From here on each statement scans a register
 * once: a freshly filled table has no statistics, and looking up entries one by one would scan it for each.
 */
export async function refreshProducts(tx: Tx, target: RegisterTarget): Promise<void> {
  const { locationId, source, timeZone } = target
  await sql`set local enable_nestloop = off`.execute(tx)
  await sql`
    create temp table s8_stock_now on commit drop as
    select last.product_id, b.balance, (c.occurred_at at time zone ${timeZone})::date as counted_on, c.pharmacist, c.note
    from (
      select t.product_id, max(e.number) as number from s8_touched t join s8_entry e on e.product_id = t.product_id and e.number >= t.from_number
      where e.location_id = ${locationId} and e.source = ${source} group by 1
    ) last
    join s8_balance b on b.location_id = ${locationId} and b.source = ${source} and b.number = last.number
    left join (
      select distinct on (e.product_id) e.product_id, e.occurred_at, e.pharmacist, e.note from s8_entry e
      where e.location_id = ${locationId} and e.source = ${source} and ${isCount}
      order by e.product_id, e.number desc
    ) c on c.product_id = last.product_id`.execute(tx)
  await sql`
    update s8_product p set balance = n.balance, last_stocktake_on = n.counted_on, last_stocktake_taken_by = n.pharmacist, last_stocktake_note = n.note
    from s8_stock_now n where p.location_id = ${locationId} and p.source = ${source} and p.product_id = n.product_id`.execute(
    tx,
  )
}

/**
 * Recalculates what needs attention in the pharmacy's register: broken balances, missing signatures, counts, contradictions. A product's first
 * count is due as long after its first entry as each further one after the count before.
 */
export async function refreshAttention(tx: Tx, target: RegisterTarget): Promise<void> {
  const { locationId, timeZone, now } = target
  const day = (column: string) => sql`(${sql.ref(column)} at time zone ${timeZone})::date`
  await sql`
    create temp table s8_attention_now on commit drop as
    select 'balance' as kind, w.source, w.product_id, w.product_name, w.number, ${day('w.occurred_at')} as base_on, ${day('s.occurred_at')} as until_on
    from (
      select m.*, min(m.number) filter (where m.settles) over (
        partition by m.source, m.product_id order by m.number desc, m.settles rows between unbounded preceding and 1 preceding
      ) as settled_by
      from (
        select e.source, e.product_id, e.product_name, e.number, e.occurred_at, false as settles
        from s8_balance b join s8_entry e on e.location_id = ${locationId} and e.source = b.source and e.number = b.number
        where b.location_id = ${locationId} and b.balance_check = 'incorrect'
        union all
        select e.source, e.product_id, e.product_name, e.number, e.occurred_at, true
        from s8_entry e join s8_balance b on b.location_id = ${locationId} and b.source = e.source and b.number = e.number
        where e.location_id = ${locationId} and e.entry_type in ('count', 'adjustment')
          and ((e.entry_type = 'count' and b.balance_check = 'correct') or (e.entry_type = 'adjustment' and trim(coalesce(e.note, '')) <> ''))
      ) m
    ) w left join s8_entry s on s.location_id = ${locationId} and s.source = w.source and s.number = w.settled_by
    where not w.settles
    union all
    select 'countersign', e.source, e.product_id, e.product_name, e.number, ${day('e.occurred_at')}, min(${day('s.occurred_at')})
    from s8_entry e
    left join s8_entry s on s.location_id = ${locationId} and ${refersTo('s')}
      and s.entry_type = 'countersign' and not s.intern and ${differs('e.pharmacist', 's.pharmacist')}
    where e.location_id = ${locationId} and e.intern and (${differs('e.pharmacist', 'e.second_signer')}) is not true
    group by e.location_id, e.seq
    union all
    select 'late', c.source, c.product_id, p.name, null, c.day, lead(c.day) over (partition by c.source, c.product_id order by c.number)
    from (
      select e.source, e.product_id, e.number, ${day('e.occurred_at')} as day from s8_entry e
      where e.location_id = ${locationId} and e.entry_type in ('count', 'adjustment') and e.entry_type = 'count'
      union all
      select f.source, f.product_id, 0, ${day('f.occurred_at')}
      from (
        select e.source, e.product_id, e.occurred_at
        from (select source, min(number) as number from s8_entry where location_id = ${locationId} group by source, product_id) o
        join s8_entry e on e.location_id = ${locationId} and e.source = o.source and e.number = o.number
      ) f
    ) c join s8_product p on p.location_id = ${locationId} and p.source = c.source and p.product_id = c.product_id
    union all
    select 'contradiction', c.source, e.product_id, e.product_name, c.number, ${day('c.received_at')}, min(${day('r.received_at')})
    from (select source, number, min(received_at) as received_at from s8_contradiction where location_id = ${locationId} group by 1, 2) c
    join s8_entry e on e.location_id = ${locationId} and e.source = c.source and e.number = c.number
    left join s8_entry r on r.location_id = ${locationId} and r.source = c.source and r.refers_to = c.number and r.refers_to is not null
      and r.entry_type = 'reversal' and r.received_at >= c.received_at
    group by c.source, e.product_id, e.product_name, c.number, c.received_at`.execute(tx)
  await tx.deleteFrom('s8_attention').where('location_id', '=', locationId).execute()
  await sql`
    insert into s8_attention (location_id, kind, source, product_id, product_name, number, base_on, until_on)
    select ${locationId}::bigint, kind, source, product_id, product_name, number, base_on, until_on from s8_attention_now
    where until_on is null or until_on > (${now}::timestamptz at time zone ${timeZone})::date - ${sql.lit(TREND_DAYS)}`.execute(
    tx,
  )
}

/** The register's summary row: its counts, as of this upload. */
export async function refreshSummary(tx: Tx, target: RegisterTarget): Promise<void> {
  const { locationId, now } = target
  await sql`
    create temp table s8_summary_now on commit drop as
    select
      (select max(last_stocktake_on) from s8_product where location_id = ${locationId}) as last_stocktake_on,
      (select count(*) from s8_entry e where e.location_id = ${locationId} and e.entry_type = 'owing' and not exists (
         select from s8_entry r where r.location_id = ${locationId} and ${refersTo('r')}
           and r.entry_type in ('owing_closed', 'reversal'))) as owing,
      (select count(*) from (
         select e.source, e.product_id, e.reference from s8_entry e
         left join (select r.source, r.refers_to, sum(r.quantity_out - r.quantity_in) as back
           from s8_entry r join s8_entry e on e.location_id = ${locationId} and ${refersTo('r')}
           where r.location_id = ${locationId} and r.entry_type = 'reversal' group by 1, 2) r
           on r.source = e.source and r.refers_to = e.number
         where e.location_id = ${locationId} and e.entry_type = 'partial' and e.reference is not null
         group by 1, 2, 3
         having max(e.prescribed) > sum(e.quantity_out - e.quantity_in + coalesce(r.back, 0))) open) as partial,
      (select count(*) from s8_attention where location_id = ${locationId} and kind = 'countersign' and until_on is null) as countersigns,
      (select count(*) from s8_entry e where e.location_id = ${locationId} and e.entry_type in ('destruction', 'patient_return') and not exists (
         select from s8_entry r where r.location_id = ${locationId} and ${refersTo('r')}
           and r.entry_type in ('destroyed', 'reversal') and ${differs('r.pharmacist', 'r.second_signer')})) as destructions`.execute(
    tx,
  )
  await sql`
    insert into s8_pharmacy (location_id, uploaded_at, last_stocktake_on, owing_scripts, partial_supplies, countersigns, destructions)
    select ${locationId}::bigint, ${now}::timestamptz, last_stocktake_on, owing, partial, countersigns, destructions from s8_summary_now
    on conflict (location_id) do update set uploaded_at = excluded.uploaded_at, last_stocktake_on = excluded.last_stocktake_on,
      owing_scripts = excluded.owing_scripts, partial_supplies = excluded.partial_supplies, countersigns = excluded.countersigns,
      destructions = excluded.destructions`.execute(tx)
}
