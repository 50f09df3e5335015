import { type AddressInfo, createServer } from 'node:net'
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { readEnv } from '../../env.ts'
import type { OutgoingEmail } from '../gateway.ts'
import { openSmtpEmail } from './bulk-email-smtp.ts'

interface Taken {
  from: string
  to: string[]
  raw: string
}

const refusal = (responseCode: number, words: string) => Object.assign(new Error(words), { responseCode })

/** What the server does at each step: an Error refuses, 'cut' breaks the connection. */
let at: { from?: Error; to?: Error; data?: Error | 'cut after' | 'cut in' }
let taken: Taken[]
let deliveries: number
let server: SMTPServer
let url: string

beforeAll(async () => {
  server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    authOptional: true,
    onAuth: (auth, _session, done) =>
      done(auth.password === 'right' ? null : refusal(535, 'Wrong password'), { user: 'x' }),
    onMailFrom: (_address, _session, done) => done(at.from),
    onRcptTo: (address, _session, done) =>
      done(address.address.startsWith('gone') ? refusal(550, 'No such mailbox') : at.to),
    onData: receive,
  })
  server.on('error', () => {})
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`
})
afterAll(() => new Promise<void>((resolve) => server.close(() => resolve())))
beforeEach(() => {
  ;[at, taken, deliveries] = [{}, [], 0]
})

function receive(stream: SMTPServerDataStream, session: SMTPServerSession, done: (error?: Error | null) => void): void {
  deliveries++
  const chunks: Buffer[] = []
  const cut = () => {
    for (const one of server.connections as Set<{ id: string; _socket: { destroy: () => void } }>) {
      if (one.id === session.id) one._socket.destroy()
    }
  }
  if (at.data === 'cut in') {
    stream.once('data', cut)
    return
  }
  stream.on('data', (chunk: Buffer) => chunks.push(chunk))
  stream.on('end', () => {
    const { mailFrom, rcptTo } = session.envelope
    const from = mailFrom ? mailFrom.address : ''
    if (at.data instanceof Error) {
      done(at.data)
      return
    }
    taken.push({ from, to: rcptTo.map((one) => one.address), raw: Buffer.concat(chunks).toString('utf8') })
    if (at.data === 'cut after') cut()
    else done()
  })
}

const open = (more: Record<string, string> = {}) => {
  const env = readEnv({ SMTP_URL: url, MAIL_FROM: 'Pillar <hello@pillar.example>', ...more })
  return openSmtpEmail({ ...env, SMTP_URL: env.SMTP_URL ?? '' })
}
const letter = (reference: string, more: Partial<OutgoingEmail> = {}): OutgoingEmail => ({
  reference,
  to: 'ada@example.com',
  fromName: 'Häuser, Pharmacy',
  replyTo: 'shop@pharmacy.example',
  subject: 'Your script is ready',
  text: 'Hi Ada',
  html: '<p>Hi Ada</p>',
  unsubscribeUrl: 'https://pillar.example/unsubscribe/abc',
  oneClickUrl: 'https://pillar.example/api/unsubscribe/abc',
  ...more,
})

describe('campaign email by SMTP', () => {
  it('arrives with sender, Message-ID, one-click unsubscribing and both bodies', async () => {
    expect(await open().send([letter('m-1')])).toEqual([{ kind: 'accepted', gatewayRef: 'm-1@pillar.example' }])
    const [{ from, to, raw }] = taken as [Taken]
    expect([from, to]).toEqual(['hello@pillar.example', ['ada@example.com']])
    const headers = raw.slice(0, raw.indexOf('\r\n\r\n')).replaceAll(/\r\n\s+/g, ' ')
    expect(headers).toContain('Message-ID: <m-1@pillar.example>')
    expect(headers).toContain('List-Unsubscribe: <https://pillar.example/api/unsubscribe/abc>')
    expect(headers).toContain('List-Unsubscribe-Post: List-Unsubscribe=One-Click')
    expect(headers).toMatch(/^From: .*H.*user.* <hello@pillar\.example>$/m)
    expect(headers).toMatch(/^Reply-To: .*<shop@pharmacy\.example>$/m)
    expect(raw).toContain('text/plain')
    expect(raw).toContain('<p>Hi Ada</p>')
  })

  it('lets bounces return to an address that holds the reference', async () => {
    await open({ BOUNCE_DOMAIN: 'bounces.pillar.example' }).send([letter('p12_ab-3')])
    expect(taken[0]!.from).toBe('bounce+p12_ab-3@bounces.pillar.example')
  })

  it('adds no header or recipient from names, subjects and addresses', async () => {
    const evil = { fromName: 'A\r\nBcc: x@evil.example', subject: 'Hi\r\nBcc: x@evil.example', to: 'ada@example.com' }
    await open().send([letter('m-2', evil)])
    expect(taken[0]!.to).toEqual(['ada@example.com'])
    expect(taken[0]!.raw).not.toMatch(/^Bcc:/im)
  })

  it('refuses one bad address and sends the others', async () => {
    const handed = await open().send([letter('a'), letter('b', { to: 'gone@example.com' }), letter('c')])
    expect(handed.map((one) => one.kind)).toEqual(['accepted', 'rejected', 'accepted'])
    expect(handed[1]).toMatchObject({ reason: expect.stringContaining('No such mailbox') })
  })

  it('learns from a refusal whether there is such an address', async () => {
    at = { to: refusal(550, '5.1.1 User unknown') }
    expect(await open().send([letter('a')])).toMatchObject([{ kind: 'rejected', gone: true }])
    at = { to: refusal(550, '5.7.1 Not from you') }
    expect(await open().send([letter('a')])).toMatchObject([{ kind: 'rejected', gone: false }])
  })

  it('goes to nobody who opted out meanwhile', async () => {
    const handed = await open().send([letter('out'), letter('in')], ({ reference }) => reference === 'out')
    expect(handed).toMatchObject([{ kind: 'later' }, { kind: 'accepted', gatewayRef: 'in@pillar.example' }])
    expect(taken).toHaveLength(1)
  })

  it.each([
    ['a full mailbox for now', { to: refusal(452, 'Try later') }, 'later'],
    ['greylisting', { to: refusal(451, 'Greylisted') }, 'later'],
    ['our sender', { from: refusal(550, 'Sender not allowed') }, 'later'],
    ['a sign-in that is missing', { to: refusal(530, '5.7.0 Authentication required') }, 'later'],
    ['somebody who may not relay', { to: refusal(554, '5.7.1 <ada@example.com>: Relay access denied') }, 'later'],
    ['a sender that is not ours', { to: refusal(553, '5.7.1 Sender address rejected: not owned by user') }, 'later'],
    [
      'a machine on a list of senders of spam',
      { to: refusal(554, '5.7.1 Service unavailable; Client host [192.0.2.7] blocked using list.example') },
      'later',
    ],
    [
      'an account that may not send yet',
      {
        data: refusal(
          554,
          'Message rejected: Email address is not verified. The identity failed the check: ada@example.com',
        ),
      },
      'later',
    ],
    [
      'an account that has sent enough today',
      { to: refusal(550, '5.4.5 Daily user sending limit exceeded.') },
      'later',
    ],
    ['somebody whose address says relay', { to: refusal(550, '<relay.jo@example.com>: User unknown') }, 'rejected'],
    ['the content for good', { data: refusal(554, 'Spam') }, 'rejected'],
    ['the content for now', { data: refusal(451, 'Local error') }, 'later'],
  ])('reads a refusal of %s', async (_what, refusing, kind) => {
    at = refusing
    expect((await open().send([letter('m-3')]))[0]!.kind).toBe(kind)
    expect(taken).toEqual([])
  })

  it('sends no password, and no message, unencrypted to another machine', async () => {
    const { port } = new URL(url)
    // This machine, by a name that does not say so.
    const elsewhere = { SMTP_URL: `smtp://ada:right@[::ffff:127.0.0.1]:${port}` }
    const reason = 'The mail server does not speak TLS, and gets no password without.'
    expect(await open(elsewhere).send([letter('m-6')])).toEqual([{ kind: 'later', seconds: 60, reason }])
    expect(taken).toEqual([])
    await open({ SMTP_URL: `smtp://ada:right@127.0.0.1:${port}` }).send([letter('m-7')])
    expect(taken).toHaveLength(1)
    // Without a password there is nothing to lose: a relay next door may have no TLS.
    await open({ SMTP_URL: `smtp://[::ffff:127.0.0.1]:${port}` }).send([letter('m-8')])
    expect(taken).toHaveLength(2)
  })

  it('treats a message as unknown, and does not retry, if the connection breaks after the content was sent', async () => {
    at = { data: 'cut after' }
    expect((await open().send([letter('m-4')]))[0]).toMatchObject({ kind: 'unknown' })
    expect([taken.length, deliveries]).toEqual([1, 1])
    at = { data: 'cut in' }
    expect((await open().send([letter('m-5', { html: 'x'.repeat(500_000) })]))[0]).toMatchObject({ kind: 'unknown' })
    await new Promise((resolve) => setTimeout(resolve, 400))
    expect([taken.length, deliveries]).toEqual([1, 2])
  })

  it('leaves everything for later if the server is unavailable, drops the connection or refuses our password', async () => {
    expect((await open({ SMTP_URL: 'smtp://127.0.0.1:9' }).send([letter('m-6')]))[0]).toMatchObject({ kind: 'later' })
    const door = createServer((socket) => void socket.end())
    await new Promise<void>((resolve) => door.listen(0, '127.0.0.1', resolve))
    const { port } = door.address() as AddressInfo
    expect((await open({ SMTP_URL: `smtp://127.0.0.1:${port}` }).send([letter('m-7')]))[0]!.kind).toBe('later')
    door.close()
    const wrong = open({ SMTP_URL: url.replace('smtp://', 'smtp://x:wrong@') })
    expect((await wrong.send([letter('m-8')]))[0]).toMatchObject({
      kind: 'later',
      reason: expect.stringContaining('535'),
    })
  })

  it('carries a few hundred over its connections, each once', async () => {
    const handed = await open().send(Array.from({ length: 300 }, (_, one) => letter(`n-${one}`)))
    expect(handed.every((one) => one.kind === 'accepted')).toBe(true)
    const ids = taken.map(({ raw }) => /Message-ID: <([^@]+)@/.exec(raw)?.[1])
    expect(new Set(ids).size).toBe(300)
  })
})
