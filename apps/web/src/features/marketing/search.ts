import { calendarPeriod, calendarYears, currentCalendar } from '@pillar/domain/time/calendar-period'
import type { Day } from '@pillar/domain/time/day'
import { choiceOf, kindOf, type PeriodChoice } from '@pillar/domain/time/period'
import * as z from 'zod/mini'
import { dialogFields } from '../../frame/dialog-address.ts'
import {
  idsField,
  idsIn,
  idsText,
  isPicked,
  known,
  pageField,
  shortPick,
  textField,
} from '../../shared/search-field.ts'
import { firstOrder, SORT_FIELDS, type Sort } from '../attribution/message-sort.ts'

const text = textField(8000)

/** What the address bar may contain. */
export const campaignsSearch = z.object({
  period: text,
  pharmacies: idsField,
  find: text,
  sort: known(z.enum(SORT_FIELDS)),
  order: known(z.enum(['asc', 'desc'])),
  page: pageField,
  ...dialogFields,
})
export type CampaignsSearch = z.output<typeof campaignsSearch>

/** The screen's filters, read from the address bar. */
export interface Filters {
  readonly choice: PeriodChoice
  /** The selected pharmacies, as `shortPick` has them; null for all. */
  readonly chosen: readonly string[] | null
  readonly find: string
  readonly sort: Sort
  readonly page: number
}

/** A choice the picker could have made: within the years offered, and already begun. */
function offered(choice: PeriodChoice | null, today: Day): PeriodChoice | null {
  if (choice === null || !calendarYears(today).includes(choice.year)) return null
  return calendarPeriod(choice).from > today ? null : choice
}

/** The filters in an address. Without a period, or with one that is not offered, it is the running month. */
export function filtersOf(search: CampaignsSearch, today: Day): Filters {
  const field = search.sort ?? 'revenue'
  return {
    choice: offered(choiceOf(String(search.period ?? '')), today) ?? currentCalendar(today),
    chosen: search.pharmacies === undefined ? null : idsIn(search.pharmacies),
    find: String(search.find ?? ''),
    sort: { field, order: search.order ?? firstOrder(field) },
    page: search.page ?? 1,
  }
}

/** The part of the address that sets a period; nothing for the running month. */
export function periodSearch(choice: PeriodChoice, today: Day): Pick<CampaignsSearch, 'period'> {
  const key = keyOf(choice)
  return { period: key === keyOf(currentCalendar(today)) ? undefined : key }
}

/** '2026-11', '2026Q4', or the year as a number, so that the address reads period=2026 without quotes. */
function keyOf(choice: PeriodChoice): string | number {
  const kind = kindOf(choice)
  if (kind === 'month') return `${choice.year}-${String(choice.month).padStart(2, '0')}`
  return kind === 'quarter' ? `${choice.year}Q${choice.quarter}` : choice.year
}

/** The pharmacies behind short ids; all of them if none is selected, or none of the selected ones still exists. */
export function pickedOf<P extends { uuid: string }>(
  all: readonly P[],
  chosen: readonly string[] | null,
): readonly P[] {
  if (chosen === null) return all
  const picked = all.filter(({ uuid }) => isPicked(chosen, uuid))
  return picked.length === 0 ? all : picked
}

/** The part of the address that picks these pharmacies; nothing for all of them, or none. */
export function pharmacySearch(
  all: readonly { uuid: string }[],
  ids: readonly string[],
): Pick<CampaignsSearch, 'pharmacies'> {
  const short = shortPick(
    all.map(({ uuid }) => uuid),
    ids,
  )
  const text = idsText(short)
  const plain = /^[1-9]\d{0,14}$/.test(text) ? Number(text) : text
  return { pharmacies: short.length === 0 ? undefined : plain }
}
