import { createHmac, timingSafeEqual } from 'node:crypto'

/** Receipts come within days; an older address is no longer accepted. */
const LIFETIME_MS = 8 * 86_400_000
const AHEAD_MS = 300_000

/** An unforgeable address for receipts of one message: reference, time, and a keyed hash of both. */
export function receiptUrl(address: string, secret: string, reference: string, at: Date): string {
  const seconds = Math.floor(at.getTime() / 1000)
  return `${address}?reference=${reference}&made=${seconds}&sig=${sign(secret, reference, String(seconds))}`
}

/** Whether such an address is ours and recent enough. */
export function isReceiptUrl(secret: string, query: Record<string, string>, now: Date): boolean {
  const { reference = '', made = '', sig = '' } = query
  return isFresh(made, now) && sameText(sig, sign(secret, reference, made))
}

/** Whether a time, in seconds since 1970 as text, lies within the lifetime of a receipt's address. */
export function isFresh(made: string, now: Date): boolean {
  const age = now.getTime() - Number(made) * 1000
  return /^\d{1,12}$/.test(made) && age < LIFETIME_MS && age > -AHEAD_MS
}

/** Compares in a time that does not reveal where two texts differ. */
export function sameText(one: string, other: string): boolean {
  const [a, b] = [createHmac('sha256', 'x').update(one).digest(), createHmac('sha256', 'x').update(other).digest()]
  return timingSafeEqual(a, b)
}

const sign = (secret: string, reference: string, made: string) =>
  createHmac('sha256', secret).update(`receipt ${reference} ${made}`).digest('base64url').slice(0, 27)
