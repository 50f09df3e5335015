import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Peer, startPeer } from '../../../test/outside/peer.ts'
import { readEnv } from '../../env.ts'
import { openHttpSms } from './sms-http.ts'

/** How the proxy Envoy reports that it got no answer; the rest tells whether the request had been sent. */
const RESET = 'upstream connect error or disconnect/reset before headers. reset reason: '

let peer: Peer
beforeAll(async () => {
  peer = await startPeer()
})
afterAll(() => peer.close())
beforeEach(() => {
  peer.heard.length = 0
})

const open = (more: Record<string, string> = {}) =>
  openHttpSms(
    readEnv({
      SMS_GATEWAY: 'http',
      SMS_HTTP_URL: `${peer.url}/send`,
      SMS_HTTP_BODY: '{"to":"{to}","from":"{from}","text":"{text}","key":"{reference}"}',
      SMS_HTTP_SECRET: 'a-shared-secret-here',
      SMS_SENDER: 'PHARMACY',
      PUBLIC_URL: 'https://pillar.example/',
      ...more,
    }),
  )
const text = (reference: string, words = 'Hi') => ({ reference, to: '+61491570157', from: null, text: words })
const status = (code: number, body = '', headers: Record<string, string> = {}) => {
  peer.answer = (_heard, response) => void response.writeHead(code, headers).end(body)
}

