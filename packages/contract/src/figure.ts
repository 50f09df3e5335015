import { z } from 'zod'

const percent = z.number().nullable()
/** A bound of a 95% Wilson interval, as a fraction to 6 decimals; null if its share is null. */
export const bound = z.number().nullable()

/** A headline number: fractions as 0..1, money in dollars; null if the denominator is 0. */
export const Stat = z.object({
  total: z.number().nullable(),
  rate_of_change: percent,
  /** Last 13 months, oldest first: this year's value and the same month one year earlier. */
  trend: z.array(z.object({ month: z.string(), value: z.number().nullable(), prior: z.number().nullable() })),
})
export type Stat = z.output<typeof Stat>

/**
 * One cell of the pharmacy-by-category table. Money to the cent; a mean number of scripts to 2 decimals. A share and its
 * performance are null when its `n` is under 10, which is too few to tell.
 */
export const Cell = z.object({
  revenue_value: z.number().nullable(),
  script_count: z.number().nullable(),
  adherent_script_percent: percent,
  /** Patients measured on a molecule. */
  adherence_n: z.number(),
  adherence_low: bound,
  adherence_high: bound,
  adherence_performance: percent,
  loyalty_script_percent: percent,
  /** Scripts dispensed here and repeats dispensed elsewhere. */
  loyalty_n: z.number(),
  loyalty_low: bound,
  loyalty_high: bound,
  loyalty_performance: percent,
})
export type Cell = z.output<typeof Cell>

/** Change of a cell against a year earlier, over the pharmacies with complete data both times: rates, and differences of shares. */
export const CellChange = z.object({
  revenue_value: percent,
  script_count: percent,
  /** A difference: 0.006 is 0.6 points. */
  adherent_script_percent: percent,
  loyalty_script_percent: percent,
})
export type CellChange = z.output<typeof CellChange>

/** A cell of the product average, without how many patients other companies have. */
export const AverageCell = Cell.omit({
  adherence_n: true,
  adherence_low: true,
  adherence_high: true,
  loyalty_n: true,
  loyalty_low: true,
  loyalty_high: true,
})
export type AverageCell = z.output<typeof AverageCell>

/** A share with its number of observations and its 95% Wilson interval; null under 10 observations. */
export const Share = z.object({ value: percent, n: z.number(), low: bound, high: bound })
export type Share = z.output<typeof Share>

/** Best or worst subcategories, and all of them together. */
export const Ranked = z.object({
  /** Each has at least 30 patients measured. */
  categories: z.array(
    z.object({
      category: z.string(),
      adherent_script_percent: z.number(),
      adherence_n: z.number(),
      adherence_low: z.number(),
      adherence_high: z.number(),
      revenue_value: z.number(),
    }),
  ),
  total: z.object({
    adherent_script_percent: percent,
    adherence_n: z.number(),
    adherence_low: bound,
    adherence_high: bound,
    revenue_value: z.number(),
  }),
})

/** The comparison behind a change or distance, so that it can be recalculated. */
export const Comparison = z.object({
  /** 'change': (now - previous) / |previous|, or of a share now - previous, over the pharmacies that take part. 'average': now / previous - 1. */
  kind: z.enum(['change', 'average']),
  label: z.string(),
  /** The dates compared with. */
  from: z.iso.date(),
  to: z.iso.date(),
  /** How many pharmacies are compared, or make up the average. */
  pharmacies: z.number(),
  now: z.number().nullable(),
  previous: z.number().nullable(),
  value: percent,
  /** Why there is no value. */
  reason: z.string().nullable(),
})
export type Comparison = z.output<typeof Comparison>
