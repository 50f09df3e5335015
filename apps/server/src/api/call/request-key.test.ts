import { randomUUID } from 'node:crypto'
import { takesKey } from '@pillar/contract'
import { everyCall } from '@pillar/contract/every-call'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type CampaignDesk, openDesk } from '../../../test/campaign-desk.ts'
import { DEEP } from '../../../test/deep.ts'
import { asOwner, fresh, makeLogin, signIn, stepUp } from '../../../test/people.ts'

const ROUNDS = DEEP ? 100 : 2
const CREATE = '/api/campaign/create/enterprise'

let desk: CampaignDesk
beforeAll(async () => {
  desk = await openDesk()
})
afterAll(() => desk.server.close())

const draft = (more = {}) => ({
  ...{ name: fresh('Once'), filters: desk.filters, goal_type: 'scripts', measure_by: 'value', goal: 5 },
  ...{ templates: [desk.template.uuid], locations: desk.places, ...more },
})
const under = (key: string, headers: Record<string, string>) => ({ ...headers, 'idempotency-key': key })
const create = async (key: string, body: object, headers?: Record<string, string>) =>
  desk.server.call<{ id: string; message?: string }>(
    CREATE,
    body,
    under(key, headers ?? (await desk.grant('save', null))),
  )
const named = async (name: string) =>
  (await asOwner<{ n: number }>(desk.server, 'select count(*)::int as n from campaign where name = $1', [name]))[0]!.n
const audited = async (id: string) =>
  (await asOwner<{ n: number }>(desk.server, 'select count(*)::int as n from audit where object = $1', [id]))[0]!.n

describe('a request under a key', () => {
  it('gets the same answer when sent again, and nothing is done or recorded again', async () => {
    const [key, body, headers] = [randomUUID(), draft(), await desk.grant('save', null)]
    const first = await create(key, body, headers)
    expect([first.status, first.headers['idempotency-replayed']]).toEqual([200, undefined])
    const rows = await audited(first.body.id)
    // The first request's step-up is enough: the repeat does nothing more.
    const again = await create(key, body, headers)
    expect(again).toMatchObject({ status: 200, body: first.body, headers: { 'idempotency-replayed': 'true' } })
    expect(await create(key, body, desk.grantless)).toMatchObject({ status: 200, body: first.body })
    expect([await named(body.name), await audited(first.body.id)]).toEqual([1, rows])
  })

  it('is refused with another body, and for another call', async () => {
    const [key, body] = [randomUUID(), draft()]
    const { body: made } = await create(key, body)
    const other = await create(key, draft())
    expect(other).toMatchObject({ status: 422, body: { message: expect.stringContaining('used for another request') } })
    const path = desk.path(made.id, 'activate')
    const activated = await desk.server.call(path, { active: true }, under(key, await desk.grant('activate', made.id)))
    expect(activated.status).toBe(422)
  })

  it('is refused for another call with the same body', async () => {
    const { body: made } = await create(randomUUID(), draft())
    const key = randomUUID()
    const headers = under(key, await desk.grant('delete', made.id))
    expect((await desk.server.call(desk.path(made.id, 'delete'), {}, headers)).status).toBe(200)
    const resumed = await desk.server.call(desk.path(made.id, 'resume'), {}, under(key, desk.grantless))
    expect(resumed).toMatchObject({
      status: 422,
      body: { message: expect.stringContaining('used for another request') },
    })
  })

  it('can be sent again after a refusal until it succeeds', async () => {
    const [key, body] = [randomUUID(), draft()]
    expect((await create(key, body, desk.grantless)).status).toBe(403)
    expect((await create(key, { ...body, locations: [randomUUID()] })).status).toBe(404)
    const made = await create(key, body)
    expect([made.status, made.headers['idempotency-replayed']]).toEqual([200, undefined])
  })

  it('never waits: while the first is under way, the second is told so', async () => {
    const body = draft()
    const key = randomUUID()
    // One after the other: of more than five passwords entered at once, some are told to wait.
    const headers: Record<string, string>[] = []
    for (let at = 0; at < 10; at++) headers.push(await desk.grant('save', null))
    const replies = await Promise.all(headers.map((one) => create(key, body, one)))
    const done = replies.filter(({ status }) => status === 200)
    expect(done.length).toBeGreaterThan(0)
    expect(new Set(done.map((reply) => reply.body.id)).size).toBe(1)
    for (const reply of replies.filter(({ status }) => status !== 200))
      expect(reply).toMatchObject({ status: 409, body: { message: expect.stringContaining('not answered yet') } })
    expect(await named(body.name)).toBe(1)
  })

  it('is another request when somebody else sends it', async () => {
    const [key, body] = [randomUUID(), draft()]
    await create(key, body)
    const login = await makeLogin(desk.server, desk.world.company.id, { flags: ['data_analytics'] })
    const tab = await signIn(desk.server, login)
    const theirs = { ...body, name: fresh('Theirs') }
    expect((await create(key, theirs, await stepUp(desk.server, { login, tab }, 'save', null))).status).toBe(200)
  })

  it('is another request a day later', async () => {
    const [key, name] = [randomUUID(), fresh('Daily')]
    await create(key, draft({ name }))
    await asOwner(desk.server, `update request_key set made_at = made_at - interval '24 hours'`)
    const next = draft()
    const made = await create(key, next)
    expect([made.status, made.headers['idempotency-replayed']]).toEqual([200, undefined])
    expect(await named(next.name)).toBe(1)
  })

  it('is the same request for less than a day, and another one exactly a day later', async () => {
    const { services } = desk.server
    const [now, at] = [services.now, services.now()]
    const sentAgo = async (ms: number) => {
      const key = randomUUID()
      const body = draft()
      await create(key, body)
      const headers = await desk.grant('save', null)
      const made = new Date(at.getTime() - ms)
      await asOwner(desk.server, 'update request_key set made_at = $1', [made])
      services.now = () => at
      const again = await create(key, { ...body, name: `${body.name} 2` }, headers).finally(() => {
        services.now = now
      })
      return again.status
    }
    expect([await sentAgo(86_399_999), await sentAgo(86_400_000)]).toEqual([422, 200])
  })

  it('leaves nothing in the database that reveals its key, its body or its subject', async () => {
    const [key, body] = [`key-${randomUUID()}`, draft()]
    await create(key, body)
    const rows = await asOwner<{ text: string }>(desk.server, 'select r::text as text from request_key r')
    expect(rows.length).toBeGreaterThan(0)
    for (const { text } of rows) for (const told of [key, body.name]) expect(text).not.toContain(told)
  })

  for (const key of ['short', 'with a space in it', 'ü'.repeat(10), 'x'.repeat(201)])
    it(`is refused with the key "${key.slice(0, 20)}", in a sentence`, async () => {
      const refused = await create(Buffer.from(key).toString('latin1'), draft())
      expect(refused).toMatchObject({ status: 422, body: { message: expect.stringContaining('8 to 200 characters') } })
    })
})

