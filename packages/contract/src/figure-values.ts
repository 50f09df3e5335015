import { FIGURE_KEYS, FIGURE_UNITS } from '@pillar/domain/figure/figure-list'
import { z } from 'zod'
import { bound } from './figure.ts'
import { periodFields, pharmacyIds, Span } from './period.ts'
import { read } from './wire/call.ts'

const value = z.number().nullable()

/** A figure over all selected pharmacies: money in currency, shares as fractions 0..1. */
export const FigureValue = z.object({
  figure: z.enum(FIGURE_KEYS),
  title: z.string(),
  unit: z.enum(FIGURE_UNITS),
  /** Null without data, and for a share of fewer than 10 observations. */
  value,
  /** Change against a year earlier over the pharmacies that take part: a rate, or for a fraction the difference (0.006 is 0.6 points). */
  change: value,
  /** The observations behind a share, and its 95% interval; null where there are none. */
  n: z.number().nullable(),
  low: bound,
  high: bound,
})
export type FigureValue = z.output<typeof FigureValue>

/** Causes of a change in revenue; the three add up to it to the cent. */
const Parts = z.object({ volume: z.number(), price: z.number(), mix: z.number() })

const common = {
  period: Span,
  /** The period that changes are compared with. */
  prior: z.object({ from: z.iso.date(), to: z.iso.date() }),
  data_to: z.iso.date().nullable(),
  pharmacies_counted: z.number(),
  /** Pharmacies with complete data in the period and a year earlier: only they count in changes. */
  pharmacies_compared: z.number(),
}

export const figureValues = read({
  path: '/api/enterprise-figures',
  needs: 'data_analytics',
  replica: true,
  heavy: true,
  about: 'Every figure of the selected pharmacies as a whole, each with its change from a year earlier.',
  example: { pharmacy_ids: ['01980000-0000-7000-8000-00000000000b'], year: 2026, month: 10 },
  input: z.object({ pharmacy_ids: pharmacyIds, ...periodFields }),
  output: z.object({ figures: z.array(FigureValue), ...common }),
})

export const changeParts = read({
  path: '/api/enterprise-change-parts',
  needs: 'data_analytics',
  replica: true,
  heavy: true,
  about: 'What changed revenue from a year earlier: more scripts, other prices, other medicines.',
  example: { pharmacy_ids: ['01980000-0000-7000-8000-00000000000b'], year: 2026, month: 10 },
  input: z.object({ pharmacy_ids: pharmacyIds, ...periodFields }),
  output: z.object({
    /** Revenue of the pharmacies compared, now and a year earlier; null when there are none. */
    now: value,
    previous: value,
    change: value,
    parts: Parts.nullable(),
    /** Each of the parts ÷ revenue a year earlier; null without revenue then. */
    rates: Parts.nullable(),
    /** How each part is calculated, in a sentence. */
    formulas: z.object({ volume: z.string(), price: z.string(), mix: z.string() }),
    /** The pharmacies compared; their parts add up to those above. */
    pharmacies: z.array(
      z.object({
        pharmacy_id: z.uuid(),
        pharmacy_name: z.string(),
        now: z.number(),
        previous: z.number(),
        parts: Parts,
      }),
    ),
    ...common,
  }),
})
