import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../db/database.ts'
import {
  baseReason,
  codeOf,
  filterIds,
  GOES,
  matches,
  narrowTo,
  type Question,
  recipients,
  share,
  surroundings,
} from './selection.queries.ts'

/** What each of the texts asks of a patient's names, in the order of their share. */
export interface NameUse {
  /** How often the field stands in the text. */
  first: number
  last: number
  /** No character of it, filled in for any pharmacy, takes two units: then only the sum of the names' lengths matters. */
  even: boolean
}

/** Patients alike in everything that the ledger and the bill ask for. */
export interface CohortGroup {
  location_id: number
  /** Place in HELD_REASONS of what holds the text or e-mail back, -1 when it goes. */
  sms: number
  email: number
  /** Which of several texts. */
  text: number
  /** Lengths of the names in the text, 0 also for a name it does not hold. Null unless a text goes. */
  first: number | null
  last: number | null
  /** A name forces Unicode. */
  unicode: boolean | null
  patients: number
  /** Patients of the group whose names are counted one by one; null for the others. */
  exact: number[] | null
}

/**
 * Counts a cohort in one statement: who is selected, what holds each channel back, and for the texts that go how long the names are.
 * Of several with one number or address the first by pharmacy and patient gets the message. Says what the domain's `inCohort` and
 * `holdBack` say. The scope is narrowed to the chosen pharmacies and set back by the caller.
 */
export async function countCohort(tx: Tx, question: Question, names: readonly NameUse[]): Promise<CohortGroup[]> {
  const ids = await filterIds(tx, question.filters)
  await narrowTo(
    tx,
    question.locations.map((one) => one.id),
  )
  const both = question.sms !== null && question.email !== null
  const email = question.email ? baseReason(question, 'email') : sql`${GOES}::int`
  const { rows } = await sql<CohortGroup>`
    with ${surroundings(question)},
    pick as materialized (
      select f.location_id, f.patient_id, f.location_id << 40 | f.patient_id as place, f.sms_key, f.email_key,
             ${baseReason(question, 'sms')} as sms, ${email} as email, ${textOf(question)} as text, ${nameColumns(question, names)},
             coalesce(greatest(hs.n, he.n), 0) as had
      from ${recipients(question)}
      where ${matches(question, ids)}
    ),
    ${question.sms ? firstOf('sms', 'pick') : sql`sms_first as (select 0::bigint as key, 0::bigint as place where false)`},
    texted as ${both ? sql`materialized` : sql``} (
      select p.*, ${question.sms ? taken('sms') : sql`p.sms`} as sms_held
      from pick p ${question.sms ? sql`left join sms_first s on s.key = p.sms_key` : sql``}
    ),
    mailed as (
      select t.location_id, t.patient_id, t.place, t.email_key, t.sms_held, t.text, t.first, t.last, t.unicode, t.exact,
             ${both ? sql`case when t.email = ${sql.lit(GOES)} and t.sms_held = ${sql.lit(GOES)} and t.had + 1 >= ${sql.lit(question.cap.messages)} then ${sql.lit(codeOf('capped'))} else t.email end` : sql`t.email`} as email
      from texted t
    ),
    ${question.email ? firstOf('email', 'mailed') : sql`email_first as (select 0::bigint as key, 0::bigint as place where false)`},
    settled as (
      select p.location_id, p.patient_id, p.sms_held as sms, ${question.email ? taken('email') : sql`p.email`} as email, p.text,
             case when p.sms_held = ${sql.lit(GOES)} then p.first end as first, case when p.sms_held = ${sql.lit(GOES)} then p.last end as last,
             case when p.sms_held = ${sql.lit(GOES)} then p.unicode end as unicode, p.sms_held = ${sql.lit(GOES)} and p.exact as exact
      from mailed p ${question.email ? sql`left join email_first s on s.key = p.email_key` : sql``}
    )
    select location_id, sms, email, text, first, last, unicode, count(*)::int as patients,
           case when exact then array_agg(patient_id order by patient_id) end as exact
    from settled group by location_id, sms, email, text, first, last, unicode, exact`.execute(tx)
  return rows
}

/** Numbers that several of the cohort share, with the place of the first who gets the message. */
function firstOf(channel: 'sms' | 'email', from: 'pick' | 'mailed'): RawBuilder<unknown> {
  const key = sql.ref(`${channel}_key`)
  const reason = sql.ref(channel)
  return sql`${sql.ref(`${channel}_first`)} as materialized (
    select ${key} as key, min(place) filter (where ${reason} = ${sql.lit(GOES)}) as place from ${sql.ref(from)}
    where ${reason} in (${sql.lit(GOES)}, ${sql.lit(codeOf('test_patient'))}) group by ${key} having count(*) > 1)`
}

/** The reason, once somebody before has the number. Only who would go, or is kept back as a test patient, is asked. */
const taken = (channel: 'sms' | 'email') => sql`
  case when p.${sql.ref(channel)} in (${sql.lit(GOES)}, ${sql.lit(codeOf('test_patient'))}) and s.place < p.place
       then ${sql.lit(codeOf('duplicate_contact'))} else p.${sql.ref(channel)} end`

const textOf = (question: Question) => (question.sms ? share(question.sms.marketing.length, question.seed) : sql`0`)

/** Lengths of the names as far as the patient's text holds them. */
function nameColumns(question: Question, names: readonly NameUse[]): RawBuilder<unknown> {
  const which = textOf(question)
  const byText = (value: (use: NameUse) => RawBuilder<unknown>) =>
    names.length <= 1
      ? value(names[0] ?? { first: 0, last: 0, even: true })
      : sql`case ${which} ${sql.join(
          names.map((use, index) => sql`when ${sql.lit(index)} then ${value(use)}`),
          sql` `,
        )} end`
  const used = (count: number, column: string) => (count > 0 ? sql`f.${sql.ref(column)}` : sql`0::smallint`)
  // Where only the sum matters, the last name is counted as one letter and the first as the rest: fewer different groups.
  const pooled = (use: NameUse) => use.even && use.first > 0 && use.first === use.last
  const both = sql`f.first_name_units > 0 and f.last_name_units > 0`
  return sql`
    ${byText((use) => (pooled(use) ? sql`case when ${both} then (f.first_name_units + f.last_name_units - 1)::smallint else f.first_name_units end` : used(use.first, 'first_name_units')))} as first,
    ${byText((use) => (pooled(use) ? sql`case when ${both} then 1::smallint else f.last_name_units end` : used(use.last, 'last_name_units')))} as last,
    ${byText((use) => sql`(${used(use.first, 'first_name_kind')} = 1 or ${used(use.last, 'last_name_kind')} = 1)`)} as unicode,
    ${byText((use) => sql`(${used(use.first, 'first_name_kind')} = 2 or ${used(use.last, 'last_name_kind')} = 2)`)} as exact`
}

/** Names of some patients of one pharmacy. */
export async function namesOf(tx: Tx, locationId: number, patientIds: readonly number[]) {
  const { rows } = await sql<{ id: number; first_name: string | null; last_name: string | null }>`
    select id, first_name, last_name from patient
    where location_id = ${locationId} and id = any(${[...patientIds]}::bigint[])`.execute(tx)
  return rows
}
