import { ratio } from './baseline.ts'
import { type Interval, MIN_SURE_N, wilson } from './interval.ts'

export const RANKED_COUNT = 5

export interface Rankable {
  readonly category: string
  /** Patients measured on a molecule: the observations behind the share. */
  readonly measuredPairs: number
  /** Scripts of measured pairs, and of those with at least 80% of days covered. */
  readonly measuredScripts: number
  readonly adherentScripts: number
  /** In currency. */
  readonly revenue: number
}

export interface Ranked {
  readonly categories: readonly {
    readonly category: string
    readonly adherentPercent: number
    readonly pairs: number
    readonly interval: Interval
    readonly revenue: number
  }[]
  readonly total: {
    readonly adherentPercent: number | null
    readonly pairs: number
    readonly interval: Interval | null
    readonly revenue: number
  }
}

/**
 * Best and worst subcategories by share of adherent scripts, of those with at least 30 measured pairs and a script of
 * one: best the top 5 by the lower bound of the 95% interval, worst the bottom 5 by the upper bound (worst first), ties
 * by revenue (larger first). None in both: best is taken first; with fewer than 10 each side takes half, the odd one
 * going to best. (Own rule, docs/decisions/033.)
 */
export function rankCategories(all: readonly Rankable[]): { best: Ranked; worst: Ranked } {
  const eligible = all
    .filter((item) => item.measuredPairs >= MIN_SURE_N && item.measuredScripts > 0)
    .map((item) => ({ item, ...wilson(item.adherentScripts / item.measuredScripts, item.measuredPairs) }))
  type Bounded = (typeof eligible)[number]
  const byRevenue = ({ item: a }: Bounded, { item: b }: Bounded) =>
    b.revenue - a.revenue || (a.category < b.category ? -1 : 1)
  const falling = [...eligible].sort((a, b) => b.low - a.low || byRevenue(a, b))
  const bestCount = Math.min(RANKED_COUNT, Math.ceil(eligible.length / 2))
  const worstCount = Math.min(RANKED_COUNT, Math.floor(eligible.length / 2))
  const rising = falling.slice(bestCount).sort((a, b) => a.high - b.high || byRevenue(a, b))
  return { best: rankedOf(falling.slice(0, bestCount)), worst: rankedOf(rising.slice(0, worstCount)) }
}

function rankedOf(ranked: readonly { item: Rankable; low: number; high: number }[]): Ranked {
  const sum = (field: 'adherentScripts' | 'measuredScripts' | 'measuredPairs' | 'revenue') =>
    ranked.reduce((n, { item }) => n + item[field], 0)
  const pairs = sum('measuredPairs')
  const adherentPercent = ratio(sum('adherentScripts'), sum('measuredScripts'))
  return {
    categories: ranked.map(({ item, low, high }) => ({
      category: item.category,
      adherentPercent: item.adherentScripts / item.measuredScripts,
      pairs: item.measuredPairs,
      interval: { low, high },
      revenue: item.revenue,
    })),
    total: {
      adherentPercent,
      pairs,
      interval: adherentPercent === null ? null : wilson(adherentPercent, pairs),
      revenue: sum('revenue'),
    },
  }
}
