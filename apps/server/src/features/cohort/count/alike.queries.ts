import { type RawBuilder, sql } from 'kysely'
import { GOES } from '../selection.queries.ts'

/** Patients who are alike in everything that the ledger and the cost depend on. */
export interface CohortGroup {
  location_id: number
  /** Index in HELD_REASONS of what holds the text or email back, -1 if it is sent. */
  sms: number
  email: number
  /** Which of several texts. */
  text: number
  /** Lengths of the names in the text, 0 for a name it does not contain. Null unless a text is sent. */
  first: number | null
  last: number | null
  /** A name forces Unicode. */
  unicode: boolean | null
  patients: number
  /** Patients of the group whose names must be counted individually; null for the others. */
  exact: number[] | null
}

/** A group as it is counted: what its patients have in common is packed into one number, by which the database and the server group them. */
export interface Alike {
  location_id: number
  alike: number
  patients: number
  /** As `exact` of the group. */
  ids: number[] | null
}

/**
 * The first bit of each part of `alike`, and how many it has: the two reasons, raised by 1 because -1 means sent; which text; whether it is
 * sent; and only then what its names need.
 */
const PARTS = {
  sms: [0, 4],
  email: [4, 4],
  text: [8, 6],
  goes: [14, 1],
  unicode: [15, 1],
  first: [16, 10],
  last: [26, 10],
  exact: [36, 1],
} as const
type PartName = keyof typeof PARTS

const times = (part: PartName) => sql.lit(2 ** PARTS[part][0])

/** The number of a row `p`. @param email the reason that holds back its email */
export const alike = (
  email: RawBuilder<unknown>,
) => sql`((p.sms + 1)::bigint + ${times('email')} * (${email} + 1) + ${times('text')} * p.text
  + case when p.sms = ${sql.lit(GOES)} then ${times('goes')} + ${times('unicode')} * p.unicode::int + ${times('first')} * p.first::bigint
      + ${times('last')} * p.last::bigint + ${times('exact')} * p.exact::int else 0 end)`

/** One part of `alike`. Not by JavaScript's bit operators, which cut a number at 32 bits. */
export function partOf(alike: number, part: PartName): number {
  const [from, bits] = PARTS[part]
  return Math.floor(alike / 2 ** from) % 2 ** bits
}

/** The same number with other reasons, and without what the names need once the text is held back. */
export function withReasons(before: number, sms: number, email: number): number {
  const reasons = sms + 1 + (email + 1) * 2 ** PARTS.email[0]
  const kept = sms === GOES ? before - (before % 2 ** PARTS.text[0]) : partOf(before, 'text') * 2 ** PARTS.text[0]
  return reasons + kept
}

/** The group that a number stands for. */
export function groupOf({ location_id, alike, patients, ids }: Alike): CohortGroup {
  const of = (part: PartName) => partOf(alike, part)
  const names =
    of('goes') === 0
      ? { first: null, last: null, unicode: null }
      : { first: of('first'), last: of('last'), unicode: of('unicode') === 1 }
  return { location_id, sms: of('sms') - 1, email: of('email') - 1, text: of('text'), ...names, patients, exact: ids }
}
