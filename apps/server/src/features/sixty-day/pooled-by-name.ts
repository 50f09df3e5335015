import { pooled, type SixtyDaySums } from '@pillar/domain/sixty-day/figure'

/** Rows of several places added up by the name of their column. */
export function pooledByName(
  rows: readonly (SixtyDaySums & { name: string | null })[],
): (SixtyDaySums & { name: string })[] {
  const named = Map.groupBy(rows, ({ name }) => name ?? '')
  return [...named].map(([name, own]) => ({ ...pooled(own), name }))
}
