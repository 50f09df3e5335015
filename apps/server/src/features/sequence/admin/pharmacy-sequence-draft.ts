import { type contract, type InputOf, Refusal } from '@pillar/contract'
import { pharmacySequenceProblem } from '@pillar/domain/campaign/sequence-draft'
import { oneLine } from '@pillar/domain/text/plain-text'
import { formatDay } from '@pillar/domain/time/day'
import { dayFrom } from '../../../api/call/day-sent.ts'
import type { SequenceRow } from './pharmacy-sequence.queries.ts'

interface Draft {
  title: string
  description: string
  preferred_communication_method: 'sms' | 'email'
  /** Uuid; empty if none is chosen. */
  sequence_event_id: string
  budget_cents: number | null
  start_date: string | null
  end_date: string | null
  active: boolean
  marketing_consent: boolean
  health_outreach_consent: boolean
  /** In order. */
  follow_ups: { follow_up_id?: string | null | undefined; template_id: string; days_after: number }[]
}

/** The initial values of a pharmacy's new sequence. */
export const NOTHING: Draft = {
  ...{ title: '', description: '', preferred_communication_method: 'sms', sequence_event_id: '', budget_cents: null },
  ...{ start_date: null, end_date: null, active: false, marketing_consent: false, health_outreach_consent: true },
  follow_ups: [],
}

/** An existing sequence as a draft. */
export function draftOf(row: SequenceRow): Draft {
  const { title, description, preferred_communication_method, budget_cents, start_date, end_date, active } = row
  return {
    ...{ title, description, preferred_communication_method, budget_cents, start_date, end_date, active },
    marketing_consent: row.marketing_consent,
    health_outreach_consent: row.health_outreach_consent,
    sequence_event_id: row.sequence_event.event_id,
    follow_ups: row.follow_ups.map(({ follow_up_id, template_id, days_after }) => ({
      ...{ follow_up_id, template_id, days_after },
    })),
  }
}

type Fields = Omit<InputOf<typeof contract.sequenceAdmin.create>, 'location_id' | 'sequence_recommendation_id'>

/** The given fields with their dates as days of the pharmacy. @throws Refusal invalid */
export function withDays<F extends Pick<Fields, 'start_date' | 'end_date'>>(fields: F, zone: string): F {
  const dayOf = (text: string) => formatDay(dayFrom(text, zone))
  const { start_date, end_date } = fields
  return { ...fields, start_date: start_date && dayOf(start_date), end_date: end_date && dayOf(end_date) }
}

/**
 * A draft with the given fields replaced; omitted ones stay.
 * @throws Refusal invalid with one sentence that names what is missing or wrong
 */
export function checkedDraft(before: Draft, { budget, follow_ups, ...fields }: Fields): Draft {
  const rest = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
  const draft: Draft = { ...before, ...rest }
  draft.title = oneLine(draft.title)
  draft.description = draft.description.trim()
  if (budget !== undefined) draft.budget_cents = budget === null ? null : Math.round(budget * 100)
  if (follow_ups) {
    const had = new Map(before.follow_ups.map((one) => [one.follow_up_id, one.template_id]))
    const placed = follow_ups.map((one, index) => ({
      ...one,
      template_id: one.template_id ?? had.get(one.follow_up_id ?? '') ?? '',
      place: one.follow_up_order ?? index + 1,
    }))
    draft.follow_ups = placed.toSorted((a, b) => a.place - b.place).map(({ place: _, ...one }) => one)
  }
  const inDollars = budget === undefined ? null : budget
  const problem = pharmacySequenceProblem({ ...draft, budget: inDollars })
  if (problem !== '') throw new Refusal('invalid', problem)
  return draft
}

/** The given fields of a recommended sequence itself, in the form its adoption takes. @throws Refusal invalid */
export function given(fields: Fields) {
  const { budget, start_date, end_date, title, description, preferred_communication_method: preferred, active } = fields
  const dates = { start_date: start_date ?? null, end_date: end_date ?? null, budget: budget ?? null }
  const whole = { title: title ?? 'x', sequence_event_id: 'x', follow_ups: [{ template_id: 'x', days_after: 0 }] }
  const problem = pharmacySequenceProblem({ ...whole, ...dates })
  if (problem !== '') throw new Refusal('invalid', problem)
  return {
    ...(title === undefined ? {} : { title: oneLine(title) }),
    ...(description === undefined ? {} : { description: description.trim() }),
    ...(preferred === undefined ? {} : { preferred }),
    ...(active === undefined ? {} : { active }),
    ...(fields.marketing_consent === undefined ? {} : { marketingConsent: fields.marketing_consent }),
    ...(fields.health_outreach_consent === undefined ? {} : { healthOutreachConsent: fields.health_outreach_consent }),
    ...{ startDay: dates.start_date, endDay: dates.end_date },
    budgetCents: dates.budget === null ? null : Math.round(dates.budget * 100),
  }
}

/** What the audit keeps of a sequence: never a message text. */
export function noted(row: SequenceRow) {
  const { title, description, preferred_communication_method, budget_cents, start_date, end_date, active } = row
  return {
    ...{ title, description, preferred_communication_method, budget_cents, start_date, end_date, active },
    marketing_consent: row.marketing_consent,
    health_outreach_consent: row.health_outreach_consent,
    sequence_event: row.sequence_event.name,
    sequence_recommendation: row.sequence_recommendation?.title ?? null,
    follow_ups: row.follow_ups.map((one) => `day ${one.days_after}: ${one.template}`),
  }
}
