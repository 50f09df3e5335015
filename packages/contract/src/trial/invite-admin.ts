import { COUNTRIES } from '@pillar/domain/time/locale'
import { z } from 'zod'
import { read, write } from '../wire/call.ts'
import { clinicalTrial } from './trial-admin.ts'

const trial_id = z.uuid()
const TRIAL = '01980000-0000-7000-8000-000000000007'

const forecast = read({
  path: '/api/clinical-trial/admin/{trial_id}/invite-forecast',
  needs: 'sr_login',
  reach: 'platform',
  heavy: true,
  about: 'How many eligible patients an invitation would reach now, and why others are held back. Counts only.',
  example: { trial_id: TRIAL },
  input: z.object({ trial_id }),
  output: z.object({
    /** Why nobody can be invited, as a sentence; empty when they can. */
    not_ready: z.string(),
    sms: z.number(),
    email: z.number(),
    /** Cost of the texts, in the currency of each country with texts. */
    costs: z.array(z.object({ country: z.enum(COUNTRIES), cost: z.number() })),
    /** Everybody else who is eligible and not invited yet, each counted under one reason. */
    held: z.array(z.object({ reason: z.string(), count: z.number() })),
    /** Many patients are still being counted, and the other counts are 0: ask again in a few seconds. */
    counting: z.boolean(),
    /** When the count of many patients began, shown for five minutes once it is done; null for a count made now. */
    counted_at: z.iso.datetime().nullable(),
    /** Pharmacies left out because their patients could not be counted by the present criteria. */
    not_counted: z.number(),
  }),
})

/** Inviting the eligible patients of a clinical trial. */
export const trialInvite = {
  forecast,
  start: write({
    path: '/api/clinical-trial/admin/{trial_id}/invite',
    needs: 'sr_login',
    reach: 'platform',
    stepUp: 'activate',
    refreshes: () => [forecast, clinicalTrial.search, clinicalTrial.info],
    about:
      'Invites each eligible patient who has not been sent an invitation, once. The sender still checks each message last.',
    example: { trial_id: TRIAL },
    input: z.object({ trial_id }),
    output: z.object({ id: z.uuid() }),
  }),
}
