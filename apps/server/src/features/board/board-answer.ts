import type { BoardData } from '@pillar/contract/board'
import { daysInMonth, formatDay, fromYmd } from '@pillar/domain/time/day'
import type { Country } from '@pillar/domain/time/locale'
import { periodOf } from '@pillar/domain/time/period'
import type { OwnDashboard, Publication } from './board.queries.ts'
import type { From, MonthParts, Product, YearParts } from './publication.ts'

type Is = (product: Product) => boolean
interface Group<P> {
  period: number
  pharmacies: number
  parts: P
}

/** The most products of others drawn beside a company's own. */
const MOST_LINES = 5
const MOST_CLASSES = 15

/** Separates the months and years a company has been shown. */
export function sorted(publications: readonly Publication[]) {
  const kind = (month: boolean) => publications.filter(({ period }) => (period % 100 !== 0) === month)
  return { months: kind(true) as Group<MonthParts>[], years: kind(false) as Group<YearParts>[] }
}

/** The sum of the bundles that contain any of these products; null if one of them also contains something else, or none may be shown. */
function sumOf<O extends readonly string[]>(
  bundles: readonly { of: readonly O[]; n: number }[],
  is: (of: O) => boolean,
): number | null {
  if (bundles.length === 0) return null
  let sum = 0
  for (const { of, n } of bundles) {
    const inside = of.filter(is).length
    if (inside === 0) continue
    if (inside < of.length) return null
    sum += n
  }
  return sum
}

/** The classes a board may be about: the supplier's own, or the largest. */
export function classesOf(months: readonly Group<MonthParts>[], { dashboard_type, products }: OwnDashboard): string[] {
  const sizes = new Map<string, number>()
  for (const { parts } of months.slice(-12))
    for (const { of, n } of parts.scripts) {
      const names = new Set(of.map(([drugClass]) => drugClass))
      const owned = of.some(([, , own]) => products.includes(own))
      if (names.size > 1 || (dashboard_type === 'Supplier' && !owned)) continue
      sizes.set(of[0]![0], (sizes.get(of[0]![0]) ?? 0) + n)
    }
  return [...sizes]
    .sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
    .slice(0, MOST_CLASSES)
    .map(([name]) => name)
}

/** Shares, scripts and seasons of a class over the months. */
export function monthsAnswer(groups: readonly Group<MonthParts>[], drugClass: string, dashboard: OwnDashboard) {
  const isClass: Is = ([name]) => name === drugClass
  const byMonth = [...Map.groupBy(groups, (group) => group.period)].sort(([a], [b]) => a - b)
  const months = byMonth.map(([period, own]) => {
    const open = own.filter(({ parts }) => sumOf(parts.scripts, isClass) !== null)
    const scripts = open.reduce((sum, { parts }) => sum + (sumOf(parts.scripts, isClass) ?? 0), 0)
    const pharmacies = open.reduce((sum, one) => sum + one.pharmacies, 0)
    return { period, open, pharmacies, scripts: open.length === 0 ? null : scripts }
  })
  const lines = linesOf(months, drugClass, dashboard).map(({ is, ...line }) => ({
    ...line,
    values: months.map(({ open }) => shareIn(open, isClass, is)),
  }))
  return {
    months: months.map(({ period }) => monthKey(period)),
    pharmacies: byMonth.map(([, own]) => own.reduce((sum, one) => sum + one.pharmacies, 0)),
    scripts: months.map((month) => month.scripts),
    shares: lines.filter(({ values }) => values.some((value) => value !== null)),
    seasons: seasonsOf(months),
  }
}

interface Month {
  period: number
  open: readonly Group<MonthParts>[]
  pharmacies: number
  scripts: number | null
}

/** A share over the groups that show both its numerator and its denominator. */
function shareIn(open: readonly Group<MonthParts>[], whole: Is, is: Is): number | null {
  let [part, all] = [0, 0]
  for (const { parts } of open) {
    const own = sumOf(parts.scripts, is)
    if (own === null) continue
    part += own
    all += sumOf(parts.scripts, whole) ?? 0
  }
  return all === 0 ? null : part / all
}

/** The lines of the chart: the supplier's products first, then the largest others; by molecule for everybody else. */
function linesOf(months: readonly Month[], drugClass: string, { dashboard_type, products }: OwnDashboard) {
  const supplier = dashboard_type === 'Supplier'
  const sizes = new Map<string, number>()
  const owns = new Set<string>()
  const besides = new Set<string>()
  for (const { open } of months.slice(-12))
    for (const { parts } of open)
      for (const { of, n } of parts.scripts)
        for (const [name, molecule, own] of of) {
          if (name !== drugClass) continue
          if (supplier && products.includes(own)) {
            owns.add(own)
            besides.add(molecule)
          } else sizes.set(molecule, (sizes.get(molecule) ?? 0) + n / of.length)
        }
  const own = [...owns]
    .sort()
    .map((label) => ({ label, own: true, is: (([name, , one]) => name === drugClass && one === label) as Is }))
  const others = [...sizes]
    .sort((a, b) => b[1] - a[1])
    .slice(0, Math.max(1, MOST_LINES - own.length))
    .map(([molecule]) => ({
      label: besides.has(molecule) ? othersOf(molecule) : molecule,
      own: false,
      is: (([name, one, label]) =>
        name === drugClass && one === molecule && !(supplier && products.includes(label))) as Is,
    }))
  return [...own, ...others]
}

