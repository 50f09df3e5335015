import { GOAL_TYPES, MEASURES } from '@pillar/domain/campaign/goal'
import { z } from 'zod'
import { dateField } from './cohort.ts'

/** A campaign's goal and dates, as a client sends them. */
export const aimInput = {
  goal_type: z.enum(GOAL_TYPES).nullish(),
  measure_by: z.enum(MEASURES).nullish(),
  goal: z.number().nullish(),
  note: z.string().max(5_000).nullish(),
  start_date: dateField,
  end_date: dateField,
}

/** A campaign's goal and dates, as the server returns them. */
export const aimAnswer = {
  goal_type: z.enum(GOAL_TYPES),
  measure_by: z.enum(MEASURES),
  goal: z.number(),
  note: z.string().nullable(),
  /** The planned start; null if open. */
  start_date: z.iso.date().nullable(),
  end_date: z.iso.date().nullable(),
}
