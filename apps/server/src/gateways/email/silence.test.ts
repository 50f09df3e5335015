import { type AddressInfo, createServer, type Server } from 'node:net'
import { SMTPServer } from 'smtp-server'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readEnv } from '../../env.ts'
import { httpCall } from '../http-call.ts'
import { wordsOf } from '../silence.ts'
import { openSmtpEmail } from './bulk-email-smtp.ts'
import { openMailer } from './email.ts'

const EXPIRED = 'its certificate has expired'
const NO_TLS = 'it does not speak TLS as we do; see whether port and protocol in the setting are right'

const open: Server[] = []
let secure = 0
let plain = 0
beforeAll(async () => {
  const listen = (server: Server) =>
    new Promise<number>((done) => {
      open.push(server)
      server.listen(0, '127.0.0.1', () => done((server.address() as AddressInfo).port))
    })
  // The library's bundled certificate expired years ago.
  const own = new SMTPServer({ secure: true })
  own.on('error', () => {})
  secure = await listen(own.server as unknown as Server)
  plain = await listen(createServer((socket) => void socket.on('error', () => {}).write('220 mail.example\r\n')))
})
afterAll(() => {
  for (const server of open) server.close()
})

const call = (port: number) => httpCall({ method: 'GET', url: `https://127.0.0.1:${port}/`, headers: {}, body: null })

const LETTER = { to: 'ada@example.com', subject: 'Hi', text: 'Hi' }
const LINKS = { unsubscribeUrl: 'https://pillar.example/u', oneClickUrl: 'https://pillar.example/o' }
const MAIL = { ...LETTER, ...LINKS, reference: 'r', fromName: 'P', replyTo: null, html: '<p>Hi</p>' }

it('an expired certificate or a gateway without TLS is explained in plain words, and nothing was sent', async () => {
  await expect(call(secure)).rejects.toMatchObject({ message: EXPIRED, left: false })
  await expect(call(plain)).rejects.toMatchObject({ message: NO_TLS, left: false })
})

it.each(['secure', 'plain'] as const)(
  'the same holds for a mail server, for campaigns and for letters: %s',
  async (which) => {
    const [port, words] = which === 'secure' ? [secure, EXPIRED] : [plain, NO_TLS]
    const env = readEnv({ SMTP_URL: `smtps://127.0.0.1:${port}`, MAIL_FROM: 'hello@pillar.example' })
    const reason = `The mail server cannot be reached: ${words}.`
    await expect(openMailer(env).deliver(LETTER)).rejects.toThrow(reason)
    const [handed] = await openSmtpEmail({ ...env, SMTP_URL: env.SMTP_URL! }).send([MAIL])
    expect(handed).toEqual({ kind: 'later', seconds: 60, reason })
  },
)

it('a relay that would take messages without TLS may have any certificate, unless a password leaves this machine for it', async () => {
  let encrypted = 0
  const relay = new SMTPServer({
    onAuth: (_auth, _session, done) => done(null, { user: 'ada' }),
    onData: (stream, session, done) => {
      if (session.secure) encrypted++
      stream.on('end', done).resume()
    },
    authOptional: true,
  })
  relay.on('error', () => {})
  await new Promise<void>((ready) => relay.listen(0, '127.0.0.1', ready))
  const { port } = relay.server.address() as AddressInfo
  const through = (server: string) => {
    const env = readEnv({ SMTP_URL: `smtp://${server}:${port}`, MAIL_FROM: 'hello@pillar.example' })
    return [openMailer(env).deliver(LETTER), openSmtpEmail({ ...env, SMTP_URL: env.SMTP_URL! }).send([MAIL])] as const
  }
  // The second is this machine, by a name that does not say so.
  for (const server of ['ada:right@localhost', '[::ffff:127.0.0.1]']) {
    const [delivered, handed] = through(server)
    await delivered
    expect(await handed).toMatchObject([{ kind: 'accepted' }])
  }
  expect(encrypted).toBe(4)
  const [refused, waits] = through('ada:right@[::ffff:127.0.0.1]')
  await expect(refused).rejects.toThrow(EXPIRED)
  expect(await waits).toMatchObject([{ kind: 'later', reason: expect.stringContaining(EXPIRED) }])
  relay.close()
})

it.each([
  [
    'self-signed certificate; if the root CA is installed locally, try running Node.js with --use-system-ca',
    'its certificate is from an authority that this machine does not know; name yours in NODE_EXTRA_CA_CERTS',
  ],
  ['certificate is not yet valid', "its certificate is not valid yet; see whether this machine's clock is right"],
  [
    "Hostname/IP does not match certificate's altnames: Host: a. is not in the cert's altnames: DNS:b",
    'its certificate is for another name',
  ],
  ['getaddrinfo ENOTFOUND gateway.invalid', 'its name is not known'],
  ['what nobody\nforesaw:\n', 'what nobody foresaw:'],
])('reads %j', (message, words) => {
  expect(wordsOf(new Error(message))).toBe(words)
})

it('reads the last of several addresses that were tried', () => {
  const each = ['::1', '127.0.0.1'].map((address) => new Error(`connect EHOSTUNREACH ${address}:443`))
  expect(wordsOf(new AggregateError(each))).toBe('there is no way to it')
})
