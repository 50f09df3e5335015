import { type Contacts, RunContacts } from '@pillar/domain/cohort/run-contacts'
import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../../db/database.ts'
import { withScope } from '../../../db/scope.ts'
import { readLeaves, readRooms, roomAt } from '../frequency-limit.queries.ts'
import {
  baseReason,
  codeOf,
  contacted,
  filterIds,
  GOES,
  type Leaves,
  matches,
  placesOf,
  type Question,
  reachedElsewhere,
  reasonAt,
  recipients,
  share,
} from '../selection.queries.ts'
import { type Alike, alike, type CohortGroup, groupOf, partOf, withReasons } from './alike.queries.ts'

/** How each text uses a patient's names, in the order of their shares. */
export interface NameUse {
  /** How often the field occurs in the text. */
  first: number
  last: number
  /** No character of it, filled in for any pharmacy, takes two units: then only the total length of the names matters. */
  even: boolean
}

/** Planner settings for the one large statement: no sorting, and parallel workers. */
const PLANNING = { enable_sort: 'off', max_parallel_workers_per_gather: 2, parallel_setup_cost: 0 }

/**
 * Counts a cohort: who is selected, what holds each channel back, and the name lengths for texts that are sent. One statement counts
 * everybody who shares no number or address; the others are taken one after the other, as when their messages are written (`RunContacts`).
 * Agrees with the domain's `inCohort` and `heldReason`.
 */
export async function countCohort(tx: Tx, question: Question, names: readonly NameUse[]): Promise<CohortGroup[]> {
  const ids = await filterIds(tx, question.filters)
  const locations = question.locations.map((one) => one.id)
  const leaves = await withScope(tx, placesOf(question), () => readLeaves(tx, question))
  const elsewhere = await reachedElsewhere(tx, question)
  // The planner expects ten pharmacies: it would sort every patient to group them, and use no parallel workers.
  for (const [name, value] of Object.entries(PLANNING))
    await sql`set local ${sql.ref(name)} = ${sql.lit(value)}`.execute(tx)
  const counting = sql<Counted>`
    with ${contacted(question, elsewhere)}, chosen as (${patients(question, leaves, names, matches(question, ids))})
    select p.location_id, ${alike(emailHeld(question))} as alike, p.shares, count(*)::int as patients,
           string_agg(p.patient_id::text, ',') filter (where p.shares or p.exact and p.sms = ${sql.lit(GOES)}) as ids,
           string_agg(coalesce(p.sms_key::text, ''), ',') filter (where p.shares) as numbers,
           string_agg(coalesce(p.email_key::text, ''), ',') filter (where p.shares) as addresses
    from chosen p group by p.location_id, alike, p.shares`
  const { rows } = await withScope(tx, locations, () => counting.execute(tx))
  for (const name of Object.keys(PLANNING)) await sql`set local ${sql.ref(name)} to default`.execute(tx)
  const people = rows.filter(({ shares }) => shares).flatMap(sharingOf)
  const rooms = await withScope(tx, placesOf(question), () => readRooms(tx, question, usedAgain(question, people)))
  const groups = rows
    .filter(({ shares }) => !shares)
    .map((row) => ({ ...row, ids: row.ids === null ? null : idsOf(row.ids) }))
  return [...groups, ...settled(question, people, rooms)].map(groupOf)
}

/** The database's form, with comma-separated lists; includes everybody's number and address, empty for none, if any of these is shared. */
interface Counted extends Omit<Alike, 'ids'> {
  shares: boolean
  ids: string | null
  numbers: string | null
  addresses: string | null
}

/** Whether another patient of the company has the number or the address: the frequency limit checks both, whichever is used. */
const SHARES = sql`(f.sms_shared or f.email_shared)`

interface Sharing {
  location_id: number
  patient_id: number
  alike: number
  /** The number and the address, hashed; for a channel without texts only if several people have it. */
  sms: string | null
  email: string | null
}

const idsOf = (list: string) => list.split(',').map(Number)

function sharingOf({ location_id, alike, ids, numbers, addresses }: Counted): Sharing[] {
  const [sms, email] = [numbers!.split(','), addresses!.split(',')]
  return idsOf(ids!).map((patient_id, at) => ({
    location_id,
    patient_id,
    alike,
    sms: sms[at] || null,
    email: email[at] || null,
  }))
}

