import { type Target, target } from '@pillar/contract/target'
import { TARGET_FIGURES, type TargetFigure } from '@pillar/domain/target/target'
import type { PeriodChoice } from '@pillar/domain/time/period'
import type { ReactNode } from 'react'
import { useRead } from '../../api/client.ts'
import { notLoaded } from '../../kit/display/Loaded.tsx'

/** Whose targets are meant: null for the company's, the id of a pharmacy, undefined for a selection that has none. */
export type Whose = string | null | undefined

/** Whose targets can be held against the figures of some of all pharmacies. */
export function whoseTargets(ids: readonly string[], all: number): Whose {
  if (ids.length === all) return null
  return ids.length === 1 ? ids[0] : undefined
}

export type Targets = Partial<Record<TargetFigure, Target>>

interface ReadTargets {
  /** None while they load, and for a selection that has none. */
  targets: Targets
  /** Why they could not be read, with the way to try again. */
  failed: ReactNode
}

/** The targets of a period, by figure. */
export function useTargets(choice: PeriodChoice, whose: Whose): ReadTargets {
  const asked = { ...choice, pharmacy_id: whose ?? null }
  const read = useRead(target.list, asked, { enabled: whose !== undefined })
  const set = whose === undefined ? [] : (read.data?.targets ?? [])
  return {
    targets: Object.fromEntries(set.map((one) => [one.figure, one])),
    failed: whose === undefined ? null : notLoaded('the targets', read),
  }
}

const isTargetFigure = (figure: string): figure is TargetFigure => TARGET_FIGURES.some((one) => one === figure)

/** A monthly target: of the whole month, and of sums what it asks of one pharmacy on one business day. */
export interface MonthTarget {
  readonly target: number
  readonly per_business_day: number | null
}

/**
 * The monthly targets of a figure as a line of a chart: one a month, null where none is set.
 * @param figure one that has no targets answers null throughout
 * @param months such as '2026-11', in the chart's order
 */
export function useTargetLine(figure: string, whose: Whose, months: readonly string[]): (MonthTarget | null)[] {
  const known = isTargetFigure(figure) ? figure : null
  const asked = { figure: known ?? 'revenue', pharmacy_id: whose ?? null }
  const enabled = known !== null && whose !== undefined
  const { data } = useRead(target.line, asked, { enabled })
  const byMonth = new Map(enabled ? data?.months.map((one) => [one.month, one]) : [])
  return months.map((month) => byMonth.get(month) ?? null)
}
