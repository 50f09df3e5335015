import { contract } from '@pillar/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { freshMobile } from '../../../test/messaging.ts'
import { FakePhones } from '../../../test/outside/fake-gateway.ts'
import { asOwner, dump, fresh, mailTo } from '../../../test/people.ts'
import { startTestServer, type TestServer } from '../../../test/server.ts'
import { codeOf } from '../../../test/staff-contact.ts'
import { makeSupport, type Support } from '../../../test/support.ts'
import type { Services } from '../../api/context.ts'
import { textCode } from './contact-code.jobs.ts'

const { contacts, askCode, confirmCode } = contract.fakePatient
let server: TestServer
let support: Support
let phones: FakePhones
let services: Services

beforeAll(async () => {
  server = await startTestServer()
  phones = new FakePhones()
  services = { ...server.services, sms: phones.gateway() }
})
afterAll(() => server.close())
beforeEach(async () => {
  server.clock.offsetMs = 0
  support = await makeSupport(server)
})

const textsTo = (number: string) => [...phones.accepted.values()].filter(({ to }) => to === number)

describe('confirming a number', () => {
  it('takes a code that is texted there and stored in no table, job or log', async () => {
    const number = freshMobile()
    const asked = await support.ask(askCode, { channel: 'sms', contact: number.replace('+61', '0') })
    expect(asked.body).toMatchObject({ contact: number })
    const [row] = await asOwner<{ id: number; asked_at: Date }>(
      server,
      'select id, asked_at from staff_contact where contact = $1',
      [number],
    )
    const job = { contact_id: Number(row!.id), asked_at: row!.asked_at.toISOString() }
    await textCode.run(job, services)
    await textCode.run(job, services)
    const texts = textsTo(number)
    expect(texts).toHaveLength(1)
    const code = /^(\d{6}) is your /.exec(texts[0]!.text)![1]!
    // Six digits occur in many a time in the dump; a sentence with the code, or the code as a value, must not.
    const all = await dump(server)
    for (const trace of [`${code} is your`, `"${code}"`, `'${code}'`]) expect(all).not.toContain(trace)
    const kept = await asOwner<{ kept: string }>(
      server,
      `select data::text as kept from pgboss.job where name = 'contact-code' union all select c::text from staff_contact c`,
    )
    for (const row of kept) expect(row.kept).not.toContain(code)
    expect((await support.ask(contacts, {})).body.contacts).toMatchObject([{ contact: number, confirmed: false }])
    expect((await support.ask(confirmCode, { contact_id: asked.body.contact_id, code })).body.confirmed).toBe(true)
    expect((await support.ask(contacts, {})).body.contacts).toMatchObject([{ contact: number, confirmed: true }])
    // A code works once.
    expect((await support.ask(confirmCode, { contact_id: asked.body.contact_id, code })).status).toBe(409)
  })

  it('works for an email address, with the code sent by mail', async () => {
    const address = `${fresh('own')}@mail.example`
    const asked = await support.ask(askCode, { channel: 'email', contact: address })
    expect(asked.status).toBe(200)
    expect(await mailTo(server, address)).toHaveLength(1)
    await support.ask(confirmCode, { contact_id: asked.body.contact_id, code: await codeOf(server, address) })
    expect((await support.ask(contacts, {})).body.contacts).toMatchObject([{ contact: address, confirmed: true }])
    expect(await mailTo(server, 'nobody@mail.example')).toEqual([])
  })

  it('fails with a wrong code (five end the right one), after ten minutes, and for anybody else', async () => {
    const number = freshMobile()
    const ask = async () => (await support.ask(askCode, { channel: 'sms', contact: number })).body.contact_id
    const contact_id = await ask()
    const code = await codeOf(server, number)
    const wrong = code === '000000' ? '000001' : '000000'
    const other = await makeSupport(server)
    expect((await other.ask(confirmCode, { contact_id, code })).status).toBe(404)
    for (let at = 0; at < 5; at++) {
      expect((await support.ask(confirmCode, { contact_id, code: wrong })).body.confirmed).toBe(false)
    }
    const late = { status: 409, body: { message: 'This code no longer works. Please ask for a new one.' } }
    expect(await support.ask(confirmCode, { contact_id, code })).toMatchObject(late)
    await ask()
    const newer = await codeOf(server, number)
    // Too late, and before it was asked for: then the database's clock was ahead, and has been set back.
    for (const offset of [601_000, -601_000]) {
      server.clock.offsetMs = offset
      expect(await support.ask(confirmCode, { contact_id, code: newer })).toMatchObject(late)
    }
    expect((await support.ask(contacts, {})).body.contacts).toMatchObject([{ confirmed: false }])
  })

  it('allows three codes an hour for one number, whoever asks', async () => {
    const number = freshMobile()
    const other = await makeSupport(server)
    const asks = [support, other, support, other]
    const statuses: number[] = []
    for (const who of asks) statuses.push((await who.ask(askCode, { channel: 'sms', contact: number })).status)
    expect(statuses).toEqual([200, 200, 200, 429])
    expect((await support.ask(askCode, { channel: 'sms', contact: 'x' })).status).toBe(422)
  })

  it('counts the codes of the last hour only, and says how long to wait', async () => {
    const number = freshMobile()
    const at = async (minute: number) => {
      server.clock.offsetMs = minute * 60_000
      const { status, body } = await support.ask(askCode, { channel: 'sms', contact: number })
      return status === 200 ? 'sent' : body.message
    }
    const said = (wait: string) =>
      `Too many codes were asked for in the last hour. No code was sent. Please try again in ${wait}.`
    expect([await at(0), await at(50), await at(100), await at(105)]).toEqual(['sent', 'sent', 'sent', 'sent'])
    expect(await at(108)).toEqual(expect.stringMatching(/in [23] minutes\.$/))
    expect(await at(111)).toBe('sent')
    expect(await at(112)).toEqual(said('48 minutes'))
  })

  it('allows ten codes an hour for one person, also if they are asked for at once', async () => {
    const asked = await Promise.all(
      Array.from({ length: 12 }, () => support.ask(askCode, { channel: 'sms', contact: freshMobile() })),
    )
    expect(asked.filter(({ status }) => status === 200)).toHaveLength(10)
  })
})
