import { CAMPAIGN_NAME_LIMIT } from '@pillar/domain/campaign/campaign-rule'
import { GOAL_TYPES, MEASURES } from '@pillar/domain/campaign/goal'
import { CHANNELS } from '@pillar/domain/consent/consent'
import { COUNTRIES } from '@pillar/domain/time/locale'
import { z } from 'zod'
import { templateAdmin } from '../template/template-admin.ts'
import { read, write } from '../wire/call.ts'
import { chosenFields, chosenSubject, isChosen, restoredAnswer, undone } from '../wire/chosen.ts'
import { listInput, listOf } from '../wire/list.ts'
import { searchField } from '../wire/paging.ts'
import { aimAnswer, aimInput } from './aim.ts'
import { campaignReads } from './campaign-read.ts'
import { chosenTemplate, Filters } from './cohort.ts'

/** A company's campaign, in the support console. */
export const AdminCampaign = z.object({
  campaign_id: z.uuid(),
  name: z.string(),
  description: z.string().nullable(),
  active: z.boolean(),
  /** One of the demo campaigns: never edited or deleted. */
  demo: z.boolean(),
  ...aimAnswer,
  /** The company's name. */
  company: z.string(),
  company_id: z.uuid(),
  country: z.enum(COUNTRIES),
  /** The company is a head office. */
  is_enterprise: z.boolean(),
  /** The number of pharmacies that reached the goal. */
  num_made_goal: z.number(),
  locations: z.array(z.object({ location_id: z.uuid(), location_name: z.string() })),
  templates: z.array(z.object({ template_id: z.uuid(), template_name: z.string(), active: z.boolean() })),
  /** Who is messaged; a campaign without filters cannot be activated. */
  filters: Filters,
  /** Nobody is held out at random, whatever the company's holdout. */
  no_holdout: z.boolean(),
  created_at: z.iso.datetime(),
  /** When it was deleted; null if it was not. */
  removed_at: z.iso.datetime().nullable(),
  version: z.number(),
})
export type AdminCampaign = z.output<typeof AdminCampaign>

/** The outcome for one campaign of a bulk call. */
export const CampaignOutcome = z.object({
  campaign_id: z.uuid(),
  name: z.string(),
  company: z.string(),
  done: z.boolean(),
  /** Why it was not done. */
  message: z.string().nullable(),
})
export type CampaignOutcome = z.output<typeof CampaignOutcome>

const part = z.string().max(200).nullish()
const filterFields = {
  search_term: searchField,
  name: part,
  /** Part of the company's name, or its uuid. */
  company: part,
  active: z.boolean().nullish(),
  goal_type: z.enum(GOAL_TYPES).nullish(),
  measure_by: z.enum(MEASURES).nullish(),
  /** Show deleted campaigns instead of the others. */
  removed: z.boolean().nullish(),
}
export const CampaignFilter = z.object(filterFields)
export type CampaignFilter = z.output<typeof CampaignFilter>

const chosen = chosenFields('campaigns', CampaignFilter, 'campaign_ids')
const NONE = 'Please select at least one campaign.'
const CAMPAIGN = '01980000-0000-7000-8000-00000000000a'
const COMPANY = '01980000-0000-7000-8000-000000000002'
const PHARMACY = '01980000-0000-7000-8000-00000000000b'
const TEMPLATE = '01980000-0000-7000-8000-000000000003'
const templates = z.array(chosenTemplate).max(50)
/** Pharmacies of the company, by id. */
const locations = z.array(z.uuid()).max(10_000)
const outcomes = z.array(CampaignOutcome)

const search = read({
  path: '/api/campaign/admin/search',
  needs: 'sr_login',
  reach: 'platform',
  about: 'Campaigns of all companies. `paginate: false` answers all that match, 10,000 at most.',
  example: { page: 1, active: true },
  input: listInput(['name', 'company', 'start_date', 'active', 'created_at'], {
    ...filterFields,
    paginate: z.boolean().default(true),
  }),
  output: listOf(AdminCampaign),
})

const info = read({
  path: '/api/campaign/admin/{id}/info',
  needs: 'sr_login',
  reach: 'platform',
  about: 'One campaign of a company.',
  example: { id: CAMPAIGN },
  input: z.object({ id: z.uuid() }),
  output: AdminCampaign,
})

const affected = read({
  path: '/api/campaign/admin/affected-templates',
  needs: 'sr_login',
  reach: 'platform',
  about:
    'Templates that activating or deactivating campaigns would switch too. Campaigns already in that state switch none.',
  example: { campaign_ids: [CAMPAIGN], active: true },
  input: z.object({ ...chosen, active: z.boolean().default(true) }).refine(isChosen, NONE),
  output: z.object({
    template_names: z.array(z.string()),
    /** The number of campaigns selected. */
    campaigns: z.number(),
  }),
})

const forecast = read({
  path: '/api/campaign/admin/forecast',
  needs: 'sr_login',
  reach: { company: (input: { company_id: string }) => input.company_id },
  subject: ({ campaign_id }) => campaign_id,
  heavy: true,
  scratch: true,
  about:
    'How many messages activating a campaign would send, to how many patients and at what cost. Counted and refused by the activation’s rules. Counts only.',
  example: { company_id: COMPANY, campaign_id: CAMPAIGN },
  input: z.object({ company_id: z.uuid(), campaign_id: z.uuid() }),
  output: z.object({
    messages: z.number(),
    channels: z.array(z.object({ channel: z.enum(CHANNELS), messages: z.number() })),
    will_receive: z.number(),
    held_back: z.number(),
    cents: z.number(),
    /** Why it cannot be activated in its present state; empty when it can. */
    problem: z.string(),
  }),
})