/**
 * Contacts that a campaign may count more than once towards frequency limits. Nobody gets two messages of one channel at a contact, so
 * these are numbers if it sends emails, and addresses if it sends texts.
 */
function usedAgain({ sms, email }: Question, people: readonly Sharing[]): string[] {
  const keys = people.flatMap((person) => [email ? person.sms : null, sms ? person.email : null])
  return [...new Set(keys.filter((key) => key !== null))]
}

/** Takes people one after the other, in the order in which their messages are written, and then groups those who are alike. */
function settled(
  question: Question,
  people: readonly Sharing[],
  rooms: Awaited<ReturnType<typeof readRooms>>,
): Alike[] {
  const { sms, email } = question
  const run = new RunContacts()
  const held = (channel: 'sms' | 'email', contacts: Contacts, code: number) => {
    const reason = run.reason(channel, contacts, reasonAt(code))
    if (reason === null) run.use(channel, contacts)
    return reason === null ? GOES : codeOf(reason)
  }
  const roomsAt = roomAt(question)
  const places = [...Map.groupBy(people, ({ location_id }) => location_id)].sort(([a], [b]) => a - b)
  return places.flatMap(([location_id, here]) => {
    const room = roomsAt(location_id)
    const groups = new Map<number, Alike>()
    for (const person of here.sort((a, b) => a.patient_id - b.patient_id)) {
      const { patient_id, alike: before } = person
      const left = { sms: room(rooms.get(person.sms ?? '')), email: room(rooms.get(person.email ?? '')) }
      const contacts = { sms: person.sms, email: person.email, room: left }
      const alone = { text: partOf(before, 'sms') - 1, email: partOf(before, 'email') - 1 }
      const text = sms ? held('sms', contacts, alone.text) : alone.text
      const mail = email ? held('email', contacts, alone.email) : alone.email
      const alike = withReasons(before, text, mail)
      const group = groups.get(alike) ?? { location_id, alike, patients: 0, ids: null }
      groups.set(alike, group)
      group.patients++
      if (partOf(alike, 'exact') === 1) {
        group.ids ??= []
        group.ids.push(patient_id)
      }
    }
    return [...groups.values()]
  })
}

/** One row per selected patient, with the reasons that concern only that person. */
function patients(
  question: Question,
  leaves: Leaves,
  names: readonly NameUse[],
  where: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const email = question.email ? baseReason(question, 'email', leaves) : sql`${sql.lit(GOES)}::int`
  const key = (channel: 'sms' | 'email') => {
    const [own, shared] = [sql.ref(`f.${channel}_key`), sql.ref(`f.${channel}_shared`)]
    return question[channel] ? own : sql`case when ${shared} then ${own} end`
  }
  return sql`
    select f.location_id, f.patient_id, ${key('sms')} as sms_key, ${key('email')} as email_key, ${SHARES} as shares,
           ${baseReason(question, 'sms', leaves)} as sms, ${email} as email, ${textOf(question)} as text, ${nameColumns(question, names)},
           ${question.sms && question.email ? leaves(1) : sql`false`} as nearly_full
    from ${recipients(question)}
    where ${where} offset '0' /* Otherwise the planner recomputes the reasons wherever they are used. Written as text because PostgreSQL would use no parallel workers with a number. */`
}

/** When a text and an email go to a person who shares nothing, the text counts towards the email's frequency limit. */
function emailHeld({ sms, email }: Question): RawBuilder<unknown> {
  if (!sms || !email) return sql`p.email`
  return sql`case when p.nearly_full and not p.shares and p.email = ${sql.lit(GOES)} and p.sms = ${sql.lit(GOES)}
    then ${sql.lit(codeOf('capped'))} else p.email end`
}

const textOf = (question: Question) => (question.sms ? share(question.sms.marketing.length, question.seed) : sql`0`)

/** Lengths of the names, as far as the patient's text contains them. */
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
  // If only the sum matters, counts the last name as one letter and the first as the rest, for fewer different groups.
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
