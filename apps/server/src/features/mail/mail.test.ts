import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { asOwner } from '../../../test/people.ts'
import { startTestServer, type TestServer } from '../../../test/server.ts'
import type { Queue } from '../../api/context.ts'
import { openQueue } from '../../api/queue.ts'
import { seal, unseal } from '../../api/seal.ts'
import { queueMail, sendMail } from './mail.jobs.ts'
import { everyLetter, insertMail } from './mail.queries.ts'

/** Speaks just enough SMTP (RFC 5321) to accept or refuse a letter. */
const received: { from: string; to: string[]; data: string }[] = []
let answerToData = '250 taken'

function speak(socket: Socket): void {
  let letter = { from: '', to: [] as string[], data: '' }
  let inData = false
  let buffer = ''
  socket.write('220 test\r\n')
  socket.on('error', () => {})
  socket.on('data', (chunk) => {
    buffer += chunk.toString('utf8')
    for (let end = buffer.indexOf('\r\n'); end >= 0; end = buffer.indexOf('\r\n')) {
      const line = buffer.slice(0, end)
      buffer = buffer.slice(end + 2)
      if (inData) {
        if (line !== '.') letter.data += `${line.replace(/^\./, '')}\n`
        else {
          inData = false
          if (answerToData.startsWith('2')) received.push(letter)
          letter = { from: '', to: [], data: '' }
          // Slow enough for others to come in between.
          setTimeout((answer) => socket.write(`${answer}\r\n`), 30, answerToData)
        }
      } else if (/^EHLO/i.test(line)) socket.write('250 test\r\n')
      else if (/^MAIL FROM/i.test(line)) {
        letter.from = line.slice(10)
        socket.write('250 ok\r\n')
      } else if (/^RCPT TO/i.test(line)) socket.write(`250 ${letter.to.push(line.slice(8))}\r\n`)
      else if (/^DATA/i.test(line)) {
        inData = true
        socket.write('354 go on\r\n')
      } else if (/^QUIT/i.test(line)) socket.end('221 bye\r\n')
      else socket.write('500 what\r\n')
    }
  })
}

let smtp: Server
let server: TestServer
beforeAll(async () => {
  smtp = createServer(speak)
  await new Promise<void>((done) => smtp.listen(0, '127.0.0.1', done))
  const port = (smtp.address() as AddressInfo).port
  server = await startTestServer({ env: { SMTP_URL: `smtp://127.0.0.1:${port}` } })
})
afterAll(async () => {
  await server.close()
  smtp.close()
})
beforeEach(async () => {
  received.length = 0
  answerToData = '250 taken'
  await asOwner(server, 'truncate mail restart identity')
})

const TEXT = 'Straight to the point.\n.\nA line of one dot, and grün.'
const post = (to = 'robin@mail.example', seconds?: number) =>
  server.services.pools.system
    .transaction()
    .execute((tx) => queueMail(tx, server.services, { to, subject: 'Hello – you', text: TEXT }, seconds))
const rows = () =>
  asOwner<{ sent_at: Date | null; body: Buffer | null; failure: string | null }>(server, 'select * from mail')

describe('a letter', () => {
  it('is delivered once, and its text is deleted', async () => {
    await post()
    expect(received).toEqual([])
    await sendMail.run({ mail_id: 1 }, server.services)
    await sendMail.run({ mail_id: 1 }, server.services)
    expect(received).toHaveLength(1)
    const [letter] = received
    expect(letter!.from).toContain('<no-reply@pillar.example>')
    expect(letter!.to).toEqual(['<robin@mail.example>'])
    expect(letter!.data).toContain('Message-ID: <mail-1@pillar>')
    expect(letter!.data).toContain('Auto-Submitted: auto-generated')
    expect(letter!.data).toContain('Straight to the point.')
    expect((await rows())[0]).toMatchObject({ body: null, failure: null, sent_at: expect.any(Date) })
  })

  it('stays queued with the reason when the server refuses it, and is delivered on retry', async () => {
    await post()
    answerToData = '451 try later'
    await expect(sendMail.run({ mail_id: 1 }, server.services)).rejects.toThrow('451 try later')
    expect((await rows())[0]).toMatchObject({ sent_at: null, failure: expect.stringContaining('451 try later') })
    answerToData = '250 taken'
    await sendMail.run({ mail_id: 1 }, server.services)
    expect(received).toHaveLength(1)
    expect((await rows())[0]).toMatchObject({ failure: null, sent_at: expect.any(Date) })
  })

  it('is delivered once by two workers at once', async () => {
    await post()
    await Promise.all([1, 2, 3].map(() => sendMail.run({ mail_id: 1 }, server.services)))
    expect(received).toHaveLength(1)
  })

  it('is not taken for delivered while another transaction holds it, which may not deliver it', async () => {
    await post()
    let letGo = () => {}
    const held = new Promise<void>((done) => (letGo = done))
    const holding = server.services.pools.system.transaction().execute(async (tx) => {
      await everyLetter(tx, server.services.keys)
      await held
    })
    const sending = sendMail.run({ mail_id: 1 }, server.services)
    await new Promise((done) => setTimeout(done, 300))
    letGo()
    await Promise.all([holding, sending])
    expect(received).toHaveLength(1)
  })

  it('goes to one address in any notation', async () => {
    await post('robin@mail.example, eve@mail.example')
    await sendMail.run({ mail_id: 1 }, server.services).catch(() => {})
    expect(received.flatMap((letter) => letter.to)).not.toContain('<eve@mail.example>')
  })

  it('is rolled back with the event it reports, and so is its job', async () => {
    const jobs = () => asOwner(server, `select 1 from pgboss.job where name = 'mail'`)
    const before = (await jobs()).length
    await server.services.pools.system
      .transaction()
      .execute(async (tx) => {
        await queueMail(tx, server.services, { to: 'x@mail.example', subject: 's', text: 't' })
        throw new Error('no')
      })
      .catch(() => {})
    expect(await rows()).toEqual([])
    expect(await jobs()).toHaveLength(before)
    await post()
    expect(await jobs()).toHaveLength(before + 1)
  })
})

