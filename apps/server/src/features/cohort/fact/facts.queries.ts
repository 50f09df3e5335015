import { LEVEL_CUTS } from '@pillar/domain/dispensing/adherence'
import { MIN_LOYALTY_SCRIPTS } from '@pillar/domain/dispensing/loyalty'
import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../../db/database.ts'
import { isWritten, type Written } from '../../../db/field/written.ts'
import { lockConsent } from '../../consent/consent-log.queries.ts'
import { supplied } from '../../metrics/supplied.queries.ts'
import { eligible, type SixtyDayCodes, sixtyOnly } from '../../sixty-day/list.queries.ts'
import { BARRED_BITS, CONSENT_BITS } from './fact-consent.queries.ts'
import { markDeaths } from './fact-deaths.queries.ts'
import { markShared } from './shared.queries.ts'
import { takeStale } from './still-true.queries.ts'

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
/** A medicine counts as taken until so many days after it has run out. */
const LAPSE_DAYS = 30

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
 * Brings the facts that cohorts filter on up to date, for every active patient (a supply in the 12 months ending with the data), as of the
 * pharmacy's newest data. Everybody else leaves the table (decision 018). What comes from supplies is built again only for patients of whom
 * something changed, or for whom a day has passed that changes it; everything else is compared for all.
 */
export async function renewFacts(tx: Tx, asOf: FactsAsOf): Promise<void> {
  const { locationId, dataTo } = asOf
  const stale = await takeStale(tx, { locationId, dataTo, drugs: drugsOf(asOf) })
  await lockFacts(tx)
  await markShared(tx, locationId, await writeFacts(tx, asOf, stale))
  await markDeaths(tx, locationId)
}

/** @returns whose facts were written; null if everybody's were built */
async function writeFacts(tx: Tx, asOf: FactsAsOf, stale: readonly number[] | null): Promise<number[] | null> {
  const { locationId } = asOf
  // Makes consent changes wait: a row changed while it is replaced would return with the old consent.
  await lockConsent(tx, locationId)
  const whose = (id: RawBuilder<unknown>) => (stale ? sql`and ${id} = any(${[...stale]}::bigint[])` : sql``)
  await sql`delete from patient_fact where location_id = ${locationId} ${whose(sql`patient_id`)}`.execute(tx)
  const names = Object.keys(PERSON)
  const columns = sql.join(names.map((name) => sql.ref(name)))
  const values = sql.join(Object.values(PERSON))
  const built = await sql<{ id: number }>`
    with ${takenOf(asOf, whose(sql`s.patient_id`))}, ${farOf(asOf)}
    insert into patient_fact (location_id, patient_id, last_script_on, molecules, double_dispensing, drug_type_ids, molecule_ids, true_until,
      sms_shared, email_shared, ${columns})
    select ${locationId}, p.id, t.last_on, t.molecules, t.double_dispensing, t.drug_type_ids, t.molecule_ids, t.true_until,
      false, false, ${values}
    from taken t join patient p on p.location_id = ${locationId} and p.id = t.patient_id ${personOf(locationId)}
    returning patient_id as id`.execute(tx)
  if (!stale) return null
  const changed = await sql<{ id: number }>`
    with ${farOf(asOf)}, n as materialized (
      select p.id as patient_id, ${sql.join(names.map((name) => sql`${PERSON[name]} as ${sql.ref(name)}`))}
      from patient_fact o join patient p on p.location_id = ${locationId} and p.id = o.patient_id ${personOf(locationId)}
      where o.location_id = ${locationId}
    )
    update patient_fact f set ${sql.join(names.map((name) => sql`${sql.ref(name)} = n.${sql.ref(name)}`))} from n
    where f.location_id = ${locationId} and f.patient_id = n.patient_id
      and (${columnsOf('f', names)}) is distinct from (${columnsOf('n', names)})
    returning f.patient_id as id`.execute(tx)
  return [...built.rows, ...changed.rows].map(({ id }) => Number(id))
}

