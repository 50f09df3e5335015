import { GOAL_TYPES, MEASURES } from '@pillar/domain/campaign/goal'
import { CONSENT_KINDS } from '@pillar/domain/consent/consent'
import { z } from 'zod'
import { read } from './call.ts'
import { Filters } from './cohort.ts'
import { paged, pageField, searchField } from './paging.ts'

export const TemplateRecommendation = z.object({
  template_recommendation_id: z.uuid(),
  type: z.literal('template'),
  name: z.string(),
  description: z.string(),
  /** Published within the last 30 days. */
  new: z.boolean(),
  /** The company has made a template from it. */
  adopted: z.boolean(),
  subject: z.string().nullable(),
  body: z.string(),
  sms_template: z.boolean(),
  email_template: z.boolean(),
  message_kind: z.enum(CONSENT_KINDS),
})
export type TemplateRecommendation = z.output<typeof TemplateRecommendation>

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
  filters: Filters,
  template_recommendations: z.array(
    z.object({
      template_recommendation_id: z.uuid(),
      template_name: z.string(),
      sms_template: z.boolean(),
      email_template: z.boolean(),
    }),
  ),
  /** Patients of the company who match, as last counted; null when not counted yet. */
  patients: z.number().nullable(),
})
export type CampaignRecommendation = z.output<typeof CampaignRecommendation>

/** What Pillar recommends to every company. */
export const recommendation = {
  templates: read({
    path: '/api/template-recommendation/company/list',
    needs: 'data_analytics',
    about: 'Templates recommended to every company; `new` leaves out those the company already uses.',
    input: z.object({ page: pageField, search_term: searchField, new: z.boolean().nullish() }),
    output: z.object({ templates: z.array(TemplateRecommendation), ...paged }),
  }),
  campaigns: read({
    path: '/api/campaign-recommendation/company/list',
    needs: 'data_analytics',
    scratch: true,
    about: 'Campaigns recommended to every company; `new` leaves out those the company already uses.',
    input: z.object({ page: pageField, search_term: searchField, new: z.boolean().nullish() }),
    output: z.object({ campaigns: z.array(CampaignRecommendation), ...paged }),
  }),
}
