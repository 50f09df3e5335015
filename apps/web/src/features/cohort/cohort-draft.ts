import type { Filters } from '@pillar/contract/campaign/cohort'
import { COHORT_OPTIONS, parseRange } from '@pillar/domain/cohort/cohort'
import { LEVEL_NAMES, type Level } from '@pillar/domain/dispensing/adherence'
import { type Country, LOCALES } from '@pillar/domain/time/locale'

export const NO_FILTERS: Filters = {
  adherence: [],
  loyalty: [],
  patient_type: [],
  age: [],
  patient_sex: [],
  polypharmacy: [],
  drug_type: [],
  distance_from_store: [],
  double_dispensing: null,
  molecules: [],
}

export type RangeKey = 'age' | 'polypharmacy' | 'distance_from_store'

export interface Option<T> {
  readonly value: T
  readonly label: string
  /** Shown lighter before the label: the number of a level. */
  readonly mark?: string
}

/** '0–5 km', '65+ km', '18–34'. */
function rangeLabel(text: string, unit = ''): string {
  return `${text.replace('-', '–')}${unit && ` ${unit}`}`
}

/** The unit for ranges of this filter: km or mi for distances. */
export function unitOf(key: RangeKey, country: Country): string {
  return key === 'distance_from_store' ? LOCALES[country].distanceUnit : ''
}

const OFFERED: Readonly<Record<RangeKey, readonly string[]>> = {
  age: COHORT_OPTIONS.ages,
  polypharmacy: COHORT_OPTIONS.polypharmacy,
  distance_from_store: COHORT_OPTIONS.distances,
}

/** The options of a ranged filter: the usual ranges, then any custom ones selected. */
export function rangeOptions(key: RangeKey, chosen: readonly string[], country: Country): Option<string>[] {
  const unit = unitOf(key, country)
  const own = chosen.filter((text) => !OFFERED[key].includes(text))
  return [...OFFERED[key], ...own].map((value) => ({ value, label: rangeLabel(value, unit) }))
}

/** Levels 1 to 5 with their names. */
export const LEVEL_OPTIONS: readonly Option<number>[] = COHORT_OPTIONS.levels.map((level) => ({
  value: level,
  mark: String(level),
  label: LEVEL_NAMES[level as Level],
}))

export const plainOptions = (values: readonly string[]): Option<string>[] =>
  values.map((value) => ({ value, label: value }))

/** A range as typed ('10 – 15', '65 +', '20 to 50 km'), converted to the format of the calls, or why it is not one. */
export function ownRange(typed: string, key: RangeKey): { range: string } | { problem: string } {
  const text = typed
    .trim()
    .toLowerCase()
    .replace(/(km|mi|years?)$/, '')
    .replace(/\bto\b|–|—/g, '-')
    .replace(/\s+/g, '')
  const sane =
    /^\d{1,4}(-\d{1,4}|\+)$/.test(text) && parseRange(text, key === 'distance_from_store' ? 'continuous' : 'whole')
  return sane ? { range: text } : { problem: 'Write a range such as 10-15 or 65+.' }
}

/** The ranges with a custom one beside them, once. */
export const withRange = (chosen: readonly string[], range: string): string[] => [...new Set([...chosen, range])]

/** Adds a value to a list or removes it; offered values keep the order of the options. */
export function toggled<T>(chosen: readonly T[], value: T, order: readonly T[]): T[] {
  const next = chosen.includes(value) ? chosen.filter((one) => one !== value) : [...chosen, value]
  const place = (one: T) => (order.includes(one) ? order.indexOf(one) : order.length)
  return next.sort((a, b) => place(a) - place(b))
}

/** The filters available in a country: 60 day dispensing is Australian. */
export function forCountry(filters: Filters, country: Country): Filters {
  return country === 'AU' ? filters : { ...filters, double_dispensing: null }
}

const levelsText = (levels: readonly number[]) =>
  levels.map((level) => `${level} ${LEVEL_NAMES[level as Level] ?? ''}`.trim()).join(', ')

/** The active filters in words, for the form and the detail. `molecules` are named only if they are few. */
export function filterWords(
  filters: Filters,
  country: Country,
  moleculeName: (code: string) => string = (code) => code,
  mostMolecules = 3,
): { label: string; value: string }[] {
  const ranges = (key: RangeKey) => filters[key].map((text) => rangeLabel(text, unitOf(key, country))).join(', ')
  const molecules = filters.molecules.length
  const rows = [
    { label: 'Adherence', value: levelsText(filters.adherence) },
    { label: 'Loyalty', value: levelsText(filters.loyalty) },
    { label: 'Patient type', value: filters.patient_type.join(', ') },
    { label: 'Age', value: ranges('age') },
    { label: 'Sex', value: filters.patient_sex.join(', ') },
    { label: 'Medicines taken', value: ranges('polypharmacy') },
    { label: 'Drug type', value: filters.drug_type.join(', ') },
    { label: 'Distance from store', value: ranges('distance_from_store') },
    { label: '60 Day Dispensing', value: doubleText(filters.double_dispensing) },
    {
      label: 'Molecules',
      value: molecules > mostMolecules ? `${molecules} selected` : filters.molecules.map(moleculeName).join(', '),
    },
  ]
  return rows.filter(({ value }) => value !== '')
}

function doubleText(value: boolean | null): string {
  if (value === null) return ''
  return value ? 'Could move to 60 days' : 'None could move'
}
