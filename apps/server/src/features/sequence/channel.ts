import { heldReason, type SkipReason } from '@pillar/domain/cohort/held-back'
import { type Consent, type ConsentKind, type Permission, permissionFor } from '@pillar/domain/consent/consent'
import type { Channel } from '../sending/lease.queries.ts'
import { holesIn } from '../template/template-text.ts'
import type { CampaignText } from '../template/text.queries.ts'
import type { DueFollowUp } from './follow-up-queue.queries.ts'

/** How a follow-up is sent, or what holds it back. */
export interface Route {
  channel: Channel
  /** With the strictest kind of consent that the sequence or the template requires. */
  text: CampaignText
  consented: boolean
  reason: SkipReason | null
}

/**
 * The preferred channel if the patient may be reached on it, otherwise the other one if the template allows it, otherwise the preferred one
 * with what holds it back. `taken` says whether another person of the run has a number or address; `fits` whether its text is short enough
 * to be sent. Null for a template that cannot be sent: it has no channel, or a field that only clinical trials can fill.
 */
export function routeTo(
  due: DueFollowUp,
  taken: (channel: Channel, contact: string) => boolean,
  fits: (body: string) => boolean,
): Route | null {
  if (holesIn(due.text).length > 0) return null
  const other: Channel = due.preferred === 'sms' ? 'email' : 'sms'
  const ways = [due.preferred, other]
    .filter((channel) => (channel === 'sms' ? due.text.sms_template && fits(due.text.body) : due.text.email_template))
    .map((channel) => routeOn(due, channel, taken))
  return ways.find((way) => way.reason === null) ?? ways[0] ?? null
}

function routeOn(due: DueFollowUp, channel: Channel, taken: (channel: Channel, contact: string) => boolean): Route {
  const sms = channel === 'sms'
  const contact = sms ? due.sms_to : due.email_to
  const consent = permissionOn(due, channel)
  const reason = heldReason(
    {
      consent,
      contact: contact ?? ((sms ? due.mobile_written : due.email_written) ? 'unusable' : null),
      contactValid: contact !== null,
      unreachable: sms ? due.sms_gone : due.email_gone,
      deceased: due.deceased,
      deceasedElsewhere: due.deceased_elsewhere,
      facility: due.facility,
      // The ledger checks it when the message is sent.
      capped: false,
      alreadyContacted: false,
      testPatient: due.fake,
    },
    contact !== null && taken(channel, contact),
  )
  const kind = kindsOf(due).includes('marketing') ? 'marketing' : 'health_outreach'
  return { channel, text: { ...due.text, message_kind: kind }, consented: consent === 'allowed', reason }
}

/** Kinds of consent a follow-up needs: the template's own, and those the sequence requires in addition. */
function kindsOf(due: DueFollowUp): ConsentKind[] {
  return (['marketing', 'health_outreach'] as const).filter(
    (kind) =>
      due.text.message_kind === kind || (kind === 'marketing' ? due.marketing_consent : due.health_outreach_consent),
  )
}

function permissionOn(due: DueFollowUp, channel: Channel): Permission {
  if (channel === 'sms' ? due.sms_imported_out : due.email_imported_out) return 'opted_out'
  const cell = (choice: 'unknown' | 'in' | 'out') => ({ choice, entry: null, beforeStop: null })
  const consent: Consent = {
    sms: { health_outreach: cell(due.sms_health_outreach), marketing: cell(due.sms_marketing) },
    email: { health_outreach: cell(due.email_health_outreach), marketing: cell(due.email_marketing) },
  }
  const answers = kindsOf(due).map((kind) => permissionFor(kind, channel, consent))
  return answers.find((answer) => answer === 'opted_out') ?? answers.find((answer) => answer !== 'allowed') ?? 'allowed'
}
