import {
  EXPIRING_DAYS_BEFORE,
  LAPSED_CYCLES,
  NEW_AFTER_DAYS,
  REFILL_DUE_DAYS_BEFORE,
  REFILL_OVERDUE_DAYS_AFTER,
  type SequenceEvent,
} from '@pillar/domain/campaign/sequence'
import { NEVER_EXPIRES } from '@pillar/domain/campaign/sequence-facts'
import { CARRY_IN_DAYS } from '@pillar/domain/dispensing/adherence'
import { EXPIRY_MONTHS } from '@pillar/domain/dispensing/loyalty'
import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../db/database.ts'
import { withNestedLoops } from '../../db/scope.ts'
import { supplied } from '../metrics/supplied.queries.ts'
import { deceasedElsewhere } from '../person/death.queries.ts'

const EPOCH = sql`date '1970-01-01'`

/**
 * The facts events depend on, for every patient and molecule of a pharmacy as of `today` (ISO), as the temporary table `s_fact` of this
 * transaction; days are whole numbers since 1970-01-01. Leaves out test patients, those in facilities, and those whom this pharmacy or
 * another one of the company records as deceased; `s_person` holds the others. Agrees with the domain's `eventFacts`.
 */
export async function buildEventFacts(tx: Tx, locationId: number, today: string): Promise<void> {
  // Seconds for half a million lines, and longer on a busy machine.
  await sql`set local statement_timeout = '120s'`.execute(tx)
  const died = [...(await withNestedLoops(tx, () => deceasedElsewhere(tx, locationId, null)))]
  await sql`
    create temp table s_person on commit drop as
    select id from patient where location_id = ${locationId} and not fake and not facility and deceased_on is null
      and id <> all(${died}::bigint[])`.execute(tx)
  await sql`analyze s_person`.execute(tx)
  // A script as [supply number, repeats left, expiry day, repeats authorised]: of several on one day the greatest counts.
  await sql`
    create temp table s_supply on commit drop as
    with d as materialized (select id, molecule_id from drug where location_id = ${locationId})
    select s.patient_id, d.molecule_id, s.dispensed_on - ${EPOCH} as day, sum(s.days_supply)::int as days,
           max(case when s.supply_number is null or coalesce(s.repeats_authorised, r.repeats_authorised) is null then array[0, 0, e.expires, 0]
               else array[s.supply_number, case when r.ceased_on <= ${today}::date then 0
                 else greatest(0, coalesce(s.repeats_authorised, r.repeats_authorised) + 1 - s.supply_number) end,
                 e.expires, coalesce(s.repeats_authorised, r.repeats_authorised)] end) as script
    from script s join d on d.id = s.drug_id join s_person p on p.id = s.patient_id
    left join prescription r on r.location_id = s.location_id and r.id = s.prescription_id
    cross join lateral (select coalesce((r.prescribed_on + make_interval(months => ${sql.lit(EXPIRY_MONTHS)}))::date - ${EPOCH},
      ${sql.lit(NEVER_EXPIRES)}) as expires) e
    where s.location_id = ${locationId} and s.dispensed_on <= ${today}::date and ${supplied}
    group by 1, 2, 3`.execute(tx)
  await sql`analyze s_supply`.execute(tx)
  await sql`
    create temp table s_fact on commit drop as
    with placed as materialized (
      select *, max(day) over pair as supplied, count(*) over pair as times from s_supply
      window pair as (partition by patient_id, molecule_id)
    ), carried as (
      select *, day - (sum(days) over (partition by patient_id, molecule_id order by day) - days) as shift
      from placed where day >= supplied - ${sql.lit(CARRY_IN_DAYS)}
    ), run_out as (
      select patient_id, molecule_id, (max(shift) + sum(days))::int as run_out from carried group by 1, 2
    ), course as (
      select patient_id, molecule_id, max(day) as supplied, max(day) filter (where day < supplied) as supplied_before,
             max(script) filter (where day = supplied) as script
      from placed group by 1, 2
    ), cycle as (
      select patient_id, min(day) as history_from, max(day) as last_visit,
             count(distinct day) filter (where times > 1) as visits,
             max(day) filter (where times > 1) - min(day) filter (where times > 1) as span
      from placed group by 1
    )
    select c.patient_id, c.molecule_id, c.supplied, c.supplied_before, o.run_out, c.script[1] as dispense_number, c.script[2] as repeats_left,
           c.script[3] as expires, c.script[4] as repeats_authorised, y.history_from, y.last_visit,
           case when y.visits >= 2 then y.span::float8 / (y.visits - 1) end as mean_cycle
    from course c join run_out o using (patient_id, molecule_id) join cycle y using (patient_id)`.execute(tx)
  await sql`analyze s_fact`.execute(tx)
}

/** The day of an event over the rows `f` of `s_fact`, null if it does not happen: the domain's `eventDay`. */
function eventDaySql(event: SequenceEvent): RawBuilder<number | null> {
  const days = (count: number) => sql.lit(count)
  switch (event) {
    case 'first_script':
      return sql`case when (f.supplied_before is null or f.supplied - f.supplied_before > ${days(NEW_AFTER_DAYS)})
        and f.supplied - f.history_from >= ${days(NEW_AFTER_DAYS)} then f.supplied end`
    case 'refill_due':
      return sql`case when f.repeats_left > 0 then f.run_out - ${days(REFILL_DUE_DAYS_BEFORE)} end`
    case 'refill_overdue':
      return sql`case when f.repeats_left > 0 then f.run_out + ${days(REFILL_OVERDUE_DAYS_AFTER)} end`
    case 'last_repeat_dispensed':
      return sql`case when f.dispense_number = f.repeats_authorised + 1 then f.supplied end`
    case 'script_expiring':
      return sql`case when f.repeats_left > 0 then f.expires - ${days(EXPIRING_DAYS_BEFORE)} end`
    case 'lapsed_patient':
      return sql`f.last_visit + ceil(${sql.lit(LAPSED_CYCLES)}::float8 * f.mean_cycle)::int`
  }
}

/** Events of the patient rather than a molecule: stored under molecule 0. */
const ofPatient = (event: SequenceEvent): boolean => event === 'lapsed_patient'

/** Patient, molecule (0 for events of the patient) and ISO day of every event in `s_fact`, as a query. */
export function eventsOf(event: SequenceEvent): RawBuilder<unknown> {
  const molecule = ofPatient(event) ? sql`0` : sql`f.molecule_id`
  return sql`select distinct f.patient_id, ${molecule} as molecule_id, ${EPOCH} + ${eventDaySql(event)} as event_day
    from s_fact f where ${eventDaySql(event)} is not null`
}
