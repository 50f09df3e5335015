import { FOLLOW_DAYS } from '@pillar/domain/board/board'
import { arrivalsOf, followed, type Supply } from '@pillar/domain/board/journey'
import { LOOK_BACK_DAYS } from '@pillar/domain/dispensing/persistence'
import type { Day } from '@pillar/domain/time/day'
import type { Span } from '@pillar/domain/time/period'

/** One dispensed line, with what a board needs from it. */
export interface BoardLine {
  patient: number
  day: Day
  days: number
  molecule: number
  /** Empty for a generic. */
  brand: string
  /** The drug type its molecule belongs to. */
  drug_class: number
  /** Whether its journeys are counted: a long-term medicine, of a person living at home. */
  lasting: boolean
  died: Day | null
}

/** A month of a pharmacy: scripts and people of each product. */
export interface MonthFact {
  molecule: number
  brand: string
  scripts: number
  patients: number
}

/** A year of a pharmacy: who began with which product, and how long those new to a class stayed with it. A product is molecule|brand. */
export interface YearFacts {
  arrivals: { drug_class: number; to: string; from: string | null; events: number; patients: number }[]
  stays: { drug_class: number; to: string; days: number; stopped: boolean; people: number }[]
}

/** One pharmacy's facts for a period. */
export interface Brought<F> {
  location_id: number
  company_id: number
  facts: F
}

const productKey = ({ molecule, brand }: Pick<BoardLine, 'molecule' | 'brand'>) => `${molecule}|${brand}`

/** A pharmacy's facts for a month. */
export function monthFacts(lines: readonly BoardLine[], from: Day, to: Day): MonthFact[] {
  const inside = lines.filter((line) => line.day >= from && line.day <= to)
  return [...Map.groupBy(inside, productKey).values()].map((own) => ({
    molecule: own[0]!.molecule,
    brand: own[0]!.brand,
    scripts: own.length,
    patients: new Set(own.map((line) => line.patient)).size,
  }))
}

/** First day of the lines that a year's journeys need. */
export const lookBack = (from: Day): Day => from - LOOK_BACK_DAYS

/**
 * The journeys of a year: people who began or changed a medicine, and how long those new to a class stayed, followed up to 90 days after
 * the year's end.
 * @param lines in order of day
 * @param data the first and last day of the pharmacy's data. Without a year of data before, nobody can be recognised as new: nothing is
 * counted.
 */
export function yearFacts(
  lines: readonly BoardLine[],
  { from, to }: Span,
  data: { dataFrom: Day; dataTo: Day },
): YearFacts {
  if (data.dataFrom > lookBack(from)) return { arrivals: [], stays: [] }
  const until = Math.min(data.dataTo, to + FOLLOW_DAYS)
  // Nothing dated after a death counts.
  const inside = lines.filter(
    ({ lasting, day, died }) => lasting && day >= lookBack(from) && day <= until && day <= (died ?? day),
  )
  const arrivals = new Map<string, { people: Set<number>; events: number }>()
  const stays = new Map<string, number>()
  for (const own of Map.groupBy(inside, (line) => `${line.patient} ${line.drug_class}`).values()) {
    const { patient, drug_class, died } = own[0]!
    const supplies = own.map((line): Supply => ({ product: productKey(line), day: line.day, days: line.days }))
    for (const arrival of arrivalsOf(supplies, from, to)) {
      const key = JSON.stringify([drug_class, arrival.to, arrival.from])
      const known = arrivals.get(key) ?? { people: new Set(), events: 0 }
      known.people.add(patient)
      known.events++
      arrivals.set(key, known)
      const stay = arrival.from === null ? followed(supplies, arrival, { last: until, died }) : null
      if (!stay) continue
      const stayKey = JSON.stringify([drug_class, arrival.to, stay.days, stay.stopped])
      stays.set(stayKey, (stays.get(stayKey) ?? 0) + 1)
    }
  }
  return {
    arrivals: [...arrivals].map(([key, { people, events }]) => {
      const [drug_class, to, from] = JSON.parse(key) as [number, string, string | null]
      return { drug_class, to, from, events, patients: people.size }
    }),
    stays: [...stays].map(([key, people]) => {
      const [drug_class, to, days, stopped] = JSON.parse(key) as [number, string, number, boolean]
      return { drug_class, to, days, stopped, people }
    }),
  }
}
