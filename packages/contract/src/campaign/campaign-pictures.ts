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
      /** Messaged less compared, dollars a patient. */
      difference: z.object({ mean: z.number(), low: z.number(), high: z.number() }).nullable(),
    }),
  }),
})
