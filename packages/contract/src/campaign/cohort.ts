import { CHANNELS } from '@pillar/domain/consent/consent'
import { z } from 'zod'
import { dayInput, localInput, spaced } from '../wire/dates.ts'

/**
 * A day, sent as '2026-11-20', at a time of its own such as '2026-11-20T23:59:59' or '2026-11-20 23:59:59', or as an instant such as
 * '2026-11-20T13:00:00.000Z'.
 */
export const dateField = spaced(z.union([dayInput, localInput])).nullish()

/** A list of selected values. Clients also send a single value, or null for none. */
const chosen = <T extends z.ZodType>(one: T, most: number) =>
  (
    z.preprocess(
      (sent) => (sent === null ? [] : typeof sent === 'object' ? sent : [sent]),
      z.array(one).max(most),
    ) as unknown as z.ZodArray<T>
  ).default([])
const texts = (most: number) => chosen(z.string().max(200), most)

/** The cohort filters as sent and stored. `cohortProblems` in the domain checks ranges and levels. */
export const Filters = z.object({
  adherence: chosen(z.number(), 5),
  loyalty: chosen(z.number(), 5),
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

/** A selected template: the company’s own, or a recommended one that becomes its own. */
export const chosenTemplate = z.union([
  z.uuid().transform((template_id) => ({ template_id, template_recommendation_id: null })),
  z.object({ template_id: z.uuid().nullish(), template_recommendation_id: z.uuid().nullish() }),
])

export const Reason = z.object({ reason: z.string(), text: z.string(), count: z.number() })

/** selected = will_receive + held_back, and held_back is the sum of its reasons, overall and per pharmacy. */
const ledgerFields = {
  selected: z.number(),
  will_receive: z.number(),
  held_back: z.number(),
  reasons: z.array(Reason),
  /** Messages, parts and cost for those who will receive, counted from each rendered text. */
  messages: z.number(),
  parts: z.number(),
  cents: z.number(),
}

export const CohortForecast = z.object({
  counted_at: z.iso.datetime(),
  /** Distinct people across channels: anyone who gets at least one message will receive. */
  ...ledgerFields,
  channels: z.array(
    z.object({
      channel: z.enum(CHANNELS),
      ...ledgerFields,
      /** How many texts have each number of parts. */
      by_parts: z.array(z.object({ parts: z.number(), messages: z.number() })),
      /** What pushes texts into another part, most frequent first, without names: a character, or the length of names. */
      tipping: z.array(z.object({ what: z.string(), messages: z.number() })),
    }),
  ),
  pharmacies: z.array(
    z.object({
      pharmacy_id: z.uuid(),
      pharmacy_name: z.string(),
      ...ledgerFields,
      data_to: z.iso.date().nullable(),
      /** The sender name, if it is unregistered and phones show “Unverified”; null when nothing needs a warning. */
      unverified_sender: z.string().nullish(),
      /** The sender name, if the country’s phone networks do not deliver texts from one; null when nothing needs a warning. */
      refused_sender: z.string().nullish(),
      /** Fields of its messages that stay blank because the pharmacy has no value for them: pharmacy_number. */
      blank_fields: z.array(z.string()).default([]),
    }),
  ),
  /** At the gateway’s rate, quiet hours included. */
  rate_per_minute: z.number(),
  starts_at: z.iso.datetime(),
  finishes_at: z.iso.datetime().nullable(),
  simulated: z.boolean(),
  /** Roughly how many of those who will receive go into the holdout; the exact people are picked when messages are queued. */
  expected_held_out: z.number(),
  /** Patients whose pharmacy has no sending hour between the campaign’s dates: they get nothing. */
  no_hour: z.number(),
  /** Each text and email as a patient of the first sending pharmacy would read it, under a made-up name. */
  samples: z.array(
    z.object({
      channel: z.enum(['sms', 'email']),
      template_name: z.string(),
      pharmacy_name: z.string(),
      patient_name: z.string(),
      subject: z.string().nullable(),
      text: z.string(),
    }),
  ),
})
export type CohortForecast = z.output<typeof CohortForecast>

export const cohortInput = z.object({
  filters: Filters,
  pharmacies: z.array(z.uuid()).max(10_000),
  /** The templates to send. Without any, people are counted regardless of consent and contact, and nothing is priced. */
  templates: z.array(chosenTemplate).max(50).default([]),
  /** Excludes patients this campaign has already contacted. */
  campaign_id: z.uuid().nullish(),
  /** Whether the campaign holds nobody out at random. Left out, the saved setting of `campaign_id` applies. */
  no_holdout: z.boolean().nullish(),
  /** The sending dates, used for `starts_at`, `finishes_at` and `no_hour`. */
  start_date: dateField,
  end_date: dateField,
})
