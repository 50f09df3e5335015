import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type MailServer, startMailServer } from '../../../test/outside/mail-server.ts'
import { asOwner } from '../../../test/people.ts'
import { startTestServer, type TestServer } from '../../../test/server.ts'
import { Foreseen } from '../../api/queue.ts'
import { seal, unseal } from '../../api/seal.ts'
import { queueMail, sendMail } from './mail.jobs.ts'
import { everyLetter, insertMail } from './mail.queries.ts'

let smtp: MailServer
let server: TestServer
beforeAll(async () => {
  smtp = await startMailServer()
  server = await startTestServer({ env: { SMTP_URL: smtp.url } })
})
afterAll(async () => {
  await server.close()
  smtp.close()
})
beforeEach(async () => {
  smtp.received.length = 0
  smtp.answer = '250 taken'
  await asOwner(server, 'truncate mail restart identity')
})

const TEXT = 'Straight to the point.\n.\nA line of one dot, and grün.'
const post = (to = 'robin@mail.example') =>
  server.services.pools.system
    .transaction()
    .execute((tx) => queueMail(tx, server.services, { to, subject: 'Hello – you', text: TEXT }))
const rows = () =>
  asOwner<{ sent_at: Date | null; body: Buffer | null; failure: string | null }>(server, 'select * from mail')

describe('a letter', () => {
  it('is delivered once, and its text is deleted', async () => {
    await post()
    expect(smtp.received).toEqual([])
    await sendMail.run({ mail_id: 1 }, server.services)
    await sendMail.run({ mail_id: 1 }, server.services)
    expect(smtp.received).toHaveLength(1)
    const [letter] = smtp.received
    expect(letter!.from).toContain('<no-reply@pillar.example>')
    expect(letter!.to).toEqual(['<robin@mail.example>'])
    expect(letter!.data).toMatch(/^Message-ID: <[0-9a-f-]{36}@pillar\.example>/m)
    expect(letter!.data).toContain('Auto-Submitted: auto-generated')
    expect(letter!.data).toContain('Straight to the point.')
    expect((await rows())[0]).toMatchObject({ body: null, failure: null, sent_at: expect.any(Date) })
  })

  it('stays queued with the reason when the server refuses it, and is delivered on retry', async () => {
    await post()
    smtp.answer = '451 try later'
    await expect(sendMail.run({ mail_id: 1 }, server.services)).rejects.toBeInstanceOf(Foreseen)
    expect((await rows())[0]).toMatchObject({ sent_at: null, failure: expect.stringContaining('451 try later') })
    smtp.answer = '250 taken'
    await sendMail.run({ mail_id: 1 }, server.services)
    expect(smtp.received).toHaveLength(1)
    expect((await rows())[0]).toMatchObject({ failure: null, sent_at: expect.any(Date) })
  })

  it('is delivered once by two workers at once', async () => {
    await post()
    await Promise.all([1, 2, 3].map(() => sendMail.run({ mail_id: 1 }, server.services)))
    expect(smtp.received).toHaveLength(1)
  })

  it('does not count as delivered while another transaction holds it, which may not deliver it', async () => {
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
    expect(smtp.received).toHaveLength(1)
  })

  it('goes to one address in any notation', async () => {
    await post('robin@mail.example, eve@mail.example')
    await sendMail.run({ mail_id: 1 }, server.services).catch(() => {})
    expect(smtp.received.flatMap((letter) => letter.to)).not.toContain('<eve@mail.example>')
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
      // The real worker runs the real job: the email is marked and keeps its text.
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

  it('shows an email that does not open as such, beside the others', async () => {
    const one = await startTestServer({ env: { OUTBOX: 'on' } })
    try {
      for (const subject of ['good', 'address altered', 'text altered'])
        await one.services.pools.system.transaction().execute((tx) => {
          const body = seal(one.services.secret, TEXT, 'robin@mail.example', 'mail body')
          const letter = { recipient: 'robin@mail.example', subject, body, now: new Date() }
          return insertMail(tx, one.services.keys, letter)
        })
      await asOwner(
        one,
        `update mail set recipient_sealed = set_byte(recipient_sealed, 40, 255 - get_byte(recipient_sealed, 40)) where subject = 'address altered'`,
      )
      await asOwner(
        one,
        `update mail set body = set_byte(body, 40, 255 - get_byte(body, 40)) where subject = 'text altered'`,
      )
      const { status, body } = await one.call<{ messages: object[] }>('/api/outbox')
      expect(status).toBe(200)
      const closed = expect.stringMatching(/^This email cannot be opened/)
      expect(body.messages).toMatchObject([
        { subject: 'text altered', to: 'robin@mail.example', text: closed },
        { subject: 'address altered', to: '', text: closed },
        { subject: 'good', to: 'robin@mail.example', text: TEXT },
      ])
    } finally {
      await one.close()
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
        expect((await one.call('/api/portal-info')).body).toMatchObject({ outbox: open, sends_email: false })
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
