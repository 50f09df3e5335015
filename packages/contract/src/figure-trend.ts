import { FIGURE_KEYS, FIGURE_UNITS } from '@pillar/domain/figure/figure-list'
import { z } from 'zod'
import { bound } from './figure.ts'
import { periodFields, pharmacyIds, Span } from './period.ts'
import { read } from './wire/call.ts'

const value = z.number().nullable()

/** One month of a figure, over all pharmacies selected. */
export const TrendMonth = z.object({
  /** '2026-10' */
  month: z.string(),
  /** First and last day; the running month ends with the newest data. */
  from: z.iso.date(),
  to: z.iso.date(),
  running: z.boolean(),
  /** Null without data, and for a share of fewer than 10. */
  value,
  /** The same dates a year earlier; null unless every pharmacy counted has complete data both times, so that the two may be drawn together. */
  previous: value,
  /**
   * Change against a year earlier over the pharmacies that take part: a rate, or for a fraction the difference (0.006 is 0.6 points).
   * Null when none takes part.
   */
  change: value,
  /** What a share rests on, and its 95% interval; null for what is no share. */
  n: z.number().nullable(),
  low: bound,
  high: bound,
  /** Business days on which something was dispensed, added up over the pharmacies. */
  business_days: z.number(),
  /** Value ÷ those days: what one pharmacy does on one of its business days. Null for what does not add up over days. */
  per_business_day: value,
  /** The same a year earlier; null where `previous` is. */
  previous_per_business_day: value,
  /**
   * What is drawn as the year before, in the unit of what is drawn beside it. Where only some pharmacies have complete data both times,
   * and at least half, it is like for like: this month's, taken back by their change. Null for fewer.
   */
  year_before: value,
  pharmacies_counted: z.number(),
  /** Pharmacies with complete data both times. */
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
    /** Ends with the month of the period's last day, oldest first. */
    months: z.array(TrendMonth).length(24),
    period: Span,
    data_to: z.iso.date().nullable(),
    pharmacies: z.number(),
  }),
})