describe('while the mail server is away for hours', () => {
  let queue: Queue
  afterEach(async () => {
    await queue.stop()
    server.clock.offsetMs = 0
  })
  const begin = async () => {
    queue = await openQueue(server.ownerUrl, [sendMail], server.services.log)
    await queue.work([sendMail], server.services)
  }
  /** Lets the tries of the first half hour be over, all in vain. */
  const giveUp = async (letters: number) => {
    await asOwner(server, `update pgboss.job set retry_limit = 0 where name = 'mail'`)
    await begin()
    await expect.poll(() => states(), { timeout: 20_000 }).toEqual(Array(letters).fill('failed'))
    await queue.stop()
    await asOwner(server, `update pgboss.job set retry_limit = 10, retry_count = 10 where name = 'mail'`)
  }
  const states = async () =>
    (await asOwner<{ state: string }>(server, `select state from pgboss.job where name = 'mail' order by id`)).map(
      ({ state }) => state,
    )
  const later = async (minutes: number) => {
    server.clock.offsetMs += minutes * 60_000
    await asOwner(
      server,
      `update pgboss.job set completed_on = completed_on - make_interval(mins => $1), created_on = created_on - make_interval(mins => $1)
       where name = 'mail'`,
      [minutes],
    )
    await begin()
  }
  beforeEach(() => asOwner(server, `delete from pgboss.job where name = 'mail'`))

  it('a letter waits and leaves once it is back, but not one whose link has run out, which stays given up', async () => {
    await post('week@mail.example')
    await post('reset@mail.example', 60 * 60)
    await post('day@mail.example', 24 * 60 * 60)
    answerToData = '421 away'
    await giveUp(3)
    answerToData = '250 taken'
    await later(120)
    await expect.poll(() => received.flatMap(({ to }) => to).toSorted(), { timeout: 10_000 }).toHaveLength(2)
    await expect
      .poll(async () => (await states()).toSorted(), { timeout: 10_000 })
      .toEqual(['completed', 'completed', 'failed'])
    expect(received.flatMap(({ to }) => to).toSorted()).toEqual(['<day@mail.example>', '<week@mail.example>'])
    const [left] = await asOwner<{ failure: string }>(server, 'select failure from mail where sent_at is null')
    expect(left!.failure).toBe('It was given up: what it offers has run out.')
    // Nor is it tried for the rest of a week.
    await queue.stop()
    await later(120)
    await new Promise((done) => setTimeout(done, 1_000))
    expect((await states()).filter((state) => state === 'failed')).toHaveLength(1)
  })

  it('one that the server refuses for good is not tried for a week', async () => {
    await post('gone@mail.example')
    answerToData = '550 no such user'
    await giveUp(1)
    answerToData = '250 taken'
    await later(120)
    await new Promise((done) => setTimeout(done, 1_500))
    expect(received).toEqual([])
    expect(await states()).toEqual(['failed'])
  })

  it('one of a version before, of which nobody knows what it offers, has run out after an hour', async () => {
    await post()
    await asOwner(server, `update pgboss.job set data = data - 'until' where name = 'mail'`)
    answerToData = '421 away'
    await giveUp(1)
    answerToData = '250 taken'
    await later(120)
    await new Promise((done) => setTimeout(done, 1_500))
    expect([received, await states()]).toEqual([[], ['failed']])
  })
})