const columnsOf = (table: string, names: readonly string[]) =>
  sql.join(names.map((name) => sql.ref(`${table}.${name}`)))

const loyalty = sql`(m.here_slots::float8 / nullif(m.here_slots + m.leaked_slots, 0))`
const adherence = sql`(m.covered_days::float8 / nullif(m.observed_days, 0))`

/** 0 nothing written, 1 unusable, 2 usable. */
const stateOf = (written: Written, to: RawBuilder<unknown>) =>
  sql`case when ${to} is not null then 2 when ${isWritten('p', written)} then 1 else 0 end`

/** Facts that do not come from supplies, by column of patient_fact, each for a patient `p` with the joins of `personOf`. */
const PERSON: Readonly<Record<string, RawBuilder<unknown>>> = {
  adherence_level: levelOf(adherence),
  loyalty_level: sql`case when m.here_slots + m.leaked_slots >= ${sql.lit(MIN_LOYALTY_SCRIPTS)} then ${levelOf(loyalty)} end`,
  patient_type: sql`coalesce(p.patient_type, 0)`,
  distance_km: sql`f.km::real`,
  first_name_units: nameUnits(sql`p.first_name`),
  last_name_units: nameUnits(sql`p.last_name`),
  first_name_kind: sql`k.first`,
  last_name_kind: sql`k.last`,
  names_unicode: sql`(k.first = 1 or k.last = 1)`,
  born: sql`p.date_of_birth`,
  sex: sql`p.sex`,
  barred: BARRED_BITS,
  sms_state: stateOf('mobile', sql`p.sms_to`),
  email_state: stateOf('email', sql`p.email_to`),
  sms_key: sql`hashtextextended(p.sms_to, 0)`,
  email_key: sql`hashtextextended(p.email_to, 0)`,
  sms_opt_out: sql`p.sms_opt_out`,
  email_opt_out: sql`p.email_opt_out`,
  consent: sql`coalesce(${CONSENT_BITS}, 0)`,
}

const personOf = (locationId: number) => sql`
  cross join lateral (select ${nameKind(sql`p.first_name`)} as first, ${nameKind(sql`p.last_name`)} as last) k
  left join consent c on c.location_id = ${locationId} and c.patient_id = p.id
  left join patient_measure m on m.location_id = ${locationId} and m.patient_id = p.id
  left join far f on f.postcode = p.postcode`

const farOf = ({ distances }: FactsAsOf) => sql`
  far as (select * from unnest(${distances.map((one) => one.postcode)}::text[], ${distances.map((one) => one.km)}::float8[]) as f(postcode, km))`

/** A pharmacy's drugs with what facts take from them. */
const drugsOf = ({ locationId, sixtyDay }: FactsAsOf) => sql`
  select d.id as drug_id, d.molecule_id, m.drug_type_id, ${eligible(sixtyDay)} as eligible, ${sixtyOnly(sixtyDay)} as sixty
  from drug d join molecule m on m.id = d.molecule_id where d.location_id = ${locationId}`

/**
 * Common table expressions that end with `taken`: what active patients take, and the last day on which that is so if nothing more is
 * supplied. @param whose a further condition on the scripts `s`
 */
