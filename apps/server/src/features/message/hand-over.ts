import type { Services } from '../../api/context.ts'
import type { HandOver } from '../../gateways/sms.ts'
import { unsubscribeLink } from '../consent/consent-link.queries.ts'
import { emailOf } from '../template/email-layout.ts'
import type { Claim } from './claim.ts'
import { referenceOf } from './reference.ts'

/**
 * Hands a claim's messages over to its gateway; answers in their order. A gateway that throws or answers too few leaves the rest
 * unknown: it may have taken them.
 */
export async function handOver(services: Services, claim: Claim): Promise<HandOver[]> {
  const { batch, facts, messages } = claim
  const reference = (id: number) => referenceOf(facts.runUuid, batch.locationId, id)
  try {
    const answers =
      batch.channel === 'sms'
        ? await services.sms.send(
            messages.map(({ id, contact, body }) => ({
              reference: reference(id),
              to: contact,
              from: facts.smsSender,
              text: body,
            })),
          )
        : await services.bulkEmail.send(
            messages.map(({ id, contact, body, subject }) => {
              const links = unsubscribeLink(services, batch.locationId, id)
              const parcel = emailOf({
                body,
                subject: subject ?? facts.subject,
                pharmacy: facts.pharmacy,
                unsubscribeUrl: links.unsubscribeUrl,
                productName: services.env.PRODUCT_NAME,
              })
              const from = { fromName: facts.pharmacy.name, replyTo: null }
              return { reference: reference(id), to: contact, ...from, ...parcel, ...links }
            }),
          )
    return messages.map((_, at) => answers[at] ?? unknown('The gateway did not answer for this message'))
  } catch (error) {
    services.log.error({ gateway: batch.channel, reason: String(error) }, 'handing messages over')
    return messages.map(() => unknown('The gateway failed while it took messages'))
  }
}

const unknown = (reason: string): HandOver => ({ kind: 'unknown', reason })
