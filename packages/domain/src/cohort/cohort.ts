import { AGE_BANDS, SEXES } from '../dispensing/category.ts'
import { PATIENT_TYPES } from '../dispensing/patient-type.ts'

/** The filters of a cohort as the wire has them. An empty (or absent) list filters nothing. */
export interface CohortFilters {
  /** Levels 1..5. */
  readonly adherence?: readonly number[]
  readonly loyalty?: readonly number[]
  readonly patient_type?: readonly string[]
  /** Ranges of completed years: '10-15', '65+'. */
  readonly age?: readonly string[]
  readonly patient_sex?: readonly string[]
  /** Ranges of current molecules: '5-9', '10+'. */
  readonly polypharmacy?: readonly string[]
  readonly drug_type?: readonly string[]
  /** Ranges in the country's unit: '0-5' is from 0 to below 5, so that ranges do not overlap. */
  readonly distance_from_store?: readonly string[]
  /** Australia only: whether the patient has a molecule that could move to 60 days; null does not filter. */
  readonly double_dispensing?: boolean | null
  /** ATC codes; a patient supplied any of them passes. */
  readonly molecules?: readonly string[]
}

/** The options the dialog offers for each filter with fixed choices. */
export const COHORT_OPTIONS = {
  levels: [1, 2, 3, 4, 5],
  sexes: SEXES,
  ages: AGE_BANDS.map((band) => (band.to === null ? `${band.from}+` : `${band.from}-${band.to}`)),
  polypharmacy: ['0-4', '5-9', '10+'],
  distances: ['0-5', '5-20', '20-50', '50+'],
} as const

/** A range as half-open bounds: from <= value < below; `below` null for no upper end. */
export interface Bounds {
  readonly from: number
  readonly below: number | null
}

const RANGE = /^(\d+)-(\d+)$|^(\d+)\+$/

/**
 * The bounds of a range text, null for any other text and for ranges the wrong way round. Counted values ('whole': years, molecules)
 * include the upper number; measured ones ('continuous': distances) end below it.
 */
export function parseRange(text: string, values: 'whole' | 'continuous'): Bounds | null {
  const match = RANGE.exec(text)
  if (!match) return null
  if (match[3] !== undefined) return bounded(Number(match[3]), null)
  return bounded(Number(match[1]), Number(match[2]) + (values === 'whole' ? 1 : 0))
}

function bounded(from: number, below: number | null): Bounds | null {
  const sane = Number.isSafeInteger(from) && (below === null || (Number.isSafeInteger(below) && from < below))
  return sane ? { from, below } : null
}

/** Whether a value lies in one of the ranges; unknown (null) lies in none. Without ranges every value passes. */
export function inRanges(value: number | null, ranges: readonly Bounds[]): boolean {
  if (ranges.length === 0) return true
  return value !== null && ranges.some(({ from, below }) => value >= from && (below === null || value < below))
}

const RANGED = [
  ['age', 'age', 'whole', '65-74 or 75+'],
  ['polypharmacy', 'number of medicines', 'whole', '5-9 or 10+'],
  ['distance_from_store', 'distance', 'continuous', '5-20 or 50+'],
] as const

/** What is wrong with filters, one sentence each; empty when they are valid. The server checks drug types and molecules against its tables. */
export function cohortProblems(filters: CohortFilters): string[] {
  const problems: string[] = []
  for (const [key, name, values, example] of RANGED) {
    for (const text of filters[key] ?? []) {
      if (!parseRange(text, values)) problems.push(`The ${name} "${text}" is not a range such as ${example}.`)
    }
  }
  for (const key of ['adherence', 'loyalty'] as const) {
    for (const level of filters[key] ?? []) {
      if (!Number.isInteger(level) || level < 1 || level > 5) {
        problems.push(`The ${key} level "${level}" is not one of 1 to 5.`)
      }
    }
  }
  const oneOf = (key: 'patient_type' | 'patient_sex', name: string, known: readonly string[]) => {
    for (const text of filters[key] ?? []) {
      if (!known.includes(text)) problems.push(`The ${name} "${text}" is not one of ${known.join(', ')}.`)
    }
  }
  oneOf('patient_type', 'patient type', PATIENT_TYPES)
  oneOf('patient_sex', 'sex', SEXES)
  return problems
}

