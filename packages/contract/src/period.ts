import { z } from 'zod'
import { needed } from './wire/needed.ts'

/** A whole number, its digits, or nothing, because clients send all three. */
const whole = (low: number, high: number) =>
  z
    .union([z.number(), z.string().regex(/^\d+$/).transform(Number)])
    .pipe(z.number().int().min(low).max(high))
    .nullish()

/** The period of a financial call: a year alone is the financial year that starts in it. */
export const periodFields = {
  year: z
    .union([
      z.number(),
      z
        .string()
        .regex(/^\d{4}$/)
        .transform(Number),
    ])
    .pipe(z.number().int().min(1990).max(2100)),
  month: whole(1, 12),
  quarter: whole(1, 4),
}

/** The actual dates a figure covers; while the period runs, `to` stops at the newest data. */
export const Span = z.object({
  key: z.string(),
  label: z.string(),
  from: z.iso.date(),
  to: z.iso.date(),
  ends: z.iso.date(),
  running: z.boolean(),
})
export type Span = z.output<typeof Span>

const NONE = 'Please select at least one pharmacy.'
/** The pharmacies a financial call covers. */
export const pharmacyIds = z.array(z.uuid(), needed(NONE)).min(1).max(10_000)
