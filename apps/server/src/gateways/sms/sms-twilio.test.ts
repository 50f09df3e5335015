import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type HeardRequest, type Peer, startPeer } from '../../../test/outside/peer.ts'
import { readEnv } from '../../env.ts'
import { openTwilio } from './sms-twilio.ts'
import { readTwilioReceipt, readTwilioReply } from './sms-twilio-events.ts'

const ACCOUNT = `AC${'0'.repeat(32)}`
const TOKEN = 'f'.repeat(32)

interface Listed {
  sid: string
  to: string
  direction: string
  date_created: string
}

/** Stands in for the parts of Twilio's message resource we use, as its reference describes them. */
let peer: Peer
let kept: Listed[]
let refuse: { status: number; code: number; message: string } | null
let hang: boolean
/** The state of the messages it has just accepted. */
let standing: { status: string; error_code: number | null }

beforeAll(async () => {
  peer = await startPeer()
})
afterAll(() => peer.close())
beforeEach(() => {
  peer.heard.length = 0
  ;[kept, refuse, hang, standing] = [[], null, false, { status: 'queued', error_code: null }]
  peer.answer = (heard, response) => {
    response.setHeader('content-type', 'application/json')
    if (refuse) return void response.writeHead(refuse.status).end(JSON.stringify({ ...refuse, more_info: 'x' }))
    if (heard.method === 'GET') return void response.end(JSON.stringify(list(heard)))
    const form = new URLSearchParams(heard.body)
    const sid = `SM${String(kept.length).padStart(32, '0')}`
    kept.push({ sid, to: form.get('To') ?? '', direction: 'outbound-api', date_created: new Date().toUTCString() })
    if (hang) return false
    return void response.writeHead(201).end(JSON.stringify({ ...kept.at(-1), ...standing }))
  }
})

const list = (heard: HeardRequest) => ({
  messages: kept.filter((one) => one.to === heard.url.searchParams.get('To')),
  ...{ page: 0, page_size: 200, next_page_uri: null },
})
const open = (more: Record<string, string> = {}) =>
  openTwilio(
    readEnv({
      ...{ SMS_GATEWAY: 'twilio', TWILIO_ACCOUNT_SID: ACCOUNT, TWILIO_AUTH_TOKEN: TOKEN, TWILIO_BASE_URL: peer.url },
      ...{ SMS_SENDER: '+61491570006', PUBLIC_URL: 'https://pillar.example' },
      ...more,
    }),
  )
const text = (reference: string, to = '+61491570157') => ({ reference, to, from: null, text: 'Hi & “hello” 😀' })
const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000)

