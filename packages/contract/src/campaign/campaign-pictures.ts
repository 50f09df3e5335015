import { z } from 'zod'
import { read } from '../wire/call.ts'

const id = z.uuid()

/** Dollars a patient in the 30 days after the send date, with a 95% interval. */
const GroupMean = z.object({
  part: z.enum(['messaged', 'compared']),
  n: z.number(),
  mean: z.number(),
  low: z.number(),
  high: z.number(),
})

/** Parts of a campaign's patients on the day of the message: each patient is in one by sex and in one by age. */
export const SUBGROUPS = ['women', 'men', 'sex_unknown', 'from_65', 'under_65', 'age_unknown'] as const

/** Messaged less compared, dollars a patient, with a 95% interval. */
const Difference = z.object({ mean: z.number(), low: z.number(), high: z.number() })

/** What a campaign's results are drawn from. */
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
        /** Handed over, with no receipt yet or one that says nothing. */
        unsettled: z.number(),
      }),
    ),
    /** In the units of the campaign’s goal: weekly for twelve weeks, then every four, and the newest day. */
    goal: z.array(z.object({ day: z.iso.date(), value: z.number().nullable() })),
    groups: z.object({
      /** Null where nobody is compared, or too few were messaged. */
      method: z.enum(['holdout', 'difference_in_differences']).nullable(),
      /** For differences: what they spent more than in the same days a year before. */
      means: z.array(GroupMean),
      difference: Difference.nullable(),
      /** By sex and by age, those without patients left out; no difference with under 100 patients messaged or compared. */
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
