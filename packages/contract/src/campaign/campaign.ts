import { CAMPAIGN_NAME_LIMIT } from '@pillar/domain/campaign/campaign-rule'
import { GOAL_TYPES, MEASURES } from '@pillar/domain/campaign/goal'
import { z } from 'zod'
import { templateReads } from '../template/template-read.ts'
import { write } from '../wire/call.ts'
import { campaignApprovalReads } from './campaign-approval.ts'
import { campaignReads } from './campaign-read.ts'
import { chosenTemplate, dateField, Filters } from './cohort.ts'

export { Campaign } from './campaign-read.ts'

const campaignFields = {
  name: z.string().max(CAMPAIGN_NAME_LIMIT).default(''),
  filters: Filters.default(Filters.parse({})),
  note: z.string().max(5_000).nullish(),
  start_date: dateField,
  end_date: dateField,
  goal_type: z.enum(GOAL_TYPES).nullish(),
  measure_by: z.enum(MEASURES).nullish(),
  goal: z.number().nullish(),
  templates: z.array(chosenTemplate).max(50).default([]),
  /** Nobody is held out at random, whatever the company's holdout. Left out, an edit keeps the saved value. */
  no_holdout: z.boolean().nullish(),
  /** Pharmacy ids. */
  locations: z.array(z.uuid()).max(10_000).default([]),
}

const { list, info, stats, run, recommendations, affected } = campaignReads
const { state, waiting } = campaignApprovalReads
const stale = [
  ...[list, info, stats, run, recommendations, affected],
  ...[templateReads.list, templateReads.info, state, waiting],
]
const id = z.uuid()

export const campaign = {
  ...campaignReads,
  create: write({
    path: '/api/campaign/create/enterprise',
    needs: 'data_analytics',
    stepUp: ({ active }) => (active ? 'activate' : 'save'),
    refreshes: () => stale,
    about: 'Creates a campaign, also from a recommendation; `active` also activates it.',
    example: {
      name: 'Back on track',
      filters: { adherence: [1, 2] },
      goal_type: 'adherence',
      measure_by: 'target',
      goal: 80,
      templates: ['01980000-0000-7000-8000-00000000000a'],
      locations: ['01980000-0000-7000-8000-00000000000b'],
    },
    input: z.object({
      ...campaignFields,
      active: z.boolean().default(false),
      campaign_recommendation_id: z.uuid().nullish(),
      /** With `active`: how many messages the button said it would send, as in `activate`. */
      expected_messages: z.number().int().nullish(),
    }),
    output: z.object({ id: z.uuid(), run_id: z.uuid().nullable(), starts_at: z.iso.datetime().nullable() }),
  }),
  edit: write({
    path: '/api/campaign/{id}/edit/enterprise',
    needs: 'data_analytics',
    stepUp: 'save',
    refreshes: () => stale,
    about: 'Changes a campaign. Messages already queued keep their text.',
    example: {
      id: '01980000-0000-7000-8000-00000000000a',
      name: 'Back on track',
      filters: { adherence: [1, 2] },
      goal_type: 'adherence',
      measure_by: 'target',
      goal: 80,
      templates: ['01980000-0000-7000-8000-00000000000a'],
      locations: ['01980000-0000-7000-8000-00000000000b'],
      version: 1,
    },
    input: z.object({
      id,
      ...campaignFields,
      active: z.boolean().nullish(),
      campaign_recommendation_id: z.uuid().nullish(),
      version: z.number().int().nullish(),
    }),
    output: z.object({ id: z.uuid(), version: z.number() }),
  }),
  activate: write({
    path: '/api/campaign/{id}/activate/enterprise',
    needs: 'data_analytics',
    stepUp: ({ active }) => (active ? 'activate' : 'deactivate'),
    again: ({ active }) => !active,
    refreshes: () => stale,
    about:
      'Activates or deactivates a campaign with the listed templates. Sending starts after a hold of two minutes, or on the saved start date if that is later, and runs until the saved end date. Dates sent here override the saved ones; null clears the end.',
    example: { id: '01980000-0000-7000-8000-00000000000a', active: true, expected_messages: 812 },
    input: z.object({
      id,
      active: z.boolean(),
      templates: z.array(z.uuid()).max(50).nullish(),
      start_date: dateField,
      end_date: dateField,
      /** How many messages the button said it would send; a 409 when the cohort has grown by more than 5% since. */
      expected_messages: z.number().int().nullish(),
    }),
    output: z.object({
      active: z.boolean(),
      run_id: z.uuid().nullable(),
      /** When the first message goes. */
      starts_at: z.iso.datetime().nullable(),
    }),
  }),
  remove: write({
    path: '/api/campaign/{id}/delete/enterprise',
    needs: 'data_analytics',
    stepUp: 'delete',
    // Not the reads of the campaign itself, because it is deleted.
    refreshes: () => [list, recommendations, templateReads.list, waiting],
    about: 'Deletes a campaign and cancels its unsent messages. Its records stay.',
    example: { id: '01980000-0000-7000-8000-00000000000a' },
    input: z.object({ id }),
    output: z.object({ deleted: z.literal(true) }),
  }),
  stop: write({
    path: '/api/campaign/{id}/stop/enterprise',
    again: true,
    needs: 'data_analytics',
    refreshes: () => stale,
    about: 'Stops a run at once, for all or some pharmacies. Unsent messages stay queued.',
    example: { id: '01980000-0000-7000-8000-00000000000a', pharmacy_ids: ['01980000-0000-7000-8000-00000000000b'] },
    input: z.object({ id, pharmacy_ids: z.array(z.uuid()).max(10_000).nullish() }),
    output: z.object({ stopped: z.literal(true), left: z.number() }),
  }),
  resume: write({
    path: '/api/campaign/{id}/resume/enterprise',
    needs: 'data_analytics',
    stepUp: 'activate',
    refreshes: () => stale,
    about: 'Resumes a stopped run. Nobody gets the same message twice.',
    example: { id: '01980000-0000-7000-8000-00000000000a' },
    input: z.object({ id, pharmacy_ids: z.array(z.uuid()).max(10_000).nullish() }),
    output: z.object({ resumed: z.literal(true), left: z.number() }),
  }),
}
