import { CHANNELS } from '@pillar/domain/consent/consent'
import { LEVEL_CUTS } from '@pillar/domain/dispensing/adherence'
import { MIN_LOYALTY_SCRIPTS } from '@pillar/domain/dispensing/loyalty'
import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../../db/database.ts'
import { isWritten, type Written } from '../../../db/field/written.ts'
import { withScope } from '../../../db/scope.ts'
import { lockConsent } from '../../consent/consent-log.queries.ts'
import { supplied } from '../../metrics/supplied.queries.ts'
import { eligible, type SixtyDayCodes, sixtyOnly } from '../../sixty-day/list.queries.ts'
import { BARRED_BITS, CONSENT_BITS } from './fact-consent.queries.ts'

/** Postcodes of a pharmacy's patients as written, and where the pharmacy is. */
export async function postcodesOf(tx: Tx, locationId: number) {
  const { rows } = await sql<{
    postcodes: string[]
    postcode: string | null
    latitude: number | null
    longitude: number | null
  }>`
    select l.postcode, l.latitude, l.longitude,
           array(select distinct p.postcode from patient p where p.location_id = l.id and p.postcode is not null) as postcodes
    from location l where l.id = ${locationId}`.execute(tx)
  return rows[0]!
}

/** The domain's level for a fraction in SQL; null stays null. */
const levelOf = (value: RawBuilder<unknown>) => {
  const cuts = LEVEL_CUTS.map(([level, from]) => sql`when ${value} >= ${sql.lit(from)}::float8 then ${sql.lit(level)}`)
  return sql`case ${sql.join(cuts, sql` `)} end`
}

/** Characters of one GSM septet that a name may contain. Braces are excluded: they are replaced before a text is sent. */
const PLAIN = `A-Za-z0-9 @$_!"#%&'()*+,./:;<=>?£¥èéùìòÇØøÅåΔΦΓΛΩΠΨΣΘΞÆæßÉ¤¡ÄÖÑÜ§¿äöñüà-`
/** Characters that are replaced before sending, take two units, or are spaces only JavaScript trims. */
const ODD = String.raw`[\u0001-\u001f\u007f-\u00a0\u061c\u1680\u2000-\u200a\u200e\u200f\u2028-\u202f\u205f\u2066-\u2069\u3000\ufeff\U00010000-\U0010ffff^{}\\\[\]~|€]`
const LONG = 200

const nameUnits = (name: RawBuilder<unknown>) => sql`least(length(btrim(coalesce(${name}, ''))), ${sql.lit(LONG)})`
const nameKind = (name: RawBuilder<unknown>) => sql`
  case when length(${name}) > ${sql.lit(LONG)} or ${name} ~ ${sql.lit(ODD)} then 2
       when coalesce(${name}, '') ~ ${sql.lit(`^[${PLAIN}]*$`)} then 0 else 1 end`

/** Days of supplies to read: the year adherence measures, and the year before, from which they carry over. */
const CARRIED_DAYS = 730

export interface FactsAsOf {
  locationId: number
  /** Last day of the pharmacy's data. */
  dataTo: string
  /** What may be dispensed for 60 days; empty outside Australia. */
  sixtyDay: SixtyDayCodes
  thirtyDayMost: number
  /** Kilometres from the pharmacy, by postcode as written. */
  distances: readonly { postcode: string; km: number }[]
}

/**
 * Rebuilds the facts that cohorts filter on, for every active patient (a supply in the 12 months ending with the data), as of the
 * pharmacy's newest data. Everybody else leaves the table (decision 018). @returns how many patients
 */
