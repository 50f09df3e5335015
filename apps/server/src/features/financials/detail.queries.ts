import { setImmediate as breathe } from 'node:timers/promises'
import { INACTIVE_DAYS, isAdherent } from '@pillar/domain/dispensing/adherence'
import { ageBandOf, sexOf, UNCLASSIFIED } from '@pillar/domain/dispensing/category'
import { PATIENT_TYPES } from '@pillar/domain/dispensing/patient-type'
import { lastObserved, type MeasuredPair } from '@pillar/domain/measure/course'
import { coursesOf, isActive, measuredAt } from '@pillar/domain/measure/person'
import { scriptsIn, typeAt } from '@pillar/domain/measure/record'
import { type Day, formatDay } from '@pillar/domain/time/day'
import type { Span } from '@pillar/domain/time/period'
import { sql } from 'kysely'
import type { Tx } from '../../db/database.ts'
import { type LoadedRecord, type MoleculeFacts, readRecord } from '../metrics/record.queries.ts'
import { categoryId } from '../metrics/subcategory.queries.ts'

export interface PairRow {
  patient_ref: string
  molecule: string
  atc: string | null
  first_supply: string
  window_start: string
  window_end: string
  observed_days: number
  covered_days: number
  scripts: number
}

export interface PairTotals {
  pairs: number
  patients: number
  adherent_patients: number
  non_adherent_patients: number
  observed_days: number
  covered_days: number
  scripts: number
  adherent_scripts: number
}

/** The subcategory to which the rows are narrowed. */
export interface PairFilter {
  category: 'Drug Type' | 'Condition' | 'Molecule' | 'Sex' | 'Age Group' | 'Patient Type'
  name: string
}

/** A measured pair under a filter. */
interface Found {
  person: number
  molecule: number
  pair: MeasuredPair
  scripts: number
  /** Whether the pair and its days belong to the subcategory; a pair of another patient type may still have scripts of this one. */
  counts: boolean
}

/** After this many people, other requests of the portal get their turn. */
const TURN = 200

/**
 * The measured pairs of one pharmacy on the last day of a span, with their scripts in it, measured by the same functions as the stored
 * figures, so that they add up to those. Least covered first.
 * @returns one page of rows, the total, and the sums over all of them
 */
export async function listPairs(
  tx: Tx,
  locationId: number,
  span: Span,
  filter: PairFilter | null,
  page: { limit: number; offset: number },
): Promise<{ rows: PairRow[]; count: number; totals: PairTotals }> {
  // Only people with a line in the 180 days up to the day are measured.
  const within = { from: span.to - INACTIVE_DAYS + 1, to: span.to }
  const loaded = await readRecord(tx, locationId, { within })
  const wanted = filter ? await memberOf(tx, loaded, filter, span.to) : () => true
  const type = filter?.category === 'Patient Type' ? [UNCLASSIFIED, ...PATIENT_TYPES].indexOf(filter.name) : null
  const found: Found[] = []
  for (let person = 0; person < loaded.people.length; person++) {
    if (person % TURN === TURN - 1) await breathe()
    if (!isActive(loaded.record, person, span.to)) continue
    for (const pair of measuredAt(coursesOf(loaded.record, loaded.around, person), span.to)) {
      const molecule = loaded.record.pairMolecule[pair.course.pair] as number
      if (!wanted(person, molecule)) continue
      const scripts = scriptsIn(loaded.record, pair.course.pair, span, type)
      const counts = type === null || typeAt(loaded.record, pair.course.pair, span.to) === type
      if (counts || scripts > 0) found.push({ person, molecule, pair, scripts, counts })
    }
  }
  const shown = found.sort(leastCoveredFirst(loaded)).slice(page.offset, page.offset + page.limit)
  return { rows: shown.map((one) => rowOf(loaded, one)), count: found.length, totals: totalsOf(found) }
}

function rowOf({ people, molecules }: LoadedRecord, { person, molecule, pair, scripts }: Found): PairRow {
  return {
    patient_ref: people[person]?.ref ?? '',
    molecule: molecules[molecule]?.name ?? '',
    atc: molecules[molecule]?.atc ?? null,
    first_supply: formatDay(pair.course.first),
    window_start: formatDay(pair.from),
    window_end: formatDay(lastObserved(pair)),
    ...{ observed_days: pair.observed, covered_days: pair.covered, scripts },
  }
}

const order = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)
const leastCoveredFirst =
  ({ people, molecules }: LoadedRecord) =>
  (a: Found, b: Found) =>
    a.pair.covered / a.pair.observed - b.pair.covered / b.pair.observed ||
    order(people[a.person]?.ref ?? '', people[b.person]?.ref ?? '') ||
    order(molecules[a.molecule]?.name ?? '', molecules[b.molecule]?.name ?? '')

function totalsOf(found: readonly Found[]): PairTotals {
  const counted = found.filter((one) => one.counts)
  const sum = (all: readonly Found[], of: (one: Found) => number) => all.reduce((whole, one) => whole + of(one), 0)
  const people = [...Map.groupBy(counted, (one) => one.person).values()]
  const good = people.filter((own) => {
    return isAdherent(
      sum(own, (one) => one.pair.covered),
      sum(own, (one) => one.pair.observed),
    )
  })
  const adherent = found.filter(({ pair }) => isAdherent(pair.covered, pair.observed))
  return {
    ...{ pairs: counted.length, patients: people.length },
    ...{ adherent_patients: good.length, non_adherent_patients: people.length - good.length },
    observed_days: sum(counted, (one) => one.pair.observed),
    covered_days: sum(counted, (one) => one.pair.covered),
    scripts: sum(found, (one) => one.scripts),
    adherent_scripts: sum(adherent, (one) => one.scripts),
  }
}

/** Whether a person's molecule belongs to the subcategory of a filter; for patient types every molecule does, and its scripts decide. */
async function memberOf(
  tx: Tx,
  { people, molecules }: LoadedRecord,
  { category, name }: PairFilter,
  on: Day,
): Promise<(person: number, molecule: number) => boolean> {
  switch (category) {
    case 'Patient Type':
      return () => true
    case 'Sex':
      return (person) => sexOf(people[person]?.sex) === name
    case 'Age Group':
      return (person) => ageBandOf(people[person]?.born ?? null, on) === name
    default: {
      const column = { 'Drug Type': 'drug_type_id', Condition: 'condition_id', Molecule: 'molecule_id' } as const
      const { rows } = await sql<{ id: number }>`
        select id from subcategory where category_id = ${categoryId(category)} and name = ${name}`.execute(tx)
      const members = new Set(
        molecules.filter((one: MoleculeFacts) => one[column[category]] === rows[0]?.id).map((one) => one.id),
      )
      return (_, molecule) => members.has(molecules[molecule]?.id ?? 0)
    }
  }
}
