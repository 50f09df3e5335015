import { contract } from '@pillar/contract'
import { REGISTERED, SIGNUP_LINK_DAYS } from '@pillar/domain/signup/signup'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { solvedCaptcha } from '../../../test/consent.ts'
import { asOwner, dump, fresh, mailTo, makeCompany, makeLogin, signIn } from '../../../test/people.ts'
import { answersOf, startTestServer, type TestServer } from '../../../test/server.ts'
import { makeSupport, refusal, type Support } from '../../../test/support.ts'
import { removeSignups } from './signup.queries.ts'

const PASSWORD = 'seven pelicans near Coorong'
const DEAD = 'This sign-up link has expired or been used. Please sign up again for a new one.'
const { approve, reject, search, tellSupported } = contract.signupAdmin

let server: TestServer
let support: Support
beforeAll(async () => {
  server = await startTestServer({ env: { PUBLIC_URL: 'http://portal.example:8443' } })
  support = await makeSupport(server)
})
afterAll(() => server.close())
afterEach(async () => {
  server.clock.offsetMs = 0
  await asOwner(server, 'truncate throttle')
})

const visitor = (more: object = {}) => {
  const username = fresh('jo')
  return {
    ...{ username, email: `${username}@saltbush.example`, first_name: 'Jo', last_name: 'Marsh' },
    ...{ pharmacy_name: fresh('Saltbush Pharmacy'), pharmacy_phone: '03 5550 1234', sources: ['fred'] },
    ...{ street_address: '12 Sturt Street', town: 'Ballarat', region: 'VIC', postcode: '3350' },
    ...{ privacy_statement: true, email_marketing: false },
    ...more,
  }
}
const send = async (body: object) => server.call('/api/signup', { ...body, captcha: await solvedCaptcha(server) })
const confirm = (signup_token: string, password = PASSWORD, password_confirmation = password) =>
  server.call('/api/signup/confirm', { signup_token, password, password_confirmation })
const check = (signup_token: string) => server.call('/api/signup/check-link', { signup_token })

async function tokenOf(email: string): Promise<string> {
  const [letter] = await mailTo(server, email)
  return /\/calculator\/([\w-]{43})\n/.exec(letter?.text ?? '')?.[1] ?? ''
}

/** A visitor who has signed up and confirmed the address. */
async function waiting(more: object = {}) {
  const form = visitor(more)
  expect((await send(form)).body).toEqual({ message: REGISTERED })
  expect((await confirm(await tokenOf(form.email))).status).toBe(200)
  const { body } = await support.ask(search, { search_term: form.email })
  return { form, uuid: body.results[0]!.uuid }
}