/** Scripts per day and pharmacy by calendar month, where 100 is the mean of all; null for a month never shown. */
function seasonsOf(months: readonly Month[]): (number | null)[] {
  const rates = months.flatMap(({ period, scripts, pharmacies }) => {
    const [year, month] = [Math.floor(period / 100), period % 100]
    return scripts === null ? [] : [{ month, rate: scripts / pharmacies / daysInMonth(year, month) }]
  })
  const mean = rates.reduce((sum, one) => sum + one.rate, 0) / rates.length
  return Array.from({ length: 12 }, (_, at) => {
    const own = rates.filter((one) => one.month === at + 1)
    return own.length === 0 ? null : (own.reduce((sum, one) => sum + one.rate, 0) / own.length / mean) * 100
  })
}

/** The last year whose journeys are known: who came from where, and how long they stayed in its largest group. */
export function yearAnswer(
  groups: readonly Group<YearParts>[],
  drugClass: string,
  country: Country,
): BoardData['year'] {
  const last = groups.at(-1)
  if (!last) return null
  const { from, to } = periodOf(country, { year: Math.floor(last.period / 100) })
  const own = groups.filter((group) => group.period === last.period)
  const known = own.flatMap(({ parts }) => parts.arrivals.flatMap(({ of }) => of))
  const products = new Map(
    known.filter(([name]) => name === drugClass).map(([a, b, c]) => [`${b}|${c}`, [a, b, c] as const]),
  )
  const besides = new Set([...products.values()].filter(([, , own]) => own !== '').map(([, molecule]) => molecule))
  const arrivals = [...products.values()].map((product) => {
    // People who left one of the supplier's products for another company's share one row, which knows nothing else (`arrivalOf`).
    const leavers = product[1] === ''
    const count = (...from: From[]) => {
      if (product[2] === '' && from.includes('own') !== leavers) return null
      const sums = own.map(({ parts }) =>
        sumOf(
          parts.arrivals,
          ([a, b, c, d]) => a === product[0] && b === product[1] && c === product[2] && from.includes(d),
        ),
      )
      const shown = sums.filter((sum) => sum !== null)
      return shown.length === 0 ? null : shown.reduce((sum, one) => sum + one, 0)
    }
    const [fresh, from_other] = [count('new'), count('other')]
    const together = fresh === null || from_other === null ? count('new', 'other') : null
    const name = nameOf(product)
    const label = besides.has(product[1]) && !name.own ? othersOf(product[1]) : name.label
    return { ...name, label, fresh, from_own: count('own'), from_other, together }
  })
  const largest = own.reduce((most, group) => (group.pharmacies > most.pharmacies ? group : most))
  const curves = largest.parts.curves
    .filter(({ of }) => of[0] === drugClass)
    .map(({ of, began, points }) => ({ ...nameOf(of), began, points }))
  const size = (one: (typeof arrivals)[number]) =>
    (one.own ? 1e9 : 0) + (one.fresh ?? 0) + (one.from_other ?? 0) + (one.from_own ?? 0) + (one.together ?? 0)
  return {
    ...{ from: formatDay(from), to: formatDay(to) },
    arrivals: arrivals.sort((a, b) => size(b) - size(a)).slice(0, 8),
    curves: curves.sort((a, b) => Number(b.own) - Number(a.own) || b.began - a.began).slice(0, MOST_LINES),
  }
}

/** The products of a molecule besides the supplier's. */
const othersOf = (molecule: string): string => `${molecule}, others`

const nameOf = ([, molecule, own]: Product) => ({
  label: own || molecule || 'Others’ products',
  own: own !== '',
})

/** '2026-10' of 202610. */
export const monthKey = (period: number): string =>
  formatDay(fromYmd(Math.floor(period / 100), period % 100, 1)).slice(0, 7)

/** Aligns values with the months of a board; null for missing ones. */
export function onMonths<T extends { period: number }>(
  months: readonly string[],
  rows: readonly T[],
  valueIn: (row: T) => number | null,
): (number | null)[] {
  const known = new Map(rows.map((row) => [monthKey(row.period), valueIn(row)]))
  return months.map((month) => known.get(month) ?? null)
}
