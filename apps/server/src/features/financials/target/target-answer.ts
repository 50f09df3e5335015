import type { Target } from '@pillar/contract/target'
import { dueOn } from '@pillar/domain/average/average-period'
import {
  type Actual,
  type Days,
  neededText,
  standingOf,
  standingText,
  TARGET_FIGURES,
  TARGET_RULES,
  type TargetFigure,
} from '@pillar/domain/target/target'
import { type Day, day as dayOf } from '@pillar/domain/time/day'
import { type Country, formatPercent } from '@pillar/domain/time/locale'
import { businessDaysIn, choiceOf, cutTo, type Period, type PeriodChoice, periodOf } from '@pillar/domain/time/period'
import type { Tx } from '../../../db/database.ts'
import { calendarOf } from '../../../db/local-calendar.ts'
import { periodCode } from '../../metrics/spans.ts'
import { money, shareOf, to2 } from '../cells.ts'
import { listPharmacies, type PharmacyRow } from '../financials.queries.ts'
import { countedOnce, headlineOnce } from '../people.queries.ts'
import { spanAnswer } from '../selection.ts'
import {
  monthTargets,
  sendersOfCost,
  type TargetRow,
  type TargetSums,
  targetSums,
  targetsOf,
  type Whose,
} from './target.queries.ts'

/** The targets of a period with each figure's progress: the company's first, then by pharmacy, in the order of the figures. */
export async function targetsAnswer(
  tx: Tx,
  { country, today }: Pick<Where, 'country' | 'today'>,
  choice: PeriodChoice,
  whose: Whose,
): Promise<Target[]> {
  const period = periodOf(country, choice)
  const found = await targetsOf(tx, period.key, whose)
  if (found.length === 0) return []
  const group = found.some(({ location_id }) => location_id === null)
  const own = found.flatMap(({ location_id }) => (location_id === null ? [] : [Number(location_id)]))
  const pharmacies = await listPharmacies(tx, group ? undefined : own)
  const sums = await targetSums(tx, periodCode(period), group ? null : own)
  const once = group ? await sumsOnce(tx, pharmacies, periodCode(period)) : []
  const where = { country, choice, period, today }
  return found
    .flatMap((row) => {
      const places = row.location_id === null ? pharmacies : pharmacies.filter(({ id }) => id === row.location_id)
      // The targets of a pharmacy that has left the company are not shown.
      if (row.location_id !== null && places.length === 0) return []
      return [targetAnswer(row, places, row.location_id === null ? [...sums, ...once] : sums, where)]
    })
    .sort(
      (a, b) =>
        Number(a.pharmacy_id !== null) - Number(b.pharmacy_id !== null) ||
        (a.pharmacy_name ?? '').localeCompare(b.pharmacy_name ?? '', 'en') ||
        TARGET_FIGURES.indexOf(a.figure) - TARGET_FIGURES.indexOf(b.figure),
    )
}

/** The correction for counting people once in the company's own targets: sums over all of its pharmacies. */
async function sumsOnce(tx: Tx, pharmacies: readonly PharmacyRow[], code: number): Promise<TargetSums[]> {
  const ids = pharmacies.map(({ id }) => id)
  const once = (await countedOnce(tx, ids, [code])).get(code)?.all
  if (!once) return []
  const { adherent, non_adherent } = headlineOnce(once)
  const none = {
    revenue_cents: 0,
    scripts: 0,
    here_slots: 0,
    costed_scripts: 0,
    costed_revenue_cents: 0,
    cost_cents: 0,
  }
  return [{ ...none, location_id: ids[0] as number, adherent, non_adherent, leaked_slots: once.leaked_slots }]
}

interface Where {
  country: Country
  choice: PeriodChoice
  period: Period
  today: Day
}

function targetAnswer(
  row: TargetRow,
  places: readonly PharmacyRow[],
  sums: readonly TargetSums[],
  where: Where,
): Target {
  const { country, choice, period, today } = where
  const { figure, value } = row
  const of = new Set(places.map(({ id }) => id))
  const own = sums.filter((one) => of.has(one.location_id))
  const actual = actualOf(figure, own)
  const days = daysOf(places, period, today)
  const standing = standingOf(figure, value, actual, days)
  const reached = places.flatMap(({ data_to }) => (data_to ? [dayOf(data_to)] : []))
  const place = row.location_id === null ? null : places[0]!
  return {
    id: row.uuid,
    figure,
    title: TARGET_RULES[figure].title,
    pharmacy_id: place?.uuid ?? null,
    pharmacy_name: place?.name ?? null,
    period: spanAnswer(country, choice, period, reached.length > 0 ? Math.max(...reached) : null),
    target: value,
    actual: actual.value,
    n: actual.n,
    expected: standing.expected,
    gap: standing.gap,
    needed: standing.needed,
    business_days_elapsed: to2(days.elapsed),
    business_days: to2(days.whole),
    state: standing.state,
    words: `${standingText(country, figure, standing)}${knownCost(country, figure, own)}`,
    needed_words: neededText(country, figure, standing),
    set_by: row.set_by,
    set_at: row.set_at.toISOString(),
    version: row.version,
  }
}