describe('a sign-up', () => {
  it('becomes an account in one step once its address is confirmed, and the person signs in', async () => {
    const { form, uuid } = await waiting({ sources: [{ name: 'Fred Dispense Plus' }], postcode: 3350 })
    const log = await asOwner(server, `select network, detail from audit where action = 'signup.confirm'`)
    expect(log).toEqual([{ network: expect.any(String), detail: { signup: expect.any(Number) } }])
    const { status, body } = await support.ask(approve, { uuid })
    expect([status, body.state, body.company?.name]).toEqual([200, 'approved', form.pharmacy_name])
    const [letter] = await mailTo(server, form.email)
    expect(letter?.subject).toBe('Your Pillar account is ready')
    expect(letter?.text).toContain(`Your username is ${form.username}.`)
    const signedIn = await server.call('/api/enterprise-login', { name: form.username, password: PASSWORD })
    expect(signedIn.body).toMatchObject({ sixty_day_signup: true, data_analytics: false, sr_login: false })
    const [made] = await asOwner(
      server,
      `select l.name, l.data_source, l.time_zone, l.no_guild_consent, c.sixty_day_signup, l.owner_login_id = o.id as owner, m.name as module,
         (select count(*)::int from location_key where location_id = l.id) as keys,
         (select count(*)::int from login_location where location_id = l.id and login_id = o.id) as links
       from location l join company c on c.id = l.company_id join login o on o.company_id = c.id
         join location_module w on w.location_id = l.id join module m on m.id = w.module_id where o.username = $1`,
      [form.username],
    )
    const place = { name: form.pharmacy_name, data_source: 'frednxt', time_zone: 'Australia/Melbourne' }
    const rest = { no_guild_consent: true, sixty_day_signup: true, owner: true, keys: 1, links: 1 }
    expect(made).toEqual({ ...place, ...rest, module: 'strong_pro' })
    expect(refusal(await support.ask(approve, { uuid }))).toEqual([409, 'This sign-up has already become an account.'])
    expect(refusal(await support.ask(reject, { uuid, reason: 'No' }))[0]).toBe(409)
    const audit = await asOwner(
      server,
      `select count(*)::int as rows from audit where action = 'signupAdmin.approve' and (detail::text like $1 or object = $2)`,
      [`%${uuid}%`, uuid],
    )
    expect(audit[0]).toEqual({ rows: 2 })
  })

  it('becomes one account when support presses twice at once', async () => {
    const { form, uuid } = await waiting()
    // Of more than five passwords entered at once, some are told to wait.
    const replies = await Promise.all(Array.from({ length: 4 }, () => support.ask(approve, { uuid })))
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409])
    const made = await asOwner(server, 'select 1 from company where name = $1', [form.pharmacy_name])
    expect(made).toHaveLength(1)
    const ready = (await mailTo(server, form.email)).filter(({ subject }) => subject.endsWith('is ready'))
    expect(ready).toHaveLength(1)
  })

  it('is not lost if its name is taken: support enters another and it goes through', async () => {
    const company = await makeCompany(server)
    const taken = await makeLogin(server, company.id)
    const { uuid, form } = await waiting({ username: taken.username })
    const first = await support.ask(approve, { uuid })
    expect(refusal(first)).toEqual([409, 'Somebody already has that username. Please enter another username.'])
    expect(await asOwner(server, 'select 1 from company where name = $1', [form.pharmacy_name])).toEqual([])
    const username = fresh('jo')
    const asked = { uuid, username, company_name: 'Saltbush Two', no_guild_consent: false }
    expect((await support.ask(approve, asked)).status).toBe(200)
    expect(await asOwner(server, 'select no_guild_consent as no from location order by id desc limit 1')).toEqual([
      { no: false },
    ])
    await signIn(server, { username, password: PASSWORD })
  })

  it('cannot become an account before its address is confirmed', async () => {
    const form = visitor()
    await send(form)
    const { body } = await support.ask(search, { search_term: form.email, state: 'unconfirmed' })
    const { uuid } = body.results[0]!
    expect((await support.ask(approve, { uuid })).status).toBe(409)
    const mails = (await mailTo(server, form.email)).length
    const rejected = await support.ask(reject, { uuid, reason: 'Not a pharmacy' })
    expect(rejected.body).toMatchObject({ state: 'rejected', reason: 'Not a pharmacy' })
    expect(await mailTo(server, form.email)).toHaveLength(mails)
    expect(refusal(await confirm(await tokenOf(form.email)))).toEqual([404, DEAD])
  })

  it('with unsupported software gets one message once it is supported, and nobody else does', async () => {
    const { form, uuid } = await waiting({ sources: ['fred', 'corumclear'] })
    const replies = await Promise.all(Array.from({ length: 4 }, () => support.ask(tellSupported, { uuid })))
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409])
    const told = (await mailTo(server, form.email)).filter(({ subject }) => subject.includes('now supports'))
    expect(told.map(({ subject }) => subject)).toEqual(['Pillar now supports Corum Clear'])
    expect(told[0]!.text).toContain(`${form.pharmacy_name} can be connected`)
    const other = await waiting()
    expect(refusal(await support.ask(tellSupported, { uuid: other.uuid }))).toEqual([
      409,
      'The dispensing software of this sign-up was supported from the start.',
    ])
    const rejected = await waiting({ sources: ['corumclear'] })
    await support.ask(reject, { uuid: rejected.uuid, reason: 'Closed down.' })
    expect(refusal(await support.ask(tellSupported, { uuid: rejected.uuid }))[0]).toBe(409)
    const open = visitor({ sources: ['corumclear'] })
    await send(open)
    const { body } = await support.ask(search, { search_term: open.email })
    expect(refusal(await support.ask(tellSupported, { uuid: body.results[0]!.uuid }))[0]).toBe(409)
  })

  it('is rejected with a reason, which its person reads; then it may be tried again', async () => {
    const { form, uuid } = await waiting()
    expect(refusal(await support.ask(reject, { uuid, reason: ' ' }))).toEqual([422, 'Please enter a reason.'])
    await support.ask(reject, { uuid, reason: 'We found no pharmacy at this address.' })
    const [letter] = await mailTo(server, form.email)
    expect(letter?.text).toContain('We found no pharmacy at this address.')
    await send(form)
    expect((await confirm(await tokenOf(form.email))).status).toBe(200)
    expect(await dump(server)).not.toContain(PASSWORD)
  })
})