describe('a call that cannot promise to run only once', () => {
  it('refuses a key', async () => {
    const refused = await desk.server.call(
      '/api/enterprise-login',
      { name: 'a', password: 'b' },
      under(randomUUID(), {}),
    )
    expect(refused).toMatchObject({
      status: 422,
      body: { message: expect.stringContaining('takes no Idempotency-Key') },
    })
  })

  it('accepts one it does not need if it may be repeated anyway', async () => {
    const unknown = await desk.server.call(desk.path(randomUUID(), 'stop'), {}, under(randomUUID(), desk.grantless))
    expect(unknown.status).toBe(404)
    const id = await desk.create()
    const headers = under(randomUUID(), await desk.grant('deactivate', id))
    const path = desk.path(id, 'activate')
    for (let time = 0; time < 2; time++) {
      const reply = await desk.server.call(path, { active: false }, headers)
      expect([time, reply.headers['idempotency-replayed']]).toEqual([time, undefined])
    }
  })

  it('is one of these, so each new write must choose', () => {
    const without = everyCall.filter(({ call }) => call.kind === 'write' && !takesKey(call)).map(({ name }) => name)
    const decided = Object.values(WITHOUT_KEY).join(' ').split(' ')
    expect(without.sort()).toEqual(decided.sort())
  })
})

/** Writes that accept no key, and why. */
const WITHOUT_KEY = {
  'nobody is signed in, or with a cookie alone':
    'portal.reportError session.login session.logout session.refresh session.requestReset session.reset',
  'signed in without a flag: about the own session, password and second factor':
    'session.confirm session.confirmEula session.changePassword secondFactor.challenge secondFactor.verify secondFactor.startApp ' +
    'secondFactor.confirmApp secondFactor.startPasskey secondFactor.confirmPasskey secondFactor.removeApp secondFactor.removePasskey ' +
    'secondFactor.newRecoveryCodes secondFactor.forgetBrowsers',
  'by a link of one use, or done once however often it is sent':
    'consent.submit consent.unsubscribe consent.download signup.submit signup.confirm trialConsent.submit trialConsent.withdraw',
  'an upload has its own uuid': 'upload.send',
  'twice is as once, and asked again later it is meant again': 'campaign.stop runAdmin.stop',
  'shows something, and records each time that it did': 'runAdmin.read consentAdmin.asOf locationKey.show',
  'waits for an outside service, and changes nothing': 'template.draft',
}

describe('fifty activations at once under one key (T17)', () => {
  it(`make one run, ${ROUNDS} times over`, { timeout: 1_800_000 }, async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const id = await desk.create()
      const key = randomUUID()
      const grant = await desk.grant('activate', id)
      const headers = under(key, grant)
      const activate = () => desk.server.call<{ run_id: string }>(desk.path(id, 'activate'), { active: true }, headers)
      const replies = await Promise.all(Array.from({ length: 50 }, activate))
      expect(new Set(replies.map(({ status }) => status)).difference(new Set([200, 409])).size).toBe(0)
      const answer = await activate()
      expect(answer).toMatchObject({ status: 200, headers: { 'idempotency-replayed': 'true' } })
      for (const { status, body } of replies) if (status === 200) expect(body).toEqual(answer.body)
      const runs = await asOwner(
        desk.server,
        'select from message_run r join campaign c on c.id = r.campaign_id where c.uuid = $1',
        [id],
      )
      expect(runs).toHaveLength(1)
    }
  })
})
