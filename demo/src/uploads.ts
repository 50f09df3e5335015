import { dayOf, isoOf } from './calendar.ts'
import type { GenerateRange } from './generate.ts'
import type { DemoNetwork } from './network.ts'

/** One of the uploads with which a pharmacy sets up the demo world. `range` goes to generatePharmacy. */
export interface DemoUpload {
  readonly initial: boolean
  readonly range: Required<GenerateRange>
}

const FAULTY_DAYS = 14

/**
 * The uploads of a pharmacy in order: none if it never uploaded, one with its whole history, or for a failed one its history up to two
 * weeks before the end followed by an increment with about 3% unreadable rows.
 */
export function uploadsOf(network: DemoNetwork, pharmacyIndex: number): readonly DemoUpload[] {
  const pharmacy = network.pharmacies[pharmacyIndex]
  if (!pharmacy) throw new RangeError(`The network has no pharmacy ${pharmacyIndex}`)
  if (pharmacy.behaviour === 'never') return []
  const from = network.from
  const to = pharmacy.last_day
  if (pharmacy.behaviour !== 'failed') return [{ initial: true, range: { from, to, faulty: false } }]
  const good = isoOf(dayOf(to) - FAULTY_DAYS)
  return [
    { initial: true, range: { from, to: good, faulty: false } },
    { initial: false, range: { from: isoOf(dayOf(good) + 1), to, faulty: true } },
  ]
}