describe('the public sign-up call, which reveals nobody who is known,', () => {
  it('gives the same answer for an address that is new, known, waiting or disabled, in the same time; only the letter differs', async () => {
    const company = await makeCompany(server)
    const [known, disabled] = [await makeLogin(server, company.id), await makeLogin(server, company.id)]
    await asOwner(server, 'update login set disabled_at = now() where id = $1', [disabled.id])
    const { form } = await waiting()
    const seen: unknown[] = []
    const times: number[] = []
    for (const email of [visitor().email, known.email.toUpperCase(), disabled.email, form.email]) {
      const body = { ...visitor({ email }), captcha: await solvedCaptcha(server) }
      const start = performance.now()
      const { status, body: answer, headers } = await server.call('/api/signup', body)
      times.push(performance.now() - start)
      seen.push({ status, answer, headers: Object.keys(headers).sort() })
    }
    for (const one of seen) expect(one).toEqual(seen[0])
    for (const took of times) expect(took).toBeGreaterThan(480)
    expect((await mailTo(server, known.email))[0]?.text).toContain('You already have an account')
    expect(await mailTo(server, disabled.email)).toEqual([])
    expect((await mailTo(server, form.email))[0]?.text).toContain('There is nothing more to do.')
    expect((await support.ask(search, { search_term: known.email })).body.total).toBe(0)
  })

  it('sends one address at most three letters an hour, known or not', async () => {
    const company = await makeCompany(server)
    const known = await makeLogin(server, company.id)
    for (const email of [known.email, visitor().email]) {
      const statuses: number[] = []
      for (let time = 0; time < 4; time++) statuses.push((await send(visitor({ email }))).status)
      expect(statuses).toEqual([200, 200, 200, 429])
      expect(await mailTo(server, email)).toHaveLength(3)
    }
  })

  it('accepts no more than 500 sign-ups an hour, wherever they come from', async () => {
    expect((await send(visitor())).status).toBe(200)
    await asOwner(server, `update throttle set points = 499 where key like 'sall:%'`)
    // Effortless requests lock out nobody else: forms sent by programs, without the tick.
    for (let time = 0; time < 3; time++) expect((await server.call('/api/signup', visitor())).status).toBe(422)
    expect((await send(visitor())).status).toBe(200)
    const message = expect.stringMatching(/^Too many people are signing up at this moment\. Please wait 60 minutes/)
    expect(refusal(await send(visitor()))).toEqual([429, message])
  })

  it('sends no words of a visitor to an address nobody confirmed', async () => {
    const spam = 'WIN MONEY http://spam.example'
    const form = visitor({ first_name: spam, last_name: spam, pharmacy_name: spam, job_title: spam })
    expect((await send(form)).status).toBe(200)
    const letters = await mailTo(server, form.email)
    expect(letters).toHaveLength(1)
    expect(JSON.stringify(letters)).not.toContain('spam.example')
  })
})

