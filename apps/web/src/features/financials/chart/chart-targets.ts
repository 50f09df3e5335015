import { type Target, target } from '@pillar/contract/target'
import { TOTAL } from '@pillar/domain/dispensing/category'
import { isShare, type Statistic } from '@pillar/domain/figure/format'
import type { TargetFigure } from '@pillar/domain/target/target'
import { useRead } from '../../../api/client.ts'
import type { RankedRow } from '../../../kit/chart/draw/ranked-bars.ts'
import { shortId } from '../../../shared/paths.ts'
import type { Filters } from '../search.ts'

/** The target figure that a statistic shows; the share of scripts from adherent patients has none. */
const FIGURES: Readonly<Partial<Record<Statistic, TargetFigure>>> = {
  Revenue: 'revenue',
  'Number of Scripts': 'scripts',
  Loyalty: 'loyalty',
}

/** The targets of the column on screen, for the company and each pharmacy; none for a subcategory. */
export function useChartTargets({ choice, statistic }: Filters, field: string): readonly Target[] {
  const figure = field === TOTAL ? FIGURES[statistic] : undefined
  const { data } = useRead(target.list, { ...choice, all: true }, { enabled: figure !== undefined })
  return figure === undefined ? [] : (data?.targets.filter((one) => one.figure === figure) ?? [])
}

/** The bars, each with its pharmacy's target. */
export function withTargets(bars: readonly RankedRow[], targets: readonly Target[]): RankedRow[] {
  const own = new Map(targets.flatMap((one) => (one.pharmacy_id === null ? [] : [[shortId(one.pharmacy_id), one]])))
  return bars.map((bar) => {
    const found = own.get(bar.id)
    return found ? { ...bar, target: { whole: found.target, byNow: found.expected, words: found.words } } : bar
  })
}

/** Whether all pharmacies of the company are on screen, so that its own target applies to them. */
const isWhole = ({ states, postcodes, chosen, without }: Filters) =>
  chosen === null && states.length + postcodes.length + without.length === 0

/**
 * The lines to compare dots with: the company's target (for sums the part due by now, per pharmacy), and the target of the highlighted pharmacy.
 * @param pharmacies how many are on screen
 */
export function targetLines(filters: Filters, targets: readonly Target[], pharmacies: number) {
  const group = isWhole(filters) ? targets.find(({ pharmacy_id }) => pharmacy_id === null) : undefined
  const own = targets.find(({ pharmacy_id }) => pharmacy_id !== null && shortId(pharmacy_id) === filters.mark)
  const sums = !isShare(filters.statistic)
  const byNow = (one: Target) => (sums && one.business_days_elapsed < one.business_days ? ' by now' : '')
  return [
    ...(group && group.expected !== null && pharmacies > 0
      ? [
          {
            label: `Company target${byNow(group)}${sums ? ', per pharmacy' : ''}`,
            value: sums ? group.expected / pharmacies : group.expected,
          },
        ]
      : []),
    ...(own && own.expected !== null ? [{ label: `Its target${byNow(own)}`, value: own.expected }] : []),
  ]
}
