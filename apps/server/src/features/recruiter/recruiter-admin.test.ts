import { contract } from '@pillar/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { asOwner, fresh, makeLogin } from '../../../test/people.ts'
import { startTestServer, type TestServer } from '../../../test/server.ts'
import { makeSupport, refusal, type Support } from '../../../test/support.ts'
import { makeTrial } from '../../../test/trial.ts'

const { search, info, create, edit } = contract.recruiterProvider
let server: TestServer
let support: Support
beforeAll(async () => {
  server = await startTestServer()
  support = await makeSupport(server)
})
afterAll(() => server.close())

const draft = (name = fresh('Meridian')) => ({
  name,
  description: 'Adults with a chronic heart condition',
  recruiter_or_provider: 'recruiter' as const,
  logo_url: 'https://meridian-trials.example/logo.svg',
  phone: '02 5550 0190',
  email: 'hello@meridian-trials.example',
  website: 'https://Meridian-Trials.example',
  privacy_policy_url: 'https://meridian-trials.example/privacy',
})
const add = async (more: object = {}) => {
  const { status, body } = await support.ask(create, { ...draft(), ...more })
  expect([status, body.message]).toEqual([200, undefined])
  return String(body.id)
}

describe('recruiters and providers', () => {
  it('are added, found by part of a name and by type, and changed', async () => {
    const name = fresh('Kestrel Studies')
    const id = await add({ name: `  ${name}  ` })
    await add({ name, recruiter_or_provider: 'provider' })
    const { body } = await support.ask(search, { name: name.toUpperCase(), recruiter_provider: 'recruiter' })
    expect(body).toMatchObject({ current_page: 1, page_count: 1, per_page: 20, total: 1 })
    expect(body.data).toEqual([
      { ...draft(name), recruiter_provider_id: id, website: 'https://meridian-trials.example/', version: 1 },
    ])
    const both = (await support.ask(search, { name })).body.data
    expect(both.map((one) => one.recruiter_or_provider).sort()).toEqual(['provider', 'recruiter'])
    const changed = await support.ask(edit, {
      ...draft(name),
      recruiter_provider_id: id,
      phone: '02 5550 0191',
      version: 1,
    })
    expect(changed.body).toEqual({ id, version: 2 })
    const seen = await support.ask(info, { recruiter_provider_id: id })
    expect(seen.body).toMatchObject({ name, phone: '02 5550 0191', version: 2 })
  })

  it('leave a row in the audit with the state before and after', async () => {
    const name = fresh('Kestrel Studies')
    const recruiter_provider_id = await add({ name })
    await support.ask(edit, { ...draft(name), recruiter_provider_id, phone: '13 12 11' })
    const rows = await asOwner(
      server,
      `select action, company_id, detail -> 'changes' as changes from audit
       where object = $1 and action like 'recruiterProvider.%' order by id`,
      [recruiter_provider_id],
    )
    expect(rows).toEqual([
      { action: 'recruiterProvider.create', company_id: null, changes: null },
      {
        ...{ action: 'recruiterProvider.edit', company_id: null },
        changes: [
          {
            object: recruiter_provider_id,
            before: { phone: '02 5550 0190', version: 1 },
            after: { phone: '13 12 11', version: 2 },
          },
        ],
      },
    ])
  })

  it('are refused when incomplete, unsafe, duplicate, unknown or outdated', async () => {
    const refused = async (input: object) => {
      const { status, body } = await support.ask(create, { ...draft(), ...input })
      return [status, body.message]
    }
    expect((await support.ask(create, {})).body.message).toMatch(/^Please enter a recruiter\/provider name, enter elig/)
    for (const logo_url of ['javascript:alert(1)', 'http://meridian.example/logo.svg', 'https://169.254.169.254/'])
      expect(await refused({ logo_url })).toEqual([422, 'Please enter a logo URL that starts with https://.'])
    const name = fresh('Once')
    const recruiter_provider_id = await add({ name })
    expect(await refused({ name: name.toUpperCase() })).toEqual([
      409,
      `There is already a recruiter called "${name.toUpperCase()}". Please enter another name.`,
    ])
    const stale = await support.ask(edit, { ...draft(name), recruiter_provider_id, version: 7 })
    expect([stale.status, stale.body.message]).toEqual([
      409,
      `Somebody else has saved "${name}" since you opened it. Please open it again before you make your changes.`,
    ])
    const unknown = await support.ask(edit, { ...draft(), recruiter_provider_id: support.company.uuid })
    expect([unknown.status, unknown.body.message]).toEqual([404, 'That recruiter or provider was not found.'])
  })

  it('keep the role in which a trial uses them', async () => {
    const kinds = ['recruiter', 'provider'] as const
    const names = { recruiter: fresh('Kestrel Studies'), provider: fresh('Harbour Health') }
    const [recruiter_id, provider_id] = [
      await add({ name: names.recruiter }),
      await add({ name: names.provider, recruiter_or_provider: 'provider' }),
    ]
    await makeTrial(support, { recruiter_id, provider_id })
    for (const [at, recruiter_provider_id] of [recruiter_id, provider_id].entries()) {
      const [kind, turned] = [kinds[at]!, kinds[1 - at]!]
      const given = { ...draft(names[kind]), recruiter_provider_id, recruiter_or_provider: turned }
      expect(refusal(await support.ask(edit, given))).toEqual([
        409,
        `1 clinical trial uses ${names[kind]} as its ${kind}, so it stays a ${kind}.`,
      ])
    }
  })

  it('stay recruiters while a login sees their referrals', async () => {
    const name = fresh('Watched')
    const recruiter_provider_id = await add({ name })
    const login = await makeLogin(server, support.company.id, { flags: ['clinical_trials_login'] })
    await asOwner(
      server,
      `update login set recruiter_provider_id = (select id from recruiter_provider where uuid = $2) where id = $1`,
      [login.id, recruiter_provider_id],
    )
    const turned = { ...draft(name), recruiter_provider_id, recruiter_or_provider: 'provider' as const }
    const { status, body } = await support.ask(edit, turned)
    expect([status, body.message]).toEqual([409, `1 login sees the referrals of ${name}, so it stays a recruiter.`])
    expect((await support.ask(info, { recruiter_provider_id })).body.recruiter_or_provider).toBe('recruiter')
  })
})