describe('a sign-up link (T10, T11)', () => {
  it('works once, even for thirty requests at once, and for nothing else', async () => {
    const form = visitor()
    await send(form)
    const token = await tokenOf(form.email)
    for (let time = 0; time < 10; time++) {
      await server.app.inject({ method: time % 2 ? 'GET' : 'HEAD', url: `/calculator/${token}` })
      expect((await check(token)).body).toEqual({ pharmacy_name: form.pharmacy_name, username: form.username })
    }
    const asReset = { reset_token: token, password: PASSWORD, password_confirmation: PASSWORD }
    expect((await server.call('/api/user/reset-password', asReset)).status).toBe(404)
    expect((await server.call('/api/download-file', { token })).status).toBe(404)
    expect((await confirm(token, 'password')).status).toBe(422)
    const replies = await Promise.all(Array.from({ length: 30 }, () => confirm(token)))
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
    for (const reply of replies.filter(({ status }) => status !== 200)) expect(refusal(reply)).toEqual([404, DEAD])
    expect((await support.ask(search, { search_term: form.email })).body.total).toBe(1)
    expect(await dump(server)).not.toContain(token)
  })

  it('expires with a newer one, however the address is written, after seven days, and cannot be guessed for long', async () => {
    const form = visitor()
    await send(form)
    const old = await tokenOf(form.email)
    const written = form.email.toUpperCase()
    await send({ ...form, email: written })
    const newer = await tokenOf(written)
    expect(refusal(await check(old))).toEqual([404, DEAD])
    server.clock.offsetMs = SIGNUP_LINK_DAYS * 86_400_000
    expect(refusal(await check(newer))).toEqual([404, DEAD])
    server.clock.offsetMs = 0
    expect((await check(newer)).status).toBe(200)
    // A count from seven days ahead would begin anew.
    await asOwner(server, 'truncate throttle')
    const guesses = await answersOf(120, (at) => check(`guess-${at}`))
    expect(guesses.filter(({ status }) => status === 429).length).toBeGreaterThanOrEqual(19)
  })
})

describe('hostile input', () => {
  it('is refused or kept as plain text, and never a fault of the server', async () => {
    const bad = [
      {},
      visitor({ privacy_statement: false }),
      visitor({ email: 'a@b.example\r\nBcc: x@y.example' }),
      visitor({ sources: ['fred', '__proto__'] }),
      visitor({ sources: [] }),
      visitor({ postcode: '12' }),
      visitor({ country_name: 'Narnia' }),
      visitor({ first_name: 'x'.repeat(101) }),
      visitor({ username: ['a'] }),
    ]
    for (const body of bad) expect([body, (await send(body)).status]).toEqual([body, 422])
    expect((await server.call('/api/signup', { ...visitor(), captcha: '' })).status).toBe(422)
    await asOwner(server, 'truncate throttle')
    const markup = '<img src=x onerror=alert(1)> \u202e=HYPERLINK("x")'
    const form = visitor({ first_name: markup, town: '{{constructor}}', state: 'approved', company_id: 1 })
    expect((await send(form)).status).toBe(200)
    const [row] = (await support.ask(search, { search_term: form.email })).body.results
    expect([row?.state, row?.town]).toEqual(['unconfirmed', '{{constructor}}'])
  })

  it('needs the captcha tick, once per sign-up', async () => {
    const captcha = await solvedCaptcha(server)
    const replies = await Promise.all(
      Array.from({ length: 5 }, () => server.call('/api/signup', { ...visitor(), captcha })),
    )
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
  })
})

it('unconfirmed sign-ups are deleted after seven days, and decided ones after thirteen months', async () => {
  const [open, kept] = [visitor(), (await waiting()).form]
  await send(open)
  const { uuid } = (await support.ask(search, { search_term: kept.email })).body.results[0]!
  const { system } = server.services.pools
  const later = (days: number) => new Date(server.services.now().getTime() + days * 86_400_000)
  const forget = (unconfirmed: number, decided: number) =>
    removeSignups(system, { unconfirmedBefore: later(unconfirmed), decidedBefore: later(decided) })
  await forget(-1, -1)
  expect((await support.ask(search, { search_term: open.email })).body.total).toBe(1)
  await forget(1, 1)
  expect((await support.ask(search, { search_term: open.email })).body.total).toBe(0)
  expect((await support.ask(search, { search_term: kept.email })).body.results[0]?.uuid).toBe(uuid)
})
