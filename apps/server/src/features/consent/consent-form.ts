import type { contract } from '@pillar/contract'
import { nameInMessage } from '@pillar/domain/text/name-in-message'
import { recordAudit } from '../../api/audit.ts'
import type { HandlersOf, Services } from '../../api/context.ts'
import { DEAD, dead, takeAnswers } from './consent-answer.queries.ts'
import { findRequest, type OpenRequest, readRequest } from './consent-request.queries.ts'
import { bookUse, countLinkUse } from './link-throttle.ts'
import { requirePerson } from './person-check.ts'
import { atPharmacy, publicLocation } from './public-location.ts'

type Handlers = HandlersOf<typeof contract.consent>

/** The questions of a working link. Gives its try back and counts its use. @throws Refusal not_found for every other link */
async function openLink(services: Services, token: string, address: string): Promise<OpenRequest> {
  const good = await countLinkUse(services, address)
  const request = await findRequest(services.pools.system, services.linkSecret, token, services.now())
  if (!request) throw dead()
  await good()
  await bookUse(services, token, address)
  return request
}

export const form: Handlers['form'] = async ({ id }, { services, address }) => {
  const request = await openLink(services, id, address)
  return atPharmacy(services, request, async (tx) => {
    const row = await readRequest(tx, services.keys, request)
    if (!row) throw dead()
    await recordAudit(tx, {
      caller: { companyId: request.companyId, loginId: null, sessionId: null },
      action: 'consent.form',
      object: null,
      detail: { location: request.locationId, request: request.id },
    })
    return {
      first_name: nameInMessage(row.first_name ?? '') || null,
      last_name: nameInMessage(row.last_name ?? '') || null,
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
}

export const submit: Handlers['submit'] = async (input, { services, address }) => {
  const request = await openLink(services, input.id, address)
  await requirePerson(services, input.captcha)
  await takeAnswers(services, request, input)
  return { submitted: true }
}
