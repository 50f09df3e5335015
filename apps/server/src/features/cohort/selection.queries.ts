import { type Bounds, type CohortFilters, parseRange } from '@pillar/domain/cohort/cohort'
import { KM_PER_MILE } from '@pillar/domain/cohort/distance'
import { HELD_REASONS, type HeldReason } from '@pillar/domain/cohort/held-back'
import { PATIENT_TYPES } from '@pillar/domain/dispensing/patient-type'
import { addMonths, type Day, formatDay } from '@pillar/domain/time/day'
import { type Country, LOCALES } from '@pillar/domain/time/locale'
import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../db/database.ts'
import { withScope } from '../../db/scope.ts'
import { categoryId } from '../metrics/subcategory.queries.ts'
import { standing } from '../sending/rule/cancelled.queries.ts'
import type { Limit } from '../sending/rule/rules.queries.ts'
import { BARRED } from './fact/fact-consent.queries.ts'

/** The texts of one channel: several share its recipients evenly. */
export interface ChannelTexts {
  /** In the order of their shares; whether each is marketing. */
  marketing: readonly boolean[]
}

export interface Question {
  /** Pharmacies by internal id, with the current day there. */
  locations: readonly { id: number; today: Day }[]
  country: Country
  filters: CohortFilters
  sms: ChannelTexts | null
  email: ChannelTexts | null
  /** Decides who gets which of several texts: the same number for the same texts. */
  seed: bigint
  /** Leaves out people this campaign has contacted already. */
  campaignId: number | null
  /** Leaves out people whose number or address has already received an invitation to this trial. */
  trialId?: number
  /** The frequency limits that apply at any of these pharmacies. */
  limits: readonly Limit[]
  /** Batches of other runs with messages waiting there, or waiting for people of the company elsewhere. */
  waiting: readonly WaitingBatch[]
  /** Pharmacies of the company that were not chosen but have messages of the campaign, invitations to the trial, or waiting messages. */
  elsewhere: readonly number[]
  now: Date
}

/** A batch whose messages count towards the frequency limits if due no later than `until`, when the question's own messages may be sent. */
export interface WaitingBatch {
  location_id: number
  id: number
  until: Date
}

/** In SQL, a reason is a number: its index in HELD_REASONS. */
export const codeOf = (reason: HeldReason): number => HELD_REASONS.indexOf(reason)
/** The message is sent. */
export const GOES = -1
/** The reason for a number; null if the message is sent. */
export const reasonAt = (code: number): HeldReason | null => (code === GOES ? null : HELD_REASONS[code]!)
const code = (reason: HeldReason) => sql.lit(codeOf(reason))

/** Drug types and molecules of filters as ids in patient_fact; null if a filter is not set. */
export async function filterIds(
  tx: Tx,
  filters: CohortFilters,
): Promise<{ types: number[] | null; molecules: number[] | null }> {
  const { drug_type = [], molecules = [] } = filters
  const { rows } = await sql<{ types: number[]; molecules: number[] }>`
    select array(select id from subcategory where category_id = ${categoryId('Drug Type')} and name = any(${[...drug_type]}::text[])) as types,
           array(select id from molecule where key = any(${[...molecules]}::text[]) or atc = any(${[...molecules]}::text[])) as molecules`.execute(
    tx,
  )
  return {
    types: drug_type.length > 0 ? rows[0]!.types : null,
    molecules: molecules.length > 0 ? rows[0]!.molecules : null,
  }
}

/** Ages follow each pharmacy's own day: rows `l` of id and, for each age range, the dates of birth it covers. Null if one day applies to all. */
function birthDates(question: Question): RawBuilder<unknown> | null {
  const ages = agesOf(question)
  const days = new Set(question.locations.map((one) => one.today))
  if (ages.length === 0 || days.size <= 1) return null
  const columns: RawBuilder<unknown>[] = [sql`${question.locations.map((one) => one.id)}::bigint[]`]
  const names: RawBuilder<unknown>[] = [sql`id`]
  ages.forEach((age, index) => {
    const dates = question.locations.map(({ today }) => bornBetween(today, age))
    columns.push(sql`${dates.map((one) => one.after)}::date[]`, sql`${dates.map((one) => one.upTo)}::date[]`)
    names.push(sql.ref(`after${index}`), sql.ref(`up_to${index}`))
  })
  return sql`join (select * from unnest(${sql.join(columns)}) as u(${sql.join(names)})) l on l.id = f.location_id`
}

const agesOf = ({ filters }: Pick<Question, 'filters'>) => (filters.age ?? []).map((text) => parseRange(text, 'whole')!)

