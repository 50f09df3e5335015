import { LEVEL_CUTS } from '@pillar/domain/dispensing/adherence'
import { MIN_LOYALTY_SCRIPTS } from '@pillar/domain/dispensing/loyalty'
import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../../db/database.ts'
import { isWritten } from '../../../db/field/written.ts'
import { lockConsent } from '../../consent/consent-log.queries.ts'
import { contactState } from '../../sending/gone.queries.ts'
import { BARRED_BITS, CONSENT_BITS } from './fact-consent.queries.ts'
import { markDeaths } from './fact-deaths.queries.ts'
import { markShared } from './shared.queries.ts'
import { takeStale } from './still-true.queries.ts'
import { drugsOf, type FactsAsOf, SUPPLY, takenOf } from './supply-facts.queries.ts'

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

/** What a name in a message consists of (`nameInMessage`): first what takes one GSM septet, then the letters of our alphabets that do not. */
const PLAIN = `A-Za-z .'èéùìòÇØøÅåΔΦΓΛΩΠΨΣΘΞÆæßÉÄÖÑÜäöñüà-`
const LETTERS = String.raw`\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u024f\u0391-\u03a1\u03a3-\u03f5\u0400-\u0481\u048a-\u04ff\u2019`
/** The name with a note behind it, or letters of other alphabets: how much of it a message says, only rendering tells. */
const ODD = `[^${LETTERS}${PLAIN}]|(^| )-|-( |$)`
const LONG = 200

const nameUnits = (name: RawBuilder<unknown>) => sql`least(length(btrim(coalesce(${name}, ''))), ${sql.lit(LONG)})`
const nameKind = (name: RawBuilder<unknown>) => sql`
  case when length(${name}) > ${sql.lit(LONG)} or ${name} ~ ${sql.lit(ODD)} then 2
       when coalesce(${name}, '') ~ ${sql.lit(`^[${PLAIN}]*$`)} then 0 else 1 end`

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

/**
 * Every STOP at the pharmacy waits for the consent lock, so what takes long comes before it: working facts out, finding those that change,
 * and adding rows, which nobody else sees yet.
 * @returns whose contacts may be new; null if everybody's facts were built
 */
async function writeFacts(tx: Tx, asOf: FactsAsOf, stale: readonly number[] | null): Promise<number[] | null> {
  const { locationId } = asOf
  await findChanged(tx, asOf, stale)
  const added = await idsOf(
    tx,
    sql`
    with ${farOf(asOf)}
    insert into patient_fact (location_id, patient_id, sms_shared, email_shared, ${namesOf(SUPPLY)}, ${namesOf(OTHERS)})
    select ${locationId}, p.id, false, false, ${columnsOf('t', SUPPLY)}, ${sql.join(Object.values(PERSON))}
    from f_change t join patient p on p.location_id = ${locationId} and p.id = t.patient_id ${personOf(locationId)}
    where t.added returning patient_id as id`,
  )
  const stored = sql`join patient_fact o on o.location_id = ${locationId} and o.patient_id = p.id`
  const differing = await idsOf(
    tx,
    sql`
    with ${farOf(asOf)}
    select p.id from patient p ${stored} ${personOf(locationId)}
    where p.location_id = ${locationId} and (${columnsOf('o', OTHERS)}) is distinct from (${sql.join(Object.values(PERSON))})`,
  )
  const renewed = [...added, ...differing]
  await lockConsent(tx, locationId)
  await sql`
    delete from patient_fact where location_id = ${locationId} and patient_id = any(array(select patient_id from f_change where gone))`.execute(
    tx,
  )
  await sql`
    update patient_fact f set ${sql.join(SUPPLY.map((name) => sql`${sql.ref(name)} = t.${sql.ref(name)}`))} from f_change t
    where f.location_id = ${locationId} and f.patient_id = t.patient_id and not t.added and not t.gone`.execute(tx)
  // Read again under the lock: since they were read above, somebody may have answered or been erased.
  await sql`
    with ${farOf(asOf)}, n as materialized (
      select p.id as patient_id, ${sql.join(OTHERS.map((name) => sql`${PERSON[name]} as ${sql.ref(name)}`))}
      from patient p ${personOf(locationId)} where p.location_id = ${locationId} and p.id = any(${renewed}::bigint[])
    )
    update patient_fact f set ${sql.join(OTHERS.map((name) => sql`${sql.ref(name)} = n.${sql.ref(name)}`))} from n
    where f.location_id = ${locationId} and f.patient_id = n.patient_id
      and (${columnsOf('f', OTHERS)}) is distinct from (${columnsOf('n', OTHERS)})`.execute(tx)
  return stale ? renewed : null
}

