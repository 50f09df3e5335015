import type { Pharmacy } from '@pillar/contract/financials'
import type { Statistic } from '@pillar/domain/figure/format'
import type { Day } from '@pillar/domain/time/day'
import type { Country } from '@pillar/domain/time/locale'
import {
  choiceAt,
  kindOf,
  type PeriodChoice,
  type PeriodKind,
  periodOf,
  yearsOffered,
} from '@pillar/domain/time/period'
import {
  DEFAULT_CATEGORY,
  type Filters,
  type FinancialsSearch,
  groupSearch,
  placeSearch,
  statisticSearch,
} from '../search.ts'
import { pharmacySearch, selected } from './pharmacies.ts'

/** A period being put together: the quarter or month may still be missing after the kind changed. */
export interface PeriodDraft {
  readonly kind: PeriodKind
  readonly year: number
  readonly unit: number | null
}

export const periodDraft = (choice: PeriodChoice): PeriodDraft => ({
  kind: kindOf(choice),
  year: choice.year,
  unit: choice.month ?? choice.quarter ?? null,
})

/** Another kind: a quarter is no month, so the unit is cleared, and the year becomes one that is offered. */
export function withKind(draft: PeriodDraft, kind: PeriodKind, country: Country, today: Day): PeriodDraft {
  const years = yearsOffered(today, country, kind)
  return { kind, unit: null, year: years.includes(draft.year) ? draft.year : years[0]! }
}

/** Quarters or months of a year that have begun. */
export function begunUnits({ kind, year }: Pick<PeriodDraft, 'kind' | 'year'>, country: Country, today: Day): number[] {
  if (kind === 'year') return []
  const units = Array.from({ length: kind === 'quarter' ? 4 : 12 }, (_, index) => index + 1)
  return units.filter((unit) => periodOf(country, { year, [kind]: unit }).from <= today)
}

/** The filter dialog's fields while they are being changed. */
export interface Draft {
  period: PeriodDraft
  category: string
  statistic: Statistic
  states: readonly string[]
  postcode: string
  /** Ids of the pharmacies ticked; null for all that state and postcode leave. */
  picked: ReadonlySet<string> | null
}

/** The postcodes typed, by commas or blanks; one with letters has a blank of its own ('LS1 4AP'). */
export const parts = (postcode: string) =>
  postcode
    .split(',')
    .map((part) => part.trim().replace(/\s+/g, ' '))
    .flatMap((part) => (/[A-Z]/i.test(part) ? [part] : part.split(' ')))
    .filter((part) => part !== '')

/** The fields as the address has them. */
export function draftOf(filters: Filters, pharmacies: readonly Pharmacy[]): Draft {
  const { choice, category, statistic, states, postcodes, chosen, without } = filters
  const all = chosen === null && without.length === 0
  const ids = selected(pharmacies, filters).map(({ pharmacy_id }) => pharmacy_id)
  const period = periodDraft(choice)
  return { period, category, statistic, states, postcode: postcodes.join(', '), picked: all ? null : new Set(ids) }
}

/** The fields after Reset. */
export function emptyDraft(country: Country, today: Day): Draft {
  const period = periodDraft(choiceAt(country, 'year', today))
  return { period, category: DEFAULT_CATEGORY, statistic: 'Revenue', states: [], postcode: '', picked: null }
}

/** What confirming changes in the address, the period aside. Columns and sort go only when the category is another. */
export function changeOf(draft: Draft, filters: Filters, offered: readonly Pharmacy[]): Partial<FinancialsSearch> {
  return {
    ...statisticSearch(draft.statistic),
    ...(draft.category === filters.category ? {} : groupSearch(draft.category)),
    ...placeSearch(draft.states, parts(draft.postcode)),
    ...(draft.picked === null ? {} : pharmacySearch(offered, [...draft.picked])),
  }
}