const bornBetween = (today: Day, { from, below }: Bounds) => ({
  after: below === null ? '-infinity' : yearsBefore(today, below),
  upTo: yearsBefore(today, from),
})

// Nobody is 500 years old, and years before 1000 have no date here.
const yearsBefore = (today: Day, years: number) => formatDay(addMonths(today, -12 * Math.min(years, 500)))

/** The filters over the rows of `recipients`; agrees with the domain's `inCohort`. */
export function matches(
  question: Question,
  ids: { types: number[] | null; molecules: number[] | null },
): RawBuilder<boolean> {
  const { filters, country } = question
  const typeOf = (name: string) => PATIENT_TYPES.indexOf(name as 'General') + 1
  const perUnit = LOCALES[country].distanceUnit === 'km' ? 1 : KM_PER_MILE
  const set = [
    isOneOf('adherence_level', filters.adherence),
    isOneOf('loyalty_level', filters.loyalty),
    isOneOf('patient_type', filters.patient_type?.map(typeOf)),
    isOneOf(
      'sex',
      filters.patient_sex?.map((name) => name.slice(0, 1)),
    ),
    isWithin('molecules', filters.polypharmacy, 'whole'),
    isWithin('distance_km', filters.distance_from_store, 'continuous', perUnit),
    isOfAge(question),
    filters.double_dispensing == null ? null : sql`f.double_dispensing = ${sql.lit(filters.double_dispensing)}`,
    ids.types && sql`f.drug_type_ids && ${ids.types}::int[]`,
    ids.molecules && sql`f.molecule_ids && ${ids.molecules}::int[]`,
  ].filter((condition) => condition !== null)
  return set.length === 0 ? sql`true` : sql`(${sql.join(set, sql` and `)})`
}

/** A condition on a column of patient_fact; null for a filter that is not set, as below. */
function isOneOf(column: string, values: readonly (number | string)[] | undefined): RawBuilder<unknown> | null {
  if (!values?.length) return null
  return sql`f.${sql.ref(column)} in (${sql.join(values.map((value) => sql.lit(value)))})`
}

/** A range is written as '5-10' or '65+', and 1 in it is `unit` in the column. */
function isWithin(
  column: string,
  ranges: readonly string[] | undefined,
  kind: 'whole' | 'continuous',
  unit = 1,
): RawBuilder<unknown> | null {
  const value = sql`f.${sql.ref(column)}`
  return anyOf(ranges ?? [], (text) => {
    const { from, below } = parseRange(text, kind)!
    const end = below === null ? sql`true` : sql`${value} < ${sql.lit(below * unit)}::float8`
    return sql`(${value} >= ${sql.lit(from * unit)}::float8 and ${end})`
  })
}

function isOfAge(question: Question): RawBuilder<unknown> | null {
  const apart = birthDates(question) !== null
  return anyOf(agesOf(question), (age, index) => {
    if (apart) return sql`(f.born > ${sql.ref(`l.after${index}`)} and f.born <= ${sql.ref(`l.up_to${index}`)})`
    const { after, upTo } = bornBetween(question.locations[0]?.today ?? 0, age)
    return sql`(f.born > ${after}::date and f.born <= ${upTo}::date)`
  })
}

function anyOf<T>(
  all: readonly T[],
  condition: (one: T, index: number) => RawBuilder<unknown>,
): RawBuilder<unknown> | null {
  return all.length === 0 ? null : sql`(${sql.join(all.map(condition), sql` or `)})`
}

const barred = (reason: keyof typeof BARRED) =>
  sql`when f.barred & ${sql.lit(BARRED[reason])} <> 0 then ${code(reason)}`

/** A consent state as in patient_fact (`CONSENT_BITS`). */
const UNKNOWN = 0
const OUT = 2

/** Which of several texts a patient gets, from 0. */
export function share(texts: number, seed: bigint): RawBuilder<number> {
  if (texts <= 1) return sql`0`
  return sql`((hashint8extended(f.patient_id, ${String(seed)}::bigint) & 9223372036854775807) % ${sql.lit(texts)})::int`
}

/** Whether the frequency limits leave a patient's number or address, in rows `f`, at most this many messages. */
export type Leaves = (messages: 0 | 1) => RawBuilder<boolean>

/**
 * Everything that may hold a message back except a contact already used, in the order of HELD_REASONS; -1 if nothing does. Over the rows of
 * `recipients`. Without texts, only what applies to every message.
 */