describe('Twilio', () => {
  it('sends a text in Twilio’s words, with our reference in the status address', async () => {
    const [handed] = await open().send([text('r-1')])
    expect(handed).toEqual({ kind: 'accepted', gatewayRef: kept[0]!.sid })
    const { url, headers, body } = peer.heard[0]!
    expect(url.pathname).toBe(`/2010-04-01/Accounts/${ACCOUNT}/Messages.json`)
    expect(headers.authorization).toBe(`Basic ${Buffer.from(`${ACCOUNT}:${TOKEN}`).toString('base64')}`)
    const form = new URLSearchParams(body)
    expect(Object.fromEntries(form)).toEqual({
      To: '+61491570157',
      From: '+61491570006',
      Body: 'Hi & “hello” 😀',
      StatusCallback: expect.stringMatching(
        /^https:\/\/pillar\.example\/webhooks\/sms\/twilio\/status\?reference=r-1&made=\d+$/,
      ),
    })
  })

  it('sends nothing to people who opted out meanwhile', async () => {
    const two = [text('out', '+61491570111'), text('in')]
    expect(await open().send(two, ({ reference }) => reference === 'out')).toMatchObject([
      { kind: 'later' },
      { kind: 'accepted' },
    ])
    expect(kept.map(({ to }) => to)).toEqual(['+61491570157'])
  })

  it('sends from the pharmacy’s own number if it has one', async () => {
    await open().send([{ ...text('r-8'), from: '+61491570111' }])
    expect(new URLSearchParams(peer.heard[0]!.body).get('From')).toBe('+61491570111')
  })

  it('sends through a messaging service when the sender is one', async () => {
    await open({ SMS_SENDER: `MG${'1'.repeat(32)}` }).send([text('r-2')])
    expect(new URLSearchParams(peer.heard[0]!.body).get('MessagingServiceSid')).toBe(`MG${'1'.repeat(32)}`)
  })

  it.each([
    [400, 21211, { kind: 'rejected', reason: 'The number is not valid', gone: true, optedOut: false }],
    [400, 21610, { kind: 'rejected', reason: 'The person has opted out at the gateway', optedOut: true }],
    [400, 99999, { kind: 'rejected', reason: 'Words of Twilio (Twilio 99999)' }],
    [401, 20003, { kind: 'later', seconds: 60 }],
    [400, 20005, { kind: 'later', seconds: 60 }],
    [429, 20429, { kind: 'later', seconds: 5 }],
    [503, 20503, { kind: 'later', seconds: 30 }],
    [500, 20500, { kind: 'unknown' }],
  ])('reads status %i with code %i', async (status, code, outcome) => {
    refuse = { status, code, message: 'Words of Twilio' }
    expect((await open().send([text('r-3')]))[0]).toMatchObject(outcome)
    expect(peer.heard).toHaveLength(1)
  })

  it('never sends again after a broken connection: the outcome is unknown, and a look-up does not call it absent', async () => {
    hang = true
    const sms = open()
    expect((await sms.send([text('r-4')]))[0]).toMatchObject({ kind: 'unknown' })
    expect(kept).toHaveLength(1)
    kept[0]!.date_created = minutesAgo(5).toUTCString()
    expect(await sms.lookUp([{ ...text('r-4'), handedOverAt: minutesAgo(5) }])).toEqual([{ kind: 'unsure' }])
  })

  it('says absent only if nothing went to that number since, and enough time has passed', async () => {
    kept = [
      { sid: 'SM1', to: '+61491570157', direction: 'outbound-api', date_created: minutesAgo(60).toUTCString() },
      { sid: 'SM2', to: '+61491570157', direction: 'inbound', date_created: minutesAgo(1).toUTCString() },
    ]
    const ask = (handedOverAt?: Date) => open().lookUp([{ reference: 'r-5', to: '+61491570157', handedOverAt }])
    expect(await ask(minutesAgo(10))).toEqual([{ kind: 'absent' }])
    expect(await ask(minutesAgo(0.5))).toEqual([{ kind: 'unsure' }])
    expect(await ask()).toEqual([{ kind: 'unsure' }])
    expect(await ask(minutesAgo(61))).toEqual([{ kind: 'unsure' }])
    refuse = { status: 500, code: 0, message: '' }
    expect(await ask(minutesAgo(10))).toEqual([{ kind: 'unsure' }])
  })

  it('does not say absent while its list is full and does not go back to the hand-over', async () => {
    const heard = { sid: 'SM3', to: '+61491570157', direction: 'inbound', date_created: minutesAgo(5).toUTCString() }
    const ask = () => open().lookUp([{ reference: 'r-5', to: '+61491570157', handedOverAt: minutesAgo(10) }])
    kept = Array.from({ length: 200 }, () => heard)
    expect(await ask()).toEqual([{ kind: 'unsure' }])
    kept[199] = { ...heard, date_created: minutesAgo(20).toUTCString() }
    expect(await ask()).toEqual([{ kind: 'absent' }])
    kept = Array.from({ length: 199 }, () => heard)
    expect(await ask()).toEqual([{ kind: 'absent' }])
  })

  it('says absent also after a list as long as Twilio writes it', async () => {
    const words = {
      body: 'Hi Ann, your script is due. '.repeat(12),
      uri: `/2010-04-01/Accounts/${ACCOUNT}/Messages/x.json`,
    }
    const earlier = {
      sid: 'SM4',
      to: '+61491570157',
      direction: 'outbound-api',
      date_created: minutesAgo(60).toUTCString(),
    }
    kept = Array.from({ length: 199 }, () => ({ ...earlier, ...words, media: words.uri, sender: ACCOUNT, price: null }))
    const ask = open().lookUp([{ reference: 'r-5', to: '+61491570157', handedOverAt: minutesAgo(10) }])
    expect(await ask).toEqual([{ kind: 'absent' }])
  })

  it.each(['{}', '[]', '"ok"', '{"sid":5,"status":"queued"}', '{"sid":"","status":"queued"}', '{"sid":{"a":1}}'])(
    'has taken no text for certain when %s is all that is answered',
    async (body) => {
      peer.answer = (_heard, response) => void response.setHeader('content-type', 'application/json').end(body)
      expect(await open().send([text('r-8')])).toEqual([{ kind: 'unknown', reason: expect.stringContaining('no id') }])
    },
  )

  it.each(['{"errors":[]}', '{"data":[]}', '{"messages":null}', '[]'])(
    'lacks no text because of the list %s',
    async (body) => {
      peer.answer = (_heard, response) => void response.setHeader('content-type', 'application/json').end(body)
      const ask = open().lookUp([{ reference: 'r-5', to: '+61491570157', handedOverAt: minutesAgo(10) }])
      expect(await ask).toEqual([{ kind: 'unsure' }])
    },
  )

  it.each([
    ['failed', 30004, 'The network blocked the message', false],
    ['undelivered', 30004, 'The network blocked the message', false],
    ['undelivered', 30005, 'Number not in service', true],
  ])(
    'learns at once that a text was %s, and whether there is such a number (%i)',
    async (status, code, reason, gone) => {
      standing = { status, error_code: code }
      expect(await open().send([text('r-7')])).toEqual([{ kind: 'rejected', reason, gone }])
    },
  )

  it('leaves a text for later when Twilio cannot be reached', async () => {
    const [handed] = await open({ TWILIO_BASE_URL: 'http://127.0.0.1:9' }).send([text('r-6')])
    expect(handed).toMatchObject({ kind: 'later', seconds: 30 })
  })

  it.each(['TWILIO_ACCOUNT_SID', 'TWILIO_AUTH_TOKEN', 'SMS_SENDER', 'PUBLIC_URL'])(
    'does not start without %s',
    (name) => {
      expect(() => open({ [name]: '' })).toThrow(`The setting ${name} is missing`)
    },
  )
})

