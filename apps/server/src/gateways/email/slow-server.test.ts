import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, expect, it } from 'vitest'
import { readEnv } from '../../env.ts'
import type { OutgoingEmail } from '../gateway.ts'
import { openSmtpEmail } from './bulk-email-smtp.ts'
import { openMailer } from './email.ts'

/** How the server answers one command: at once, or with a byte now and then, for ever. */
type Manner = (socket: Socket, answer: string) => void
const atOnce: Manner = (socket, answer) => void socket.write(answer)
const trickling: Manner = (socket, answer) => {
  socket.write(answer.replace(' ', '-').trimEnd())
  const timer = setInterval(() => socket.write('x'), 50)
  socket.on('close', () => clearInterval(timer))
}

let server: Server
let received: number
let open: Set<Socket>
afterEach(() => {
  for (const socket of open) socket.destroy()
  server.close()
})

/** A mail server that answers these commands in this manner, and the others at once. @returns its address */
async function start(manners: Partial<Record<'MAIL' | '.', Manner>>): Promise<string> {
  received = 0
  open = new Set()
  server = createServer((socket) => {
    open.add(socket)
    socket.on('error', () => {}).on('close', () => open.delete(socket))
    socket.write('220 slow\r\n')
    let rest = ''
    socket.on('data', (chunk) => {
      const lines = (rest + chunk).split('\r\n')
      rest = lines.pop() ?? ''
      for (const line of lines) {
        if (line === '.') received++
        const word = line === '.' ? '.' : line.slice(0, 4)
        const answer = word === 'DATA' ? '354 go on\r\n' : '250 ok\r\n'
        if (/^(EHLO|MAIL|RCPT|DATA|QUIT|\.)$/.test(word)) (manners[word as '.'] ?? atOnce)(socket, answer)
      }
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const campaignEmail = (reference: string): OutgoingEmail => ({
  ...{
    reference,
    to: 'ada@example.com',
    fromName: 'Pharmacy',
    replyTo: null,
    subject: 'Ready',
    text: 'Hi',
    html: 'Hi',
  },
  ...{ unsubscribeUrl: 'https://pillar.example/u/abc', oneClickUrl: 'https://pillar.example/api/unsubscribe/abc' },
})
const envOf = (SMTP_URL: string) => ({ ...readEnv({ SMTP_URL, MAIL_FROM: 'Pillar <hello@pillar.example>' }), SMTP_URL })

it('a letter whose mail server trickles its answer ends in time, by whether the server may have it', async () => {
  const letter = { to: 'ada@example.com', subject: 'Hello', text: 'Hi.' }
  await expect(openMailer(envOf(await start({ MAIL: trickling })), 500).deliver(letter)).rejects.toThrow(
    'The mail server cannot be reached: it did not answer in time.',
  )
  expect(received).toBe(0)
  server.close()
  await expect(openMailer(envOf(await start({ '.': trickling })), 500).deliver(letter)).rejects.toThrow(
    'The mail server broke off before it said whether it took the letter.',
  )
  expect(received).toBe(1)
  await expect.poll(() => open.size).toBe(0)
})

it('campaign emails that wait for a trickling mail server are for later, and never leave behind our back', async () => {
  let slow = true
  const url = await start({ MAIL: (socket, answer) => (slow ? trickling : atOnce)(socket, answer) })
  const gateway = openSmtpEmail(envOf(url), 500)
  const handed = await gateway.send(Array.from({ length: 8 }, (_, at) => campaignEmail(`m-${at}`)))
  expect(new Set(handed.map(({ kind }) => kind))).toEqual(new Set(['later']))
  await expect.poll(() => open.size).toBe(0)
  slow = false
  await pause(300)
  expect(received).toBe(0)
  // The connections are free again.
  expect(await gateway.send([campaignEmail('m-9')])).toMatchObject([{ kind: 'accepted' }])
  expect(received).toBe(1)
})

it('a campaign email whose mail server trickles after its content is in doubt', async () => {
  const gateway = openSmtpEmail(envOf(await start({ '.': trickling })), 500)
  expect(await gateway.send([campaignEmail('m-1')])).toMatchObject([{ kind: 'unknown' }])
  expect(received).toBe(1)
})
