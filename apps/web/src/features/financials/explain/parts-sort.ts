import type { ReplyOf } from '@pillar/contract'
import type { financials } from '@pillar/contract/financials'
import type { FigureUnit } from '@pillar/domain/figure/figure-list'
import type { Sorting } from '../../../kit/list/useList.ts'
import { changeOf } from '../figures.ts'

type Line = ReplyOf<typeof financials.explain>['pharmacies'][number]

/** A column by which the pharmacies of an explanation can be sorted. */
export type PartField = 'name' | 'numerator' | 'denominator' | 'value' | 'previous' | 'change'

const VALUES: Readonly<Record<Exclude<PartField, 'name'>, (line: Line, unit: FigureUnit) => number | null>> = {
  numerator: ({ numerator }) => numerator,
  denominator: ({ denominator }) => denominator,
  value: ({ value }) => value,
  previous: ({ previous }) => previous,
  change: ({ now, previous }, unit) => changeOf(unit, now, previous),
}

/** The lines in the order of a column; those without its number come last either way. Without a column they keep the server's order. */
export function sortedParts<L extends Line>(lines: readonly L[], by: Sorting | null, unit: FigureUnit): readonly L[] {
  if (by === null) return lines
  const way = by.order === 'asc' ? 1 : -1
  if (by.field === 'name') return lines.toSorted((a, b) => way * a.pharmacy_name.localeCompare(b.pharmacy_name))
  const of = VALUES[by.field as Exclude<PartField, 'name'>]
  return lines.toSorted((a, b) => {
    const [first, second] = [of(a, unit), of(b, unit)]
    if (first === null || second === null) return Number(first === null) - Number(second === null)
    return way * (first - second)
  })
}
