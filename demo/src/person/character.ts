import type { OpeningHabits } from '../calendar.ts'
import type { DemoPharmacy } from '../network.ts'
import { cumulate, randomFrom } from '../random.ts'

/** What distinguishes one demo pharmacy from the next; drawn once from its seed. */
export interface Character {
  readonly habits: OpeningHabits
  /** Shift of every patient's adherence, in standard deviations of patients. */
  readonly adherence: number
  /** Chance that a patient of average loyalty takes one supply elsewhere. */
  readonly leak: number
  /** Running sums of the shares of the six age bands among its patients. */
  readonly ages: Float64Array
  /** Added to the chance of a concession card. */
  readonly concession: number
  /** Factor on prices below the general co-payment. */
  readonly discount: number
  /** Growth of its patients a year. */
  readonly growth: number
  /** Share of lines with a recorded days' supply. */
  readonly daysSupply: number
  /** Its system stores repeats left instead of supply numbers. */
  readonly repeatsLeftOnly: boolean
  readonly prescribers: number
}

const AGE_MIX = [0.1, 0.15, 0.18, 0.23, 0.18, 0.16]

/** Positive `older` tilts the mix towards the older bands. Shares add up to 1. */
function ageMix(older: number): Float64Array {
  const weights = AGE_MIX.map((weight, band) => weight * Math.exp(0.25 * older * (band - 2.5)))
  const sum = weights.reduce((total, weight) => total + weight, 0)
  return cumulate(weights.map((weight) => weight / sum))
}

export function characterOf(seed: number, pharmacy: DemoPharmacy): Character {
  const random = randomFrom(seed, 2, pharmacy.index)
  const level = random.normal()
  return {
    habits: { sunday: random.next() < 0.35, holidays: random.next() < 0.4 },
    adherence: 0.35 * level,
    // A good pharmacy tends to keep its patients too, but not always.
    leak: Math.min(0.2, Math.max(0.02, 0.07 * Math.exp(0.45 * random.normal() - 0.25 * level))),
    ages: ageMix(0.5 * random.normal()),
    concession: 0.07 * random.normal(),
    discount: 0.9 + 0.2 * random.next(),
    growth: 0.03 + 0.05 * Math.max(-1.5, Math.min(1.5, random.normal())),
    daysSupply: [0, 0, 0.1, 0.1, 0.7][random.int(5)] ?? 0,
    repeatsLeftOnly: random.next() < 0.2,
    prescribers: 12 + random.int(40),
  }
}
