import { ageOn, type Day } from '../time/day.ts'
import { CHRONIC_PREFIXES, CONDITION_LABELS, DRUG_TYPE_PREFIXES } from './atc-tables.ts'
import { PATIENT_TYPES } from './patient-type.ts'

/** Ways to split scripts. In each, every script has exactly one subcategory, so that the parts add up to TOTAL. */
export const CATEGORIES = ['Drug Type', 'Condition', 'Age Group', 'Sex', 'Patient Type', 'Molecule'] as const
export type Category = (typeof CATEGORIES)[number]

/** Scripts that fit no subcategory. */
export const UNCLASSIFIED = 'Unclassified'

/** The column over all subcategories. */
export const TOTAL = 'TOTAL'
/** The column for subcategories beyond the limit; not a subcategory itself, so nothing can be calculated for it. */
export const OTHERS = 'All others'

/** Age bands in completed years, both ends inclusive; the last has no upper end. */
export const AGE_BANDS: readonly { readonly name: string; readonly from: number; readonly to: number | null }[] = [
  { name: '0-17', from: 0, to: 17 },
  { name: '18-34', from: 18, to: 34 },
  { name: '35-49', from: 35, to: 49 },
  { name: '50-64', from: 50, to: 64 },
  { name: '65-74', from: 65, to: 74 },
  { name: '75+', from: 75, to: null },
]

export const SEXES = ['Female', 'Male'] as const

function byLongestPrefix<T>(
  table: readonly (readonly [string, T])[],
): (atc: string | null | undefined) => T | undefined {
  const values = new Map(table)
  return (atc) => {
    const code = atc?.trim().toUpperCase() ?? ''
    for (let length = code.length; length > 0; length--) {
      const value = values.get(code.slice(0, length))
      if (value !== undefined) return value
    }
    return undefined
  }
}

const drugTypes = byLongestPrefix(DRUG_TYPE_PREFIXES)
const chronicFlags = byLongestPrefix(CHRONIC_PREFIXES)

/** Drug type of an ATC code by its longest listed prefix, else 'Unclassified'. */
export function drugTypeOf(atc: string | null | undefined): string {
  return drugTypes(atc) ?? UNCLASSIFIED
}

/** What a medicine is taken for, by its ATC level-2 group, else 'Unclassified'. */
export function conditionOf(atc: string | null | undefined): string {
  return CONDITION_LABELS[atc?.trim().toUpperCase().slice(0, 3) ?? ''] ?? UNCLASSIFIED
}

/** Whether a medicine counts as taken continuously when the source does not say; an unknown code does not. */
export function chronicByAtc(atc: string | null | undefined): boolean {
  return chronicFlags(atc) ?? false
}

/**
 * Age band on a day; 'Unclassified' without a date of birth or for someone not yet born.
 */
export function ageBandOf(born: Day | null, on: Day): string {
  const age = born === null ? null : ageOn(born, on)
  if (age === null) return UNCLASSIFIED
  return AGE_BANDS.find((band) => band.to === null || age <= band.to)!.name
}

/**
 * 'Female' or 'Male' of the stored letter F or M, else 'Unclassified'.
 */
export function sexOf(sex: string | null | undefined): string {
  return sex === 'F' ? 'Female' : sex === 'M' ? 'Male' : UNCLASSIFIED
}

/** Subcategories known before any data, in list order; empty for Molecule, whose list comes from the data. */
export function subcategoriesOf(category: Category): readonly string[] {
  switch (category) {
    case 'Drug Type':
      return [...new Set(DRUG_TYPE_PREFIXES.map(([, name]) => name))]
    case 'Condition':
      return Object.values(CONDITION_LABELS)
    case 'Age Group':
      return AGE_BANDS.map((band) => band.name)
    case 'Sex':
      return SEXES
    case 'Patient Type':
      return PATIENT_TYPES
    case 'Molecule':
      return []
  }
}
