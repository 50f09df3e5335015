import { ratio } from './baseline.ts'

/** A subcategory is ranked from this many scripts and patients on. */
export const MIN_RANKED_SCRIPTS = 30
export const MIN_RANKED_PATIENTS = 10
export const RANKED_COUNT = 5

export interface Rankable {
  readonly category: string
  readonly scripts: number
  readonly patients: number
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
    readonly revenue: number
  }[]
  readonly total: { readonly adherentPercent: number | null; readonly revenue: number }
}

/**
 * Best and worst subcategories by share of adherent scripts, ties by revenue (larger first). Of those with at least 30
 * scripts, 10 patients and a measured share: best the top 5, worst the bottom 5 (worst first), none in both; with fewer
 * than 10 each side takes half, the middle one going to best.
 */
export function rankCategories(all: readonly Rankable[]): { best: Ranked; worst: Ranked } {
  const eligible = all.filter(
    (item) => item.scripts >= MIN_RANKED_SCRIPTS && item.patients >= MIN_RANKED_PATIENTS && item.measuredScripts > 0,
  )
  const share = (item: Rankable) => item.adherentScripts / item.measuredScripts
  const byRevenue = (a: Rankable, b: Rankable) => b.revenue - a.revenue || (a.category < b.category ? -1 : 1)
  const descending = [...eligible].sort((a, b) => share(b) - share(a) || byRevenue(a, b))
  const best = descending.slice(0, Math.min(RANKED_COUNT, Math.ceil(eligible.length / 2)))
  const worstCount = Math.min(RANKED_COUNT, Math.floor(eligible.length / 2))
  const worst = descending.slice(descending.length - worstCount).sort((a, b) => share(a) - share(b) || byRevenue(a, b))
  return { best: rankedOf(best), worst: rankedOf(worst) }
}

function rankedOf(items: readonly Rankable[]): Ranked {
  const sum = (field: 'adherentScripts' | 'measuredScripts' | 'revenue') =>
    items.reduce((n, item) => n + item[field], 0)
  return {
    categories: items.map((item) => ({
      category: item.category,
      adherentPercent: item.adherentScripts / item.measuredScripts,
      revenue: item.revenue,
    })),
    total: { adherentPercent: ratio(sum('adherentScripts'), sum('measuredScripts')), revenue: sum('revenue') },
  }
}