describe('a call from Twilio', () => {
  const now = new Date()
  const told = (MessageStatus: string, more = {}) =>
    readTwilioReceipt({ reference: 'r-1' }, { MessageSid: 'SM1', MessageStatus, ...more }, now)

  it.each([
    ['accepted', 'sent'],
    ['scheduled', 'sent'],
    ['queued', 'sent'],
    ['sending', 'sent'],
    ['sent', 'sent'],
    ['delivered', 'delivered'],
    ['read', 'delivered'],
    ['undelivered', 'failed'],
    ['failed', 'failed'],
    ['canceled', 'failed'],
  ])('"%s" of a text is %s, with a reason only if it failed', (status, state) => {
    const reason = state === 'failed' ? 'Number not in service' : null
    expect(told(status, { ErrorCode: '30005' })).toMatchObject({ status: state, reason, gatewayRef: 'SM1' })
  })

  it.each([
    ['undelivered', '30005', true],
    ['failed', '30006', true],
    ['failed', '21211', true],
    ['failed', '21614', true],
    ['undelivered', '30003', false],
    ['undelivered', '30007', false],
    ['failed', '21610', false],
    ['failed', '', false],
    ['delivered', '30005', false],
  ])('"%s" with code "%s": there is no such number: %s', (status, ErrorCode, gone) => {
    expect(told(status, { ErrorCode })).toMatchObject({ gone })
  })

  it('means nothing without the id of the text, or the sender of a reply', () => {
    expect(told('sent', { MessageSid: '' })).toBeNull()
    const reply = { MessageSid: 'SM9', From: '+61491570157', To: '+61491570006', Body: 'Hi' }
    expect(readTwilioReply(reply, now)).toMatchObject({ from: '+61491570157', text: 'Hi' })
    expect(readTwilioReply(reply, now)).not.toHaveProperty('optedOut')
    expect(readTwilioReply({ ...reply, Body: 'ARRET', OptOutType: 'STOP' }, now)).toMatchObject({ optedOut: true })
    expect(readTwilioReply({ ...reply, OptOutType: 'HELP' }, now)).not.toHaveProperty('optedOut')
    expect(readTwilioReply({ ...reply, From: '' }, now)).toBeNull()
    expect(readTwilioReply({ ...reply, MessageSid: '' }, now)).toBeNull()
  })
})
