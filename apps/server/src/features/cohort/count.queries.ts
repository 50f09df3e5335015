import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../db/database.ts'
import { withScope } from '../../db/scope.ts'
import {
  baseReason,
  codeOf,
  contacted,
  filterIds,
  GOES,
  type Had,
  matches,
  type Question,
  readHad,
  recipients,
  share,
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

/** Planner settings of the one large statement: no sorting, and parallel workers. */
const PLANNING = { enable_sort: 'off', max_parallel_workers_per_gather: 2, parallel_setup_cost: 0 }

/**
 * Counts a cohort in one statement: who is selected, what holds each channel back, and for the texts that go how long the names are.
 * Of several with one number or address the first by pharmacy and patient gets the message. Says what the domain's `inCohort` and
 * `holdBack` say.
 */
export async function countCohort(tx: Tx, question: Question, names: readonly NameUse[]): Promise<CohortGroup[]> {
  const ids = await filterIds(tx, question.filters)
  const locations = question.locations.map((one) => one.id)
  const had = await readHad(tx, question)
  // The planner expects ten pharmacies: it would sort every patient to group them, and use no parallel workers.
  for (const [name, value] of Object.entries(PLANNING))
    await sql`set local ${sql.ref(name)} = ${sql.lit(value)}`.execute(tx)
  const chosen = (some: RawBuilder<unknown>) =>
    patients(question, had, names, sql`${matches(question, ids)} and ${some}`)
  const counting = sql<CohortGroup>`
    with ${contacted(question)},
    alone as (${chosen(sql`not (${mayShare(question)})`)}),
    several as materialized (${chosen(mayShare(question))}),
    ${question.sms ? firstOf('sms', 'several') : none('sms_first')},
    texted as (
      select p.*, ${question.sms ? taken('sms') : sql`p.sms`} as sms_held
      from several p ${question.sms ? sql`left join sms_first s on s.key = p.sms_key` : sql``}
    ),
    mailed as (
      select t.location_id, t.patient_id, t.place, t.email_key, t.sms_held as sms, ${emailHeld(question, sql`t.sms_held`, sql`t`)} as email,
             t.text, t.first, t.last, t.unicode, t.exact
      from texted t
    ),
    ${question.email ? firstOf('email', 'mailed') : none('email_first')},
    settled as (
      select p.location_id, p.patient_id, p.sms, ${question.email ? taken('email') : sql`p.email`} as email, p.text, p.first, p.last, p.unicode, p.exact
      from mailed p ${question.email ? sql`left join email_first s on s.key = p.email_key` : sql``}
    ),
    grouped as (
      ${grouped(sql`settled p`, sql`p.email`)}
      union all
      ${grouped(sql`alone p`, emailHeld(question, sql`p.sms`, sql`p`))}
    )
    select location_id, ((alike & 15) - 1)::int as sms, ((alike >> 4 & 15) - 1)::int as email, (alike >> 8 & 63)::int as text,
           case when alike & 16384 <> 0 then (alike >> 16 & 1023)::int end as first, case when alike & 16384 <> 0 then (alike >> 26 & 1023)::int end as last,
           case when alike & 16384 <> 0 then alike & 32768 <> 0 end as unicode, patients, ids as exact
    from grouped`
  const { rows: groups } = await withScope(tx, locations, () => counting.execute(tx))
  for (const name of Object.keys(PLANNING)) await sql`set local ${sql.ref(name)} to default`.execute(tx)
  return groups
}

/** Patients of `from` (named `p`) by pharmacy and by all that makes them alike, packed into one number. */
function grouped(from: RawBuilder<unknown>, email: RawBuilder<unknown>): RawBuilder<unknown> {
  const goes = sql`p.sms = ${sql.lit(GOES)}`
  return sql`
      select p.location_id,
             (p.sms + 1)::bigint + 16 * (${email} + 1) + 256 * p.text
               + case when ${goes} then 16384 + 32768 * p.unicode::int + 65536 * p.first::bigint + 67108864 * p.last::bigint else 0 end as alike,
             count(*)::int as patients, array_agg(p.patient_id) filter (where ${goes} and p.exact) as ids
      from ${from} group by p.location_id, alike, ${goes} and p.exact`
}

/** One row a selected patient, duplicates not yet looked for. */
function patients(
  question: Question,
  had: Had,
  names: readonly NameUse[],
  where: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const email = question.email ? baseReason(question, 'email', had) : sql`${sql.lit(GOES)}::int`
  return sql`
    select f.location_id, f.patient_id, f.location_id << 40 | f.patient_id as place, f.sms_key, f.email_key,
           ${baseReason(question, 'sms', had)} as sms, ${email} as email, ${textOf(question)} as text, ${nameColumns(question, names)},
           ${question.sms && question.email ? nearlyFull(question, had) : sql`false`} as nearly_full
    from ${recipients(question)}
    where ${where} offset '0' /* Otherwise the planner recomputes the reasons wherever they are used. Written as text because PostgreSQL would use no parallel workers with a number. */`
}

/** Whether a number or address that is asked for may be somebody else's too. */
const mayShare = (question: Question) =>
  sql`(${question.sms ? sql`f.sms_shared` : sql`false`} or ${question.email ? sql`f.email_shared` : sql`false`})`

/** One more message and the cap is reached. */
const nearlyFull = ({ cap }: Question, had: Had) => (cap.messages <= 1 ? sql`true` : had(cap.messages - 1))

/** Of a text and an e-mail to one person the text counts towards the cap of the e-mail. */
function emailHeld(
  { sms, email }: Question,
  texted: RawBuilder<unknown>,
  row: RawBuilder<unknown>,
): RawBuilder<unknown> {
  if (!sms || !email) return sql`${row}.email`
  return sql`case when ${row}.email = ${sql.lit(GOES)} and ${texted} = ${sql.lit(GOES)} and ${row}.nearly_full
    then ${sql.lit(codeOf('capped'))} else ${row}.email end`
}

const none = (name: string) => sql`${sql.ref(name)} as (select 0::bigint as key, 0::bigint as place where false)`

/** Numbers that several of the cohort share, with the place of the first who gets the message. */
function firstOf(channel: 'sms' | 'email', from: 'several' | 'mailed'): RawBuilder<unknown> {
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
