import { GOAL_TYPES, MEASURES } from '@pillar/domain/campaign/goal'
import { RUN_STATES } from '@pillar/domain/message/run-state'
import { z } from 'zod'
import { read } from '../wire/call.ts'
import { longFile } from '../wire/long-file.ts'
import { paged, pageField, searchField } from '../wire/paging.ts'
import { campaignPictures } from './campaign-pictures.ts'
import { CampaignStats, Progress } from './campaign-stats.ts'
import { CohortForecast, cohortInput, Filters, Reason } from './cohort.ts'
import { CampaignRecommendation } from './recommendation.ts'
import { ResultBasis } from './result.ts'

/** A goal's meter: start, now and goal on one scale (currency or a count; percent for adherence and loyalty). */
export const GoalPlace = z.object({
  /** Whether any message has left; before that, `now` is missing. */
  started: z.boolean(),
  start: z.number().nullable(),
  now: z.number().nullable(),
  goal: z.number().nullable(),
  /** The newest dispensing day counted. */
  measured_to: z.iso.date().nullable(),
  /** What the remaining days need to reach the goal, beside the pace so far; null once reached, without an end, or without last year's figures. */
  pace: z
    .object({
      unit: z.enum(['percent', 'a_day', 'points_a_week']),
      needed: z.number(),
      so_far: z.number().nullable(),
      /** Days left. */
      days: z.number(),
      behind: z.boolean(),
    })
    .nullable(),
})
export type GoalPlace = z.output<typeof GoalPlace>

export const Campaign = z.object({
  campaign_id: z.uuid(),
  name: z.string(),
  active: z.boolean(),
  /** One of the demo campaigns: never edited or deleted. */
  demo: z.boolean(),
  goal_type: z.enum(GOAL_TYPES).nullable(),
  measure_by: z.enum(MEASURES).nullable(),
  goal: z.number().nullable(),
  note: z.string().nullable(),
  description: z.string().nullable(),
  start_date: z.iso.date().nullable(),
  end_date: z.iso.date().nullable(),
  /** The end is the day it was deactivated, and the next activation does not reuse it. */
  ended_early: z.boolean(),
  days_left: z.number().nullable(),
  templates: z.array(
    z.object({
      template_id: z.uuid(),
      template_name: z.string(),
      sms_template: z.boolean(),
      email_template: z.boolean(),
      active: z.boolean(),
    }),
  ),
  locations: z.array(z.object({ location_id: z.uuid(), location_name: z.string() })),
  pharmacies: z.array(z.uuid()),
  filters: Filters,
  /** Nobody is held out at random, whatever the company's holdout. */
  no_holdout: z.boolean(),
  campaign_recommendation_id: z.uuid().nullable(),
  template_recommendations: z.array(z.uuid()),
  author: z.string().nullable(),
  version: z.number(),
  /** In the units of `goal`; null until there is something to measure. */
  current_goal_value: z.number().nullable(),
  made_goal: z.boolean(),
  goal_place: GoalPlace,
  /** The newest run's state; null before the first run. */
  run_state: z.enum(RUN_STATES).nullable(),
  /** Whether that run was held back, over its approval or after a restore; a server of the previous version does not say. */
  run_held: z.boolean().optional(),
  /** The earliest time the next unsent message may leave, while the run is sending; null otherwise. */
  next_at: z.iso.datetime().nullable(),
  progress: Progress.nullable(),
})
export type Campaign = z.output<typeof Campaign>

const percent = z.number().nullable()
const money = z.number().nullable()

const id = z.uuid()

