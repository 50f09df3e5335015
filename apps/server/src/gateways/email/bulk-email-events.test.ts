import { createHmac } from 'node:crypto'
import { expect, it } from 'vitest'
import { isSignedBounce, readBounce } from './bulk-email-events.ts'

const SECRET = 'the-secret-of-the-mail-server'
const now = new Date('2026-11-28T01:00:00Z')
const seconds = now.getTime() / 1000
const body = '{"type":"bounced","reference":"e-1"}'

/** As the scheme is published: HMAC-SHA256 over id, time and body, joined by dots, in base64. */
const sign = (id: string, timestamp: string, text: string, secret = SECRET) =>
  `v1,${createHmac('sha256', secret).update(`${id}.${timestamp}.${text}`).digest('base64')}`
const call = { id: 'msg-1', timestamp: String(seconds), body, now, signature: sign('msg-1', String(seconds), body) }

it('a bounce is proved by its signature, one of several while the secret is changed (T19)', () => {
  expect(isSignedBounce(SECRET, call)).toBe(true)
  const old = sign(call.id, call.timestamp, body, 'the-secret-before-this-one')
  expect(isSignedBounce(SECRET, { ...call, signature: `${old} ${call.signature}` })).toBe(true)
  expect(isSignedBounce(SECRET, { ...call, signature: old })).toBe(false)
})

it('a bounce with another body, id or time than was signed is refused, and so is one played again later (T19)', () => {
  const altered = [
    { ...call, body: body.replace('e-1', 'e-2') },
    { ...call, body: `${body} ` },
    { ...call, id: 'msg-2' },
    { ...call, id: '' },
    { ...call, timestamp: String(seconds + 1) },
    { ...call, signature: '' },
  ]
  for (const one of altered) expect([one, isSignedBounce(SECRET, one)]).toEqual([one, false])
  const at = (ms: number) => isSignedBounce(SECRET, { ...call, now: new Date(now.getTime() + ms) })
  expect([at(300_000), at(300_001), at(-300_000), at(-300_001)]).toEqual([true, false, true, false])
})

it.each([
  ['{"type":"bounced","reference":"e-1","reason":"550  No such user"}', 'receipt-e-1-failed', 'failed'],
  ['{"type":"bounced","to":"bounce+e-2@bounces.example"}', 'receipt-e-2-failed', 'failed'],
  ['{"type":"delivered","reference":"e-1"}', 'receipt-e-1-delivered', 'delivered'],
  ['{"type":"complained","reference":"e-1","reason":"abuse"}', 'complaint-e-1', undefined],
  ['{"type":"complained","reference":"e-1","to":null,"reason":null}', 'complaint-e-1', undefined],
  ['{"type":"complained","reference":null,"to":"bounce+e-2@bounces.example"}', 'complaint-e-2', undefined],
  [`{"type":"bounced","reference":"e-1","reason":"550 ${'Refused. '.repeat(300)}"}`, 'receipt-e-1-failed', 'failed'],
  ['{"type":"bounced","reference":"e-1","reason":["550","No"]}', 'receipt-e-1-failed', 'failed'],
])('%s is one event', (report, id, status) => {
  const event = readBounce(report, now)
  expect([event].flat()).toMatchObject([{ id, ...(status ? { status } : {}) }])
})

it.each([
  ['{"type":"delayed","reference":"e-1"}', null],
  ['{"type":"complained","reference":"e-1","reason":"Not-Spam"}', null],
  ['{"type":"bounced"}', 'unreadable'],
  ['{"type":"bounced","to":"ada@example.com"}', 'unreadable'],
])('%s changes nothing', (report, read) => {
  expect(readBounce(report, now)).toBe(read)
})
