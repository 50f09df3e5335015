import { withoutContact } from '@pillar/domain/text/without-contact'
import type { Services } from '../../api/context.ts'
import { reasonOf } from '../../api/log.ts'
import type { HandOver } from '../../gateways/gateway.ts'
import { WITHDRAWN } from '../../gateways/hand-over.ts'
import { traced } from '../../gateways/telemetry/trace.ts'
import { unsubscribeLink } from '../consent/link/consent-link.queries.ts'
import { emailOf } from '../template/email-layout.ts'
import type { Claim, ClaimedMessage } from './claim.ts'
import type { OptedOut } from './opted-out.ts'
import { referenceOf } from './reference.ts'

/**
 * Hands a claim's messages to its gateway, except to people who have opted out since; results in their order. If the gateway throws or
 * answers too few, the rest is unknown: it may have accepted them.
 */
export function handOver(services: Services, claim: Claim, out: OptedOut): Promise<HandOver[]> {
  const { channel } = claim.batch
  const gateway = (channel === 'sms' ? services.sms : services.bulkEmail).name
  return traced(
    'gateway send',
    { gateway, channel, messages: claim.messages.length },
    async (span) => {
      const answers = await answersOf(services, claim, out)
      const count = (kind: HandOver['kind']) => answers.filter((answer) => answer.kind === kind).length
      span.mark({ accepted: count('accepted'), rejected: count('rejected'), later: count('later') })
      span.mark({ unknown: count('unknown') })
      return answers
    },
    { kind: 'client' },
  )
}

async function answersOf(services: Services, whole: Claim, out: OptedOut): Promise<HandOver[]> {
  const referenceTo = ({ id }: ClaimedMessage) => ({
    reference: referenceOf(whole.facts.runUuid, whole.batch.locationId, id),
  })
  const claim = { ...whole, messages: whole.messages.filter((message) => !out.has(referenceTo(message))) }
  const send = claim.batch.channel === 'sms' ? sendTexts : sendEmails
  const taken = claim.messages.length > 0 ? await answersTo(services, claim, () => send(services, claim, out)) : []
  const answers = new Map(claim.messages.map(({ id }, at) => [id, taken[at]!]))
  return whole.messages.map(({ id }) => answers.get(id) ?? WITHDRAWN)
}

async function answersTo(services: Services, claim: Claim, send: () => Promise<HandOver[]>): Promise<HandOver[]> {
  try {
    const answers = await send()
    return claim.messages.map((message, at) => discreet(answers[at], message))
  } catch (error) {
    services.log.error({ channel: claim.batch.channel, reason: reasonOf(error) }, 'handing messages over')
    return claim.messages.map(() => unknown('The gateway failed while it took messages'))
  }
}

/** Reasons are stored, shown and logged, so they must not reveal the recipient or the text. */
function discreet(answer: HandOver | undefined, { contact, body }: ClaimedMessage): HandOver {
  if (!answer) return unknown('The gateway did not answer for this message')
  // PostgreSQL cannot store NUL: with one answer, those of all messages of the claim would be lost.
  if (answer.kind === 'accepted') return { ...answer, gatewayRef: answer.gatewayRef.replaceAll('\0', '') }
  const reason = repeats(answer.reason, body) ? (answer.reason.split(':')[0] ?? '') : answer.reason
  return { ...answer, reason: withoutContact(reason, contact) }
}

/** A reason does not share this many characters with a text by chance. */
const REPEATED = 12

const repeats = (reason: string, text: string) =>
  Array.from({ length: Math.max(0, text.length - REPEATED + 1) }).some((_, at) =>
    reason.includes(text.slice(at, at + REPEATED)),
  )

const unknown = (reason: string): HandOver => ({ kind: 'unknown', reason })

function sendTexts(services: Services, { batch, facts, messages }: Claim, out: OptedOut): Promise<HandOver[]> {
  return services.sms.send(
    messages.map(({ id, contact, body }) => ({
      reference: referenceOf(facts.runUuid, batch.locationId, id),
      to: contact,
      from: facts.smsSender,
      text: body,
    })),
    out.has,
  )
}

function sendEmails(services: Services, { batch, facts, messages }: Claim, out: OptedOut): Promise<HandOver[]> {
  return services.bulkEmail.send(
    messages.map(({ id, contact, body, subject }) => {
      const links = unsubscribeLink(services, batch.locationId, id)
      const parcel = emailOf({
        body,
        subject: subject ?? facts.subject,
        pharmacy: facts.pharmacy,
        unsubscribeUrl: links.unsubscribeUrl,
        productName: services.env.PRODUCT_NAME,
      })
      const reference = referenceOf(facts.runUuid, batch.locationId, id)
      return { reference, to: contact, fromName: facts.pharmacy.name, replyTo: null, ...parcel, ...links }
    }),
    out.has,
  )
}