const LISTS = [
  'adherence',
  'loyalty',
  'patient_type',
  'age',
  'patient_sex',
  'polypharmacy',
  'drug_type',
  'distance_from_store',
  'molecules',
] as const

/** How many filters are set; a campaign needs at least one. */
export function filtersSet(filters: CohortFilters): number {
  return LISTS.filter((key) => (filters[key]?.length ?? 0) > 0).length + (filters.double_dispensing == null ? 0 : 1)
}

/**
 * The molecule list to save: selecting all is no filter and saves an empty list. The `saved` selection stays as it is even if it happens to be
 * all that is listed today: another medicine, dispensed tomorrow, must not widen it.
 */
export function moleculesToSave(
  selected: readonly string[],
  all: readonly string[],
  saved: readonly string[] = [],
): string[] {
  const chosen = new Set(selected)
  const unchanged = chosen.size === new Set(saved).size && saved.every((code) => chosen.has(code))
  return !unchanged && all.length > 0 && all.every((code) => chosen.has(code)) ? [] : [...chosen]
}

/** The facts that filters look at, at evaluation time. */
export interface CohortPatient {
  readonly adherenceLevel: number | null
  readonly loyaltyLevel: number | null
  /** At the latest dispense. */
  readonly patientType: string | null
  /** Completed years. */
  readonly age: number | null
  readonly sex: string | null
  /** Distinct ATC level-5 molecules with a supply that covers today or ended at most 30 days ago. */
  readonly molecules: number
  /** In the country's unit; null if the location is unknown. */
  readonly distance: number | null
  /** Drug types of any script in 12 months. */
  readonly drugTypes: readonly string[]
  /** Whether at least one current eligible molecule is still at the 30-day quantity. */
  readonly doubleDispensing: boolean | null
  /** ATC codes supplied in 12 months. */
  readonly atcCodes: readonly string[]
  /** Whether anything was supplied in 12 months. */
  readonly active: boolean
}

/**
 * Whether a patient belongs to a cohort: AND across filters, OR inside a list; unknown values fail a set filter, and inactive patients never belong.
 * The server does the same in one set-based query; tests compare it with this. Throws a RangeError for invalid filters.
 * @reference
 */
export function inCohort(filters: CohortFilters, patient: CohortPatient): boolean {
  const [problem] = cohortProblems(filters)
  if (problem) throw new RangeError(problem)
  const bounds = (texts: readonly string[] | undefined, values: 'whole' | 'continuous') =>
    (texts ?? []).map((text) => parseRange(text, values)!)
  const has = <T>(list: readonly T[] | undefined, value: T | null) =>
    !list?.length || (value !== null && list.includes(value))
  const hasAny = (list: readonly string[] | undefined, values: readonly string[]) =>
    !list?.length || values.some((value) => list.includes(value))
  return (
    patient.active &&
    has(filters.adherence, patient.adherenceLevel) &&
    has(filters.loyalty, patient.loyaltyLevel) &&
    has(filters.patient_type, patient.patientType) &&
    has(filters.patient_sex, patient.sex) &&
    inRanges(patient.age, bounds(filters.age, 'whole')) &&
    inRanges(patient.molecules, bounds(filters.polypharmacy, 'whole')) &&
    inRanges(patient.distance, bounds(filters.distance_from_store, 'continuous')) &&
    hasAny(filters.drug_type, patient.drugTypes) &&
    hasAny(filters.molecules, patient.atcCodes) &&
    (filters.double_dispensing == null || patient.doubleDispensing === filters.double_dispensing)
  )
}
