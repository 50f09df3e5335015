import { expect, it } from 'vitest'
import { readEnv } from '../../env.ts'
import { readHttpReceipt, readHttpReply } from './sms-http-events.ts'
import { readHttpSettings } from './sms-http-settings.ts'

const settings = readHttpSettings(
  readEnv({
    SMS_GATEWAY: 'http',
    SMS_HTTP_URL: 'http://gateway.example/?{to}{text}',
    SMS_HTTP_SECRET: 'a-shared-secret-here',
    SMS_SENDER: 'PHARMACY',
    PUBLIC_URL: 'https://pillar.example/',
  }),
)
const KEY = Buffer.alloc(32, 1)
const now = new Date('2026-11-28T01:00:00Z')
const ada = { from: '61491570157', to: '61491570006', text: 'Yes' }
const idOf = (params: Record<string, string>, at = now) => readHttpReply(settings, params, at, KEY)!.id

it('a reply without an id and a time is the same only with the same words, sender and pharmacy in one minute, and a STOP never', () => {
  const same = idOf(ada)
  expect(idOf({ ...ada, from: '+61491570157' }, new Date('2026-11-28T01:00:59Z'))).toBe(same)
  const others = [{ text: 'No' }, { from: '61491570158' }, { to: '61491570007' }].map((one) => idOf({ ...ada, ...one }))
  expect(new Set([same, ...others, idOf(ada, new Date('2026-11-28T01:01:00Z'))]).size).toBe(5)
  // Whoever reads the stored id cannot try out numbers.
  expect(readHttpReply({ ...settings, secret: 'another-shared-secret' }, ada, now, KEY)!.id).not.toBe(same)
  const stop = { ...ada, text: 'Stop' }
  expect(idOf(stop)).not.toBe(idOf(stop))
})

it('two replies whose ids begin alike are two, however long these are', () => {
  const long = (end: string) => idOf({ ...ada, id: `eyJwcm92aWRlciI6ImV4YW1wbGUi${'A'.repeat(80)}${end}` })
  expect(long('1')).toBe(long('1'))
  expect(long('1')).not.toBe(long('2'))
  expect(long('1').length).toBeLessThan(80)
  expect(idOf({ ...ada, id: 'k-1' })).toMatch(/^reply-k-1-[\w-]{12}$/)
})

it('an id that the gateway gives again, to another reply, makes two of them; the same reply reported again is one', () => {
  const first = idOf({ ...ada, id: '7' })
  expect(idOf({ ...ada, id: '7', from: '+61 491 570 157', text: ' Yes' }, new Date('2026-11-28T02:00:00Z'))).toBe(first)
  const others = [{ text: 'STOP' }, { from: '61491570158' }].map((one) => idOf({ ...ada, id: '7', ...one }))
  expect(new Set([first, ...others]).size).toBe(3)
})

it('a START counts from when it was sent, if the gateway says so in a form that leaves no doubt; anything else counts from now', () => {
  const at = (text: string, said?: string) => {
    const params = { ...ada, text, ...(said === undefined ? {} : { at: said }) }
    return (readHttpReply(settings, params, now, KEY) as { at: string }).at
  }
  const late = '2026-11-26T01:00:00.000Z'
  for (const said of ['1795654800', '1795654800000', '2026-11-26T01:00:00Z', '2026-11-26 12:00:00+11:00', late])
    expect([said, at('START', said)]).toEqual([said, late])
  // Without a zone, in the future, within what a clock may be wrong by, or no time at all.
  for (const said of [
    undefined,
    '',
    '2026-11-26 01:00:00',
    '26/11/2026',
    '20261126',
    '1795999999',
    '2026-11-28T00:55:00Z',
    '2026-13-45T01:00:00Z',
  ])
    expect([said, at('START', said)]).toEqual([said, now.toISOString()])
  for (const text of ['STOP', 'Yes']) expect([text, at(text, '1795654800')]).toEqual([text, now.toISOString()])
})

it('a reply has a sender, in international form where it is a number of a phone', () => {
  expect(readHttpReply(settings, { ...ada, from: ' ' }, now, KEY)).toBeNull()
  const from = (number: string) => readHttpReply(settings, { ...ada, from: number }, now, KEY)
  expect(from(' 61491570157')).toMatchObject({ from: '+61491570157' })
  expect(from('0491570157')).toMatchObject({ from: '+61491570157' })
  expect(from('2025550123')).toMatchObject({ from: '+12025550123' })
  expect(from('12345')).toMatchObject({ from: '12345' })
})

it('a receipt tells what its status proves about the message that its address names, and nothing otherwise', () => {
  const said = (params: Record<string, string>) => {
    const event = readHttpReceipt(settings, params, now)
    return typeof event === 'object' && event?.kind === 'receipt' ? event.status : event
  }
  const at = (status: string) => said({ reference: 'k-1', status })
  expect(['1', 'UNDELIV', '8', '16', '99'].map(at)).toEqual(['delivered', 'failed', 'sent', 'failed', null])
  const words = [' DELIVRD', 'Delivered', 'DELETED', 'Undeliverable', 'not_delivered', 'canceled', 'queued', 'PENDING']
  const [delivered, failed, sent] = ['delivered', 'failed', 'sent']
  expect(words.map(at)).toEqual([delivered, delivered, failed, failed, failed, failed, sent, sent])
  expect(said({ reference: 'k-1/..', status: '1' })).toBeNull()
  expect(said({ reference: 'k-1', status: '' })).toBeNull()
  expect(said({ reference: 'k-1', state: 'delivered' })).toBe('unreadable')
  expect(said({ message: 'k-1', status: '1' })).toBe('unreadable')
  const named = { ...settings, fields: { ...settings.fields, reference: 'key' } }
  expect(readHttpReceipt(named, { reference: 'k-1', key: 'k-2', status: '1' }, now)).toMatchObject({ reference: 'k-1' })
})

it.each([
  ['UNDELIV', 'Unknown subscriber', true],
  ['failed', 'The number is not in service', true],
  ['UNDELIV', 'no such number', true],
  ['UNDELIV', 'Absent subscriber', false],
  ['EXPIRED', '', false],
  ['DELIVRD', 'Unknown subscriber', false],
])('a receipt with status %s and reason "%s" says that there is no such number: %s', (status, reason, gone) => {
  expect(readHttpReceipt(settings, { reference: 'k-1', status, reason }, now)).toMatchObject({ gone })
})

it('which receipts say that there is no such number can be set, by their status too', () => {
  const set = { ...settings, gone: /^REJECTD .*err:0(01|11)/ }
  const said = (status: string, reason: string) => readHttpReceipt(set, { reference: 'k-1', status, reason }, now)
  expect(said('REJECTD', 'stat:REJECTD err:011')).toMatchObject({ gone: true })
  expect(said('REJECTD', 'stat:REJECTD err:020')).toMatchObject({ gone: false })
})
