import { pooled, type SixtyDaySums } from '@pillar/domain/sixty-day/figure'

/** Sums the rows of several places by the name of their column. */
export function pooledByName(
  rows: readonly (SixtyDaySums & { name: string | null })[],
): (SixtyDaySums & { name: string })[] {
  const named = Map.groupBy(rows, ({ name }) => name ?? '')
  return [...named].map(([name, own]) => ({ ...pooled(own), name }))
}
