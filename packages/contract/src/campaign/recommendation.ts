import { z } from 'zod'
import { aimAnswer } from './aim.ts'
import { Filters } from './cohort.ts'

export const CampaignRecommendation = z.object({
  campaign_recommendation_id: z.uuid(),
  type: z.literal('campaign'),
  name: z.string(),
  description: z.string(),
  new: z.boolean(),
  adopted: z.boolean(),
  ...aimAnswer,
  filters: Filters,
  template_recommendations: z.array(
    z.object({
      template_recommendation_id: z.uuid(),
      template_name: z.string(),
      sms_template: z.boolean(),
      email_template: z.boolean(),
    }),
  ),
  /** The company's matching patients at the last count; null when not counted yet. */
  patients: z.number().nullable(),
})
export type CampaignRecommendation = z.output<typeof CampaignRecommendation>
