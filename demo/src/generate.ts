import { DISPENSING_SETS, type DispensingSet } from '@pillar/domain/upload/upload-format'
import { dayOf, isoOf } from './calendar.ts'
import { drugRow, PRODUCTS } from './medicine/products.ts'
import type { DemoNetwork } from './network.ts'
import type { Character } from './person/character.ts'
import { givenName, surname } from './person/names.ts'
import { makePatient, patientRow } from './person/patients.ts'
import { pick, randomFrom } from './random.ts'
import { simulatePatient } from './simulate.ts'
import { BURN_IN, openWorld, type World } from './world.ts'

/** Text to append to the file of one set. The first chunk of a set begins with its header line. */
export interface Chunk {
  readonly set: DispensingSet
  readonly text: string
}

export interface GenerateRange {
  /** First and last date of supply, ISO; by default the whole history of the pharmacy. `to` may lie after it: the world goes on. */
  readonly from?: string
  readonly to?: string
  /** Break about 3% of the script rows. */
  readonly faulty?: boolean
}

const CHUNK = 1 << 17

/** Scripts per year of a patient in each age band, measured over whole simulations; links patient numbers to the target. */
const SCRIPTS_A_YEAR = [4, 7.6, 12.6, 25.7, 38.6, 51]

function scriptsPerPatientYear({ ages, adherence, leak }: Character, years: number): number {
  const usual = SCRIPTS_A_YEAR.reduce((sum, rate, i) => sum + rate * ((ages[i] ?? 0) - (ages[i - 1] ?? 0)), 0)
  // Medicines accumulate as patients age, so a longer history has more scripts a year.
  return usual * (0.855 + 0.033 * years) * (1 + 0.08 * adherence) * (1 - leak)
}

function* patientsOf(world: World): Generator<{ index: number; joins: number }> {
  const { pharmacy, character, start, seed } = world
  const random = randomFrom(seed, 8, pharmacy.index)
  const years = (dayOf(pharmacy.last_day) - start + 1) / 365.25
  const yearly = pharmacy.scripts / years / (1 + (character.growth * years) / 2)
  const first = Math.round(yearly / scriptsPerPatientYear(character, years))
  let index = 0
  for (; index < first; index++) yield { index, joins: start - BURN_IN }
  // Newcomers replace those who move away or die, and account for growth.
  let joins = start
  for (;;) {
    joins += (random.exponential() * 365.25) / (first * (0.085 + character.growth))
    if (joins > world.to) return
    yield { index: index++, joins: Math.floor(joins) }
  }
}

function writePrescribers(world: World): void {
  const { pharmacy, seed } = world
  for (let i = 0; i < world.usedPrescribers.length; i++) {
    if (world.usedPrescribers[i] === 0) continue
    const random = randomFrom(seed, 9, pharmacy.index, i)
    const specialty =
      i < 10 || random.next() < 0.6
        ? 'General Practice'
        : pick(random, [
            'Cardiology',
            'Endocrinology',
            'Geriatric Medicine',
            'Ophthalmology',
            'Psychiatry',
            'Respiratory Medicine',
          ])
    const name = `Dr ${givenName(random, random.next() < 0.5, 1965)} ${surname(random)}`
    world.text.prescribers += `${i + 1},${name},${String(2_000_000 + random.int(999_999))},${specialty},${pick(random, world.nearby).postcode}\n`
    world.rows.prescribers++
  }
}

function writeDrugsAndStock(world: World): void {
  const random = randomFrom(world.seed, 10, world.pharmacy.index, world.to)
  const counted = isoOf(world.to)
  PRODUCTS.forEach((product, i) => {
    if (world.usedProducts[i] === 0) return
    world.text.drugs += drugRow(product)
    world.text.stock += `${product.id},${product.medicine.packSize * Math.floor(random.exponential() * (2 + product.medicine.weight * 2))},${counted}\n`
    world.rows.drugs++
    world.rows.stock++
  })
}

/**
 * The canonical upload files of one pharmacy, in pieces of about 128 KB, generated while they are read, so memory stays constant. The same
 * network, pharmacy and range give the same bytes; a range gives exactly the scripts of those dates out of the one simulated history, with
 * the patients, prescriptions, prescribers and drugs they refer to. Throws RangeError for a pharmacy that does not exist or never uploads.
 */
export function* generatePharmacy(
  network: DemoNetwork,
  pharmacyIndex: number,
  range: GenerateRange = {},
): Generator<Chunk, Record<DispensingSet, number>> {
  const pharmacy = network.pharmacies[pharmacyIndex]
  if (!pharmacy || pharmacy.last_day === '') throw new RangeError(`Pharmacy ${pharmacyIndex} has no uploads`)
  const from = Math.max(dayOf(network.from), dayOf(range.from ?? network.from))
  const to = dayOf(range.to ?? pharmacy.last_day)
  const faults = range.faulty ? randomFrom(network.seed, 11, pharmacyIndex) : undefined
  const world = openWorld(network, pharmacyIndex, from, to, faults)
  for (const { index, joins } of patientsOf(world)) {
    const patient = makePatient(network.seed, pharmacyIndex, world.character, index, joins)
    const { wrote } = simulatePatient(world, patient)
    // A death is written even in a week without a script.
    if (wrote || (patient.dies >= from && patient.dies <= to)) {
      world.text.patients += patientRow(network.seed, pharmacyIndex, patient, world.nearby, to)
      world.rows.patients++
    }
    for (const set of DISPENSING_SETS)
      if (world.text[set].length >= CHUNK) {
        yield { set, text: world.text[set] }
        world.text[set] = ''
      }
  }
  writePrescribers(world)
  writeDrugsAndStock(world)
  for (const set of DISPENSING_SETS) if (world.text[set] !== '') yield { set, text: world.text[set] }
  return world.rows
}
