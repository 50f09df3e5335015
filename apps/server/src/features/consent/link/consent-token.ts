import { createHmac, timingSafeEqual } from 'node:crypto'

/** 128 bits: short enough for a text. The last character is always a letter, so no phone cuts it off as punctuation. */
const SECRET_BYTES = 16
/** Wide enough for every id of an eight-byte column. */
const TOKEN = /^([0-9a-z]{1,11})\.([0-9a-z]{1,11})\.([\w-]{22})$/

const keyed = (secret: Buffer, text: string) => createHmac('sha256', secret).update(text).digest()
const short = (mac: Buffer) => mac.subarray(0, SECRET_BYTES).toString('base64url')

/** The message a link belongs to. */
export interface MessageKey {
  locationId: number
  messageId: number
}

/**
 * The secret part of a message's consent link. Derived from the installation's secret, so that a message handed over again carries the same
 * text and nothing in the database leads to it.
 */
export function consentToken(secret: Buffer, { locationId, messageId }: MessageKey): string {
  return short(keyed(secret, `consent-link:${locationId}:${messageId}`))
}

/** The stored form of a consent link. */
export function consentHash(secret: Buffer, token: string): Buffer {
  return keyed(secret, `link:consent:${token}`)
}

/** The secret part of the link in an invitation to a clinical trial; derived from the message as for a consent link. */
export function trialToken(secret: Buffer, { locationId, messageId }: MessageKey): string {
  return short(keyed(secret, `trial-link:${locationId}:${messageId}`))
}

/** The secret part of the link with which a patient withdraws from a trial. */
export function withdrawToken(secret: Buffer, who: { locationId: number; trialId: number; patientId: number }): string {
  return short(keyed(secret, `trial-withdraw:${who.locationId}:${who.trialId}:${who.patientId}`))
}

/** The stored form of a trial's links: a link for taking part never opens the withdrawal page, nor the other way round. */
export function trialHash(secret: Buffer, purpose: 'consent' | 'withdraw', token: string): Buffer {
  return keyed(secret, `link:trial:${purpose}:${token}`)
}

/** The stored form of the number that a page chose for signing up with a link. */
export function attemptHash(secret: Buffer, token: string, attempt: string): Buffer {
  return keyed(secret, `link:trial:attempt:${token}:${attempt}`)
}

const unsubscribeMac = (secret: Buffer, { locationId, messageId }: MessageKey) =>
  short(keyed(secret, `link:unsubscribe:${locationId}:${messageId}`))

/** The whole unsubscribe token: the message it came with, and the proof that we made it. It is not stored and never expires. */
export function unsubscribeToken(secret: Buffer, key: MessageKey): string {
  return `${key.locationId.toString(36)}.${key.messageId.toString(36)}.${unsubscribeMac(secret, key)}`
}

/** The message of an unsubscribe token; null if we did not make it. */
export function readUnsubscribeToken(secret: Buffer, token: string): MessageKey | null {
  const [, location, message, mac] = TOKEN.exec(token) ?? []
  if (location === undefined || message === undefined || mac === undefined) return null
  const key = { locationId: Number.parseInt(location, 36), messageId: Number.parseInt(message, 36) }
  if (!Number.isSafeInteger(key.locationId) || !Number.isSafeInteger(key.messageId)) return null
  return same(unsubscribeToken(secret, key), token) ? key : null
}

/** Bytes of a text's token: pharmacy, message, proof. All tokens have one length, so that a text costs what was forecast. */
const PLACE_BYTES = 4
const MESSAGE_BYTES = 7
/** Half as long as in other links, because every character of a text costs money: one guess in 2^64 succeeds, and all it does is end texts. */
const PROOF_BYTES = 8
/** Length of an opt-out token; its last character is always a letter, so no phone cuts it off as punctuation. */
export const OPT_OUT_TOKEN_LENGTH = Math.ceil(((PLACE_BYTES + MESSAGE_BYTES + PROOF_BYTES) * 8) / 6)
const LOW = 2 ** 48

/** The whole token of the link that ends texts to a number: the text it came with, and the proof that we made it. It never expires. */
export function optOutToken(secret: Buffer, { locationId, messageId }: MessageKey): string {
  const bytes = Buffer.alloc(PLACE_BYTES + MESSAGE_BYTES + PROOF_BYTES)
  bytes.writeUInt32BE(locationId, 0)
  bytes.writeUInt8(Math.floor(messageId / LOW), PLACE_BYTES)
  bytes.writeUIntBE(messageId % LOW, PLACE_BYTES + 1, 6)
  keyed(secret, `link:opt-out:${locationId}:${messageId}`).copy(bytes, PLACE_BYTES + MESSAGE_BYTES, 0, PROOF_BYTES)
  return bytes.toString('base64url')
}

/** The text of an opt-out token; null if we did not make it. */
export function readOptOutToken(secret: Buffer, token: string): MessageKey | null {
  if (token.length !== OPT_OUT_TOKEN_LENGTH || !/^[\w-]+$/.test(token)) return null
  const bytes = Buffer.from(token, 'base64url')
  const messageId = bytes.readUInt8(PLACE_BYTES) * LOW + bytes.readUIntBE(PLACE_BYTES + 1, 6)
  const key = { locationId: bytes.readUInt32BE(0), messageId }
  if (!Number.isSafeInteger(messageId)) return null
  return same(optOutToken(secret, key), token) ? key : null
}

// Allows one spelling per token: '01.2.…' would otherwise pass for '1.2.…'.
function same(genuine: string, given: string): boolean {
  const [a, b] = [Buffer.from(genuine), Buffer.from(given)]
  return a.length === b.length && timingSafeEqual(a, b)
}
