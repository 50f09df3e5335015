import { createHmac } from 'node:crypto'
import { z } from 'zod'
import type { GatewayEvent } from '../gateway.ts'
import { sameText } from '../sms/receipt-url.ts'
import { isGoneAddress } from './gone-address.ts'

const FRESH_SECONDS = 300

/** Feedback types by which nobody complains: an earlier complaint withdrawn, and failed DKIM, SPF or DMARC (RFC 6591). */
const NO_COMPLAINT: ReadonlySet<string> = new Set(['not-spam', 'auth-failure'])

/**
 * A mail server's report about one message; `to` is the address the bounce came back to, in place of `reference`. `complained`: the person
 * marked it as spam in a feedback report (RFC 5965); `reason` is then the report's Feedback-Type.
 */
const Bounce = z.object({
  type: z.enum(['bounced', 'delivered', 'delayed', 'complained']),
  reference: z
    .string()
    .regex(/^[\w-]{1,60}$/)
    .nullish(),
  to: z.string().max(320).nullish(),
  // A complaint counts whatever stands here.
  reason: z.string().optional().catch(undefined),
})

/**
 * Whether a bounce call comes from our mail server: a Standard Webhooks signature (HMAC-SHA256 over id, time and body, base64) from the
 * last five minutes.
 */
export function isSignedBounce(
  secret: string,
  call: { id: string; timestamp: string; signature: string; body: string; now: Date },
): boolean {
  const age = Math.abs(call.now.getTime() / 1000 - Number(call.timestamp))
  if (!call.id || !/^\d{1,12}$/.test(call.timestamp) || age > FRESH_SECONDS) return false
  const expected = signBounce(secret, call)
  // While a secret is being changed, there are several signatures.
  return call.signature
    .split(' ')
    .slice(0, 5)
    .some((one) => sameText(one, expected))
}

/** The signature for the header webhook-signature. */
export function signBounce(secret: string, call: { id: string; timestamp: string; body: string }): string {
  const signed = createHmac('sha256', secret).update(`${call.id}.${call.timestamp}.${call.body}`).digest('base64')
  return `v1,${signed}`
}

/** The event in a bounce; null if it changes nothing (`delayed`, or a complaint that is none); 'unreadable' if it is not a bounce. */
export function readBounce(body: string, now: Date): GatewayEvent | null | 'unreadable' {
  const parsed = Bounce.safeParse(parseJson(body))
  if (!parsed.success) return 'unreadable'
  const { type, reason } = parsed.data
  const reference = parsed.data.reference ?? referenceIn(parsed.data.to ?? '')
  if (!reference) return 'unreadable'
  if (type === 'delayed') return null
  const words = reason?.replaceAll(/\s+/g, ' ').trim().slice(0, 160)
  const at = now.toISOString()
  if (type === 'complained') {
    if (words && NO_COMPLAINT.has(words.toLowerCase())) return null
    return { id: `complaint-${reference}`, at, kind: 'complaint', reference, reason: words || null }
  }
  const status = type === 'bounced' ? 'failed' : 'delivered'
  return {
    id: `receipt-${reference}-${status}`,
    at,
    kind: 'receipt',
    reference,
    gatewayRef: null,
    status,
    reason: status === 'failed' ? `The email came back${words ? `: ${words}` : ''}` : null,
    gone: status === 'failed' && isGoneAddress(words ?? ''),
  }
}

/** bounce+<reference>@domain */
const referenceIn = (address: string) => /^bounce\+([\w-]{1,60})@/i.exec(address)?.[1]

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
