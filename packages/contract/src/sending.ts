import { z } from 'zod'
import { read, write } from './call.ts'

/** From a minute of the day up to another; null for none. Monday first. */
const dayHours = z.tuple([z.number().int().min(0).max(1440), z.number().int().min(0).max(1440)]).nullable()
export const SendingRules = z.object({
  cap_messages: z.number().int().min(1).max(100),
  cap_hours: z.number().int().min(1).max(744),
  week: z.tuple([dayHours, dayHours, dayHours, dayHours, dayHours, dayHours, dayHours]),
  holidays_quiet: z.boolean(),
  /** Percent of a cohort kept back at random to measure against; 0 is off. */
  holdout_percent: z.number().int().min(0).max(50),
})
export type SendingRules = z.output<typeof SendingRules>

/** How a company's messages are sent. */
export const sending = {
  rules: read({
    path: '/api/messaging/rules',
    needs: 'data_analytics',
    about: 'The company’s sending rules: cap per person, quiet hours, holdout; and how texts leave.',
    input: z.object({}),
    output: SendingRules.extend({
      sms_gateway: z.string(),
      simulated: z.boolean(),
      rate_per_minute: z.number(),
      cents_per_part: z.number(),
    }),
  }),
  saveRules: write({
    path: '/api/messaging/rules/save',
    needs: 'data_analytics',
    stepUp: 'save',
    refreshes: ['sending.rules', 'campaign.cohort'],
    about: 'Changes the company’s sending rules for messages not yet handed over.',
    input: SendingRules,
    output: z.object({ saved: z.literal(true) }),
  }),
}
