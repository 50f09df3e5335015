import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer as https } from 'node:https'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readEnv } from '../env.ts'
import { openSmtpEmail } from './email/bulk-email-smtp.ts'
import { openMailer } from './email/email.ts'
import { httpCall } from './http-call.ts'
import { wordsOf } from './silence.ts'

const UNKNOWN =
  'its certificate is from an authority that this machine does not know; name yours in NODE_EXTRA_CA_CERTS'
const NO_TLS = 'it does not speak TLS as we do; see whether port and protocol in the setting are right'

const open: Server[] = []
let secure = 0
let plain = 0
beforeAll(async () => {
  const folder = mkdtempSync(join(tmpdir(), 'pillar-tls-'))
  const [key, cert] = [join(folder, 'key'), join(folder, 'cert')]
  const made = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-subj', '/CN=localhost', '-keyout', key, '-out', cert]
  execFileSync('openssl', made, { stdio: 'ignore' })
  const listen = (server: Server) =>
    new Promise<number>((done) => {
      open.push(server)
      server.listen(0, '127.0.0.1', () => done((server.address() as AddressInfo).port))
    })
  secure = await listen(https({ key: readFileSync(key), cert: readFileSync(cert) }))
  plain = await listen(createServer((socket) => void socket.on('error', () => {}).write('220 mail.example\r\n')))
  rmSync(folder, { recursive: true })
})
afterAll(() => {
  for (const server of open) server.close()
})

const call = (port: number) => httpCall({ method: 'GET', url: `https://127.0.0.1:${port}/`, headers: {}, body: null })

it('a gateway whose certificate nobody here trusts, or that speaks no TLS, is told so in words, and nothing has left', async () => {
  await expect(call(secure)).rejects.toMatchObject({ message: UNKNOWN, left: false })
  await expect(call(plain)).rejects.toMatchObject({ message: NO_TLS, left: false })
})

it.each(['secure', 'plain'] as const)('so is a mail server, of campaigns and of letters: %s', async (which) => {
  const [port, words] = which === 'secure' ? [secure, UNKNOWN] : [plain, NO_TLS]
  const env = readEnv({ SMTP_URL: `smtps://127.0.0.1:${port}`, MAIL_FROM: 'hello@pillar.example' })
  const reason = `The mail server cannot be reached: ${words}.`
  const letter = { to: 'ada@example.com', subject: 'Hi', text: 'Hi' }
  await expect(openMailer(env).deliver(letter)).rejects.toThrow(reason)
  const links = { unsubscribeUrl: 'https://pillar.example/u', oneClickUrl: 'https://pillar.example/o' }
  const mail = { ...letter, ...links, reference: 'r', fromName: 'P', replyTo: null, html: '<p>Hi</p>' }
  const [handed] = await openSmtpEmail({ ...env, SMTP_URL: env.SMTP_URL! }).send([mail])
  expect(handed).toEqual({ kind: 'later', seconds: 60, reason })
})

it.each([
  ['certificate has expired', 'its certificate has expired'],
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
