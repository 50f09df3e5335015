import { Refusal } from '@pillar/contract'
import { CATEGORIES, type Category } from '@pillar/domain/dispensing/category'
import { type Day, day as dayOf, formatDay } from '@pillar/domain/time/day'
import type { Country } from '@pillar/domain/time/locale'
import {
  beginsBeforeData,
  cutTo,
  type Period,
  type PeriodChoice,
  periodLabel,
  periodOf,
} from '@pillar/domain/time/period'
import { dayIn } from '@pillar/domain/time/zone'
import { isFresh } from '@pillar/domain/upload/upload-state'
import type { Tx } from '../../db/database.ts'
import { calendarOf } from '../../db/local-calendar.ts'
import { resolveLocations } from '../location/location.queries.ts'
import { periodCode } from '../metrics/spans.ts'
import { categoryId } from '../metrics/subcategory.queries.ts'
import { listPharmacies, type PharmacyRow } from './financials.queries.ts'

export interface SpanAnswer {
  key: string
  label: string
  from: string
  to: string
  ends: string
  running: boolean
}

/** The resolved subject of a financial call: existing pharmacies that belong to the caller, and real dates. */
export interface Selection {
  pharmacies: PharmacyRow[]
  ids: number[]
  period: Period
  code: number
  span: SpanAnswer
  /** Newest day for which any of the pharmacies has data. */
  dataTo: Day | null
  oldestDataTo: Day | null
}

/** Resolves the pharmacies and the period. Refuses with not_found for a pharmacy outside the scope. */
export async function select(
  tx: Tx,
  country: Country,
  choice: PeriodChoice,
  uuids: readonly string[],
): Promise<Selection> {
  const wanted = [...new Set(uuids.map((uuid) => uuid.toLowerCase()))]
  const ids = await resolveLocations(tx, wanted)
  const pharmacies = await listPharmacies(tx, ids)
  const reached = pharmacies.flatMap((pharmacy) => (pharmacy.data_to ? [dayOf(pharmacy.data_to)] : []))
  const dataTo = reached.length > 0 ? Math.max(...reached) : null
  const oldestDataTo = reached.length > 0 ? Math.min(...reached) : null
  const period = periodOf(country, choice)
  return {
    pharmacies,
    ids,
    period,
    code: periodCode(period),
    span: spanAnswer(country, choice, period, dataTo),
    dataTo,
    oldestDataTo,
  }
}

/** The period in the answer: `to` is the end of the data while the period still runs. */
export function spanAnswer(country: Country, choice: PeriodChoice, period: Period, dataTo: Day | null): SpanAnswer {
  const cut = (dataTo !== null && cutTo(period, dataTo)) || period
  return {
    key: period.key,
    label: periodLabel(country, choice),
    from: formatDay(period.from),
    to: formatDay(cut.to),
    ends: formatDay(period.to),
    running: cut.to < period.to,
  }
}

/** A pharmacy is late if it has no data, or they end more than one business day ago in its zone. */
export function isLate(pharmacy: PharmacyRow, now: Date): boolean {
  const last = pharmacy.data_to === null ? null : dayOf(pharmacy.data_to)
  return !isFresh(last, dayIn(pharmacy.time_zone, now))
}

/** Ids of the pharmacies whose data begin late: at least one business day of the period comes before. They are not compared. */
export function begunLate({ pharmacies, period }: Pick<Selection, 'pharmacies' | 'period'>): Set<number> {
  const late = pharmacies.filter((pharmacy) => {
    const dataFrom = pharmacy.data_from === null ? null : dayOf(pharmacy.data_from)
    return beginsBeforeData(period.from, dataFrom, calendarOf(pharmacy).holidays)
  })
  return new Set(late.map((pharmacy) => pharmacy.id))
}

/** How many pharmacies' data begin within the period, after its start. */
export function begunWithin(selection: Pick<Selection, 'pharmacies' | 'period'>): number {
  const begun = begunLate(selection)
  const { to } = selection.period
  return selection.pharmacies.filter(({ id, data_from }) => begun.has(id) && data_from && dayOf(data_from) <= to).length
}

/** The stored number of a category by its name. Refuses an unknown name with invalid. */
export function categoryNamed(name: string): { category: Category; id: number } {
  const category = CATEGORIES.find((known) => known === name)
  if (!category) {
    throw new Refusal('invalid', `There is no category "${name}". Choose ${CATEGORIES.join(', ')}.`, {
      errors: { category: ['Unknown category'] },
    })
  }
  return { category, id: categoryId(category) }
}
