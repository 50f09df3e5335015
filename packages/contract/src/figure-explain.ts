import { FIGURE_KEYS, FIGURE_UNITS } from '@pillar/domain/figure/figure-list'
import { z } from 'zod'
import { bound, Comparison, Share } from './figure.ts'
import { periodFields, pharmacyIds, Span } from './period.ts'
import { read } from './wire/call.ts'

/** Headline numbers and table cells that can be explained. */
export const NUMBERS = [
  'revenue',
  'scripts',
  'patients',
  'patients.sex.male',
  'patients.sex.female',
  'patients.adherence',
  'patients.non_adherence',
  'total_adherence_opportunity_cost',
  'revenue_value',
  'script_count',
  'adherent_script_percent',
  'adherence_performance',
  'loyalty_script_percent',
  'loyalty_performance',
] as const
/** What can be explained: a headline number, a table cell, or a figure over all selected pharmacies. */
export const EXPLAINABLE = [
  ...NUMBERS,
  ...FIGURE_KEYS.filter((key) => !(NUMBERS as readonly string[]).includes(key)),
] as readonly ((typeof NUMBERS)[number] | (typeof FIGURE_KEYS)[number])[]

export const explain = read({
  path: '/api/enterprise-number-explain',
  needs: 'data_analytics',
  replica: true,
  heavy: true,
  about: 'How a number is calculated: formula, numerator, denominator, period and pharmacies.',
  example: {
    number: 'adherent_script_percent',
    pharmacy_ids: ['01980000-0000-7000-8000-00000000000b'],
    year: 2026,
    month: 10,
  },
  input: z.object({
    number: z.enum(EXPLAINABLE),
    pharmacy_ids: pharmacyIds,
    category: z.string().max(100).optional(),
    subcategory: z.string().max(200).optional(),
    ...periodFields,
  }),
  output: z.object({
    title: z.string(),
    formula: z.string(),
    unit: z.enum(FIGURE_UNITS),
    value: z.number().nullable(),
    numerator: z.object({ label: z.string(), value: z.number() }),
    denominator: z.object({ label: z.string(), value: z.number() }).nullable(),
    /** The uncertainty of a share; for a count of adherent or non-adherent patients, its share of those measured. */
    share: Share.extend({ label: z.string(), of: z.string() }).nullable(),
    comparison: Comparison.nullable(),
    notes: z.array(z.string()),
    /** The difference from the pharmacies' sum that comes from counting shared patients once, mostly negative; null where it changes none. */
    once: z
      .object({
        numerator: z.number(),
        denominator: z.number().nullable(),
        now: z.number(),
        previous: z.number(),
      })
      .nullable(),
    period: Span,
    pharmacies: z.array(
      z.object({
        pharmacy_id: z.uuid(),
        pharmacy_name: z.string(),
        data_to: z.iso.date().nullable(),
        late: z.boolean(),
        value: z.number().nullable(),
        numerator: z.number(),
        denominator: z.number().nullable(),
        /** The observations behind the value, if it is a share. */
        n: z.number().nullable(),
        low: bound,
        high: bound,
        /** For a change: this pharmacy's part now and a year earlier (for a share or rate, its own). Null when it takes no part, and then why. */
        now: z.number().nullable(),
        previous: z.number().nullable(),
        left_out: z.string().nullable(),
      }),
    ),
  }),
})
