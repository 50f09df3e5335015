import { FIGURE_KEYS, FIGURE_UNITS } from '@pillar/domain/figure/figure-list'
import { z } from 'zod'
import { bound } from './figure.ts'
import { periodFields, pharmacyIds, Span } from './period.ts'
import { read } from './wire/call.ts'

const value = z.number().nullable()

/** One month of a figure, over all selected pharmacies. */
export const TrendMonth = z.object({
  /** '2026-10' */
  month: z.string(),
  /** First and last day; the running month ends with the newest data. */
  from: z.iso.date(),
  to: z.iso.date(),
  running: z.boolean(),
  /** Null without data, and for a share of fewer than 10 observations. */
  value,
  /** The same dates a year earlier; null unless every pharmacy counted has complete data for both, so that the two can be drawn together. */
  previous: value,
  /**
   * Change against a year earlier over the pharmacies that take part: a rate, or for a fraction the difference (0.006 is 0.6 points).
   * Null if none takes part.
   */
  change: value,
  /** The observations behind a share, and its 95% interval; null for any other figure. */
  n: z.number().nullable(),
  low: bound,
  high: bound,
  /** Business days with dispensing, added up over the pharmacies. */
  business_days: z.number(),
  /** Value ÷ those days: what one pharmacy does in one of its business days. Null for figures that do not add up over days. */
  per_business_day: value,
  /** The same a year earlier; null where `previous` is. */
  previous_per_business_day: value,
  /**
   * The year-before line, in the unit of the line beside it. If at least half of the pharmacies, but not all, have complete data for both years,
   * it is like for like: this month's value taken back by their change. Null for fewer.
   */
  year_before: value,
  pharmacies_counted: z.number(),
  /** The number of pharmacies with complete data both times. */
  pharmacies_compared: z.number(),
})
export type TrendMonth = z.output<typeof TrendMonth>

export const trend = read({
  path: '/api/enterprise-figure-trend',
  needs: 'data_analytics',
  replica: true,
  heavy: true,
  about: 'One figure over 24 months, each beside the same dates a year earlier.',
  example: { figure: 'revenue', pharmacy_ids: ['01980000-0000-7000-8000-00000000000b'], year: 2026, month: 10 },
  input: z.object({ figure: z.enum(FIGURE_KEYS), pharmacy_ids: pharmacyIds, ...periodFields }),
  output: z.object({
    figure: z.enum(FIGURE_KEYS),
    /** The figure's name, and what it means in a sentence. */
    title: z.string(),
    formula: z.string(),
    unit: z.enum(FIGURE_UNITS),
    /** Whether a running month is compared as a rate per business day (`per_business_day`). */
    rated: z.boolean(),
    /** Oldest first; the last is the month of the period's last day. */
    months: z.array(TrendMonth).length(24),
    period: Span,
    data_to: z.iso.date().nullable(),
    pharmacies: z.number(),
  }),
})
