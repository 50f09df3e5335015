import { type contract, Refusal } from '@pillar/contract'
import { CONSENT_KINDS, type ConsentForm, type ConsentKind } from '@pillar/domain/consent/consent'
import { agreedText, consentWording } from '@pillar/domain/consent/consent-wording'
import { recordAudit } from '../../api/audit.ts'
import type { HandlersOf, Services } from '../../api/context.ts'
import { recordConsent } from './consent-log.queries.ts'
import {
  findRequest,
  type OpenRequest,
  readPublicLocation,
  readRequest,
  useRequest,
} from './consent-request.queries.ts'
import { countLinkUse } from './link-throttle.ts'
import { requirePerson } from './person-check.ts'
import { atPharmacy, publicLocation } from './public-location.ts'

type Handlers = HandlersOf<typeof contract.consent>

/** Unknown, used up and over look alike. */
const DEAD = 'Consent form is invalid / already submitted'
const dead = () => new Refusal('not_found', DEAD)

export const form: Handlers['form'] = async ({ id }, { services, address }) => {
  const good = await countLinkUse(services, address)
  const request = await findRequest(services.pools.system, services.secret, id, services.now())
  if (!request) throw dead()
  const answer = await atPharmacy(services, request, async (tx) => {
    const row = await readRequest(tx, request)
    if (!row) throw dead()
    await recordAudit(tx, {
      caller: { companyId: request.companyId, loginId: null, sessionId: null },
      action: 'consent.form',
      object: null,
      detail: { location: request.locationId, request: request.id },
    })
    return {
      first_name: row.first_name,
      last_name: row.last_name,
      email: row.email,
      phone_number: row.mobile,
      postcode: row.postcode,
      consent_id: id,
      location: await publicLocation(tx, services, request.locationId, DEAD),
      product_name: services.env.PRODUCT_NAME,
      marketing_consent: row.marketing,
      health_outreach_consent: row.health_outreach,
    }
  })
  await good()
  return answer
}

export const submit: Handlers['submit'] = async (input, { services, address }) => {
  const good = await countLinkUse(services, address)
  const request = await findRequest(services.pools.system, services.secret, input.id, services.now())
  if (!request) throw dead()
  await good()
  await requirePerson(services, input.captcha)
  await takeAnswers(services, request, input)
  return { submitted: true }
}

/**
 * Records what a patient answered on the consent page and uses the link up, all in one transaction.
 * @throws Refusal not_found when it was used up meanwhile, invalid when the answers do not fit its questions
 */
export async function takeAnswers(services: Services, request: OpenRequest, input: ConsentForm): Promise<void> {
  const now = services.now()
  await atPharmacy(services, request, async (tx) => {
    // First: of several at once all but one stop here, before anything is written.
    const used = await useRequest(tx, request, now)
    const pharmacy = await readPublicLocation(tx, request.locationId)
    if (!used || !pharmacy) throw dead()
    const applies = { health_outreach: used.health_outreach, marketing: used.marketing }
    const answers = answersOf(input, applies)
    await recordConsent(
      tx,
      {
        locationId: request.locationId,
        patientId: used.patient_id,
        at: now,
        event: { type: 'form', answers },
        wording: agreedText(consentWording(pharmacy.name, applies), answers),
        source: 'consent page',
      },
      now,
    )
    await recordAudit(tx, {
      caller: { companyId: request.companyId, loginId: null, sessionId: null },
      action: 'consent.submit',
      object: null,
      detail: { location: request.locationId, request: request.id },
    })
  })
}

/** The answers to the questions that were asked. @throws Refusal invalid when one is missing, or answers what was not asked */
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
