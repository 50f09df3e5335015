import { columnsOf, DISPENSING_SETS, type DispensingSet } from '@pillar/domain/upload/upload-format'
import { dayOf, willingness } from './calendar.ts'
import { PRODUCTS } from './medicine/products.ts'
import { type DemoNetwork, type DemoPharmacy, LOCALITIES, type Locality } from './network.ts'
import { type Character, characterOf } from './person/character.ts'
import type { Random } from './random.ts'

/** One pharmacy during its simulation, and the text of rows generated but not yet taken. */
export interface World {
  readonly seed: number
  readonly pharmacy: DemoPharmacy
  readonly character: Character
  /** First day of the simulated history; patients known from before are warmed up for BURN_IN days. */
  readonly start: number
  /** Rows are written for supplies from..to; nothing is simulated after `to`. */
  readonly from: number
  readonly to: number
  readonly nearby: readonly Locality[]
  readonly text: Record<DispensingSet, string>
  readonly rows: Record<DispensingSet, number>
  readonly usedProducts: Uint8Array
  readonly usedPrescribers: Uint8Array
  readonly willing: Float32Array
  /** Present in the faulty upload: decides which rows are broken. */
  readonly faults: Random | undefined
}

export const BURN_IN = 60

function nearbyOf(pharmacy: DemoPharmacy): Locality[] {
  const distance = (place: Locality): number =>
    (place.latitude - pharmacy.latitude) ** 2 + ((place.longitude - pharmacy.longitude) * 0.82) ** 2
  return LOCALITIES.filter((place) => place.state === pharmacy.region)
    .sort((a, b) => distance(a) - distance(b))
    .slice(0, 8)
}

/** Opens the world of one pharmacy and writes the header lines of every set. */
export function openWorld(
  network: DemoNetwork,
  index: number,
  from: number,
  to: number,
  faults: Random | undefined,
): World {
  const pharmacy = network.pharmacies[index]
  if (!pharmacy) throw new RangeError(`The network has no pharmacy ${index}`)
  const character = characterOf(network.seed, pharmacy)
  const start = dayOf(network.from)
  const text = {} as Record<DispensingSet, string>
  const rows = {} as Record<DispensingSet, number>
  for (const set of DISPENSING_SETS) {
    text[set] = `${columnsOf(set)
      .map(([name]) => name)
      .join(',')}\n`
    rows[set] = 0
  }
  const first = start - BURN_IN
  const willing = Float32Array.from({ length: to - first + 40 }, (_, i) => willingness(first + i, character.habits))
  return {
    seed: network.seed,
    pharmacy,
    character,
    start,
    from,
    to,
    nearby: nearbyOf(pharmacy),
    text,
    rows,
    usedProducts: new Uint8Array(PRODUCTS.length),
    usedPrescribers: new Uint8Array(character.prescribers),
    willing,
    faults,
  }
}

/** The first day from `day` on when the pharmacy is open and the patient comes. */
export function visitDay(world: World, day: number, random: Random): number {
  const first = world.start - BURN_IN
  let at = Math.max(day, first)
  while (at - first < world.willing.length && random.next() >= (world.willing[at - first] ?? 0)) at++
  return at
}