/** Includes templates, because activating a campaign switches them. */
const stale = () => [
  ...[search, info, affected, forecast, campaignReads.list, campaignReads.info],
  ...[templateAdmin.search, templateAdmin.info],
]

/** Companies' campaigns in the support console. */
export const campaignAdmin = {
  search,
  info,
  affected,
  forecast,
  create: write({
    path: '/api/campaign/admin/create',
    needs: 'sr_login',
    reach: { company: (input: { company_id: string }) => input.company_id },
    stepUp: ({ active }) => (active ? 'activate' : 'save'),
    refreshes: stale,
    about: 'Creates a campaign for a company; `active` also activates it. Recommended templates become its own.',
    example: {
      name: 'Back on track',
      goal_type: 'adherence',
      measure_by: 'target',
      goal: 80,
      company_id: COMPANY,
      locations: [PHARMACY],
      templates: [{ template_id: TEMPLATE }],
      filters: { adherence: [1, 2] },
    },
    input: z.object({
      name: z.string().max(CAMPAIGN_NAME_LIMIT).default(''),
      ...aimInput,
      company_id: z.uuid('Please select a company.'),
      locations: locations.default([]),
      templates: templates.default([]),
      /** Who is messaged. The head office may add filters later; without them the campaign cannot be activated. */
      filters: Filters.default(Filters.parse({})),
      no_holdout: z.boolean().nullish(),
      active: z.boolean().default(false),
    }),
    output: z.object({ id: z.uuid() }),
  }),
  edit: write({
    path: '/api/campaign/admin/edit',
    needs: 'sr_login',
    reach: 'companies',
    slow: true,
    stepUp: 'save',
    subject: chosenSubject,
    refreshes: stale,
    about:
      'Changes campaigns. Fields left out stay unchanged; null also does, except that it empties the note or a date of a single campaign. Each campaign is saved separately.',
    example: { campaign_ids: [CAMPAIGN], name: 'Back on track 2027' },
    input: z
      .object({
        ...chosen,
        name: z.string().max(CAMPAIGN_NAME_LIMIT).nullish(),
        ...aimInput,
        templates: templates.nullish(),
        locations: locations.nullish(),
        filters: Filters.nullish(),
        no_holdout: z.boolean().nullish(),
        /** The campaign's version, when only one is edited. */
        version: z.number().int().nullish(),
      })
      .refine(isChosen, NONE),
    output: z.object({ updated: z.number(), outcomes }),
  }),
  editActiveStatus: write({
    path: '/api/campaign/admin/edit-active-status',
    needs: 'sr_login',
    reach: 'companies',
    slow: true,
    stepUp: ({ active }) => (active ? 'activate' : 'deactivate'),
    subject: chosenSubject,
    refreshes: stale,
    about:
      'Activates or deactivates campaigns as their head offices would, at most 20 activations at a time. Each campaign is switched separately; of several, those already in that state stay unchanged.',
    example: { campaign_ids: [CAMPAIGN], active: true },
    input: z
      .object({
        ...chosen,
        active: z.boolean(),
        /**
         * For an activation: the campaigns the screen asked about, with the number of messages each would send. The call skips every
         * selected campaign that is missing here or whose cohort has grown by more than 5% since.
         */
        expected: z
          .array(z.object({ campaign_id: z.uuid(), messages: z.number().int().min(0) }))
          .max(1000)
          .nullish(),
        /** The number of messages of a single campaign. */
        expected_messages: z.number().int().nullish(),
      })
      .refine(isChosen, NONE),
    output: z.object({ updated: z.number(), outcomes }),
  }),
  remove: write({
    path: '/api/campaign/admin/delete',
    needs: 'sr_login',
    reach: 'companies',
    slow: true,
    stepUp: 'delete',
    subject: chosenSubject,
    refreshes: stale,
    about: 'Deletes campaigns and cancels their unsent messages. They can be restored for 30 days, inactive.',
    example: { campaign_ids: [CAMPAIGN] },
    input: z.object(chosen).refine(isChosen, NONE),
    output: z.object({ deleted: z.number(), removed_at: z.iso.datetime(), outcomes }),
  }),
  restore: write({
    path: '/api/campaign/admin/{id}/restore',
    needs: 'sr_login',
    reach: 'companies',
    refreshes: stale,
    about: 'Restores a campaign deleted within the last 30 days, inactive.',
    example: { id: CAMPAIGN },
    input: z.object({ id: z.uuid() }),
    output: z.object({ restored: z.literal(true) }),
  }),
  restoreMany: write({
    path: '/api/campaign/admin/restore',
    needs: 'sr_login',
    reach: 'companies',
    slow: true,
    subject: chosenSubject,
    refreshes: stale,
    about:
      'Restores campaigns deleted within the last 30 days, inactive: those named, those a filter matches, or all that one call deleted. Says which could not be restored.',
    example: { campaign_ids: [CAMPAIGN] },
    input: z.object({ ...chosen, ...undone }).refine(isChosen, NONE),
    output: restoredAnswer,
  }),
}
