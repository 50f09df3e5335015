import { createHmac, randomUUID } from 'node:crypto'
import type { Receipt } from '@pillar/domain/message/message-state'
import { replyKind } from '@pillar/domain/message/stop-words'
import type { GatewayEvent } from '../gateway.ts'
import { isReceiptUrl, sameText } from './receipt-url.ts'
import type { HttpSmsSettings } from './sms-http-settings.ts'

type Params = Record<string, string>

/** Whether a call comes from the gateway: it shows the shared secret, or for a receipt one of our own receipt addresses. */
export function isFromHttpGateway(
  settings: HttpSmsSettings,
  call: { kind: 'receipt' | 'reply'; query: Params; secret: string | null; now: Date },
): boolean {
  const shown = call.secret ?? call.query.secret
  if (shown !== undefined) return sameText(shown, settings.secret)
  return call.kind === 'receipt' && isReceiptUrl(settings.secret, call.query, call.now)
}

/** A receipt as this gateway words it; null when its status says nothing yet (still trying) or names no message of ours. */
export function readHttpReceipt(settings: HttpSmsSettings, params: Params, now: Date): GatewayEvent | null {
  const { fields } = settings
  // Our own address carries `reference`, whatever the gateway calls it.
  const reference = params.reference ?? params[fields.reference] ?? ''
  const status = receiptOf(settings, params[fields.status] ?? '')
  if (!isReference(reference) || !status) return null
  const id = params[fields.id] || null
  return {
    id: `receipt-${reference}-${(id ?? '').slice(0, 80)}-${status}`,
    at: now.toISOString(),
    kind: 'receipt',
    reference,
    gatewayRef: id,
    status,
    reason: status === 'failed' ? reasonOf(params[fields.reason]) : null,
  }
}

function receiptOf({ delivered, failed, sent }: HttpSmsSettings, status: string): Receipt | null {
  if (delivered.test(status)) return 'delivered'
  if (failed.test(status)) return 'failed'
  return sent.test(status) ? 'sent' : null
}

// Kannel gives the answer of the operator, such as "id:1 sub:001 ... stat:UNDELIV err:001", often with an escape in front.
function reasonOf(words: string | undefined): string {
  const said = words?.replaceAll(/\s+/g, ' ').trim().slice(0, 120)
  return said ? `Not delivered: ${said}` : 'Not delivered'
}

/**
 * A patient's reply as this gateway words it; null when it names no sender. Without an id and a time of the gateway's, the same words
 * from the same number within one minute count as the same reply told twice. Not so a STOP: one told twice does nothing more, and
 * one that comes after a START must count.
 */
export function readHttpReply(settings: HttpSmsSettings, params: Params, now: Date): GatewayEvent | null {
  const { fields } = settings
  const [from, to, text] = [numberOf(params[fields.from]), numberOf(params[fields.to]), params[fields.text] ?? '']
  if (!from) return null
  const when = params[fields.at] || (replyKind(text) === 'stop' ? randomUUID() : now.toISOString().slice(0, 16))
  // Keyed: it is kept, and a number could be tried out against a hash without a key.
  const same = createHmac('sha256', settings.secret)
    .update([from, to, text, when].join('\n'))
    .digest('base64url')
    .slice(0, 32)
  const id = params[fields.id]
  return { id: `reply-${id ? id.slice(0, 80) : same}`, at: now.toISOString(), kind: 'reply', from, to, text }
}

/** E.164 keeps its plus; a plus that came unescaped in a query has become a space. */
function numberOf(text: string | undefined): string {
  const bare = (text ?? '').trim()
  return /^\d{8,15}$/.test(bare) && !bare.startsWith('0') ? `+${bare}` : bare.slice(0, 40)
}

/** Our references; anything else is somebody else's. */
export function isReference(text: string): boolean {
  return /^[\w-]{1,60}$/.test(text)
}
