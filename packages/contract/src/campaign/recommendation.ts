import { GOAL_TYPES, MEASURES } from '@pillar/domain/campaign/goal'
import { z } from 'zod'
import { Filters } from './cohort.ts'

export const CampaignRecommendation = z.object({
  campaign_recommendation_id: z.uuid(),
  type: z.literal('campaign'),
  name: z.string(),
  description: z.string(),
  new: z.boolean(),
  adopted: z.boolean(),
  goal_type: z.enum(GOAL_TYPES),
  measure_by: z.enum(MEASURES),
  goal: z.number(),
  note: z.string().nullable(),
  /** When it is meant to run; null where that is open. */
  start_date: z.iso.date().nullable(),
  end_date: z.iso.date().nullable(),
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
