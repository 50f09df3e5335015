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
    const letter = { to: 'ada@example.com', subject: 'Hi', text: 'Hi' }
    await expect(openMailer(env).deliver(letter)).rejects.toThrow(reason)
    const links = { unsubscribeUrl: 'https://pillar.example/u', oneClickUrl: 'https://pillar.example/o' }
    const mail = { ...letter, ...links, reference: 'r', fromName: 'P', replyTo: null, html: '<p>Hi</p>' }
    const [handed] = await openSmtpEmail({ ...env, SMTP_URL: env.SMTP_URL! }).send([mail])
    expect(handed).toEqual({ kind: 'later', seconds: 60, reason })
  },
)

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
