import { RunContacts } from '@pillar/domain/cohort/run-contacts'
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
  historyOf,
  matches,
  type Question,
  readHad,
  reasonAt,
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
 * Counts a cohort: who is selected, what holds each channel back, and for the texts that go how long the names are. One statement counts
 * those who share no number or address; the others are asked one after the other, as when their messages are written (`RunContacts`).
 * Says what the domain's `inCohort` and `heldReason` say.
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
    alone as (${chosen(sql`not (${SHARES})`)}),
    grouped as (${grouped(question)})
    select location_id, ((alike & 15) - 1)::int as sms, ((alike >> 4 & 15) - 1)::int as email, (alike >> 8 & 63)::int as text,
           case when alike & 16384 <> 0 then (alike >> 16 & 1023)::int end as first, case when alike & 16384 <> 0 then (alike >> 26 & 1023)::int end as last,
           case when alike & 16384 <> 0 then alike & 32768 <> 0 end as unicode, patients, ids as exact
    from grouped`
  const sharing = sql<Sharing>`
    with ${contacted(question)}
    select p.location_id, p.patient_id, p.sms_key::text as sms_key, p.email_key::text as email_key, p.sms, p.email, p.text, p.first, p.last, p.unicode, p.exact
    from (${chosen(SHARES)}) p`
  const [groups, several] = await withScope(tx, locations, async () => [
    (await counting.execute(tx)).rows,
    (await sharing.execute(tx)).rows,
  ])
  for (const name of Object.keys(PLANNING)) await sql`set local ${sql.ref(name)} to default`.execute(tx)
  return [...groups, ...settled(question, several, await hadBy(tx, question, several))]
}

/** Somebody whose number or address is somebody else's too, with the reasons of that person alone. */
interface Sharing extends Omit<CohortGroup, 'patients' | 'exact'> {
  patient_id: number
  sms_key: string | null
  email_key: string | null
  exact: boolean
}

/** Whether somebody else of the company has the number or the address: the frequency limit asks for both, whichever is written to. */
const SHARES = sql`(f.sms_shared or f.email_shared)`

/** Messages to each number or address in the hours of the cap, of those that these people have. */
async function hadBy(tx: Tx, question: Question, people: readonly Sharing[]): Promise<Map<string, number>> {
  if (people.length === 0) return new Map()
  const keys = [...new Set(people.flatMap((one) => [one.sms_key ?? [], one.email_key ?? []].flat()))]
  const { rows } = await sql<{ key: string; n: number }>`
    select key::text as key, n from (${historyOf(question, 1)}) h where key = any(${keys}::bigint[])`.execute(tx)
  return new Map(rows.map(({ key, n }) => [key, n]))
}

/** Asks people one after the other, in the order in which their messages are written. */
function settled(
  { sms, email, cap }: Question,
  people: readonly Sharing[],
  had: ReadonlyMap<string, number>,
): CohortGroup[] {
  const contacts = new RunContacts(cap.messages)
  const of = (key: string | null) => (key === null ? 0 : (had.get(key) ?? 0))
  return people
    .toSorted((a, b) => a.location_id - b.location_id || a.patient_id - b.patient_id)
    .map(({ patient_id, sms_key, email_key, exact, ...one }) => {
      const person = { sms: sms_key, email: email_key, had: { sms: of(sms_key), email: of(email_key) } }
      const held = (channel: 'sms' | 'email', asked: boolean) => {
        if (!asked) return one[channel]
        const reason = contacts.reason(channel, person, reasonAt(one[channel]))
        if (reason === null) contacts.use(channel, person)
        return reason === null ? GOES : codeOf(reason)
      }
      const text = held('sms', sms !== null)
      const names = text === GOES ? {} : { first: null, last: null, unicode: null }
      const settledOne = { ...one, sms: text, email: held('email', email !== null), ...names, patients: 1 }
      return { ...settledOne, exact: text === GOES && exact ? [patient_id] : null }
    })
}

/** Patients who share nothing by pharmacy and by all that makes them alike, packed into one number. */
function grouped(question: Question): RawBuilder<unknown> {
  const goes = sql`p.sms = ${sql.lit(GOES)}`
  return sql`
      select p.location_id,
             (p.sms + 1)::bigint + 16 * (${emailHeld(question)} + 1) + 256 * p.text
               + case when ${goes} then 16384 + 32768 * p.unicode::int + 65536 * p.first::bigint + 67108864 * p.last::bigint else 0 end as alike,
             count(*)::int as patients, array_agg(p.patient_id) filter (where ${goes} and p.exact) as ids
      from alone p group by p.location_id, alike, ${goes} and p.exact`
}

/** One row a selected patient, with the reasons of that person alone. */
function patients(
  question: Question,
  had: Had,
  names: readonly NameUse[],
  where: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const email = question.email ? baseReason(question, 'email', had) : sql`${sql.lit(GOES)}::int`
  return sql`
    select f.location_id, f.patient_id, f.sms_key, f.email_key,
           ${baseReason(question, 'sms', had)} as sms, ${email} as email, ${textOf(question)} as text, ${nameColumns(question, names)},
           ${question.sms && question.email ? nearlyFull(question, had) : sql`false`} as nearly_full
    from ${recipients(question)}
    where ${where} offset '0' /* Otherwise the planner recomputes the reasons wherever they are used. Written as text because PostgreSQL would use no parallel workers with a number. */`
}

/** One more message and the cap is reached. */
const nearlyFull = ({ cap }: Question, had: Had) => (cap.messages <= 1 ? sql`true` : had(cap.messages - 1))

/** Of a text and an e-mail to one person the text counts towards the cap of the e-mail. */
function emailHeld({ sms, email }: Question): RawBuilder<unknown> {
  if (!sms || !email) return sql`p.email`
  return sql`case when p.email = ${sql.lit(GOES)} and p.sms = ${sql.lit(GOES)} and p.nearly_full
    then ${sql.lit(codeOf('capped'))} else p.email end`
}

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
