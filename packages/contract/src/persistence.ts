import { z } from 'zod'
import { bound } from './figure.ts'
import { periodFields, pharmacyIds, Span } from './period.ts'
import { read } from './wire/call.ts'

/** The share of patients still taking a medicine after this many days. */
const Point = z.object({
  day: z.number(),
  share: z.number(),
  /** 95% interval, log-log; null once nobody is left. */
  low: bound,
  high: bound,
  /** The number followed up to this day. */
  at_risk: z.number(),
})

export const PersistenceCurve = z.object({
  /** Null for the curve of all medicines. */
  drug_type: z.string().nullable(),
  /** Patients who began a medicine in the period, counted once for each medicine. */
  starts: z.number(),
  /** At 30, 90, 180 and 365 days; points beyond the end of the curve are missing. */
  points: z.array(Point),
  /** Each day on which somebody stopped, up to the last with 10 or more followed. Before the first such day the share is 1. */
  steps: z.array(Point),
  /** Last day of the curve, which is the last with 10 or more followed. Null with fewer than 10 starts: too few to tell. */
  until: z.number().nullable(),
})
export type PersistenceCurve = z.output<typeof PersistenceCurve>

export const persistence = read({
  path: '/api/enterprise-persistence',
  needs: 'data_analytics',
  replica: true,
  heavy: true,
  about:
    'How long patients continue a medicine they began in the period: Kaplan-Meier curves, pooled over the pharmacies.',
  example: { pharmacy_ids: ['01980000-0000-7000-8000-00000000000b'], year: 2025, month: 10 },
  input: z.object({
    pharmacy_ids: pharmacyIds,
    ...periodFields,
    /** Whether to add a curve for each drug type. */
    drug_types: z.boolean().default(false),
  }),
  output: z.object({
    title: z.string(),
    formula: z.string(),
    notes: z.array(z.string()),
    /** All medicines first, then drug types with the most starts first. */
    curves: z.array(PersistenceCurve),
    period: Span,
    /** The end of the follow-up, which lasts at most 365 days and may go beyond the period's end. */
    followed_to: z.iso.date().nullable(),
    pharmacies_counted: z.number(),
  }),
})