/** Gross profit covers only scripts with a known cost: ', cost known for 88% of scripts'; empty if all or none have it. */
function knownCost(country: Country, figure: TargetFigure, sums: readonly TargetSums[]): string {
  const costed = sums.reduce((sum, one) => sum + one.costed_scripts, 0)
  const scripts = sums.reduce((sum, one) => sum + one.scripts, 0)
  if (figure !== 'gross_profit' || costed === 0 || costed >= scripts) return ''
  return `, cost known for ${formatPercent(country, costed / scripts)} of scripts`
}

/** A figure over pharmacies: sums added up, shares pooled. */
function actualOf(figure: TargetFigure, sums: readonly TargetSums[]): Actual {
  const total = (column: Exclude<keyof TargetSums, 'location_id'>) => sums.reduce((sum, one) => sum + one[column], 0)
  if (sums.length === 0) return { value: null, n: TARGET_RULES[figure].unit === 'fraction' ? 0 : null }
  if (figure === 'revenue') return { value: money(total('revenue_cents')), n: null }
  if (figure === 'gross_profit') {
    const known = total('costed_scripts') > 0
    return { value: known ? money(total('costed_revenue_cents') - total('cost_cents')) : null, n: null }
  }
  if (figure === 'scripts') return { value: total('scripts'), n: null }
  const [part, rest] =
    figure === 'loyalty' ? [total('here_slots'), total('leaked_slots')] : [total('adherent'), total('non_adherent')]
  const { value, n } = shareOf(part, part + rest, part + rest)
  return { value, n }
}

/**
 * Business days covered by the data, and in the whole period: the mean over the pharmacies, each by its own public holidays and up to the
 * end of its own data, or all of them once late uploads are no longer waited for; until then the period is open while any data end before
 * it. A pharmacy without any data does not count.
 */
function daysOf(places: readonly PharmacyRow[], period: Period, today: Day): Days {
  const settled = today >= dueOn(period)
  const open = !settled && places.some(({ data_to }) => data_to !== null && dayOf(data_to) < period.to)
  const days = places.flatMap((place) => {
    if (place.data_to === null) return []
    const { holidays } = calendarOf(place)
    const cut = settled ? period : cutTo(period, dayOf(place.data_to))
    return [{ elapsed: cut ? businessDaysIn(cut, holidays) : 0, whole: businessDaysIn(period, holidays) }]
  })
  const mean = (of: 'elapsed' | 'whole') => days.reduce((sum, one) => sum + one[of], 0) / Math.max(1, days.length)
  return { elapsed: mean('elapsed'), whole: mean('whole'), open }
}

/** The monthly targets of a figure, each with what it requires of one pharmacy on one business day, the unit in which its chart draws sums. */
export async function lineAnswer(tx: Tx, country: Country, figure: TargetFigure, whose: Exclude<Whose, 'all'>) {
  const months = await monthTargets(tx, figure, whose)
  if (months.length === 0 || !TARGET_RULES[figure].adds)
    return months.map((one) => ({ ...one, per_business_day: null }))
  const all = await listPharmacies(tx, whose === 'company' ? undefined : [whose])
  const costed = figure === 'gross_profit' ? await sendersOfCost(tx) : null
  const places = costed ? all.filter(({ id }) => costed.has(id)) : all
  return months.map(({ month, target }) => {
    const period = periodOf(country, choiceOf(month)!)
    const days = pharmacyDays(places, period)
    return { month, target, per_business_day: days === 0 ? null : target / days }
  })
}

/** Business days of a whole period, summed over the pharmacies whose data begin before its end. */
function pharmacyDays(places: readonly PharmacyRow[], period: Period): number {
  const known = new Map<ReadonlySet<number>, number>()
  return places.reduce((sum, place) => {
    if (place.data_from === null || dayOf(place.data_from) > period.to) return sum
    const { holidays } = calendarOf(place)
    const days = known.get(holidays) ?? businessDaysIn(period, holidays)
    known.set(holidays, days)
    return sum + days
  }, 0)
}