export function baseReason(question: Question, channel: 'sms' | 'email', leaves: Leaves): RawBuilder<number> {
  const texts = question[channel]
  if (!texts)
    return sql`case ${barred('deceased_elsewhere')} ${barred('deceased')} ${barred('facility')} ${barred('test_patient')} else ${sql.lit(GOES)} end`
  const sms = channel === 'sms'
  const pick = (name: string) => sql.ref(`${sms ? 'sms' : 'email'}_${name}`)
  const marketing = texts.marketing.flatMap((is, index) => (is ? [index] : []))
  const outreachState = sql`(f.consent >> ${sql.lit(sms ? 0 : 4)} & 3)`
  const marketingState = sql`(f.consent >> ${sql.lit(sms ? 2 : 6)} & 3)`
  const isMarketing =
    marketing.length === 0
      ? sql`false`
      : marketing.length === texts.marketing.length
        ? sql`true`
        : sql`${share(texts.marketing.length, question.seed)} in (${sql.join(marketing.map((index) => sql.lit(index)))})`
  const state = sql`f.${pick('state')}`
  // An opt-out in the dispensing system counts before it is in the log.
  const imported = sql`f.${pick('opt_out')} and f.consent & ${sql.lit(sms ? 256 : 512)} = 0`
  const out = sql`case when ${isMarketing} then ${marketingState} else ${outreachState} end = ${sql.lit(OUT)}`
  return sql`case
    when ${imported} then ${code('opted_out')}
    when ${isMarketing} and ${marketingState} = ${sql.lit(UNKNOWN)} then ${code('no_consent')}
    when ${out} then ${code('opted_out')}
    when ${state} = 0 then ${code('no_contact')}
    when ${state} = 1 then ${code('invalid_contact')}
    when ${state} = 3 then ${code('unreachable')}
    ${barred('deceased_elsewhere')}
    ${barred('deceased')}
    ${barred('facility')}
    when ${leaves(0)} then ${code('capped')}
    ${asksBefore(question) ? sql`when a.patient_id is not null or ${sql.ref(sms ? 'rs.key' : 're.key')} is not null then ${code('already_contacted')}` : sql``}
    ${barred('test_patient')}
    else ${sql.lit(GOES)} end`
}

/** Whether earlier contacts matter. */
const asksBefore = ({ campaignId, trialId }: Question) => campaignId !== null || trialId !== undefined

/** Messages `m` of the campaign, or invitations of the trial, that were sent or may still be sent. */
function messagesBefore({ campaignId, trialId }: Question): RawBuilder<unknown> {
  const run =
    trialId === undefined
      ? sql`r.campaign_id = ${campaignId}::bigint`
      : sql`r.trial_id = ${trialId} and r.context = 'trial'`
  return sql`from message_run r join message m on m.run_id = r.id join message_batch b on b.location_id = m.location_id and b.id = m.batch_id
    where ${run} and ${standing().state} in ('queued', 'sending', 'sent', 'delivered', 'unknown')`
}

/**
 * Named parts of a statement, for its `with`: `before` and `reached`, the people and the numbers or addresses the campaign has contacted
 * already.
 * @param elsewhere the result of `reachedElsewhere`
 */
export function contacted(question: Question, elsewhere: readonly string[]): RawBuilder<unknown> {
  const messages = messagesBefore(question)
  return sql`
    before as materialized (select distinct m.location_id, m.patient_id ${messages}),
    reached as materialized (select hashtextextended(m.contact, 0) as key ${messages} union select unnest(${[...elsewhere]}::bigint[]))`
}

/**
 * Hashed numbers and addresses that the campaign, or an invitation to the trial, has contacted at pharmacies of the company that were not
 * chosen.
 */
export async function reachedElsewhere(tx: Tx, question: Question): Promise<string[]> {
  if (!asksBefore(question) || question.elsewhere.length === 0) return []
  const { rows } = await withScope(tx, question.elsewhere, () =>
    sql<{
      key: string
    }>`select distinct hashtextextended(m.contact, 0)::text as key ${messagesBefore(question)} and m.contact is not null`.execute(
      tx,
    ),
  )
  return rows.map(({ key }) => key)
}

/** The pharmacies whose messages count: the chosen ones, and those elsewhere. */
export const placesOf = ({ locations, elsewhere }: Question): number[] => [
  ...locations.map(({ id }) => id),
  ...elsewhere,
]

/**
 * The source of a cohort's rows: patient_fact `f`, which holds consent as bits, and earlier contacts `a`, `rs`, `re`. The scope must be
 * narrowed to the chosen pharmacies: only row security keeps others out.
 */
export function recipients(question: Question): RawBuilder<unknown> {
  const before = sql`
    left join before a on a.location_id = f.location_id and a.patient_id = f.patient_id
    left join reached rs on rs.key = f.sms_key
    left join reached re on re.key = f.email_key`
  return sql`patient_fact f ${birthDates(question) ?? sql``}
    ${asksBefore(question) ? before : sql``}`
}