function takenOf(asOf: FactsAsOf, whose: RawBuilder<unknown>): RawBuilder<unknown> {
  const to = sql`${asOf.dataTo}::date`
  const yearAgo = sql`(${to} - interval '12 months')::date`
  const taking = (runOut: RawBuilder<unknown>) => sql`${runOut} >= ${to} - ${sql.lit(LAPSE_DAYS)}`
  // A supply of this day is no longer read after so many days.
  const read = (on: RawBuilder<unknown>) => sql`${on} + ${sql.lit(CARRIED_DAYS - 1)}`
  return sql`
    kind as materialized (${drugsOf(asOf)}),
    ceased as materialized (
      select r.id, r.patient_id, r.ceased_on from prescription r where r.location_id = ${asOf.locationId} and r.ceased_on is not null
    ),
    supply as (
      select s.patient_id, k.molecule_id, k.drug_type_id, k.eligible, k.sixty, s.dispensed_on, s.days_supply, c.ceased_on,
             (c.ceased_on <= ${to}) is not true as goes_on
      from script s join kind k on k.drug_id = s.drug_id
      left join ceased c on c.id = s.prescription_id and c.patient_id = s.patient_id
      where s.location_id = ${asOf.locationId} and ${supplied} ${whose}
        and s.dispensed_on > ${to} - ${sql.lit(CARRIED_DAYS)} and s.dispensed_on <= ${to}
    ),
    pair as materialized (
      select patient_id, molecule_id, max(drug_type_id) as drug_type_id, max(dispensed_on) as last_on,
             max(dispensed_on) filter (where eligible) as eligible_on,
             -- each supply by itself; all of them together, beginning with the last: it runs out no sooner and no later
             max(dispensed_on + days_supply) - 1 as soonest, max(dispensed_on) + sum(days_supply)::int - 1 as latest,
             -- whether the prescription of the latest supply has not been ended, of several that day one of them
             max((dispensed_on - date '1970-01-01') * 2 + goes_on::int) % 2 = 1 as goes_on,
             -- the next day on which one of them ends
             min(ceased_on) filter (where goes_on) as ends_on,
             -- the days of the latest supply, of several that day the longest
             max((dispensed_on - date '1970-01-01') * 1000 + case when sixty then greatest(days_supply, 60) else days_supply end) % 1000 as last_days
      from supply group by 1, 2
    ),
    doubtful as materialized (
      select patient_id, molecule_id from pair where not ${taking(sql`soonest`)} and ${taking(sql`latest`)}
    ),
    -- Few pairs need their supplies one after the other, which takes a sort: from the day of a supply on, that and all later ones last at least their days.
    carried as (
      select patient_id, molecule_id, max(array[dispensed_on + days_from - date '1970-01-01', dispensed_on - date '1970-01-01']) as longest from (
        select patient_id, molecule_id, dispensed_on,
               (sum(days_supply) over (partition by patient_id, molecule_id order by dispensed_on desc))::int as days_from
        from doubtful join supply using (patient_id, molecule_id)
      ) s group by 1, 2
    ),
    course as (
      select p.*, coalesce(date '1970-01-01' + c.longest[1] - 1, p.soonest) as run_out, date '1970-01-01' + c.longest[2] as carried_from
      from pair p left join carried c using (patient_id, molecule_id)
    ),
    taken as (
      select patient_id, max(last_on) as last_on, count(*) filter (where ${taking(sql`run_out`)}) as molecules,
             bool_or(eligible_on is not null and goes_on and ${taking(sql`run_out`)} and last_days <= ${asOf.thirtyDayMost}) as double_dispensing,
             array_agg(distinct drug_type_id) filter (where last_on > ${yearAgo}) as drug_type_ids,
             array_agg(molecule_id) filter (where last_on > ${yearAgo}) as molecule_ids,
             min(least(
               case when ${taking(sql`run_out`)} then
                 least(run_out + ${sql.lit(LAPSE_DAYS)}, ${read(sql`carried_from`)}, ${read(sql`eligible_on`)}, ends_on - 1) end,
               case when last_on > ${yearAgo} then (last_on + interval '12 months')::date - 1 end)) as true_until
      from course group by patient_id having max(last_on) > ${yearAgo}
    )`
}

/** Advisory lock namespace for rebuilding facts, by company. */
const FACTS_SPACE = 7313

/** Allows one pharmacy of a company at a time: two at once would not see each other's numbers. */
export async function lockFacts(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(${sql.lit(FACTS_SPACE)}, scope_company_id()::int)`.execute(tx)
}
