import { contract } from '@pillar/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { asOwner, fresh, mailTo, makeCompany, makeLocation, makeLogin, signIn } from '../../../test/people.ts'
import { startTestServer, type TestServer } from '../../../test/server.ts'
import { makeSupport, type Support } from '../../../test/support.ts'

const { search, info, create, edit } = contract.user
let server: TestServer
let support: Support
let company: Awaited<ReturnType<typeof makeCompany>>
beforeAll(async () => {
  server = await startTestServer()
  support = await makeSupport(server)
  company = await makeCompany(server)
})
afterAll(() => server.close())

const PASSWORD = 'nine pelicans near Broome'
const draft = <T extends object>(more: T = {} as T) => {
  const username = fresh('jo')
  const email = `${username}@mail.example`
  return { company_id: company.uuid, username, email, first_name: 'Jo', last_name: 'Marsh', ...more }
}

describe('creating a user', () => {
  it('invites them by a letter with a link and no password', async () => {
    const given = draft({ enterprise_login: true })
    await asOwner(server, 'update company set cloud_ecdr = true where id = $1', [company.id])
    const { status, body } = await support.ask(create, given)
    expect(status).toBe(200)
    expect(body.data).toMatchObject({
      name: given.username,
      state: 'invited',
      enterprise_login: true,
      sr_login: false,
      company: { uuid: company.uuid, name: company.name },
      person: { personal_information: { first_name: 'Jo', last_name: 'Marsh', preferred_name: null, dob: null } },
    })
    const [letter, ...more] = await mailTo(server, given.email)
    expect(more).toEqual([])
    expect(letter!.text).toMatch(/\/reset-password\/[\w-]{43}\n/)
    expect(letter!.text).toContain(given.username)
    const flags = await asOwner(
      server,
      'select data_analytics, ecdr, sixty_day_signup, sr_login from login where uuid = $1',
      [body.data.uuid],
    )
    expect(flags).toEqual([{ data_analytics: true, ecdr: true, sixty_day_signup: false, sr_login: false }])
    const log = await asOwner(
      server,
      `select login_id, company_id from audit where action = 'user.create' and object = $1 order by company_id nulls last`,
      [body.data.uuid],
    )
    const by = { login_id: support.login.id }
    expect(log).toEqual([
      { ...by, company_id: company.id },
      { ...by, company_id: null },
    ])
  })

  it('sends no letter unless it is asked for', async () => {
    const given = draft({ account_creation_email: false })
    expect((await support.ask(create, given)).body.data.state).toBe('not invited')
    expect(await mailTo(server, given.email)).toEqual([])
  })

  it('makes a password that staff set be changed first, and puts it in no letter and no log', async () => {
    const given = draft({ password: PASSWORD })
    const { body } = await support.ask(create, given)
    expect(body.data.state).toBe('active')
    const tab = await signIn(server, given)
    expect(tab.reply.body.must_change_password).toBe(true)
    expect(JSON.stringify(await mailTo(server, given.email))).not.toContain(PASSWORD)
    const audit = await asOwner(server, 'select row_to_json(a)::text as row from audit a')
    expect(JSON.stringify(audit)).not.toContain(PASSWORD)
    expect((await support.ask(create, draft({ password: 'short' }))).body).toHaveProperty('errors.password')
  })

  it('names everything missing or invalid, and writes nothing', async () => {
    const nothing = { company_id: '', username: ' ', email: '', first_name: '', last_name: '' }
    const empty = await support.ask(create, nothing)
    expect([empty.status, empty.body.message]).toEqual([
      422,
      'Please select a company, enter a username, enter an email address, enter a first name, and enter a last name.',
    ])
    const taken = await support.ask(create, draft({ username: support.login.username.toUpperCase() }))
    expect([taken.status, taken.body.message]).toEqual([
      409,
      'Somebody already has that username. Please enter another username.',
    ])
    const nowhere = draft({ company_id: support.login.uuid })
    expect((await support.ask(create, nowhere)).status).toBe(404)
    expect(await mailTo(server, nowhere.email)).toEqual([])
  })
})

