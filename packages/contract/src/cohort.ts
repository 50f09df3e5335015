import { CHANNELS } from '@pillar/domain/consent'
import { z } from 'zod'

/** A day, sent as '2026-11-20' or as an instant such as '2026-11-20T13:00:00.000Z'. */
export const dateField = z.union([z.iso.date(), z.iso.datetime({ offset: true })]).nullish()

const texts = (max: number) => z.array(z.string().max(200)).max(max).default([])

/** The cohort filters as they are sent and stored. Ranges and levels are checked by `cohortProblems` of the domain. */
export const Filters = z.object({
  adherence: z.array(z.number()).max(5).default([]),
  loyalty: z.array(z.number()).max(5).default([]),
  patient_type: texts(20),
  age: texts(50),
  patient_sex: texts(5),
  polypharmacy: texts(50),
  drug_type: texts(500),
  distance_from_store: texts(50),
  double_dispensing: z.boolean().nullable().default(null),
  /** ATC codes. */
  molecules: texts(5_000),
})
export type Filters = z.output<typeof Filters>

/** A chosen template: an own one, or a recommended one that becomes the company’s own. */
export const chosenTemplate = z.union([
  z.uuid().transform((template_id) => ({ template_id, template_recommendation_id: null })),
  z.object({ template_id: z.uuid().nullish(), template_recommendation_id: z.uuid().nullish() }),
])

export const Reason = z.object({ reason: z.string(), text: z.string(), count: z.number() })

/** selected = will_receive + held_back, and held_back = the sum of its reasons: for the whole and for each pharmacy. */
const ledgerFields = {
  selected: z.number(),
  will_receive: z.number(),
  held_back: z.number(),
  reasons: z.array(Reason),
  /** Messages, parts and money of those who will receive; every text counted as it will read. */
  messages: z.number(),
  parts: z.number(),
  cents: z.number(),
}

export const CohortLedger = z.object({
  counted_at: z.iso.datetime(),
  /** Persons over all channels: who gets at least one message will receive. */
  ...ledgerFields,
  channels: z.array(
    z.object({
      channel: z.enum(CHANNELS),
      ...ledgerFields,
      /** How many texts have so many parts. */
      by_parts: z.array(z.object({ parts: z.number(), messages: z.number() })),
      /** What pushes texts into another part, worst first, without naming anybody: a character, or the length of names. */
      tipping: z.array(z.object({ what: z.string(), messages: z.number() })),
    }),
  ),
  pharmacies: z.array(
    z.object({
      pharmacy_id: z.uuid(),
      pharmacy_name: z.string(),
      ...ledgerFields,
      data_to: z.iso.date().nullable(),
      /** The name its texts come from, where that is not registered and phones show “Unverified”; null where there is nothing to warn of. */
      unverified_sender: z.string().nullish(),
    }),
  ),
  /** By the gateway’s rate, quiet hours included. */
  rate_per_minute: z.number(),
  starts_at: z.iso.datetime(),
  finishes_at: z.iso.datetime().nullable(),
  simulated: z.boolean(),
  /** About how many of those who will receive are kept back at random to measure the effect; who is found when messages are written. */
  expected_held_out: z.number(),
  /** Those who will receive, but whose pharmacy has no hour for sending between the campaign’s dates: they get nothing. */
  no_hour: z.number(),
})
export type CohortLedger = z.output<typeof CohortLedger>

export const cohortInput = z.object({
  filters: Filters,
  pharmacies: z.array(z.uuid()).max(10_000),
  /** The templates that would be sent; none: persons are counted without consent, contact or cost. */
  templates: z.array(chosenTemplate).max(50).default([]),
  /** Leaves out who this campaign has contacted already. */
  campaign_id: z.uuid().nullish(),
  /** Between which days it would be sent, for `no_hour`. */
  start_date: dateField,
  end_date: dateField,
})
