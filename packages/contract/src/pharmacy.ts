import { FIGURE_UNITS } from '@pillar/domain/figure/figure-list'
import { ATTENTION } from '@pillar/domain/pharmacy/pharmacy-attention'
import { HEADLINE_FIGURES } from '@pillar/domain/pharmacy/standing'
import { z } from 'zod'
import { bound, Share } from './figure.ts'
import { FigureValue } from './figure-values.ts'
import { periodFields, Span } from './period.ts'
import { read } from './wire/call.ts'

const value = z.number().nullable()
const day = z.iso.date().nullable()
const text = z.string().nullable()

/** A headline figure of one pharmacy, compared with the company's others: money in currency, shares as fractions 0..1. */
const Headline = z.object({
  figure: z.enum(HEADLINE_FIGURES),
  title: z.string(),
  unit: z.enum(FIGURE_UNITS),
  value,
  /** Change from a year earlier: a rate, or the difference of a fraction; null unless data are complete both times. */
  change: value,
  n: z.number().nullable(),
  low: bound,
  high: bound,
  /** The company's pharmacies together, including this one: the mean of a sum, a share pooled. */
  group: value,
  /** 1 is the largest; null with too few observations to rank. */
  rank: z.number().nullable(),
  /** The number of pharmacies ranked. */
  ranked: z.number(),
  /** 13 months, oldest first. Figures that add up over days are given per business day of the month. */
  trend: z.array(z.object({ month: z.string(), value, group: value })),
})
export type Headline = z.output<typeof Headline>

/** Something that needs attention; the kind decides which of `count`, `from`, `to` and the rest apply. */
const Attention = z.object({
  kind: z.enum(ATTENTION),
  count: value,
  /** A share a year earlier, and the share now. */
  from: value,
  to: value,
  /** A drug type. */
  name: text,
  day,
  note: text,
})
export type PharmacyAttention = z.output<typeof Attention>

const PharmacyUpload = z.object({
  upload_id: z.uuid(),
  received: z.iso.datetime(),
  source: z.string(),
  state: z.string(),
  from: day,
  to: day,
  rows: value,
  faulty: value,
  note: z.string(),
})
export type PharmacyUpload = z.output<typeof PharmacyUpload>

/** What a campaign sent from the pharmacy; money in currency. */
const PharmacyCampaign = z.object({
  campaign_id: z.uuid(),
  name: z.string(),
  active: z.boolean(),
  start_date: day,
  end_date: day,
  sms: z.number(),
  email: z.number(),
  /** Patients who received at least one message. */
  reach: z.number(),
  cost: z.number(),
})
export type PharmacyCampaign = z.output<typeof PharmacyCampaign>

const example = { pharmacy_id: '01980000-0000-7000-8000-00000000000b', year: 2026, month: 10 }
const input = z.object({ pharmacy_id: z.uuid(), ...periodFields })

export const pharmacyReads = {
  pharmacy: read({
    path: '/api/enterprise-pharmacy',
    needs: 'data_analytics',
    replica: true,
    heavy: true,
    about:
      'One pharmacy: whom to call, its figures beside the group, what needs attention, its campaigns and its uploads.',
    example,
    input,
    output: z.object({
      pharmacy_id: z.uuid(),
      pharmacy_name: z.string(),
      street_address: text,
      town: text,
      state: text,
      postcode: text,
      phone_number: text,
      owner: z.object({ name: z.string(), email: text }).nullable(),
      /** The dispensing software; null until it is known. */
      software: text,
      data_from: day,
      data_to: day,
      begins_before_data: z.boolean(),
      late: z.boolean(),
      upload_status: z.string(),
      today: z.iso.date(),
      period: Span,
      /** The period that changes are compared with. */
      prior: z.object({ from: z.iso.date(), to: z.iso.date() }),
      /** Pharmacies of the company with figures in the period. */
      group_pharmacies: z.number(),
      /** In display order; gross profit only if the pharmacy sends cost. */
      headlines: z.array(Headline),
      /** All figures of the pharmacy. */
      figures: z.array(FigureValue),
      /** Worst first. */
      attention: z.array(Attention),
      /** Running campaigns first, then the newest. */
      campaigns: z.array(PharmacyCampaign),
      /** The newest 30, newest first. */
      uploads: z.array(PharmacyUpload),
    }),
  }),
  pharmacyDrugTypes: read({
    path: '/api/enterprise-pharmacy-drug-types',
    needs: 'data_analytics',
    replica: true,
    heavy: true,
    about: 'The drug types of one pharmacy, each with its change from a year earlier and its distance to the group.',
    example,
    input,
    output: z.object({
      /** TOTAL first, then by revenue, largest first. */
      rows: z.array(
        z.object({
          name: z.string(),
          revenue: z.number(),
          /** Rate of change of revenue; null unless data are complete both times. */
          change: value,
          scripts: z.number(),
          /** Share of scripts from adherent patients, here and over all the company's pharmacies together. */
          adherence: Share,
          group: Share,
          /** Revenue missed on uncovered days. */
          opportunity: z.number(),
        }),
      ),
      period: Span,
      group_pharmacies: z.number(),
    }),
  }),
}