describe('finding users', () => {
  it('searches name, preferred name, username and email, and filters', async () => {
    const word = fresh('Quoll')
    const own = await makeCompany(server, `${word} Chemists`)
    const [a, b, c] = [
      await makeLogin(server, own.id),
      await makeLogin(server, own.id),
      await makeLogin(server, own.id),
    ]
    await asOwner(server, 'update login set last_name = $2 where id = $1', [a!.id, word])
    await asOwner(server, 'update login set preferred_name = $2, disabled_at = now() where id = $1', [b!.id, word])
    await asOwner(server, 'update login set removed_at = now(), disabled_at = now(), last_name = $2 where id = $1', [
      c!.id,
      word,
    ])
    const place = await makeLocation(server, own.id)
    await asOwner(server, 'insert into login_location (location_id, company_id, login_id) values ($1, $2, $3)', [
      place.id,
      own.id,
      a!.id,
    ])
    const found = async (input: object) =>
      (await support.ask(search, { company_id: own.uuid, ...input })).body.results.map((user) => user.uuid).sort()
    expect(await found({ name: word.toUpperCase() })).toEqual([a!.uuid, b!.uuid].sort())
    expect(await found({ search_term: b!.email })).toEqual([b!.uuid])
    expect(await found({ search_term: a!.uuid })).toEqual([a!.uuid])
    expect(await found({ show: 'active' })).toEqual([a!.uuid])
    expect(await found({ show: 'disabled' })).toEqual([b!.uuid])
    expect(await found({ show: 'unlinked' })).toEqual([b!.uuid])
    expect(await found({ show: 'removed' })).toEqual([c!.uuid])
    for (const sort_field of ['name', 'username', 'email', 'company', 'created_at'] as const)
      expect((await support.ask(search, { sort_field, sort_order: 'desc', company_id: own.uuid })).body.total).toBe(2)
    await asOwner(server, 'update company set removed_at = now() where id = $1', [own.id])
    expect(await found({})).toEqual([])
    expect((await support.ask(info, { uuid: a!.uuid })).status).toBe(404)
  })
})

