import type { contract } from '@pillar/contract'
import { recordAudit } from '../../api/audit.ts'
import type { HandlersOf } from '../../api/context.ts'
import { DEAD, dead, takeAnswers } from './consent-answer.queries.ts'
import { findRequest, readRequest } from './consent-request.queries.ts'
import { countLinkUse } from './link-throttle.ts'
import { requirePerson } from './person-check.ts'
import { atPharmacy, publicLocation } from './public-location.ts'

type Handlers = HandlersOf<typeof contract.consent>

export const form: Handlers['form'] = async ({ id }, { services, address }) => {
  const good = await countLinkUse(services, address)
  const request = await findRequest(services.pools.system, services.secret, id, services.now())
  if (!request) throw dead()
  const answer = await atPharmacy(services, request, async (tx) => {
    const row = await readRequest(tx, services.keys, request)
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
