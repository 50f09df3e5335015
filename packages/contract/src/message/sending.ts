import { MINUTES_OF_DAY, SENDING_LIMITS } from '@pillar/domain/time/quiet-hours'
import { z } from 'zod'
import { campaignApprovalReads } from '../campaign/campaign-approval.ts'
import { campaignReads } from '../campaign/campaign-read.ts'
import { read, write } from '../wire/call.ts'

/** The sending hours of each day as a range of minutes, Monday first; null for none. */
const minute = z.number().int().min(0).max(MINUTES_OF_DAY)
const within = ({ min, max }: { min: number; max: number }) => z.number().int().min(min).max(max)
const dayHours = z.tuple([minute, minute]).nullable()
export const SendingRules = z.object({
  cap_messages: within(SENDING_LIMITS.cap_messages),
  cap_hours: within(SENDING_LIMITS.cap_hours),
  week: z.tuple([dayHours, dayHours, dayHours, dayHours, dayHours, dayHours, dayHours]),
  holidays_quiet: z.boolean(),
  /** Percent of a cohort held out at random as a control group; 0 is off. */
  holdout_percent: within(SENDING_LIMITS.holdout_percent),
  /** Whether a campaign needs a second person's approval before it is sent. Left out when saving: unchanged. */
  approval: z.boolean().optional(),
})
export type SendingRules = z.output<typeof SendingRules>

const rules = read({
  path: '/api/messaging/rules',
  needs: 'data_analytics',
  about: 'The company’s sending rules (frequency limit per person, quiet hours, holdout) and how texts are sent.',
  example: {},
  input: z.object({}),
  output: SendingRules.extend({
    /** 0 while the company has the defaults. */
    version: z.number(),
    sms_gateway: z.string(),
    simulated: z.boolean(),
    rate_per_minute: z.number(),
    cents_per_part: z.number(),
    /** Last day covered by the public holiday lists; null when there are none. */
    holidays_to: z.iso.date().nullable(),
  }),
})

/** The company's sending rules. */
export const sending = {
  rules,
  saveRules: write({
    path: '/api/messaging/rules/save',
    needs: 'data_analytics',
    stepUp: 'save',
    refreshes: () => [rules, campaignReads.cohort, campaignApprovalReads.state, campaignApprovalReads.waiting],
    about: 'Changes the company’s sending rules for messages not yet sent.',
    example: {
      cap_messages: 4,
      cap_hours: 168,
      week: [[540, 1020], [540, 1020], [540, 1020], [540, 1020], [540, 1020], null, null],
      holidays_quiet: true,
      holdout_percent: 10,
      version: 0,
    },
    input: SendingRules.extend({
      /** The version the editor loaded; a 409 when somebody else saved in the meantime. */
      version: z.number().int().nullish(),
    }),
    output: z.object({ saved: z.literal(true) }),
  }),
}