/**
 * Makes the temporary table `f_change`: patients whose facts from supplies are not those stored, with the new ones, and whether they are
 * `added` to the active ones or `gone` from them. @param stale whom to look at; null for everybody
 */
async function findChanged(tx: Tx, asOf: FactsAsOf, stale: readonly number[] | null): Promise<void> {
  const whose = (id: RawBuilder<unknown>) => (stale ? sql`and ${id} = any(${[...stale]}::bigint[])` : sql``)
  await sql`
    create temp table f_change on commit drop as
    with ${takenOf(asOf, whose(sql`s.patient_id`))},
    stored as (select * from patient_fact where location_id = ${asOf.locationId} ${whose(sql`patient_id`)})
    select patient_id, o.location_id is null as added, t.last_script_on is null as gone, ${columnsOf('t', SUPPLY)}
    from taken t full join stored o using (patient_id)
    where o.location_id is null or (${columnsOf('t', SUPPLY)}) is distinct from (${columnsOf('o', SUPPLY)})`.execute(tx)
}

const idsOf = async (tx: Tx, query: RawBuilder<unknown>) =>
  (await (query as RawBuilder<{ id: number }>).execute(tx)).rows.map(({ id }) => Number(id))

const namesOf = (names: readonly string[]) => sql.join(names.map((name) => sql.ref(name)))

const columnsOf = (table: string, names: readonly string[]) =>
  sql.join(names.map((name) => sql.ref(`${table}.${name}`)))

const loyalty = sql`(m.here_slots::float8 / nullif(m.here_slots + m.leaked_slots, 0))`
const adherence = sql`(m.covered_days::float8 / nullif(m.observed_days, 0))`

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
  sms_state: contactState('sms', isWritten('p', 'mobile')),
  email_state: contactState('email', isWritten('p', 'email')),
  sms_key: sql`hashtextextended(p.sms_to, 0)`,
  email_key: sql`hashtextextended(p.email_to, 0)`,
  sms_opt_out: sql`p.sms_opt_out`,
  email_opt_out: sql`p.email_opt_out`,
  consent: sql`coalesce(${CONSENT_BITS}, 0)`,
}

const OTHERS = Object.keys(PERSON)

const personOf = (locationId: number) => sql`
  cross join lateral (select ${nameKind(sql`p.first_name`)} as first, ${nameKind(sql`p.last_name`)} as last) k
  left join consent c on c.location_id = ${locationId} and c.patient_id = p.id
  left join patient_measure m on m.location_id = ${locationId} and m.patient_id = p.id
  left join far f on f.postcode = p.postcode`

const farOf = ({ distances }: FactsAsOf) => sql`
  far as (select * from unnest(${distances.map((one) => one.postcode)}::text[], ${distances.map((one) => one.km)}::float8[]) as f(postcode, km))`

/** Advisory lock namespace for rebuilding facts, by company. */
const FACTS_SPACE = 7313

/** Allows one pharmacy of a company at a time: two at once would not see each other's numbers. */
export async function lockFacts(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(${sql.lit(FACTS_SPACE)}, scope_company_id()::int)`.execute(tx)
}
