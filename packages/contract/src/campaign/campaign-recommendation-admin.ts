import { CAMPAIGN_NAME_LIMIT } from '@pillar/domain/campaign/campaign-rule'
import { GOAL_TYPES, MEASURES } from '@pillar/domain/campaign/goal'
import { z } from 'zod'
import { read, write } from '../wire/call.ts'
import { chosenFields, chosenSubject, isChosen, restoredAnswer, undone } from '../wire/chosen.ts'
import { alsoInData } from '../wire/in-data.ts'
import { listInput, listOf } from '../wire/list.ts'
import { searchField } from '../wire/paging.ts'
import { aimAnswer, aimInput } from './aim.ts'
import { campaignReads } from './campaign-read.ts'
import { Filters } from './cohort.ts'

/** A campaign recommended to every company, in the support console. */
export const AdminCampaignRecommendation = z.object({
  campaign_recommendation_id: z.uuid(),
  name: z.string(),
  description: z.string(),
  ...aimAnswer,
  template_recommendations: z.array(z.object({ template_id: z.uuid(), template_name: z.string() })),
  filters: Filters,
  /** Published within the last 30 days. */
  new: z.boolean(),
  /** Companies with a campaign made from it. */
  companies: z.number(),
  published_at: z.iso.datetime(),
  /** When it was deleted; null if it was not. */
  removed_at: z.iso.datetime().nullable(),
  version: z.number(),
})
export type AdminCampaignRecommendation = z.output<typeof AdminCampaignRecommendation>

const part = z.string().max(200).nullish()
const filterFields = {
  search_term: searchField,
  name: part,
  goal_type: z.enum(GOAL_TYPES).nullish(),
  measure_by: z.enum(MEASURES).nullish(),
  /** Show deleted ones instead of the others. */
  removed: z.boolean().nullish(),
}
export const CampaignRecommendationFilter = z.object(filterFields)
export type CampaignRecommendationFilter = z.output<typeof CampaignRecommendationFilter>

const chosen = chosenFields('campaigns', CampaignRecommendationFilter, 'campaign_ids')
const NONE = 'Please select at least one campaign.'
const CAMPAIGN = '01980000-0000-7000-8000-00000000000c'
const TEMPLATE = '01980000-0000-7000-8000-000000000004'
/** Recommended templates. */
const recommended = z.array(z.uuid()).max(50)

const search = read({
  path: '/api/campaign-recommendation/admin/search',
  needs: 'sr_login',
  reach: 'platform',
  about: 'Recommended campaigns. `paginate: false` answers all that match, 10,000 at most.',
  example: { page: 1, goal_type: 'adherence' },
  input: listInput(['name', 'goal_type', 'published_at'], { ...filterFields, paginate: z.boolean().default(true) }),
  output: listOf(AdminCampaignRecommendation),
})

const info = read({
  path: '/api/campaign-recommendation/admin/{id}/info',
  needs: 'sr_login',
  reach: 'platform',
  about: 'One recommended campaign.',
  example: { id: CAMPAIGN },
  input: z.object({ id: z.uuid() }),
  output: AdminCampaignRecommendation,
})

const affected = read({
  path: '/api/campaign-recommendation/admin/affected',
  needs: 'sr_login',
  reach: 'platform',
  about: 'How many companies the recommended campaigns are offered to, and how many made campaigns from them.',
  example: { campaign_ids: [CAMPAIGN] },
  input: z.object(chosen).refine(isChosen, NONE),
  output: z.object({
    /** The number of recommended campaigns selected. */
    recommended: z.number(),
    /** The number of companies they are offered to. */
    companies: z.number(),
    /** The number of companies with a campaign made from one of them. */
    adopted: z.number(),
    /** Campaigns made from them, and how many of those are active. */
    campaigns: z.number(),
    active: z.number(),
  }),
})

const stale = () => [search, info, affected, campaignReads.recommendations]

/** Recommended campaigns in the support console. */
export const campaignRecommendationAdmin = {
  search,
  info,
  affected,
  create: write({
    path: '/api/campaign-recommendation/admin/create',
    needs: 'sr_login',
    reach: 'platform',
    stepUp: 'save',
    refreshes: stale,
    about: 'Recommends a campaign to every company.',
    example: {
      name: 'Back on track',
      description: 'Patients whose supplies leave gaps.',
      goal_type: 'adherence',
      measure_by: 'target',
      goal: 80,
      template_recommendations: [TEMPLATE],
    },
    input: z.object({
      name: z.string().max(CAMPAIGN_NAME_LIMIT).default(''),
      description: z.string().max(2_000).default(''),
      ...aimInput,
      template_recommendations: recommended.default([]),
      filters: Filters.default(Filters.parse({})),
    }),
    output: z.object({ id: z.uuid() }),
  }),
  edit: write({
    path: '/api/campaign-recommendation/admin/edit',
    needs: 'sr_login',
    reach: 'platform',
    stepUp: 'save',
    subject: chosenSubject,
    refreshes: stale,
    about:
      'Changes recommended campaigns. Fields left out stay unchanged; null also does, except that it empties the note or a date of a single one. Campaigns made from them stay unchanged.',
    example: { campaign_ids: [CAMPAIGN], name: 'Back on track 2027' },
    input: z
      .object({
        ...chosen,
        name: z.string().max(CAMPAIGN_NAME_LIMIT).nullish(),
        description: z.string().max(2_000).nullish(),
        ...aimInput,
        template_recommendations: recommended.nullish(),
        filters: Filters.nullish(),
        version: z.number().int().nullish(),
      })
      .refine(isChosen, NONE),
    output: alsoInData({ ids: z.array(z.uuid()) }),
  }),
  remove: write({
    path: '/api/campaign-recommendation/admin/delete',
    needs: 'sr_login',
    reach: 'platform',
    stepUp: 'delete',
    subject: chosenSubject,
    refreshes: stale,
    about: 'Withdraws recommended campaigns. Campaigns made from them stay. They can be restored for 30 days.',
    example: { campaign_ids: [CAMPAIGN] },
    input: z.object(chosen).refine(isChosen, NONE),
    output: z.object({ deleted: z.number(), removed_at: z.iso.datetime() }),
  }),
  restore: write({
    path: '/api/campaign-recommendation/admin/{id}/restore',
    needs: 'sr_login',
    reach: 'platform',
    refreshes: stale,
    about: 'Restores a recommended campaign withdrawn within the last 30 days.',
    example: { id: CAMPAIGN },
    input: z.object({ id: z.uuid() }),
    output: z.object({ restored: z.literal(true) }),
  }),
  restoreMany: write({
    path: '/api/campaign-recommendation/admin/restore',
    needs: 'sr_login',
    reach: 'platform',
    subject: chosenSubject,
    refreshes: stale,
    about:
      'Restores recommended campaigns deleted within the last 30 days: those named, those a filter matches, or all that one call deleted. Says which could not be restored.',
    example: { campaign_ids: [CAMPAIGN] },
    input: z.object({ ...chosen, ...undone }).refine(isChosen, NONE),
    output: restoredAnswer,
  }),
}
