import type { PatientType } from '@pillar/domain/dispensing/patient-type'
import { isoOf, yearOf } from '../calendar.ts'
import { AGE_BANDS, ageBand } from '../medicine/medicines.ts'
import type { Locality } from '../network.ts'
import { pick, pickWeighted, type Random, randomFrom } from '../random.ts'
import type { Character } from './character.ts'
import { givenName, streetAddress, surname } from './names.ts'

/** What the simulation needs about a patient. Name and address are made only when a row is written. */
export interface Patient {
  readonly index: number
  readonly female: boolean
  readonly born: number
  readonly band: number
  readonly joins: number
  /** Moves away or dies; nothing is dispensed from this day on. */
  readonly exit: number
  /** Day of death, Infinity if none is simulated. */
  readonly dies: number
  readonly facility: boolean
  readonly type: PatientType
  /** Standard normal around the pharmacy's level: how reliably the patient collects medicines. */
  readonly quality: number
  readonly leak: number
  /** Shares a household with the previous patient. */
  readonly paired: boolean
}

const LOWEST_AGE = [1, 18, 35, 50, 65, 75]
const DEATHS_A_YEAR = [0.0002, 0.0006, 0.0015, 0.005, 0.014, 0.055]

/** Patients with odd numbers sometimes live with the previous one: same surname, address and often mobile. */
function isPaired(seed: number, pharmacy: number, index: number): boolean {
  return index % 2 === 1 && randomFrom(seed, 3, pharmacy, index).next() < 0.34
}

function typeFor(random: Random, age: number, concession: number): PatientType {
  const chance = random.next()
  if (chance < 0.008) return 'Private'
  if (chance < 0.03) return 'CTG'
  if (age >= 65) {
    if (chance < (age >= 80 ? 0.1 : 0.055)) return 'DVA'
    return chance < 0.84 + concession ? 'Concession' : 'General'
  }
  return chance < (age < 18 ? 0.3 : 0.34) + concession ? 'Concession' : 'General'
}

function bornOn(random: Random, character: Character, day: number): number {
  const band = pickWeighted(random, character.ages)
  const low = LOWEST_AGE[band] ?? 0
  const width = band === 5 ? 18 * random.next() ** 1.5 : ((AGE_BANDS[band] ?? 0) - low) * random.next()
  return Math.floor(day - (low + width) * 365.25)
}

export function makePatient(
  seed: number,
  pharmacy: number,
  character: Character,
  index: number,
  joins: number,
): Patient {
  const random = randomFrom(seed, 4, pharmacy, index)
  const paired = isPaired(seed, pharmacy, index)
  let born = bornOn(random, character, joins)
  if (paired) {
    const head = randomFrom(seed, 4, pharmacy, index - 1)
    born = Math.min(joins - 400, bornOn(head, character, joins) + random.int(2400) - 1200)
  }
  const age = (joins - born) / 365.25
  const band = ageBand(age)
  const dies = Math.floor(joins + (random.exponential() / (DEATHS_A_YEAR[band] ?? 0.001)) * 365)
  const leaves = Math.floor(joins + (random.exponential() / 0.06) * 365)
  const facility = age >= 75 && random.next() < 0.09
  return {
    index,
    female: random.next() < 0.54,
    born,
    band,
    joins,
    exit: Math.min(dies, leaves),
    dies: dies <= leaves ? dies : Number.POSITIVE_INFINITY,
    facility,
    type: typeFor(random, age, character.concession),
    quality: character.adherence + random.normal() * 0.8 + (facility ? 1.5 : 0) + (band - 3) * 0.08,
    leak: facility ? 0 : Math.min(0.5, character.leak * Math.exp(0.9 * random.normal() - 0.4)),
    paired,
  }
}

const MOBILE_FORMS = [
  (n: string) => `0491 57${n.charAt(0)} ${n.slice(1)}`,
  (n: string) => `049157${n}`,
  (n: string) => `+6149157${n}`,
]

/** Patient row in canonical column order, as the pharmacy knows the patient on day `to`. */
export function patientRow(
  seed: number,
  pharmacy: number,
  patient: Patient,
  nearby: readonly Locality[],
  to: number,
): string {
  const random = randomFrom(seed, 5, pharmacy, patient.index)
  const home = patient.paired
    ? randomFrom(seed, 6, pharmacy, patient.index - 1)
    : randomFrom(seed, 6, pharmacy, patient.index)
  const last = surname(home)
  const address = streetAddress(home)
  const place = (home.next() < 0.6 ? nearby[0] : pick(home, nearby)) as Locality
  const bornIn = yearOf(patient.born)
  const first = givenName(random, patient.female, bornIn)
  // Children and some partners are on file with the number of the household's first patient.
  const child = to - patient.born < 16 * 365
  const owner = patient.paired && (child || random.next() < 0.4) ? patient.index - 1 : patient.index
  const number = String((owner * 7919 + pharmacy * 613) % 10_000).padStart(4, '0')
  const noMobile = random.next() < (patient.facility ? 0.5 : 0.045)
  const mobile = noMobile ? '' : pick(random, MOBILE_FORMS)(number)
  const noEmail = random.next() < (patient.band >= 4 ? 0.12 : 0.05)
  const email = noEmail ? '' : `${first}.${last.replace("'", '')}${patient.index}@mail.example`.toLowerCase()
  const sex = random.next() < 0.004 ? 'U' : patient.female ? 'F' : 'M'
  const died = patient.dies <= to ? isoOf(patient.dies) : ''
  const smsOut = random.next() < 0.03 ? 1 : 0
  const emailOut = random.next() < 0.04 ? 1 : 0
  return `${patient.index + 1},${first},${last},${sex},${isoOf(patient.born)},${address},${place.locality},${place.state},${place.postcode},${mobile},${email},${patient.facility ? 1 : 0},${died},${smsOut},${emailOut}\n`
}
