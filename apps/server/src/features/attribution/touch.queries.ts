import { RESULT_DAYS } from '@pillar/domain/campaign/campaign-result'
import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../db/database.ts'
import { withoutNestedLoops } from '../../db/scope.ts'
import { supplied } from '../metrics/supplied.queries.ts'

/** Dispensing data is corrected late: touches this recent are recalculated even after their window has closed. */
const LATE_DAYS = 90
/**
 * Why a person who passed the filters was not messaged although comparable to those who were. Somebody held out on one channel counts as
 * held out on all.
 */
const COMPARABLE = ['no_contact', 'invalid_contact', 'unreachable', 'contact_changed', 'no_consent']

/** Handed to a gateway, even if it refused the number at once: it would have refused as many of those held out. */
const HANDED_OVER = sql.raw(`(m.sent_at is not null or m.state = 'failed')`)

/** The pharmacy whose touches are calculated; `dataTo`, ISO, is the last day of its data. */
interface TouchedLocation {
  id: number
  timeZone: string
  dataTo: string
}

/**
 * Brings a pharmacy's touches up to date with its messages and its dispensing: who was reached when, and what they were dispensed in the 30
 * days that count (for overlapping messages, those of the last one), in the year before, and in the same days a year earlier. Refunds count
 * as money but not as visits. Dispenses count if their molecule or drug type is among the campaign's, or all of them if it filters by
 * neither. See decision 020.
 * @returns touches calculated
 */
export async function refreshTouches(tx: Tx, location: TouchedLocation): Promise<number> {
  await addTouches(tx, location)
  await sql`
    create temp table due_touch on commit drop as
    with every as (
      select t.*, least(t.from_day + ${sql.lit(RESULT_DAYS - 1)}, ${location.dataTo}::date,
               case when t.part = 'messaged' then lead(t.from_day) over (partition by t.patient_id, t.part order by t.from_day, t.run_id) - 1 end) as until
      from touch t where t.location_id = ${location.id}
    ), eligible as materialized (${eligible(sql`select campaign_id from touch where location_id = ${location.id}`)})
    select e.run_id, e.patient_id, e.from_day, greatest(e.until, e.from_day - 1) as until, c.molecules, c.drug_types, d.run_day,
           least(d.run_day + ${sql.lit(RESULT_DAYS - 1)}, ${location.dataTo}::date) as run_until
    from every e join message_run r on r.id = e.run_id
    cross join lateral (select (r.starts_at at time zone ${location.timeZone})::date as run_day) d
    left join eligible c on c.campaign_id = e.campaign_id
    where e.from_day <= ${location.dataTo}::date
      and (e.computed_to is null or e.computed_to < e.from_day + ${sql.lit(RESULT_DAYS)} or e.from_day > ${location.dataTo}::date - ${sql.lit(LATE_DAYS)})`.execute(
    tx,
  )
  const { rows } = await sql<{ due: number }>`select count(*)::int as due from due_touch`.execute(tx)
  const due = rows[0]?.due ?? 0
  if (due === 0) return 0
  await sql`analyze due_touch`.execute(tx)
  await sumDispenses(tx, location)
  return due
}

/**
 * Molecule and drug type ids that count for each of these campaigns; both null if its filters name neither. Empty if they name only
 * something nobody has dispensed: then nothing counts.
 */
export const eligible = (campaignIds: RawBuilder<unknown>) => sql`
  select g.id as campaign_id,
         case when n.molecules <> '{}' then
           array(select m.id from molecule m where m.atc = any(n.molecules) or m.key = any(n.molecules)) end as molecules,
         case when n.drug_types <> '{}' then
           array(select s.id from subcategory s join category k on k.id = s.category_id and k.name = 'Drug Type'
                 where s.name = any(n.drug_types)) end as drug_types
  from campaign g cross join lateral (
    select array(select jsonb_array_elements_text(g.filters -> 'molecules')) as molecules,
           array(select jsonb_array_elements_text(g.filters -> 'drug_type')) as drug_types) n
  where g.id in (${campaignIds})`

