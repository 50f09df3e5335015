import { GOAL_TYPES, MEASURES } from '@pillar/domain/campaign/goal'
import { z } from 'zod'
import { dateField } from './cohort.ts'

/** What a campaign is to reach and when it runs, as it is sent. */
export const aimInput = {
  goal_type: z.enum(GOAL_TYPES).nullish(),
  measure_by: z.enum(MEASURES).nullish(),
  goal: z.number().nullish(),
  note: z.string().max(5_000).nullish(),
  start_date: dateField,
  end_date: dateField,
}

/** The same as it is answered. */
export const aimAnswer = {
  goal_type: z.enum(GOAL_TYPES),
  measure_by: z.enum(MEASURES),
  goal: z.number(),
  note: z.string().nullable(),
  /** When it is meant to run; null where that is open. */
  start_date: z.iso.date().nullable(),
  end_date: z.iso.date().nullable(),
}
