import { MINUTES_OF_DAY, SENDING_LIMITS } from '@pillar/domain/quiet-hours'
import { z } from 'zod'
import { read, write } from './call.ts'
import { campaignReads } from './campaign-read.ts'
import { replyCalls } from './message-reply.ts'
import { paged, pageField, searchField } from './paging.ts'
import { periodFields, Span } from './period.ts'

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
  revenue_change: percent,
  roi: z.number().nullable(),
})
export type MessageStats = z.output<typeof MessageStats>

/** From a minute of the day up to another; null for none. Monday first. */
const minute = z.number().int().min(0).max(MINUTES_OF_DAY)
const dayHours = z.tuple([minute, minute]).nullable()
const within = ({ min, max }: { min: number; max: number }) => z.number().int().min(min).max(max)

export const SendingRules = z.object({
  cap_messages: within(SENDING_LIMITS.cap_messages),
  cap_hours: within(SENDING_LIMITS.cap_hours),
  week: z.tuple([dayHours, dayHours, dayHours, dayHours, dayHours, dayHours, dayHours]),
  holidays_quiet: z.boolean(),
  /** Percent of a cohort kept back at random to measure against; 0 is off. */
  holdout_percent: within(SENDING_LIMITS.holdout_percent),
})
export type SendingRules = z.output<typeof SendingRules>

/** Columns the table of pharmacies sorts by; pharmacies without a value come last. */
export const STATS_SORT_FIELDS = ['name', 'sms', 'email', 'reach', 'cost', 'revenue', 'revenue_change', 'roi'] as const

/** Which pharmacies, in which order. */
const statsInput = {
  ...periodFields,
  /** Left out: every pharmacy. Totals and ranks are those of all the pharmacies named here. */
  pharmacy_ids: z.array(z.uuid()).max(10_000).nullish(),
  /** Part of a pharmacy's name: leaves out rows and counts of pages, never changes totals or ranks. */
  search_term: searchField,
  sort_field: z.enum(STATS_SORT_FIELDS).default('revenue'),
  sort_order: z.enum(['asc', 'desc']).default('desc'),
}

const rules = read({
  path: '/api/messaging/rules',
  needs: 'data_analytics',
  about: 'The company’s sending rules: cap per person, quiet hours, holdout; and how texts leave.',
  example: {},
  input: z.object({}),
  output: SendingRules.extend({
    sms_gateway: z.string(),
    simulated: z.boolean(),
    rate_per_minute: z.number(),
    cents_per_part: z.number(),
  }),
})

export const message = {
  stats: read({
    path: '/api/enterprise-message-stats',
    needs: 'data_analytics',
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
      total_sms_parts: z.number(),
      num_campaign_messages: z.number(),
      num_trial_messages: z.number(),
      num_normal_messages: z.number(),
      revenue_method_name: z.string(),
      period: Span,
      /** Newest receipt and newest dispensing counted. */
      receipts_to: z.iso.datetime().nullable(),
      data_to: z.iso.date().nullable(),
    }),
  }),
  statsCsv: read({
    path: '/api/enterprise-message-stats-csv',
    needs: 'data_analytics',
    answer: 'csv',
    about: 'The table of message stats as a file: every page of it, TOTAL first.',
    example: { year: 2026 },
    input: z.object(statsInput),
    output: z.object({ filename: z.string(), text: z.string() }),
  }),
  pharmacyStats: read({
    path: '/api/enterprise-pharmacy-message-stats',
    needs: 'data_analytics',
    about: 'One pharmacy’s messages in a calendar period: what was sent and what happened to it.',
    example: { pharmacy_id: '01980000-0000-7000-8000-00000000000a', year: 2026, quarter: 4 },
    input: z.object({ pharmacy_id: z.uuid(), ...periodFields }),
    output: z.object({
      pharmacy_id: z.uuid(),
      roi: z.number().nullable(),
      revenue: money,
      revenue_change: percent,
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
      /** Why messages failed, in plain words. */
      failures: z.array(z.object({ text: z.string(), count: z.number() })),
    }),
  }),
  rules,
  saveRules: write({
    path: '/api/messaging/rules/save',
    needs: 'data_analytics',
    stepUp: 'save',
    refreshes: () => [rules, campaignReads.cohort],
    about: 'Changes the company’s sending rules for messages not yet handed over.',
    example: {
      cap_messages: 4,
      cap_hours: 168,
      week: [[540, 1020], [540, 1020], [540, 1020], [540, 1020], [540, 1020], null, null],
      holidays_quiet: true,
      holdout_percent: 10,
    },
    input: SendingRules,
    output: z.object({ saved: z.literal(true) }),
  }),
  pharmacies: read({
    path: '/api/get-pharmacies',
    needs: 'data_analytics',
    about: 'The company’s pharmacies.',
    example: {},
    input: z.object({}),
    output: z.object({ data: z.array(z.object({ name: z.string(), uuid: z.uuid() })) }),
  }),
  ...replyCalls,
}
