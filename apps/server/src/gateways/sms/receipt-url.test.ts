import { createHmac } from 'node:crypto'
import { expect, it } from 'vitest'
import { isReceiptUrl, receiptUrl } from './receipt-url.ts'

const SECRET = 'the-secret-of-the-gateway'
const AT = new Date('2026-11-28T01:00:00Z')
const DAY_MS = 86_400_000
const queryOf = (url: string) => Object.fromEntries(new URL(url).searchParams)
const made = queryOf(receiptUrl('https://pillar.example/status', SECRET, 'p0-1-2', AT))
const isOurs = (query: Record<string, string>, ms = 0) => isReceiptUrl(SECRET, query, new Date(AT.getTime() + ms))

it('the address of a receipt is proved by a keyed hash of its reference and its time (T19)', () => {
  const sig = createHmac('sha256', SECRET)
    .update(`receipt p0-1-2 ${AT.getTime() / 1000}`)
    .digest('base64url')
  expect(made).toEqual({ reference: 'p0-1-2', made: String(AT.getTime() / 1000), sig: sig.slice(0, 27) })
  expect(isOurs(made)).toBe(true)
  expect(isReceiptUrl('another-secret-another', made, AT)).toBe(false)
})

it('an address with anything altered or left out, such as an old one made young again, is not ours (T19)', () => {
  const later = String(AT.getTime() / 1000 + 10 * 86_400)
  const altered: Record<string, string>[] = [
    { ...made, reference: 'p0-1-3' },
    { ...made, made: later },
    { ...made, made: String(Number(made.made) - 1) },
    { ...made, sig: made.sig!.slice(0, -1) },
    { ...made, sig: '' },
    { reference: made.reference!, sig: made.sig! },
    {},
  ]
  for (const query of altered) expect([query, isOurs(query)]).toEqual([query, false])
  expect(isOurs({ ...made, made: later }, 10 * DAY_MS)).toBe(false)
})

it('an address is accepted for eight days, and five minutes before it was made', () => {
  expect([isOurs(made, 8 * DAY_MS - 1), isOurs(made, 8 * DAY_MS)]).toEqual([true, false])
  expect([isOurs(made, -299_999), isOurs(made, -300_000)]).toEqual([true, false])
})
