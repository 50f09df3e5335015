import { type Target, target } from '@pillar/contract/target'
import { TARGET_FIGURES, type TargetFigure } from '@pillar/domain/target/target'
import type { PeriodChoice } from '@pillar/domain/time/period'
import type { ReactNode } from 'react'
import { useRead } from '../../api/client.ts'
import { notLoaded } from '../../kit/display/Loaded.tsx'

/** Whose targets: null for the company's, a pharmacy's id, undefined for a selection without targets. */
export type Whose = string | null | undefined

/** Whose targets apply to the figures of some of all pharmacies. */
export function whoseTargets(ids: readonly string[], all: number): Whose {
  if (ids.length === all) return null
  return ids.length === 1 ? ids[0] : undefined
}

export type Targets = Partial<Record<TargetFigure, Target>>

interface ReadTargets {
  /** None while loading, and for a selection without targets. */
  targets: Targets
  /** Why they could not be read, with a way to try again. */
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

/** A monthly target: for the whole month and, for sums, per pharmacy and business day. */
export interface MonthTarget {
  readonly target: number
  readonly per_business_day: number | null
}

interface TargetLine {
  /** One per month, null if none is set. */
  line: (MonthTarget | null)[]
  /** They could not be read, so that none is shown. */
  failed: boolean
}

/**
 * A figure's monthly targets as a line in a chart.
 * @param figure a figure without targets returns null throughout
 * @param months such as '2026-11', in the chart's order
 */
export function useTargetLine(figure: string, whose: Whose, months: readonly string[]): TargetLine {
  const known = isTargetFigure(figure) ? figure : null
  const asked = { figure: known ?? 'revenue', pharmacy_id: whose ?? null }
  const enabled = known !== null && whose !== undefined
  const { data, isError } = useRead(target.line, asked, { enabled })
  const byMonth = new Map(enabled ? data?.months.map((one) => [one.month, one]) : [])
  return { line: months.map((month) => byMonth.get(month) ?? null), failed: enabled && isError && !data }
}
