import { Refusal } from '@pillar/contract'
import { CONSENT_KINDS, type ConsentForm, type ConsentKind } from '@pillar/domain/consent/consent'
import { agreedText, consentWording } from '@pillar/domain/consent/consent-wording'
import { recordAudit } from '../../api/audit.ts'
import type { Services } from '../../api/context.ts'
import { carryAnswers } from './carry/carry-opt-outs.queries.ts'
import { recordConsent } from './consent-log.queries.ts'
import { type OpenRequest, readPublicLocation, useRequest } from './consent-request.queries.ts'
import { isStillTheirs } from './link/still-theirs.queries.ts'
import { atPharmacy } from './public-location.ts'

/** The answer for an unknown, used or expired link alike. */
export const DEAD = 'Consent form is invalid / already submitted'
export const dead = () => new Refusal('not_found', DEAD)

/**
 * Records a patient's answers on the consent page and uses up the link, all in one transaction.
 * @throws Refusal not_found if the link was used meanwhile or went to a contact that is no longer theirs, invalid if the answers do not fit
 * its questions
 */
export async function takeAnswers(services: Services, request: OpenRequest, input: ConsentForm): Promise<void> {
  const now = services.now()
  await atPharmacy(services, request, async (tx) => {
    // First: of several concurrent submissions all but one stop here, before anything is written.
    const used = await useRequest(tx, request, now)
    const pharmacy = await readPublicLocation(tx, request.locationId)
    if (!used || !pharmacy) throw dead()
    const { locationId } = request
    if (!(await isStillTheirs(tx, services.keys, { locationId, messageId: used.message_id }))) throw dead()
    const applies = { health_outreach: used.health_outreach, marketing: used.marketing }
    const answers = answersOf(input, applies)
    await recordConsent(
      tx,
      {
        locationId,
        patientId: used.patient_id,
        at: now,
        event: { type: 'form', answers },
        wording: agreedText(consentWording(pharmacy.name, applies), answers),
        source: 'consent page',
      },
      now,
    )
    await carryAnswers(tx, locationId, now, used.patient_id)
    await recordAudit(tx, {
      caller: { companyId: request.companyId, loginId: null, sessionId: null },
      action: 'consent.submit',
      object: null,
      detail: { location: request.locationId, request: request.id },
    })
  })
}

/** The answers to the questions asked. @throws Refusal invalid if one is missing, or answers something that was not asked */
function answersOf(input: ConsentForm, applies: Readonly<Record<ConsentKind, boolean>>): ConsentForm {
  const errors: Record<string, string[]> = {}
  for (const kind of CONSENT_KINDS) {
    for (const field of [`${kind}_sms_consent`, `${kind}_email_consent`] as const) {
      if (applies[kind] && input[field] === null) errors[field] = ['Please choose Yes or No.']
      if (!applies[kind] && input[field] !== null) errors[field] = ['This form does not ask about this.']
    }
  }
  if (Object.keys(errors).length > 0) {
    throw new Refusal('invalid', 'The choices do not fit this form. Nothing was changed.', { errors })
  }
  const { health_outreach_sms_consent, health_outreach_email_consent, marketing_sms_consent, marketing_email_consent } =
    input
  return {
    health_outreach_sms_consent,
    health_outreach_email_consent,
    marketing_sms_consent,
    marketing_email_consent,
  }
}
