import { z } from 'zod'
import { read } from '../wire/call.ts'

const id = z.uuid()

/** Dollars per patient in the 30 days after the send date, with a 95% interval. */
const GroupMean = z.object({
  part: z.enum(['messaged', 'compared']),
  n: z.number(),
  mean: z.number(),
  low: z.number(),
  high: z.number(),
})

/** Groups of a campaign's patients on the day of the message: each patient is in one group by sex and one by age. */
export const SUBGROUPS = ['women', 'men', 'sex_unknown', 'from_65', 'under_65', 'age_unknown'] as const

/** Messaged minus compared, in dollars per patient, with a 95% interval. */
const Difference = z.object({ mean: z.number(), low: z.number(), high: z.number() })

/** The data behind a campaign's result charts. */
export const campaignPictures = read({
  path: '/api/campaign/{id}/pictures/enterprise',
  needs: 'data_analytics',
  heavy: true,
  about: 'What a campaign’s pictures show: messages by day, the goal over time, and the patients compared.',
  example: { id: '01980000-0000-7000-8000-00000000000a' },
  input: z.object({ id }),
  output: z.object({
    /** By the day a message was handed over, planned or held back, on its pharmacy’s clock. */
    days: z.array(
      z.object({
        day: z.iso.date(),
        delivered: z.number(),
        failed: z.number(),
        held_back: z.number(),
        /** Handed over, but without a receipt or with an inconclusive one. */
        unsettled: z.number(),
      }),
    ),
    /** In the units of the campaign’s goal: weekly for twelve weeks, then every four, and the newest day. */
    goal: z.array(z.object({ day: z.iso.date(), value: z.number().nullable() })),
    groups: z.object({
      /** Null if there is nobody to compare with, or too few were messaged. */
      method: z.enum(['holdout', 'difference_in_differences']).nullable(),
      /** For differences: spending above the same days a year before. */
      means: z.array(GroupMean),
      difference: Difference.nullable(),
      /** By sex and by age, without empty groups. No difference with under 100 patients messaged or compared. */
      subgroups: z.array(
        z.object({
          subgroup: z.enum(SUBGROUPS),
          messaged: z.number(),
          compared: z.number(),
          difference: Difference.nullable(),
        }),
      ),
    }),
  }),
})
