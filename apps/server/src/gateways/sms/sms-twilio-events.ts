import type { Receipt } from '@pillar/domain/message/message-state'
import type { GatewayEvent } from '../gateway.ts'
import { optOutEvent } from '../gateway.ts'
import { isFresh } from './receipt-url.ts'
import { isReference } from './sms-http-events.ts'
import { isGone, isOptedOut, twilioReason } from './twilio-reason.ts'

type Params = Record<string, string>

const STATUS: Readonly<Record<string, Receipt>> = {
  accepted: 'sent',
  scheduled: 'sent',
  queued: 'sent',
  sending: 'sent',
  sent: 'sent',
  delivered: 'delivered',
  read: 'delivered',
  undelivered: 'failed',
  failed: 'failed',
  canceled: 'failed',
}

/**
 * Whether Twilio made this call, by its signature over the address and the form, checked by its own package. @param url as Twilio called
 * it, starting with the public address
 */
export async function isFromTwilio(token: string, signature: string, url: string, params: Params): Promise<boolean> {
  if (!signature) return false
  const { default: twilio } = await import('twilio')
  return twilio.validateRequest(token, signature, url, params)
}

/** Whether the address of a receipt, which the signature covers, is recent: an old call played again is refused. */
export function isLateReceipt(query: Params, now: Date): boolean {
  return !isFresh(query.made ?? '', now)
}

/** A status call; null if it names no message of ours, or a status that says nothing. */
export function readTwilioReceipt(query: Params, form: Params, now: Date): GatewayEvent | null {
  const reference = query.reference ?? ''
  const status = STATUS[form.MessageStatus ?? '']
  const sid = (form.MessageSid ?? '').slice(0, 64)
  if (!isReference(reference) || !status || !sid) return null
  return {
    id: `receipt-${sid}-${status}`,
    at: now.toISOString(),
    kind: 'receipt',
    reference,
    gatewayRef: sid,
    status,
    reason: status === 'failed' ? twilioReason(Number(form.ErrorCode) || null, form.ErrorMessage) : null,
    gone: status === 'failed' && isGone(Number(form.ErrorCode)),
  }
}

/** What a status call says of a person who has opted out at Twilio; null for any other. */
export function readTwilioOptOut(query: Params, form: Params, now: Date): GatewayEvent | null {
  const reference = query.reference ?? ''
  return isReference(reference) && isOptedOut(Number(form.ErrorCode)) ? optOutEvent(reference, now) : null
}

/**
 * A patient's reply; null if it is not one. With Advanced Opt-Out an account has stop words of its own, such as ARRET: Twilio then sends
 * nothing more to the number, and says so in `OptOutType`.
 */
export function readTwilioReply(form: Params, now: Date): GatewayEvent | null {
  const { MessageSid: sid = '', From: from = '', To: to = '', Body: text = '' } = form
  if (!sid || !from) return null
  const reply = { id: `reply-${sid.slice(0, 64)}`, at: now.toISOString(), kind: 'reply' as const, from, to, text }
  return form.OptOutType === 'STOP' ? { ...reply, optedOut: true } : reply
}
