import {
  DEFAULT_UPTAKE,
  SIXTY_DAY_CATEGORIES,
  SIXTY_DAY_STATES,
  type SixtyDayCategory,
  type Tranche,
} from '@pillar/domain/sixty-day/choices'
import { type SixtyDayStatistic, STATISTIC_KEYS } from '@pillar/domain/sixty-day/figure'
import * as z from 'zod/mini'
import { idsField, idsIn, idsText, known, pageField, textField } from '../../shared/search-field.ts'

const text = textField(8000)

/** What the address bar may contain. */
export const sixtyDaySearch = z.object({
  uptake: known(z.number().check(z.minimum(0), z.maximum(100))),
  category: known(z.enum(['age', 'molecule'])),
  show: known(z.enum(STATISTIC_KEYS)),
  tranche: known(z.literal(1)),
  net: known(z.literal(true)),
  states: text,
  by: known(z.literal('postcode')),
  postcodes: text,
  pharmacies: idsField,
  sort: text,
  order: known(z.enum(['asc', 'desc'])),
  page: pageField,
})
export type SixtyDaySearch = z.output<typeof sixtyDaySearch>

/** The screen's filters, read from the address bar. */
export interface SixtyDayFilters {
  /** As a percentage. */
  readonly uptake: number
  readonly category: SixtyDayCategory
  readonly statistic: SixtyDayStatistic
  readonly tranche: Tranche
  readonly net: boolean
  /** All if none are named. */
  readonly states: readonly string[]
  readonly grouping: 'state' | 'postcode'
  /** All postcodes of the states if none are named. */
  readonly postcodes: readonly string[]
  /** The selected pharmacies, as `shortPick` has them; none for all. */
  readonly pharmacies: readonly string[]
  readonly sort: { readonly field: string | null; readonly order: 'asc' | 'desc' }
  readonly page: number
}

const listOf = (value: string | number | undefined): string[] =>
  value === undefined ? [] : [...new Set(String(value).split(','))].filter((part) => part !== '')

const SLUGS = { age: 'age', molecule: 'mp_pt' } as const

/** The filters in an address. */
export function filtersOf(search: SixtyDaySearch): SixtyDayFilters {
  const known = listOf(search.states).filter((state) => SIXTY_DAY_STATES.some((one) => one === state))
  return {
    uptake: search.uptake ?? DEFAULT_UPTAKE,
    category: search.category ? SLUGS[search.category] : 'atc_lvl2',
    statistic: search.show ?? 'revenue_lost',
    tranche: search.tranche === 1 ? '1' : 'all',
    net: search.net === true,
    states: known,
    grouping: search.by ?? 'state',
    // Postcodes of the Northern Territory begin with a 0, which a number loses.
    postcodes: listOf(search.postcodes).map((code) => code.padStart(4, '0')),
    pharmacies: idsIn(search.pharmacies),
    sort: { field: search.sort === undefined ? null : String(search.sort), order: search.order ?? 'desc' },
    page: search.page ?? 1,
  }
}

/** The address fields for filters; defaults are left out. */
export function searchOf(filters: Omit<SixtyDayFilters, 'sort' | 'page'>): SixtyDaySearch {
  const { states, postcodes, pharmacies } = filters
  const all = states.length === 0 || states.length === SIXTY_DAY_STATES.length
  return {
    uptake: filters.uptake === DEFAULT_UPTAKE ? undefined : filters.uptake,
    category: filters.category === 'atc_lvl2' ? undefined : filters.category === 'age' ? 'age' : 'molecule',
    show: filters.statistic === 'revenue_lost' ? undefined : filters.statistic,
    tranche: filters.tranche === '1' ? 1 : undefined,
    net: filters.net || undefined,
    states: all ? undefined : states.join(','),
    by: filters.grouping === 'postcode' ? 'postcode' : undefined,
    postcodes: filters.grouping === 'postcode' && postcodes.length > 0 ? postcodes.join(',') : undefined,
    pharmacies: pharmacies.length > 0 ? idsText(pharmacies) : undefined,
  }
}

/** The label of a category, and its column over all. */
export const categoryWords = (key: SixtyDayCategory) => SIXTY_DAY_CATEGORIES.find((one) => one.key === key)!
