import { TOTAL } from '@pillar/domain/dispensing/category'
import { NAME_FIELD, type Statistic } from '@pillar/domain/figure/format'
import type { Day } from '@pillar/domain/time/day'
import type { Country } from '@pillar/domain/time/locale'
import { choiceAt, choiceOf, kindOf, type PeriodChoice, periodOf, yearsOffered } from '@pillar/domain/time/period'
import * as z from 'zod/mini'
import { idsField, idsIn, known, textField } from '../../shared/search-field.ts'

/** The statistics as spelled in the address bar, and as the wire and the segments name them. */
export const STATISTIC_CHOICES = [
  { slug: 'revenue', wire: 'Revenue' },
  { slug: 'scripts', wire: 'Number of Scripts' },
  { slug: 'adherence', wire: 'Adherence' },
  { slug: 'loyalty', wire: 'Loyalty' },
] as const satisfies readonly { slug: string; wire: Statistic }[]

const DEFAULT_CATEGORY = 'Drug Type'

const text = textField(8000)

/** What the address bar may contain. */
export const financialsSearch = z.object({
  period: text,
  statistic: known(z.enum(['revenue', 'scripts', 'adherence', 'loyalty'])),
  group: text,
  state: text,
  postcode: text,
  pharmacies: idsField,
  without: idsField,
  columns: known(z.array(z.string().check(z.maxLength(200)))),
  sort: text,
  order: known(z.enum(['asc', 'desc'])),
  /** The charts are ordered by the change from last year, whatever the table's order. */
  by: known(z.literal('change')),
  rank: known(z.literal('worst')),
  /** The report to which a monthly letter links: 'company', or a pharmacy's id. */
  report: known(z.string().check(z.maxLength(40))),
  view: known(z.literal('chart')),
  /** Short id of the pharmacy highlighted in the charts. */
  mark: text,
})
export type FinancialsSearch = z.output<typeof financialsSearch>

/** The screen's filters, read from the address bar. */
export interface Filters {
  readonly choice: PeriodChoice
  readonly statistic: Statistic
  readonly category: string
  readonly states: readonly string[]
  /** Complete postcodes, or their first digits. */
  readonly postcodes: readonly string[]
  /** Short ids of the picked pharmacies; null for all that match state and postcode. */
  readonly chosen: readonly string[] | null
  /** Short ids of pharmacies left out. */
  readonly without: readonly string[]
  /** Columns shown, besides TOTAL; null for all. */
  readonly columns: readonly string[] | null
  readonly sort: { readonly field: string; readonly order: 'asc' | 'desc' }
  readonly rank: 'best' | 'worst'
  readonly view: 'table' | 'chart'
  /** Whether the charts begin with the largest falls from last year. */
  readonly byChange: boolean
  /** Short id of the pharmacy highlighted in the charts; null for none. */
  readonly mark: string | null
}

const list = (value: string | number | undefined): string[] =>
  value === undefined
    ? []
    : [
        ...new Set(
          String(value)
            .split(',')
            .map((part) => part.trim()),
        ),
      ].filter((part) => part !== '')

/** A choice the picker could have made: within the years offered, and already begun. Figures exist for no other. */
function offered(choice: PeriodChoice | null, country: Country, today: Day): PeriodChoice | null {
  if (choice === null || !yearsOffered(today, country, kindOf(choice)).includes(choice.year)) return null
  return periodOf(country, choice).from > today ? null : choice
}

/** The filters in an address. Without a period, or with one that is not offered, it is the financial year running on `today`. */
export function filtersOf(search: FinancialsSearch, country: Country, today: Day): Filters {
  const field = search.sort === undefined ? TOTAL : String(search.sort)
  return {
    choice: offered(choiceOf(String(search.period ?? '')), country, today) ?? choiceAt(country, 'year', today),
    statistic: STATISTIC_CHOICES.find(({ slug }) => slug === search.statistic)?.wire ?? 'Revenue',
    category: search.group === undefined ? DEFAULT_CATEGORY : String(search.group),
    states: list(search.state),
    postcodes: list(search.postcode),
    chosen: search.pharmacies === undefined ? null : idsIn(search.pharmacies),
    without: idsIn(search.without),
    columns: search.columns ?? null,
    sort: { field, order: search.order ?? (field === NAME_FIELD ? 'asc' : 'desc') },
    rank: search.rank ?? 'best',
    view: search.view ?? 'table',
    byChange: search.by === 'change',
    mark: search.mark === undefined ? null : String(search.mark),
  }
}

/** Digits alone are written as a number, so that the address reads postcode=2204 and not postcode="2204". */
const plain = (value: string): string | number => (/^[1-9]\d{0,14}$/.test(value) ? Number(value) : value)
const joined = (parts: readonly string[]) => (parts.length === 0 ? undefined : plain(parts.join(',')))

/** The part of the address that sets a period; nothing for the running financial year. */
export function periodSearch(choice: PeriodChoice, country: Country, today: Day): Pick<FinancialsSearch, 'period'> {
  const running = choiceAt(country, 'year', today)
  if (choice.month == null && choice.quarter == null) {
    return { period: choice.year === running.year ? undefined : choice.year }
  }
  if (choice.month != null) return { period: `${choice.year}-${String(choice.month).padStart(2, '0')}` }
  return { period: `${choice.year}Q${choice.quarter}` }
}

/**
 * The period of the same kind that holds the newest data, for a period that begins after them: on the first days of a financial year its
 * figures are still to come. @param until the newest day of the selected pharmacies' data
 */
export function newestWithData(choice: PeriodChoice, country: Country, until: Day | null): PeriodChoice | null {
  if (until === null || periodOf(country, choice).from <= until) return null
  return choiceAt(country, kindOf(choice), until)
}

/** The part of the address that sets the statistic; nothing for Revenue. */
export function statisticSearch(statistic: Statistic): Pick<FinancialsSearch, 'statistic'> {
  const found = STATISTIC_CHOICES.find(({ wire }) => wire === statistic)
  return { statistic: found && found.slug !== 'revenue' ? found.slug : undefined }
}

/** Another group has other columns, so the selected columns and a sort by one of them are dropped. */
export function groupSearch(category: string): Pick<FinancialsSearch, 'group' | 'columns' | 'sort' | 'order'> {
  return {
    group: category === DEFAULT_CATEGORY ? undefined : category,
    columns: undefined,
    sort: undefined,
    order: undefined,
  }
}

/** States and postcodes. Picked pharmacies are dropped, because they were picked from other places. */
export function placeSearch(states: readonly string[], postcodes: readonly string[]) {
  return { state: joined(states), postcode: joined(postcodes), pharmacies: undefined, without: undefined }
}

/** Sorting by a column: the name starts ascending, a figure descending; choosing the same column again reverses the order. */
export function sortSearch(current: Filters['sort'], field: string): Pick<FinancialsSearch, 'sort' | 'order'> {
  const first = field === NAME_FIELD ? 'asc' : 'desc'
  const order = current.field === field ? (current.order === 'asc' ? 'desc' : 'asc') : first
  return { sort: field === TOTAL ? undefined : field, order: order === first ? undefined : order }
}

/** The characters of a typed postcode: digits, and letters if the country uses them. */
export function cleanPostcode(country: Country, typed: string): string {
  const allowed = country === 'GB' ? /[^0-9A-Z, ]/g : /[^0-9, ]/g
  return typed.toUpperCase().replace(allowed, '')
}