async function addTouches(tx: Tx, { id, timeZone }: TouchedLocation): Promise<void> {
  await sql`
    insert into touch (location_id, run_id, patient_id, campaign_id, part, from_day)
    select ${id}, m.run_id, m.patient_id, max(r.campaign_id),
           case when bool_or(m.state = 'delivered') then 'messaged' when bool_or(${HANDED_OVER}) then 'attempted'
                when bool_or(m.reason = 'held_out') then 'held_out' else 'not_messaged' end,
           (coalesce(min(coalesce(m.settled_at, m.sent_at)) filter (where m.state = 'delivered'), min(m.sent_at), max(r.starts_at)) at time zone ${timeZone})::date
    from message m join message_run r on r.id = m.run_id
    where m.location_id = ${id} and r.context in ('campaign', 'sequence') and not m.fake
    group by m.run_id, m.patient_id
    having bool_or(${HANDED_OVER}) or bool_or(m.reason = 'held_out') or bool_and(m.state = 'skipped' and m.reason = any(${[...COMPARABLE]}::text[]))
    on conflict (location_id, run_id, patient_id) do update set part = excluded.part, from_day = excluded.from_day, computed_to = null
      where (touch.part, touch.from_day) is distinct from (excluded.part, excluded.from_day)`.execute(tx)
}

async function sumDispenses(tx: Tx, { id, dataTo }: TouchedLocation): Promise<void> {
  await sql`
    create temp table touch_line on commit drop as
    with d as materialized (
      select d.id, d.molecule_id, m.drug_type_id from drug d join molecule m on m.id = d.molecule_id where d.location_id = ${id}
    ), person as materialized (select distinct patient_id from due_touch),
    since as materialized (select min(least(from_day, run_day)) - 366 as day from due_touch)
    select s.patient_id, s.dispensed_on as day, d.molecule_id, d.drug_type_id, s.patient_price_cents::bigint + s.government_cents as cents,
           ${supplied} as supplied
    from script s join d on d.id = s.drug_id
    where s.location_id = ${id} and not s.reversed and not s.deferred
      and s.dispensed_on >= (select day from since) and s.patient_id in (select patient_id from person)`.execute(tx)
  await sql`analyze touch_line`.execute(tx)
  // A nested loop would sum all lines again for every touch.
  await withoutNestedLoops(tx, () =>
    sql`
    with summed as (
      select t.run_id, t.patient_id,
        coalesce(sum(l.cents) filter (where l.day between t.from_day and t.until), 0) as cents,
        count(l.day) filter (where l.supplied and l.day between t.from_day and t.until) as scripts,
        count(distinct l.day) filter (where l.supplied and l.day between t.from_day and t.until) as visits,
        coalesce(sum(l.cents) filter (where l.day between t.from_day - 365 and t.from_day - 1), 0) as year_before,
        coalesce(sum(l.cents) filter (where l.day between t.from_day - 365 and t.until - 365), 0) as pre,
        coalesce(sum(l.cents) filter (where l.day between t.run_day and t.run_until), 0) as run_cents,
        coalesce(sum(l.cents) filter (where l.day between t.run_day - 365 and t.run_until - 365), 0) as run_pre
      from due_touch t left join touch_line l on l.patient_id = t.patient_id
        and ((t.molecules is null and t.drug_types is null) or l.molecule_id = any(t.molecules) or l.drug_type_id = any(t.drug_types))
      group by t.run_id, t.patient_id
    )
    update touch o set to_day = t.until, cents = s.cents, scripts = s.scripts, visits = s.visits,
      year_before_cents = s.year_before, pre_cents = s.pre,
      run_cents = s.run_cents, run_pre_cents = s.run_pre, computed_to = ${dataTo}::date,
      whole_year = coalesce((select data_from from location where id = ${id}) <= least(t.from_day, t.run_day) - 365, false)
    from due_touch t join summed s using (run_id, patient_id)
    where o.location_id = ${id} and o.run_id = t.run_id and o.patient_id = t.patient_id`.execute(tx),
  )
}