export async function rebuildFacts(tx: Tx, asOf: FactsAsOf): Promise<number> {
  await lockFacts(tx)
  // Makes consent changes wait: a row changed while it is replaced would return with the old consent.
  await lockConsent(tx, asOf.locationId)
  await sql`delete from patient_fact where location_id = ${asOf.locationId}`.execute(tx)
  const to = sql`${asOf.dataTo}::date`
  const yearAgo = sql`(${to} - interval '12 months')::date`
  // A medicine counts as taken until 30 days after it has run out.
  const taking = (runOut: RawBuilder<unknown>) => sql`${runOut} >= ${to} - 30`
  const loyalty = sql`(m.here_slots::float8 / nullif(m.here_slots + m.leaked_slots, 0))`
  const adherence = sql`(m.covered_days::float8 / nullif(m.observed_days, 0))`
  const { numAffectedRows } = await sql`
    with kind as materialized (
      select d.id as drug_id, d.molecule_id, m.drug_type_id, ${eligible(asOf.sixtyDay)} as eligible, ${sixtyOnly(asOf.sixtyDay)} as sixty
      from drug d join molecule m on m.id = d.molecule_id where d.location_id = ${asOf.locationId}
    ),
    ceased as materialized (
      select r.id from prescription r where r.location_id = ${asOf.locationId} and r.ceased_on <= ${to}
    ),
    supply as (
      select s.patient_id, k.molecule_id, k.drug_type_id, k.eligible, k.sixty, s.dispensed_on, s.days_supply, c.id is null as goes_on
      from script s join kind k on k.drug_id = s.drug_id left join ceased c on c.id = s.prescription_id
      where s.location_id = ${asOf.locationId} and ${supplied}
        and s.dispensed_on > ${to} - ${sql.lit(CARRIED_DAYS)} and s.dispensed_on <= ${to}
    ),
    pair as materialized (
      select patient_id, molecule_id, max(drug_type_id) as drug_type_id, bool_or(eligible) as eligible, max(dispensed_on) as last_on,
             -- each supply by itself; all of them together, beginning with the last: it runs out no sooner and no later
             max(dispensed_on + days_supply) - 1 as soonest, max(dispensed_on) + sum(days_supply)::int - 1 as latest,
             -- whether the prescription of the latest supply has not been ended, of several that day one of them
             max((dispensed_on - date '1970-01-01') * 2 + goes_on::int) % 2 = 1 as goes_on,
             -- the days of the latest supply, of several that day the longest
             max((dispensed_on - date '1970-01-01') * 1000 + case when sixty then greatest(days_supply, 60) else days_supply end) % 1000 as last_days
      from supply group by 1, 2
    ),
    doubtful as materialized (
      select patient_id, molecule_id from pair where not ${taking(sql`soonest`)} and ${taking(sql`latest`)}
    ),
    -- Few pairs need their supplies one after the other, which takes a sort: from the day of a supply on, that and all later ones last at least their days.
    carried as (
      select patient_id, molecule_id, max(dispensed_on + days_from) - 1 as run_out from (
        select patient_id, molecule_id, dispensed_on,
               (sum(days_supply) over (partition by patient_id, molecule_id order by dispensed_on desc))::int as days_from
        from doubtful join supply using (patient_id, molecule_id)
      ) s group by 1, 2
    ),
    course as (
      select p.*, ${taking(sql`coalesce(c.run_out, p.soonest)`)} as taking from pair p left join carried c using (patient_id, molecule_id)
    ),
    taken as (
      select patient_id, max(last_on) as last_on, count(*) filter (where taking) as molecules,
             bool_or(eligible and goes_on and taking and last_days <= ${asOf.thirtyDayMost}) as double_dispensing,
             array_agg(distinct drug_type_id) filter (where last_on > ${yearAgo}) as drug_type_ids,
             array_agg(molecule_id) filter (where last_on > ${yearAgo}) as molecule_ids
      from course group by patient_id having max(last_on) > ${yearAgo}
    ),
    far as (select * from unnest(${asOf.distances.map((one) => one.postcode)}::text[], ${asOf.distances.map((one) => one.km)}::float8[]) as f(postcode, km))
    insert into patient_fact (location_id, patient_id, last_script_on, adherence_level, loyalty_level, patient_type, molecules, distance_km,
      double_dispensing, drug_type_ids, molecule_ids, first_name_units, last_name_units, first_name_kind, last_name_kind, names_unicode,
      born, sex, barred, sms_state, email_state, sms_key, email_key, sms_opt_out, email_opt_out, sms_shared, email_shared, consent)
    select ${asOf.locationId}, p.id, t.last_on, ${levelOf(adherence)},
           case when m.here_slots + m.leaked_slots >= ${sql.lit(MIN_LOYALTY_SCRIPTS)} then ${levelOf(loyalty)} end,
           coalesce(p.patient_type, 0), t.molecules, f.km, t.double_dispensing, t.drug_type_ids, t.molecule_ids,
           ${nameUnits(sql`p.first_name`)}, ${nameUnits(sql`p.last_name`)}, k.first, k.last, k.first = 1 or k.last = 1,
           p.date_of_birth, p.sex,
           ${BARRED_BITS},
           ${stateOf('mobile', sql`p.sms_to`)}, ${stateOf('email', sql`p.email_to`)},
           hashtextextended(p.sms_to, 0), hashtextextended(p.email_to, 0), p.sms_opt_out, p.email_opt_out, false, false, coalesce(${CONSENT_BITS}, 0)
    from taken t join patient p on p.location_id = ${asOf.locationId} and p.id = t.patient_id
    cross join lateral (select ${nameKind(sql`p.first_name`)} as first, ${nameKind(sql`p.last_name`)} as last) k
    left join consent c on c.location_id = ${asOf.locationId} and c.patient_id = p.id
    left join patient_measure m on m.location_id = ${asOf.locationId} and m.patient_id = p.id
    left join far f on f.postcode = p.postcode`.execute(tx)
  await markShared(tx, asOf.locationId)
  return Number(numAffectedRows ?? 0)
}

/** Advisory lock namespace for rebuilding facts, by company. */
const FACTS_SPACE = 7313

/** Allows one pharmacy of a company at a time: two at once would not see each other's numbers. */
export async function lockFacts(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(${sql.lit(FACTS_SPACE)}, scope_company_id()::int)`.execute(tx)
}

/** Marks the patients of a pharmacy who share a number or address with others of the company, and those others. */
export async function markShared(tx: Tx, locationId: number): Promise<void> {
  const { rows } = await sql<{ ids: number[]; bitmaps: string }>`
    select company_location_ids() as ids, current_setting('enable_bitmapscan') as bitmaps`.execute(tx)
  const { ids, bitmaps } = rows[0]!
  // Without statistics, as after the first upload, PostgreSQL would read every row of the company for each number.
  await sql`set local enable_bitmapscan = off`.execute(tx)
  await withScope(tx, ids.map(Number), async () => {
    for (const channel of CHANNELS) {
      const key = sql.ref(`${channel}_key`)
      const shared = sql.ref(`${channel}_shared`)
      // Looks up each number through the index: whatever the planner expects, few of a pharmacy's numbers are shared.
      await sql`
        update patient_fact f set ${shared} = true
        where not f.${shared} and f.${key} = any (array(
          select n.key from (select distinct ${key} as key from patient_fact where location_id = ${locationId} and ${key} is not null) n
          where (select count(*) from (select from patient_fact o where o.${key} = n.key limit 2) two) > 1))`.execute(
        tx,
      )
    }
  })
  await sql`select set_config('enable_bitmapscan', ${bitmaps}, true)`.execute(tx)
}

/** 0 nothing written, 1 unusable, 2 usable. */
const stateOf = (written: Written, to: RawBuilder<unknown>) =>
  sql`case when ${to} is not null then 2 when ${isWritten('p', written)} then 1 else 0 end`
