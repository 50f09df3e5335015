import type { ResultBasis } from '@pillar/contract/campaign/result'
import type { MessageStats } from '@pillar/contract/message/attribution'
import {
  basisOf,
  METHOD_NAMES,
  resultOf,
  revenueRanks,
  roi,
  runRateRevenue,
} from '@pillar/domain/campaign/campaign-result'
import { rateOfChange } from '@pillar/domain/figure/baseline'
import type { PeriodChoice } from '@pillar/domain/time/period'
import type { EarlierStats, StatRow } from './message-stat.queries.ts'

/** A calendar period's number in the database: year * 100 + 0 for the year, + 1..12 for a month, + 21..24 for a quarter. */
export const codeOf = ({ year, month, quarter }: PeriodChoice) => year * 100 + (month ?? (quarter ? 20 + quarter : 0))

/** How a period's revenue is calculated: a period covers many campaigns, so the only comparison is each person's own past year. */
export const PERIOD_METHOD = METHOD_NAMES.run_rate

/** Figures of one pharmacy, or several together. Money in dollars. */
export interface StatFigures {
  sms: number
  email: number
  reach: number
  cost: number
  revenue: number | null
  revenue_change: number | null
  roi: number | null
  /** The cost of messages to people whose revenue is known. */
  roi_cost: number
  result: ResultBasis
}

const SUMS = ['sms', 'email', 'reach', 'sms_parts', 'cost_cents', 'unmeasured_cents', 'earned_people'] as const
const MORE = ['campaign_messages', 'trial_messages', 'normal_messages'] as const

/** Sums over pharmacies; revenue is null until at least one of them has a figure. */
export function sumStats(rows: readonly StatRow[]): Pick<StatRow, (typeof SUMS | typeof MORE)[number]> & {
  revenue_cents: number | null
  expected_cents: number | null
} {
  const sum = (column: (typeof SUMS | typeof MORE)[number]) => rows.reduce((total, row) => total + row[column], 0)
  const earned = rows.filter((row) => row.revenue_cents !== null)
  const money = (column: 'revenue_cents' | 'expected_cents') =>
    earned.length === 0 ? null : earned.reduce((total, row) => total + (row[column] ?? 0), 0)
  return {
    ...(Object.fromEntries([...SUMS, ...MORE].map((column) => [column, sum(column)])) as Pick<
      StatRow,
      (typeof SUMS | typeof MORE)[number]
    >),
    revenue_cents: money('revenue_cents'),
    expected_cents: money('expected_cents'),
  }
}

/**
 * The figures shown for sums: revenue is the dispensing above what the people's own past year suggested; with fewer than 100 people it is
 * not shown. ROI leaves out the cost of people whose revenue is left out. See docs/metrics.md, Messages.
 */
export function figuresOf(row: Pick<StatRow, (typeof SUMS)[number] | 'revenue_cents' | 'expected_cents'>): StatFigures {
  const { revenue_cents: earned, expected_cents: expected } = row
  const rate =
    earned === null || expected === null ? null : runRateRevenue(row.earned_people, earned / 100, expected / 100)
  const result = resultOf([rate], row.reach)
  const revenue = result.found?.revenue ?? null
  const roi_cost = (row.cost_cents - row.unmeasured_cents) / 100
  return {
    sms: row.sms,
    email: row.email,
    reach: row.reach,
    cost: row.cost_cents / 100,
    revenue,
    revenue_change: result.found?.change ?? null,
    roi: roi(revenue, roi_cost),
    roi_cost,
    result: basisOf(result),
  }
}

const COMPARED = ['sms', 'email', 'reach', 'cost_cents'] as const

/** Changes against the year before, for one pharmacy or several; null without anything to compare. See docs/metrics.md, Messages. */
export function changesOf(rows: readonly StatRow[], earlier: ReadonlyMap<number, EarlierStats>) {
  const both = rows.filter((row) => earlier.has(row.id))
  const change = (column: (typeof COMPARED)[number]) => {
    const before = both.map((row) => earlier.get(row.id)![column])
    if (both.length === 0 || before.includes(null)) return null
    const sum = (values: readonly (number | null)[]) => values.reduce<number>((total, value) => total + (value ?? 0), 0)
    return rateOfChange(sum(both.map((row) => row[column])), sum(before))
  }
  return {
    sms_change: change('sms'),
    email_change: change('email'),
    reach_change: change('reach'),
    cost_change: change('cost_cents'),
  }
}

export interface StatsView {
  search: string
  field: 'name' | Exclude<keyof StatFigures, 'result' | 'roi_cost'>
  order: 'asc' | 'desc'
}

/** The rows of the table: ranked among all the pharmacies, then searched by name and sorted; unknown values come last. */
export function statRows(
  rows: readonly StatRow[],
  earlier: ReadonlyMap<number, EarlierStats>,
  view: StatsView,
): MessageStats[] {
  const figures = rows.map(figuresOf)
  const ranks = revenueRanks(rows.map((row, at) => ({ name: row.name, revenue: figures[at]!.revenue })))
  const all = rows.map((row, at) => ({
    rank: ranks[at]!,
    pharmacy_id: row.uuid,
    pharmacy_name: row.name,
    ...figures[at]!,
    ...changesOf([row], earlier),
  }))
  const wanted = view.search.trim().toLowerCase()
  const sign = view.order === 'asc' ? 1 : -1
  const byName = (a: MessageStats, b: MessageStats) => a.pharmacy_name.localeCompare(b.pharmacy_name)
  return all
    .filter((row) => row.pharmacy_name.toLowerCase().includes(wanted))
    .sort((a, b) => {
      if (view.field === 'name') return sign * byName(a, b)
      const [left, right] = [a[view.field], b[view.field]]
      if (left === null || right === null) return Number(left === null) - Number(right === null) || byName(a, b)
      return sign * (left - right) || a.rank - b.rank
    })
}