describe('an HTTP gateway of one’s own', () => {
  it('fills a JSON body so that no text escapes from it', async () => {
    status(200, '{"message_id": "m-77"}')
    const words = '"},"to":"+1\\ \n {reference} é 😀 $& $1'
    const sms = open({ SMS_HTTP_ID: '"message_id": "([^"]+)"', SMS_HTTP_HEADERS: '{"x-api-key":"k"}' })
    expect(await sms.send([text('r-1', words)])).toEqual([{ kind: 'accepted', gatewayRef: 'm-77' }])
    const [heard] = peer.heard
    expect(JSON.parse(heard!.body)).toEqual({ to: '+61491570157', from: 'PHARMACY', text: words, key: 'r-1' })
    expect(heard!.headers).toMatchObject({ 'x-api-key': 'k', 'content-type': 'application/json' })
  })

  it('sends from the pharmacy’s own number if it has one, and finds a text without an id by our reference', async () => {
    status(200, 'OK')
    const sms = open({ SMS_HTTP_ID: '"message_id": "([^"]+)"' })
    const own = { ...text('r-9'), from: '+61491570111' }
    expect(await sms.send([own])).toEqual([{ kind: 'accepted', gatewayRef: 'r-9' }])
    expect(JSON.parse(peer.heard[0]!.body)).toMatchObject({ from: '+61491570111' })
  })

  it('sends nothing to people who opted out meanwhile', async () => {
    status(200, 'OK')
    const handed = await open().send([text('out'), text('in')], ({ reference }) => reference === 'out')
    expect(handed.map(({ kind }) => kind)).toEqual(['later', 'accepted'])
    expect(peer.heard.map(({ body }) => JSON.parse(body).key)).toEqual(['in'])
  })

  it('fills an address and a form with escaped values', async () => {
    status(200)
    await open({
      SMS_HTTP_METHOD: 'POST',
      SMS_HTTP_URL: `${peer.url}/send?n={to_digits}&c={coding}&t={text}`,
      SMS_HTTP_BODY: 'text={text}&to={to}&cb={receipt_url}',
      SMS_HTTP_RECEIPT_QUERY: 'status=%d',
    }).send([text('r-2', 'a&b=c+d 😀')])
    const form = new URLSearchParams(peer.heard[0]!.body)
    expect(form.get('text')).toBe('a&b=c+d 😀')
    expect(form.get('to')).toBe('+61491570157')
    expect(form.get('cb')).toMatch(
      /^https:\/\/pillar\.example\/webhooks\/sms\/http\/status\?reference=r-2&made=\d+&sig=[\w-]{27}&status=%d$/,
    )
    expect(peer.heard[0]!.url.search).toBe('?n=61491570157&c=2&t=a%26b%3Dc%2Bd%20%F0%9F%98%80')
  })

  it.each([
    [200, 'ERR no credit', { kind: 'rejected', reason: 'ERR no credit', gone: false }],
    [200, 'ERR no such number', { kind: 'rejected', gone: true }],
    [400, 'bad number', { kind: 'rejected', reason: 'bad number', gone: false }],
    [400, 'unknown subscriber', { kind: 'rejected', gone: true }],
    [422, '', { kind: 'rejected', reason: 'The gateway refused it (status 422).' }],
    [401, '', { kind: 'later', seconds: 60 }],
    [403, '', { kind: 'later', seconds: 60 }],
    [407, '', { kind: 'later', seconds: 60 }],
    [302, '', { kind: 'later', seconds: 60 }],
    [402, 'Insufficient credit', { kind: 'later', seconds: 60, reason: expect.stringContaining('account') }],
    [404, '<h1>Not found</h1>', { kind: 'later', seconds: 60 }],
    [405, '', { kind: 'later', seconds: 60 }],
    [410, 'This number is blocked', { kind: 'rejected', reason: 'This number is blocked' }],
    [503, 'no healthy upstream', { kind: 'later', seconds: 30 }],
    [503, `${RESET}connection failure`, { kind: 'later', seconds: 30 }],
    [503, `${RESET}connection termination`, { kind: 'unknown' }],
    [503, `${RESET}remote reset`, { kind: 'unknown' }],
    [200, '<!DOCTYPE html><title>OK, back soon</title>', { kind: 'unknown' }],
    [303, '', { kind: 'unknown' }],
    [429, '', { kind: 'later', seconds: 5 }],
    [503, '', { kind: 'later', seconds: 30 }],
    [408, '', { kind: 'unknown' }],
    [500, '', { kind: 'unknown' }],
    [502, '', { kind: 'unknown' }],
  ])('reads status %i "%s"', async (code, body, outcome) => {
    status(code, body)
    expect((await open({ SMS_HTTP_ACCEPTED: '^OK' }).send([text('r-3')]))[0]).toMatchObject(outcome)
    expect(peer.heard).toHaveLength(1)
  })

  it('waits as long as a busy gateway asks, an hour at most', async () => {
    status(429, '', { 'retry-after': '42' })
    expect((await open().send([text('r-4')]))[0]).toMatchObject({ kind: 'later', seconds: 42 })
    status(503, '', { 'retry-after': '86400' })
    expect((await open().send([text('r-4')]))[0]).toMatchObject({ kind: 'later', seconds: 3600 })
  })

  it('reports an unknown outcome if the connection breaks after the message was sent', async () => {
    peer.answer = () => false
    expect((await open().send([text('r-5')]))[0]).toMatchObject({ kind: 'unknown' })
    peer.answer = (_heard, response) => {
      response.writeHead(200, { 'content-length': '50' }).write('ok but')
      setTimeout(() => response.destroy(), 20)
      return undefined
    }
    expect((await open().send([text('r-6')]))[0]).toMatchObject({ kind: 'unknown' })
    expect(peer.heard).toHaveLength(2)
  })

  it('leaves a message for later when the gateway cannot be reached or has no such name', async () => {
    for (const url of ['http://127.0.0.1:9/', 'http://no-such-host.invalid/']) {
      expect((await open({ SMS_HTTP_URL: url }).send([text('r-7')]))[0]).toMatchObject({ kind: 'later', seconds: 30 })
    }
  })

  it('gives up within 20 s on a gateway that hangs: begun ones unknown, the others for later', async () => {
    peer.answer = () => new Promise(() => {})
    const began = performance.now()
    const handed = await open().send(Array.from({ length: 60 }, (_, at) => text(`h-${at}`)))
    expect(performance.now() - began).toBeLessThan(20_000)
    const counts = (kind: string) => handed.filter((one) => one.kind === kind).length
    expect([counts('unknown'), counts('later')]).toEqual([20, 40])
    expect(peer.heard).toHaveLength(20)
  })

  it.each([
    [{ SMS_HTTP_URL: '' }, 'The setting SMS_HTTP_URL is missing'],
    [{ SMS_HTTP_SECRET: '' }, 'The setting SMS_HTTP_SECRET is missing'],
    [{ PUBLIC_URL: '' }, 'The setting PUBLIC_URL is missing'],
    [{ SMS_SENDER: '' }, 'The setting SMS_SENDER is missing'],
    [{ SMS_HTTP_BODY: '{to} {text} {patient}' }, 'it holds {patient}'],
    [{ SMS_HTTP_BODY: '{text}' }, 'must hold {to} and {text}'],
    [{ SMS_HTTP_METHOD: 'GET' }, 'a GET carries no body'],
    [{ SMS_HTTP_URL: 'ftp://x/' }, 'must begin with http'],
    [{ SMS_HTTP_HEADERS: '[1]' }, 'must be a JSON object of texts'],
    [{ SMS_HTTP_HEADERS: '{"x-api-key":"a\u200bb"}' }, 'invalid character in header content ["x-api-key"]'],
    [
      { SMS_HTTP_URL: 'http://gateway.example:130133/?to={to}' },
      'The setting SMS_HTTP_URL is not usable: it is no address',
    ],
    [{ SMS_HTTP_ACCEPTED: '(' }, 'is no regular expression'],
    [{ SMS_HTTP_ID: 'id=\\d+' }, 'it must have a group, such as id=(\\d+)'],
    [{ SMS_HTTP_BODY: '{"to":"{to}","text":{text}}' }, 'it begins like JSON but is not valid JSON'],
    [{ SMS_HTTP_FIELDS: '{"who":"x"}' }, '"who" is none of'],
  ])('says what is wrong with the settings %o', (more, sentence) => {
    expect(() => open(more)).toThrow(sentence)
  })
})
