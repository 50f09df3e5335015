import { z } from 'zod'
import { ResultBasis } from './result.ts'

const percent = z.number().nullable()
const money = z.number().nullable()

/** The number of a campaign's messages in each state; the counts add up to `messages`. */
export const Progress = z.object({
  messages: z.number(),
  queued: z.number(),
  sending: z.number(),
  sent: z.number(),
  delivered: z.number(),
  failed: z.number(),
  skipped: z.number(),
  unknown: z.number(),
})
export type Progress = z.output<typeof Progress>

/** One pharmacy of a campaign, or the TOTAL. Money in dollars; changes as fractions, but those of adherence and loyalty in points. */
export const CampaignStats = z.object({
  pharmacy_id: z.uuid(),
  pharmacy_name: z.string(),
  rank: z.number(),
  messages: z.number(),
  reach: z.number(),
  cost: z.number(),
  revenue: money,
  revenue_change: percent,
  /** The method behind this pharmacy’s revenue: the campaign’s method where the pharmacy has enough patients, else an estimate. */
  revenue_method: z.enum(['holdout', 'difference_in_differences', 'run_rate']).nullish(),
  revenue_method_name: z.string().nullish(),
  /** If this has a reason, revenue, its change, the return and the four changes below are null. */
  result: ResultBasis,
  made_goal: z.boolean(),
  roi: z.number().nullable(),
  current_goal_value: z.number().nullable(),
  sms_delivered: z.number(),
  email_delivered: z.number(),
  templates: z.number(),
  adherence_kpi: z.number().nullable(),
  loyalty_kpi: z.number().nullable(),
  scripts_kpi: percent,
  visits_kpi: percent,
  progress: Progress,
  stopped: z.boolean(),
})
export type CampaignStats = z.output<typeof CampaignStats>
