import { createHmac } from 'node:crypto'
import { expect, it } from 'vitest'
import { isSignedBounce } from './bulk-email-events.ts'

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
