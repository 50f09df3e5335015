import { createHash, createHmac, randomUUID } from 'node:crypto'
import type { Receipt } from '@pillar/domain/message/message-state'
import { reportedNumber } from '@pillar/domain/message/sms-sender'
import { replyKind } from '@pillar/domain/message/stop-words'
import type { GatewayEvent } from '../gateway.ts'
import { isReceiptUrl, sameText } from './receipt-url.ts'
import type { HttpSmsSettings } from './sms-http-settings.ts'

type Params = Record<string, string>

/** Whether a call comes from the gateway: it carries the shared secret or, for a receipt, comes to one of our own receipt addresses. */
export function isFromHttpGateway(
  settings: HttpSmsSettings,
  call: { kind: 'receipt' | 'reply'; query: Params; secret: string | null; now: Date },
): boolean {
  const shown = call.secret ?? call.query.secret
  if (shown !== undefined) return sameText(shown, settings.secret)
  return call.kind === 'receipt' && isReceiptUrl(settings.secret, call.query, call.now)
}

/**
 * Reads this gateway's receipt; null if its status says nothing yet (still trying) or it names no message of ours; 'unreadable' if it has no
 * field for the status or the reference, so that nobody can tell what it says.
 */
export function readHttpReceipt(
  settings: HttpSmsSettings,
  params: Params,
  now: Date,
): GatewayEvent | null | 'unreadable' {
  const { fields } = settings
  // Our own address carries `reference`, whatever name the gateway uses.
  const [reference, said] = [params.reference ?? params[fields.reference], params[fields.status]]
  if (reference === undefined || said === undefined) return 'unreadable'
  const status = receiptOf(settings, said)
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
    gone: status === 'failed' && settings.gone.test(`${said} ${params[fields.reason] ?? ''}`),
  }
}

/** What a status of this gateway proves; null if it says nothing that the settings name. */
export function receiptOf(
  { delivered, failed, sent }: Pick<HttpSmsSettings, 'delivered' | 'failed' | 'sent'>,
  said: string,
): Receipt | null {
  const status = said.trim()
  if (delivered.test(status)) return 'delivered'
  if (failed.test(status)) return 'failed'
  return sent.test(status) ? 'sent' : null
}

// Kannel passes on the operator's answer, such as "id:1 sub:001 ... stat:UNDELIV err:001", often after an escape.
function reasonOf(words: string | undefined): string {
  const said = words?.replaceAll(/\s+/g, ' ').trim().slice(0, 120)
  return said ? `Not delivered: ${said}` : 'Not delivered'
}

/**
 * Reads a patient's reply in this gateway's format; null if it has no sender or no field for the text, so that nobody can tell what it
 * says. If the gateway sends no id and time, the same words from the same number within one minute count as one reply; later ones
 * are marked `mayRepeat`. Except a STOP: a repeated one does nothing more, and one that follows a START must count. A START counts from when
 * it was sent, if the gateway says so: one that arrives days late, after a STOP, must not undo it. Everything else counts from now.
 */
export function readHttpReply(
  settings: HttpSmsSettings,
  params: Params,
  now: Date,
  secret: Buffer,
): Extract<GatewayEvent, { kind: 'reply' }> | null {
  const { fields } = settings
  const [from, to, text] = [numberOf(params[fields.from]), numberOf(params[fields.to]), params[fields.text]]
  if (!from || text === undefined) return null
  const when = params[fields.at] || (replyKind(text) === 'stop' ? randomUUID() : now.toISOString().slice(0, 16))
  // Keyed because it is stored: a number could be guessed from a hash without a key.
  const same = createHmac('sha256', settings.secret)
    .update([from, to, text, when].join('\n'))
    .digest('base64url')
    .slice(0, 32)
  const id = params[fields.id]
  const mayRepeat = !id && !params[fields.at]
  const at = replyKind(text) === 'start' ? sentAt(params[fields.at], now) : now
  const eventId = id ? httpReplyId(secret, id, { from, text }) : `reply-${same}`
  const reply = { id: eventId, at: at.toISOString(), kind: 'reply' as const, from, to }
  return { ...reply, text, mayRepeat }
}

/** A gateway's clock may be wrong by so much: a START that seems younger counts from now, or it would be taken for older than a STOP. */
const CLOCKS_MS = 600_000
const INSTANT = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)$/i

/** When a reply was sent: Unix seconds or milliseconds, or a time with its zone. Now for anything else, for times to come and recent ones. */
function sentAt(said: string | undefined, now: Date): Date {
  const text = said?.trim() ?? ''
  const ms = /^\d{10}$/.test(text)
    ? Number(text) * 1000
    : /^\d{13}$/.test(text)
      ? Number(text)
      : INSTANT.test(text)
        ? Date.parse(text)
        : Number.NaN
  return ms < now.getTime() - CLOCKS_MS ? new Date(ms) : now
}

/**
 * The event of a reply that this gateway gave an id. Its sender and words belong to it: some gateways begin again at 1 after they were
 * set up anew, or send the id of the text that was answered, and a STOP would pass for a repetition. Keyed, as it is stored.
 */
export function httpReplyId(secret: Buffer, id: string, { from, text }: { from: string; text: string }): string {
  const said = createHmac('sha256', secret).update(`http reply\n${from}\n${text.trim()}`).digest('base64url')
  return `reply-${shortReplyId(id)}-${said.slice(0, 12)}`
}

/** A gateway's id of a reply, short enough to be kept. Not cut off: long ones may begin alike, and one of two such replies be a STOP. */
export const shortReplyId = (id: string): string =>
  id.length <= 80 ? id : createHash('sha256').update(id).digest('base64url')

/** A number in E.164, or another sender as reported; an unescaped plus in a query has become a space. */
const numberOf = (text: string | undefined): string => reportedNumber(text ?? '').slice(0, 40)

/** Whether this is one of our references; anything else belongs to another sender. */
export function isReference(text: string): boolean {
  return /^[\w-]{1,60}$/.test(text)
}
