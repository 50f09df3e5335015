import { z } from 'zod'
import { ResultBasis } from '../campaign/result.ts'
import { periodFields, Span } from '../period.ts'
import { read } from '../wire/call.ts'
import { paged, pageField, searchField } from '../wire/paging.ts'

const percent = z.number().nullable()
const money = z.number().nullable()

/** Messages of one pharmacy in a calendar period. Money in dollars, changes as fractions against a year earlier. */
export const MessageStats = z.object({
  rank: z.number(),
  pharmacy_id: z.uuid(),
  pharmacy_name: z.string(),
  /** Delivered. */
  sms: z.number(),
  email: z.number(),
  reach: z.number(),
  cost: z.number(),
  revenue: money,
  /** Compared with what these people's previous year predicts, as in `revenue`. */
  revenue_change: percent,
  roi: z.number().nullable(),
  /** The evidence behind revenue, or why there is none. */
  result: ResultBasis,
  /** Change from the same days a year earlier; null if there were no messages then. `reach_change` is also null while the period runs. */
  sms_change: percent,
  email_change: percent,
  reach_change: percent,
  cost_change: percent,
})
export type MessageStats = z.output<typeof MessageStats>

/** Columns by which the table of pharmacies can be sorted; pharmacies without a value come last. */
export const STATS_SORT_FIELDS = ['name', 'sms', 'email', 'reach', 'cost', 'revenue', 'revenue_change', 'roi'] as const

/** Which pharmacies to show, and in what order. */
const statsInput = {
  ...periodFields,
  /** All pharmacies when left out. Totals and ranks cover the pharmacies named here. */
  pharmacy_ids: z.array(z.uuid()).max(10_000).nullish(),
  /** Part of a pharmacy's name: filters rows and page counts, never totals or ranks. */
  search_term: searchField,
  sort_field: z.enum(STATS_SORT_FIELDS).default('revenue'),
  sort_order: z.enum(['asc', 'desc']).default('desc'),
}

/** Results of messages over calendar periods. */
export const attribution = {
  stats: read({
    path: '/api/enterprise-message-stats',
    needs: 'data_analytics',
    heavy: true,
    about: 'Messages of the chosen pharmacies in a calendar year, quarter or month, best revenue first, with totals.',
    example: { year: 2026, month: 10, sort_field: 'cost' },
    input: z.object({ ...statsInput, page: pageField }),
    output: z.object({
      pharmacies: z.array(MessageStats),
      ...paged,
      total_pharmacies: z.number(),
      total_sms: z.number(),
      total_email: z.number(),
      total_reach: z.number(),
      total_cost: z.number(),
      total_revenue: money,
      total_revenue_change: percent,
      total_roi: z.number().nullable(),
      /** The part of the cost that went to patients whose revenue is counted. */
      total_roi_cost: z.number(),
      total_result: ResultBasis,
      /** Over the pharmacies with data for the year before. */
      total_sms_change: percent,
      total_email_change: percent,
      total_reach_change: percent,
      total_cost_change: percent,
      /** The days a year earlier that changes are compared with. */
      compared_with: z.object({ from: z.iso.date(), to: z.iso.date() }),
      total_sms_parts: z.number(),
      num_campaign_messages: z.number(),
      num_trial_messages: z.number(),
      num_normal_messages: z.number(),
      revenue_method_name: z.string(),
      period: Span,
      /** The newest receipt and the newest dispensing day included. */
      receipts_to: z.iso.datetime().nullable(),
      data_to: z.iso.date().nullable(),
    }),
  }),
  statsCsv: read({
    path: '/api/enterprise-message-stats-csv',
    needs: 'data_analytics',
    heavy: true,
    scratch: true,
    answer: 'csv',
    about: 'The table of message stats as CSV: all pages, TOTAL first.',
    example: { year: 2026 },
    input: z.object(statsInput),
    output: z.object({ filename: z.string(), text: z.string() }),
  }),
  pharmacyStats: read({
    path: '/api/enterprise-pharmacy-message-stats',
    needs: 'data_analytics',
    heavy: true,
    about: 'One pharmacy’s messages in a calendar period: what was sent and what happened to it.',
    example: { pharmacy_id: '01980000-0000-7000-8000-00000000000a', year: 2026, quarter: 4 },
    input: z.object({ pharmacy_id: z.uuid(), ...periodFields }),
    output: z.object({
      pharmacy_id: z.uuid(),
      roi: z.number().nullable(),
      revenue: money,
      revenue_change: percent,
      result: ResultBasis,
      cost: z.number(),
      reach: z.number(),
      sms: z.number(),
      email: z.number(),
      num_campaign_messages: z.number(),
      num_trial_messages: z.number(),
      num_normal_messages: z.number(),
      delivered: z.number(),
      sent: z.number(),
      failed: z.number(),
      held_back: z.number(),
      queued: z.number(),
      unknown: z.number(),
      /** Why messages failed. */
      failures: z.array(z.object({ text: z.string(), count: z.number() })),
    }),
  }),
}
