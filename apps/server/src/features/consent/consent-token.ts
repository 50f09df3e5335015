import { createHmac, timingSafeEqual } from 'node:crypto'

/** 128 bits: short enough for a text, and its last character is always a letter, so no phone cuts it off as punctuation. */
const SECRET_BYTES = 16
/** Room for every id an eight-byte column can hold. */
const TOKEN = /^([0-9a-z]{1,11})\.([0-9a-z]{1,11})\.([\w-]{22})$/

const keyed = (secret: Buffer, text: string) => createHmac('sha256', secret).update(text).digest()
const short = (mac: Buffer) => mac.subarray(0, SECRET_BYTES).toString('base64url')

/** Which message a link belongs to. */
export interface MessageKey {
  locationId: number
  messageId: number
}

/**
 * The secret part of a message's consent link. It follows from the installation's secret, so that a message handed over a second time
 * carries the same text, and nothing in the database leads to it.
 */
export function consentToken(secret: Buffer, { locationId, messageId }: MessageKey): string {
  return short(keyed(secret, `consent-link:${locationId}:${messageId}`))
}

/** What the database keeps of a consent link. */
export function consentHash(secret: Buffer, token: string): Buffer {
  return keyed(secret, `link:consent:${token}`)
}

const unsubscribeMac = (secret: Buffer, { locationId, messageId }: MessageKey) =>
  short(keyed(secret, `link:unsubscribe:${locationId}:${messageId}`))

/** The whole unsubscribe token: the message it came with, and the proof that we made it. Nothing is kept of it; it never expires. */
export function unsubscribeToken(secret: Buffer, key: MessageKey): string {
  return `${key.locationId.toString(36)}.${key.messageId.toString(36)}.${unsubscribeMac(secret, key)}`
}

/** The message of an unsubscribe token; null for anything that we did not make. */
export function readUnsubscribeToken(secret: Buffer, token: string): MessageKey | null {
  const [, location, message, mac] = TOKEN.exec(token) ?? []
  if (location === undefined || message === undefined || mac === undefined) return null
  const key = { locationId: Number.parseInt(location, 36), messageId: Number.parseInt(message, 36) }
  if (!Number.isSafeInteger(key.locationId) || !Number.isSafeInteger(key.messageId)) return null
  // One spelling a token: '01.2.…' would otherwise pass for '1.2.…'.
  const genuine = Buffer.from(unsubscribeToken(secret, key))
  const given = Buffer.from(token)
  return given.length === genuine.length && timingSafeEqual(given, genuine) ? key : null
}