/** Calls that read campaigns; campaign.ts has the writes. */
export const campaignReads = {
  list: read({
    path: '/api/campaign/enterprise/list',
    needs: 'data_analytics',
    about: 'The company’s campaigns, newest first.',
    example: { page: 1, active: true },
    input: z.object({ page: pageField, active: z.boolean().nullish(), search_term: searchField }),
    output: z.object({ campaigns: z.array(Campaign), ...paged }),
  }),
  recommendations: read({
    path: '/api/campaign-recommendation/company/list',
    needs: 'data_analytics',
    scratch: true,
    about: 'Campaigns recommended to every company; `new` filters to those the company does not use yet.',
    example: { page: 1, new: true },
    input: z.object({ page: pageField, search_term: searchField, new: z.boolean().nullish() }),
    output: z.object({ campaigns: z.array(CampaignRecommendation), ...paged }),
  }),
  info: read({
    path: '/api/campaign/{id}/info/enterprise',
    needs: 'data_analytics',
    about: 'One campaign with all its fields.',
    example: { id: '01980000-0000-7000-8000-00000000000a' },
    input: z.object({ id }),
    output: Campaign,
  }),
  stats: read({
    path: '/api/campaign/enterprise/stats',
    needs: 'data_analytics',
    heavy: true,
    about: 'The campaign’s results at each pharmacy, best revenue first, with totals.',
    example: { campaign_id: '01980000-0000-7000-8000-00000000000a' },
    input: z.object({
      campaign_id: z.uuid(),
      page: pageField,
      /** Totals cover the pharmacies named here; ranks cover all pharmacies of the campaign. */
      pharmacy_ids: z.array(z.uuid()).max(10_000).nullish(),
    }),
    output: z.object({
      pharmacies: z.array(CampaignStats),
      ...paged,
      total_pharmacies: z.number(),
      total_messages: z.number(),
      total_reach: z.number(),
      total_cost: z.number(),
      /** The part of the cost paid for patients whose revenue is known; the return is based on it. */
      total_roi_cost: z.number(),
      total_revenue: money,
      total_revenue_change: percent,
      total_made_goal: z.number(),
      total_roi: z.number().nullable(),
      total_current_goal_value: z.number().nullable(),
      total_adherence_kpi: z.number().nullable(),
      total_loyalty_kpi: z.number().nullable(),
      total_scripts_kpi: percent,
      total_visits_kpi: percent,
      total_sms_delivered: z.number(),
      total_email_delivered: z.number(),
      /** People who opted out within 30 days of this campaign's message, with no message after it. */
      total_opt_outs: z.number(),
      progress: Progress,
      /** The name the screen uses for the method behind `revenue`; null before there is revenue. */
      revenue_method: z.enum(['holdout', 'difference_in_differences', 'run_rate']).nullable(),
      revenue_method_name: z.string().nullable(),
      /** 95% interval of the total, where the method has one. */
      revenue_low: money,
      revenue_high: money,
      /** The evidence behind the total, or why there is none. */
      total_result: ResultBasis,
      /** The newest dispensing day included. */
      data_to: z.iso.date().nullable(),
      receipts_to: z.iso.datetime().nullable(),
    }),
  }),
  pictures: campaignPictures,
  affected: read({
    path: '/api/campaign/{id}/affected-templates/enterprise',
    needs: 'data_analytics',
    about: 'Templates that activating or deactivating the campaign would switch too.',
    example: { id: '01980000-0000-7000-8000-00000000000a', active: true },
    input: z.object({ id, active: z.boolean().nullish() }),
    output: z.object({ template_names: z.array(z.string()), template_ids: z.array(z.uuid()) }),
  }),
  cohort: read({
    path: '/api/campaign/cohort/enterprise',
    needs: 'data_analytics',
    heavy: true,
    scratch: true,
    about: 'Who would receive a campaign, who is held back and why, and what it costs, per pharmacy.',
    example: {
      filters: { adherence: [1, 2] },
      pharmacies: ['01980000-0000-7000-8000-00000000000b'],
      templates: ['01980000-0000-7000-8000-00000000000a'],
    },
    input: cohortInput,
    output: CohortForecast,
  }),
  cohortCsv: read({
    path: '/api/campaign/cohort-csv/enterprise',
    needs: 'data_analytics',
    heavy: true,
    scratch: true,
    answer: 'csv',
    about: 'The held-back ledger per pharmacy and reason, without names.',
    example: { filters: { adherence: [1, 2] }, pharmacies: ['01980000-0000-7000-8000-00000000000b'] },
    input: cohortInput,
    output: z.object({ filename: z.string(), text: z.string() }),
  }),
  run: read({
    path: '/api/campaign/{id}/run/enterprise',
    needs: 'data_analytics',
    about: 'The newest run of a campaign: countdown, progress, rate, finish time and why patients were left out.',
    example: { id: '01980000-0000-7000-8000-00000000000a' },
    input: z.object({ id }),
    output: z.object({
      run_id: z.uuid().nullable(),
      state: z.enum(RUN_STATES).nullable(),
      /** Why a run was held back: its content is not what was approved, or Pillar was restored from a backup of before it was written. */
      held_reason: z.string().nullish(),
      starts_at: z.iso.datetime().nullable(),
      /** When the next queued message may leave under its pharmacy's sending hours; null when none is queued. */
      next_at: z.iso.datetime().nullable(),
      finishes_at: z.iso.datetime().nullable(),
      rate_per_minute: z.number(),
      /** Whether messages have changed since `progress` and `cents` were counted; a recount takes about two seconds. */
      counting: z.boolean(),
      progress: Progress,
      /** Reasons for skipped and failed messages. */
      skipped: z.array(Reason),
      failed: z.array(Reason),
      cents: z.number(),
      simulated: z.boolean(),
      pharmacies: z.array(
        z.object({ pharmacy_id: z.uuid(), pharmacy_name: z.string(), stopped: z.boolean(), progress: Progress }),
      ),
    }),
  }),
  runCsv: read({
    path: '/api/campaign/{id}/run-csv/enterprise',
    needs: 'data_analytics',
    heavy: true,
    long: true,
    scratch: true,
    answer: 'csv',
    about: 'Every message of the newest run by the pharmacy’s own patient number: state, reason, time. No names.',
    example: { id: '01980000-0000-7000-8000-00000000000a' },
    input: z.object({ id }),
    output: longFile,
  }),
}
