import { yearOf } from '../calendar.ts'
import type { Patient } from '../person/patients.ts'
import { pick, type Random } from '../random.ts'
import { DOSES, doseVaries } from './directions.ts'
import { drawMedicine, type Medicine, SWITCHES } from './medicines.ts'

export interface Prescription {
  readonly id: number
  readonly product: number
  readonly prescriber: number
  readonly prescribedOn: number
  readonly repeats: number
  readonly authority: string
  readonly outside: boolean
  readonly originalPharmacy: string
  readonly isPrivate: boolean
  /** Packs in one supply: 2 for a 60-day supply or a doubled dose. */
  readonly packs: number
  readonly days: number
  /** The next supply number. */
  next: number
  ceasedOn: number
  written: boolean
}

/** A medicine a person takes, from the first supply until they stop. */
export interface Therapy {
  readonly medicine: Medicine
  readonly strength: number
  /** Index of DOSES. */
  readonly dose: number
  readonly directions: number
  /** Mean days late relative to run-out. */
  readonly lateness: number
  /** Moves to 60-day supplies once their uptake has passed this share. */
  readonly sixtyDayAt: number
  readonly startedOn: number
  readonly prescriber: number
  due: number
  runsOut: number
  lastSupply: number
  prescription: Prescription | undefined
  ended: boolean
}

/** Mean days late by the patient's reliability with this medicine: about 1 for the best, 60 for the worst. */
export function latenessOf(quality: number): number {
  return Math.min(120, Math.exp(1.72 - 1.15 * quality))
}

export function startTherapy(
  random: Random,
  patient: Patient,
  medicine: Medicine,
  prescribers: number,
  startedOn: number,
  due: number,
): Therapy {
  const chance = random.next()
  return {
    medicine,
    strength: Math.floor(random.next() ** 1.6 * medicine.strengths.length),
    dose: doseVaries(medicine) ? (chance < 0.05 ? 1 : chance < 0.11 ? 2 : 0) : 0,
    directions: random.int(1000),
    lateness: latenessOf(patient.quality + 0.55 * random.normal()),
    sixtyDayAt: random.next(),
    startedOn,
    // Seven medicines in ten come from the patient's usual doctor.
    prescriber: random.next() < 0.7 ? patient.index % Math.min(8, prescribers) : random.int(prescribers),
    due,
    runsOut: due,
    lastSupply: -1e9,
    prescription: undefined,
    ended: false,
  }
}

/**
 * Share of stable users who have moved to 60-day prescriptions by a day, for a medicine eligible since `since`; fitted to the published
 * uptake of stage 1.
 */
export function sixtyDayUptake(day: number, since: number): number {
  return day < since ? 0 : 0.46 * (1 - Math.exp((since - day) / 320))
}

/** Chance of stopping a medicine within a year: high in its first half-year, as persistence studies find. */
function quitRate(therapy: Therapy, day: number, quality: number): number {
  return (day - therapy.startedOn < 180 ? 0.36 : 0.14) * Math.exp(-0.3 * quality)
}

export type Course = 'goes on' | 'switches' | 'ceases' | 'pauses' | 'drifts off'

/** What happens to a medicine after one more supply of `days`. */
export function courseAfter(random: Random, therapy: Therapy, day: number, days: number, quality: number): Course {
  if (random.next() >= (quitRate(therapy, day, quality) * days) / 365) return 'goes on'
  const chance = random.next()
  if (chance < 0.25) return (SWITCHES[therapy.medicine.index]?.length ?? 0) > 0 ? 'switches' : 'drifts off'
  if (chance < 0.37) return 'ceases'
  return chance < 0.68 ? 'pauses' : 'drifts off'
}

export function switchTarget(random: Random, medicine: Medicine): Medicine {
  return pick(random, SWITCHES[medicine.index] as Medicine[])
}

/** A chronic medicine the patient does not take yet, from no class already in use; undefined if none is found. */
export function drawNew(random: Random, patient: Patient, taken: readonly Therapy[]): Medicine | undefined {
  for (let attempt = 0; attempt < 12; attempt++) {
    const medicine = drawMedicine(random, true, patient.band, patient.female)
    if (!taken.some((one) => !one.ended && one.medicine.atc.slice(0, 5) === medicine.atc.slice(0, 5))) return medicine
  }
  return undefined
}

/** Shortest time between two supplies under the PBS early-supply rule (20 days, 50 for long supplies). */
export function shortestGap(days: number): number {
  return days >= 55 ? 50 : days >= 26 ? 20 : Math.ceil(days * 0.6)
}

/** When the next supply is wanted: around run-out by the patient's habit; some January needs are met in December. */
export function nextDue(random: Random, therapy: Therapy, day: number, days: number): number {
  const early = random.next() * 6
  const late = random.exponential() * therapy.lateness
  const earliest = day + shortestGap(days)
  let due = Math.max(earliest, Math.round(therapy.runsOut + late - early))
  const year = yearOf(due)
  const intoYear = due - Date.UTC(year, 0, 1) / 86_400_000
  if (intoYear < 32 && random.next() < 0.45) {
    const december = due - intoYear - 1 - random.int(21)
    if (december >= earliest) due = december
  }
  return due
}

/** Days one supply lasts. */
export function daysOf(therapy: Therapy, packs: number): number {
  return Math.round((therapy.medicine.defaultDays * packs) / (DOSES[therapy.dose] ?? 1))
}
