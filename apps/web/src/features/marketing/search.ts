import { STATS_SORT_FIELDS } from '@pillar/contract/attribution'
import { calendarPeriod, calendarYears, currentCalendar } from '@pillar/domain/time/calendar-period'
import type { Day } from '@pillar/domain/time/day'
import { choiceOf, kindOf, type PeriodChoice } from '@pillar/domain/time/period'
import * as z from 'zod/mini'

/** The dialogs of the screen, as the address bar spells them. */
export const DIALOG_NAMES = [
  'campaigns',
  'new-campaign',
  'edit-campaign',
  'templates',
  'new-template',
  'edit-template',
  'recommendations',
  'replies',
  'sms-cost',
  'ai-help',
  'sending-rules',
] as const
export type DialogName = (typeof DIALOG_NAMES)[number]

/** Columns the table sorts by, as the server names them. */
export const SORT_FIELDS = STATS_SORT_FIELDS
export type SortField = (typeof SORT_FIELDS)[number]
export interface Sort {
  readonly field: SortField
  readonly order: 'asc' | 'desc'
}

// The router reads a value of digits alone as a number; a hand-written address may hold either.
const text = z.catch(z.optional(z.union([z.string().check(z.maxLength(8000)), z.number()])), undefined)
const id = z.catch(z.optional(z.uuid()), undefined)

/** What the address bar may hold. A value it does not know is dropped, never refused: an old link still opens. */
export const campaignsSearch = z.object({
  period: text,
  pharmacies: text,
  find: text,
  sort: z.catch(z.optional(z.enum(SORT_FIELDS)), undefined),
  order: z.catch(z.optional(z.enum(['asc', 'desc'])), undefined),
  page: z.catch(z.optional(z.number().check(z.int(), z.minimum(1), z.maximum(100_000))), undefined),
  /** The dialog that is open, and what it is about. */
  dialog: z.catch(z.optional(z.enum(DIALOG_NAMES)), undefined),
  campaign: id,
  template: id,
  recommendation: id,
  type: z.catch(z.optional(z.enum(['campaign', 'template'])), undefined),
  /** Filters of the list inside the dialog. */
  status: z.catch(z.optional(z.enum(['active', 'inactive'])), undefined),
  /** Replies that were read as well. */
  show: z.catch(z.optional(z.enum(['all'])), undefined),
  search: text,
})
export type CampaignsSearch = z.output<typeof campaignsSearch>

/** What belongs to the open dialog and goes with it. */
export const DIALOG_FIELDS = [
  'dialog',
  'campaign',
  'template',
  'recommendation',
  'type',
  'status',
  'show',
  'search',
] as const satisfies readonly (keyof CampaignsSearch)[]
export type DialogSearch = Pick<CampaignsSearch, (typeof DIALOG_FIELDS)[number]>

/** The address after a dialog opens (with what it is about) or, without a name, closes; the screen behind stays as it is. */
export function dialogSearch(
  current: CampaignsSearch,
  name: DialogName | null,
  about: Omit<DialogSearch, 'dialog'> = {},
): CampaignsSearch {
  const next: Record<string, unknown> = { ...current }
  for (const field of DIALOG_FIELDS) delete next[field]
  return (name === null ? next : { ...next, dialog: name, ...about }) as CampaignsSearch
}

/** The screen's filters, read out of the address bar. */
export interface Filters {
  readonly choice: PeriodChoice
  /** Short ids of the pharmacies picked; null for all. */
  readonly chosen: readonly string[] | null
  readonly find: string
  readonly sort: Sort
  readonly page: number
}

/** A choice the picker could have made: within the years offered and begun. */
function offered(choice: PeriodChoice | null, today: Day): PeriodChoice | null {
  if (choice === null || !calendarYears(today).includes(choice.year)) return null
  return calendarPeriod(choice).from > today ? null : choice
}

/** The filters an address stands for; the running month when no period, or one not offered, is named. */
export function filtersOf(search: CampaignsSearch, today: Day): Filters {
  const field = search.sort ?? 'revenue'
  return {
    choice: offered(choiceOf(String(search.period ?? '')), today) ?? currentCalendar(today),
    chosen: search.pharmacies === undefined ? null : String(search.pharmacies).split(',').filter(Boolean),
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

const firstOrder = (field: SortField) => (field === 'name' ? 'asc' : 'desc')

/** Sorting by a column: the name starts ascending, a figure descending, the same column again turns round. */
export function sortSearch(current: Sort, field: SortField): Pick<CampaignsSearch, 'sort' | 'order'> {
  const first = firstOrder(field)
  const order = current.field === field ? (current.order === 'asc' ? 'desc' : 'asc') : first
  return { sort: field === 'revenue' ? undefined : field, order: order === first ? undefined : order }
}

/** How many characters of an id the address bar carries: 48 random bits, so that a hundred pharmacies fit into a link. */
const SHORT = 12

/** The pharmacies that short ids stand for; all of them when none is picked or none of the picked is there any more. */
export function pickedOf<P extends { uuid: string }>(
  all: readonly P[],
  chosen: readonly string[] | null,
): readonly P[] {
  if (chosen === null) return all
  const short = new Set(chosen)
  const picked = all.filter(({ uuid }) => short.has(uuid.slice(-SHORT)))
  return picked.length === 0 ? all : picked
}

/** The part of the address that picks these pharmacies; nothing for all of them, or none. */
export function pharmacySearch(
  all: readonly { uuid: string }[],
  ids: readonly string[],
): Pick<CampaignsSearch, 'pharmacies'> {
  const short = ids.map((uuid) => uuid.slice(-SHORT)).join(',')
  const plain = /^[1-9]\d{0,14}$/.test(short) ? Number(short) : short
  return { pharmacies: ids.length === 0 || ids.length === all.length ? undefined : plain }
}
