import { TARGET_FIGURES } from '@pillar/domain/target/target'
import { z } from 'zod'
import { periodFields, Span } from './period.ts'
import { read, write } from './wire/call.ts'

const PHARMACY = '01980000-0000-7000-8000-00000000000b'
const figure = z.enum(TARGET_FIGURES)
/** The pharmacy the target is for; null for the whole company. */
const pharmacy_id = z.uuid().nullable()

/** A target and how the figure compares with it. Money in currency, shares as fractions. */
export const Target = z.object({
  id: z.uuid(),
  figure,
  title: z.string(),
  pharmacy_id,
  pharmacy_name: z.string().nullable(),
  period: Span,
  target: z.number(),
  /** The figure so far; null without data, and for a share of fewer than 10 observations. */
  actual: z.number().nullable(),
  /** Observations behind a share; null for a sum. */
  n: z.number().nullable(),
  /** What is due by now: for a sum, a part of the target by business days; for a share, all of it. */
  expected: z.number().nullable(),
  /** Actual minus expected; once the period is over, actual minus target. */
  gap: z.number().nullable(),
  /** What each remaining business day must bring; null for a share, once reached, and when no day remains. */
  needed: z.number().nullable(),
  /** For the company, the mean of its pharmacies, to 2 decimals. */
  business_days_elapsed: z.number(),
  business_days: z.number(),
  state: z.enum(['none', 'few', 'reached', 'ahead', 'behind', 'missed']),
  /** Such as '$12,400 behind the pace needed'; for gross profit, also the part of scripts with known cost, unless it is all. */
  words: z.string(),
  /** Such as 'needs $8,200 a business day'; null if nothing has to be made up day by day. */
  needed_words: z.string().nullable(),
  set_by: z.string().nullable(),
  set_at: z.iso.datetime(),
  version: z.number(),
})
export type Target = z.output<typeof Target>

const list = read({
  path: '/api/target/list',
  needs: 'data_analytics',
  about: 'Targets of a period, each compared with its figure: the company’s, a pharmacy’s, or all.',
  example: { year: 2026, month: 11 },
  input: z.object({
    ...periodFields,
    /** One pharmacy's targets; left out: the whole company's. */
    pharmacy_id: pharmacy_id.optional(),
    /** The company's targets and those of every pharmacy. */
    all: z.boolean().default(false),
  }),
  output: z.object({ targets: z.array(Target) }),
})

const line = read({
  path: '/api/target/line',
  needs: 'data_analytics',
  about: 'The monthly targets of a figure, for a line in its chart.',
  example: { figure: 'revenue' },
  input: z.object({ figure, pharmacy_id: pharmacy_id.optional() }),
  output: z.object({
    months: z.array(
      z.object({
        month: z.string(),
        target: z.number(),
        /** The target per pharmacy and business day of the month; null for a share, and without data. */
        per_business_day: z.number().nullable(),
      }),
    ),
  }),
})

/** The figures a head office aims for. */
export const target = {
  list,
  line,
  set: write({
    path: '/api/target/set',
    needs: 'data_analytics',
    refreshes: () => [list, line],
    about: 'Sets the target of a figure for the company or one pharmacy in one period, replacing any existing one.',
    example: { figure: 'revenue', pharmacy_id: PHARMACY, year: 2026, month: 11, target: 250_000 },
    input: z.object({
      figure,
      pharmacy_id,
      ...periodFields,
      target: z.number('Please enter a target above 0.'),
      /** The version the editor loaded, 0 for none; a 409 when somebody else set it in the meantime. */
      version: z.number().int().nullish(),
    }),
    output: z.object({ id: z.uuid(), version: z.number() }),
  }),
  remove: write({
    path: '/api/target/{id}/remove',
    needs: 'data_analytics',
    refreshes: () => [list, line],
    about: 'Removes a target.',
    example: { id: '01980000-0000-7000-8000-00000000000a' },
    input: z.object({ id: z.uuid() }),
    output: z.object({ removed: z.literal(true) }),
  }),
}