describe('changing a user', () => {
  it('changes names, personal details and flags, keeps what is left out, and refuses an outdated version', async () => {
    const login = await makeLogin(server, company.id)
    const given = { uuid: login.uuid, name: login.username, email: login.email, first_name: 'Ann', last_name: 'Lo' }
    const personal = { middle_name: 'Bea', preferred_name: 'Annie', dob: '1980-02-29', sex: 'Female' as const }
    const changed = await support.ask(edit, { ...given, ...personal, guild_login: true, version: 1 })
    expect(changed.body).toMatchObject({
      guild_login: true,
      clinical_trials_login: false,
      version: 2,
      person: { personal_information: { first_name: 'Ann', last_name: 'Lo', ...personal } },
    })
    expect((await support.ask(edit, { ...given, version: 1 })).status).toBe(409)
    const kept = await support.ask(edit, { ...given, preferred_name: '', version: 2 })
    expect(kept.body.guild_login).toBe(true)
    expect(kept.body.person.personal_information).toMatchObject({
      middle_name: 'Bea',
      preferred_name: null,
      dob: '1980-02-29',
    })
    const [row] = await asOwner<{ detail: { changes: unknown } }>(
      server,
      `select detail from audit where action = 'user.edit' and object = $1 and company_id is null order by id limit 1`,
      [login.uuid],
    )
    expect(JSON.stringify(row!.detail.changes)).toContain('Annie')
  })

  it('opens the company’s features with an enterprise login, and closes them again', async () => {
    const own = await makeCompany(server)
    await asOwner(server, 'update company set ad_dashboard = true where id = $1', [own.id])
    const login = await makeLogin(server, own.id, { flags: [] })
    const given = { uuid: login.uuid, name: login.username, email: login.email, first_name: 'Ann', last_name: 'Lo' }
    const flags = async (enterprise_login: boolean) => {
      expect((await support.ask(edit, { ...given, enterprise_login })).body.enterprise_login).toBe(enterprise_login)
      return asOwner(server, 'select data_analytics, ad_analytics, supplier_analytics, ecdr from login where id = $1', [
        login.id,
      ])
    }
    const none = { data_analytics: false, ad_analytics: false, supplier_analytics: false, ecdr: false }
    expect(await flags(true)).toEqual([{ ...none, data_analytics: true, ad_analytics: true }])
    expect(await flags(false)).toEqual([none])
  })

  it('gives a login for trials a recruiter, named at its sign-in, and removes it with the flag', async () => {
    const [recruiter] = await asOwner<{ uuid: string }>(
      server,
      `insert into recruiter_provider (uuid, name, description, recruiter_or_provider, logo_url, phone, email, website, privacy_policy_url)
       values (gen_random_uuid(), 'Meridian', 'x', 'recruiter', 'https://m.example/l', '1', 'm@m.example', 'https://m.example', 'https://m.example/p')
       returning uuid`,
    )
    const login = await makeLogin(server, company.id)
    const given = { uuid: login.uuid, name: login.username, email: login.email, first_name: 'A', last_name: 'B' }
    const on = { ...given, clinical_trials_login: true, recruiter_id: recruiter!.uuid }
    expect((await support.ask(edit, { ...on, recruiter_id: login.uuid })).status).toBe(404)
    const named = { recruiter_provider_id: recruiter!.uuid, recruiter_provider_name: 'Meridian' }
    expect((await support.ask(edit, on)).body.recruiter).toEqual({ ...named, recruiter_or_provider: 'recruiter' })
    expect((await signIn(server, login)).reply.body).toMatchObject({ clinical_trials_login: true, recruiter: named })
    // An edit that does not name it keeps it.
    expect((await support.ask(edit, given)).body.recruiter).toMatchObject(named)
    expect((await support.ask(edit, { ...given, clinical_trials_login: false })).body.recruiter).toBe(null)
  })

  it('never makes anybody support', async () => {
    const login = await makeLogin(server, company.id)
    const given = { uuid: login.uuid, name: login.username, email: login.email, first_name: 'A', last_name: 'B' }
    expect((await support.ask(edit, { ...given, sr_login: true } as never)).body.sr_login).toBe(false)
    const staff = server.services.pools.staff
    await expect(staff.updateTable('login').set({ sr_login: true }).execute()).rejects.toThrow('permission denied')
    await expect(staff.selectFrom('login').select('password_hash').execute()).rejects.toThrow('permission denied')
    await expect(staff.selectFrom('link').select('token_hash').execute()).rejects.toThrow('permission denied')
    await expect(staff.selectFrom('mail').select('body').execute()).rejects.toThrow('permission denied')
  })

  it('tells the old address when the email changes, and links mailed there open nothing', async () => {
    const given = draft()
    const { uuid } = (await support.ask(create, given)).body.data
    const token = /\/reset-password\/([\w-]{43})\n/.exec((await mailTo(server, given.email))[0]!.text)![1]!
    const other = `${fresh('new')}@mail.example`
    await support.ask(edit, { uuid, name: given.username, email: other, first_name: 'Jo', last_name: 'Marsh' })
    expect((await mailTo(server, given.email))[0]!.subject).toBe('Your Pillar email address was changed')
    expect(JSON.stringify(await mailTo(server, given.email))).not.toContain(other)
    expect((await server.call('/api/user/check-reset-link', { reset_token: token })).status).toBe(404)
  })

  it('says what is wrong', async () => {
    const login = await makeLogin(server, company.id)
    const given = { uuid: login.uuid, name: '', email: 'x', first_name: 'A', last_name: '', dob: '2999-01-01' }
    const { status, body } = await support.ask(edit, { ...given, clinical_trials_login: true })
    expect([status, body.message]).toEqual([
      422,
      'Please enter a username, enter a valid email address, enter a last name, enter a date of birth in the past, and select a recruiter or provider.',
    ])
    const stranger = {
      ...given,
      name: 'x',
      email: 'x@y.example',
      last_name: 'B',
      dob: '',
      login_id: support.login.uuid,
    }
    expect((await support.ask(edit, stranger)).status).toBe(422)
  })
})