describe('the Outbox', () => {
  it('is not available when a mail server is configured', async () => {
    await post()
    expect((await server.call('/api/outbox')).status).toBe(404)
  })

  it('shows kept letters, newest first, only on this machine', async () => {
    const kept = await startTestServer({ work: true })
    try {
      const send = (subject: string) =>
        kept.services.pools.system
          .transaction()
          .execute((tx) => queueMail(tx, kept.services, { to: 'robin@mail.example', subject, text: TEXT }))
      for (let index = 1; index <= 20; index++) {
        const body = seal(kept.services.secret, TEXT, 'robin@mail.example', 'mail body')
        const letter = { recipient: 'robin@mail.example', subject: `MailMessage ${index}`, body, now: new Date() }
        await kept.services.pools.system.transaction().execute((tx) => insertMail(tx, kept.services.keys, letter))
      }
      await send('MailMessage 21')
      const reply = await kept.call<{
        messages: { subject: string; text: string }[]
        page_count: number
        total: number
      }>('/api/outbox')
      expect(reply.status).toBe(200)
      expect(reply.body.messages).toHaveLength(20)
      expect(reply.body.messages[0]).toMatchObject({ subject: 'MailMessage 21', text: TEXT })
      expect(reply.body).toMatchObject({ page_count: 2, total: 21 })
      const last = await kept.call<{ messages: unknown[] }>('/api/outbox', { page: 2 })
      expect(last.body.messages).toHaveLength(1)
      for (const headers of [
        { 'x-forwarded-for': '203.0.113.4' },
        { 'x-forwarded-for': '127.0.0.1' },
        { via: '1.1 proxy' },
        { host: 'attacker.example' },
        { host: 'attacker.example:3000' },
      ] as Record<string, string>[]) {
        const refused = await kept.call('/api/outbox', {}, headers)
        expect([headers, refused.status]).toEqual([headers, headers.host ? 421 : 404])
        expect(JSON.stringify(refused.body)).not.toContain('MailMessage')
      }
      // The real worker runs the real job: the letter is marked and keeps its text.
      const done = () =>
        asOwner(
          kept,
          `select 1 from mail where subject = 'MailMessage 21' and sent_at is not null and body is not null`,
        )
      await expect.poll(async () => (await done()).length, { timeout: 20_000, interval: 100 }).toBe(1)
    } finally {
      await kept.close()
    }
  })

  it('is available only by setting or with the demo network', async () => {
    const one = await startTestServer()
    try {
      const { env } = one.services
      const demo = (is: boolean) =>
        asOwner(
          one,
          is
            ? `insert into company (uuid, name, demo) values (gen_random_uuid(), 'Demo', true)`
            : 'delete from company',
        )
      for (const [settings, withDemo, open] of [
        [{ OUTBOX: 'on', DEMO: 'none' }, false, true],
        [{ OUTBOX: 'off', DEMO: 'small' }, true, false],
        [{ OUTBOX: undefined, DEMO: undefined }, false, false],
        [{ OUTBOX: undefined, DEMO: undefined }, true, true],
        [{ OUTBOX: undefined, DEMO: 'none' }, true, false],
      ] as const) {
        await demo(withDemo)
        one.services.env = { ...env, ...settings }
        expect([settings, (await one.call('/api/outbox')).status]).toEqual([settings, open ? 200 : 404])
        expect((await one.call('/api/portal-info')).body.outbox).toBe(open)
        await demo(false)
      }
    } finally {
      await one.close()
    }
  })
})

describe('encryption of letters', () => {
  const secret = Buffer.alloc(32, 1)
  it('opens only with the same secret and owner', () => {
    const sealed = seal(secret, TEXT, 'a@x', 'mail body')
    expect(unseal(secret, sealed, 'a@x', 'mail body')).toBe(TEXT)
    expect(sealed.toString('utf8')).not.toContain('point')
    expect(seal(secret, TEXT, 'a@x', 'mail body').equals(sealed)).toBe(false)
    expect(() => unseal(secret, sealed, 'a@x', 'upload key')).toThrow()
    expect(() => unseal(secret, sealed, 'b@x', 'mail body')).toThrow()
    expect(() => unseal(Buffer.alloc(32, 2), sealed, 'a@x', 'mail body')).toThrow()
    sealed[sealed.length - 1]! ^= 1
    expect(() => unseal(secret, sealed, 'a@x', 'mail body')).toThrow()
  })
})
