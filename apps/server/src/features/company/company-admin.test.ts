import { contract } from '@pillar/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { asOwner, fresh, mailTo, makeCompany, makeLocation, makeLogin, signIn } from '../../../test/people.ts'
import { startTestServer, type TestServer } from '../../../test/server.ts'
import { makeSupport, type Support } from '../../../test/support.ts'

const { search, getCompanies, list, info, users, locations, loginLocations, create, edit } = contract.company
let server: TestServer
let support: Support
beforeAll(async () => {
  server = await startTestServer()
  support = await makeSupport(server)
})
afterAll(() => server.close())

const draft = () => ({
  company_name: fresh('Kurrajong Chemists'),
  username: fresh('jo'),
  email: `${fresh('jo')}@mail.example`,
  first_name: 'Jo',
  last_name: 'Marsh',
  password: 'nine pelicans near Broome',
})
type Row = { uuid: string; name: string; version: number; locations: number; logins: number }
const found = async (name: string) => (await support.ask(search, { name })).body.results as Row[]

describe('creating a company', () => {
  it('adds it with a login that must choose its own password', async () => {
    const given = draft()
    const { status, body } = await support.ask(create, { ...given, sixty_day_signup: true, cloud_ecdr: true })
    expect(status).toBe(200)
    expect(body).toMatchObject({
      name: given.company_name,
      type: 'enterprise',
      country: 'AU',
      locations: 0,
      logins: 1,
      sixty_day_signup: true,
      cloud_ecdr: true,
      ad_dashboard: false,
      supplier_dashboard: false,
      version: 1,
    })
    const { company, ...itself } = body
    expect(company).toEqual(itself)
    const tab = await signIn(server, given)
    expect(tab.reply.body).toMatchObject({
      must_change_password: true,
      data_analytics: true,
      sixty_day_signup: true,
      ecdr: true,
      sr_login: false,
      ad_analytics: false,
    })
    expect((await server.call('/api/get-pharmacies', {}, tab.bearer)).body.code).toBe('new_password_needed')
    const log = await asOwner(
      server,
      `select a.action, a.object, a.login_id from audit a join company c on c.id = a.company_id
       where c.uuid = $1 and a.login_id = $2`,
      [body.uuid, support.login.id],
    )
    expect(log).toEqual([{ action: 'company.create', object: body.uuid, login_id: support.login.id }])
  })

  it('invites the first user by a one-time link when no password is given', async () => {
    const { password: _, ...given } = draft()
    const { status, body } = await support.ask(create, { ...given, sixty_day_signup: true })
    expect([status, body.logins]).toEqual([200, 1])
    const [letter, ...more] = await mailTo(server, given.email)
    expect(more).toEqual([])
    expect(letter!.text).toContain(given.username)
    const token = /\/reset-password\/([\w-]{43})\n/.exec(letter!.text)?.[1]
    const people = (await support.ask(users, { id: body.uuid })).body.data
    expect(people).toMatchObject([{ name: given.username, state: 'invited', enterprise_login: true }])

    const password = 'four magpies over Kyneton'
    const link = { reset_token: token, password, password_confirmation: password }
    expect((await server.call('/api/user/reset-password', link)).status).toBe(200)
    const tab = await signIn(server, { username: given.username, password })
    expect(tab.reply.body).toMatchObject({ must_change_password: false, data_analytics: true, sixty_day_signup: true })
    expect((await server.call('/api/user/reset-password', link)).status).toBe(404)
  })

  it('names everything missing or invalid', async () => {
    const refused = async (more: object) => {
      const { status, body } = await support.ask(create, { ...draft(), ...more })
      return [status, body.message]
    }
    const nothing = { company_name: ' ', username: '', email: '', first_name: '', last_name: '', password: '' }
    expect(await refused(nothing)).toEqual([
      422,
      'Please enter a company name, enter a username, enter an email address, enter a first name, and enter a last name.',
    ])
    expect(await refused({ email: 'jo' })).toEqual([422, 'Please enter a valid email address.'])
    expect(await refused({ username: 'a@b.example' })).toEqual([
      422,
      'Please enter a username without @, or the email address itself.',
    ])
    expect((await refused({ password: 'password' }))[0]).toBe(422)
    expect(await refused({ company_name: support.company.name.toUpperCase() })).toEqual([
      409,
      `There is already a company called "${support.company.name.toUpperCase()}". Please enter another company name.`,
    ])
    expect(await refused({ username: support.login.username.toUpperCase() })).toEqual([
      409,
      'Somebody already has that username. Please enter another username.',
    ])
    const used = { email: support.login.email }
    const before = await found('Kurrajong')
    expect(await refused(used)).toEqual([
      409,
      'Somebody already signs in with that email address. Please enter another email address.',
    ])
    // No company is left behind if its login could not be created.
    expect(await found('Kurrajong')).toEqual(before)
  })
})

describe('looking at companies', () => {
  it('finds by part of a name, in pages', async () => {
    const word = fresh('Bilby')
    for (let number = 0; number < 23; number++) await makeCompany(server, `${word} ${String(number).padStart(2, '0')}`)
    const first = await support.ask(search, { page: 1, name: word.toUpperCase() })
    expect(first.body).toMatchObject({ current_page: 1, page_count: 2, per_page: 20, total: 23 })
    const second = await support.ask(getCompanies, { page: 2, search_term: word })
    expect((second.body.results as Row[]).map((row) => row.name)).toEqual([`${word} 20`, `${word} 21`, `${word} 22`])
    expect(((await support.ask(list, {})).body.data as Row[]).filter((row) => row.name.startsWith(word))).toHaveLength(
      23,
    )
  })

  it('also finds by words of a pharmacy’s name, and names the pharmacies it found', async () => {
    const word = fresh('Numbat').toLowerCase()
    const [first, second, own] = [
      await makeCompany(server),
      await makeCompany(server),
      await makeCompany(server, `${word} Chemists`),
    ]
    for (const name of ['East', 'North', 'South', 'West']) await makeLocation(server, first.id, `${word} ${name}`)
    await makeLocation(server, own.id, `${word} Own`)
    const gone = await makeLocation(server, second.id, `${word} Gone`)
    await asOwner(server, 'update location set removed_at = now() where id = $1', [gone.id])
    const byName = (await support.ask(search, { name: word })).body
    expect(byName.total).toBe(2)
    expect(byName.results.map(({ uuid, found_locations }) => [uuid, found_locations])).toEqual(
      expect.arrayContaining([
        [first.uuid, ['East', 'North', 'South'].map((name) => `${word} ${name}`)],
        [own.uuid, []],
      ]),
    )
    expect((await found(`west ${word}`)).map(({ uuid }) => uuid)).toEqual([first.uuid])
    expect(await found(`${word} gone`)).toEqual([])
    expect((await found(first.uuid)).map(({ uuid }) => uuid)).toEqual([first.uuid])
    const all = (await support.ask(search, {})).body.results
    expect(all.every(({ found_locations }) => found_locations.length === 0)).toBe(true)
  })

  it('shows people, pharmacies with modules, upload and queue, and links', async () => {
    const company = await makeCompany(server)
    const owner = await makeLogin(server, company.id, { flags: ['guild_login'] })
    await makeLogin(server, company.id)
    const [a, b] = [await makeLocation(server, company.id, 'A'), await makeLocation(server, company.id, 'B')]
    await makeLocation(server, (await makeCompany(server)).id, 'Elsewhere')
    await asOwner(
      server,
      `update location set data_source = 'fred', last_upload_at = '2026-11-20T10:00:00Z' where id = $1`,
      [a.id],
    )
    await asOwner(
      server,
      `insert into upload (uuid, location_id, etl_state, data_source, location_upload_time, created_at) values
        (gen_random_uuid(), $1, 'COMPLETED', 'fred', '2026-11-20T10:00:00Z', '2026-11-20'),
        (gen_random_uuid(), $1, 'RECEIVED', 'fred', '2026-11-21T10:00:00Z', '2026-11-21'),
        (gen_random_uuid(), $1, 'ERROR', 'fred', '2026-11-22T10:00:00Z', '2026-11-22')`,
      [a.id],
    )
    await asOwner(
      server,
      `insert into location_module (location_id, company_id, module_id, external_id)
       select $1, $2, id, 'PP-81' from module where name = 'pharmaprograms'`,
      [a.id, company.id],
    )
    await asOwner(server, 'insert into login_location (location_id, company_id, login_id) values ($1, $2, $3)', [
      b.id,
      company.id,
      owner.id,
    ])
    const places = (await support.ask(locations, { id: company.uuid })).body.data as Record<string, unknown>[]
    expect(places).toMatchObject([
      {
        name: 'A',
        country_name: 'Australia',
        upload_status: 'ERROR',
        upload_time: '2026-11-22T10:00:00.000Z',
        last_successful_upload_on: '2026-11-20T10:00:00.000Z',
        queue_status: 'RECEIVED',
        queue_items: 1,
        modules: [
          { name: 'pharmaprograms', display_name: 'Pharmacy Programs', display_colour: 'blue', external_id: 'PP-81' },
        ],
      },
      {
        name: 'B',
        upload_status: 'NEVER UPLOADED',
        upload_time: null,
        queue_status: 'NOT RECEIVED',
        queue_items: 0,
        modules: [],
      },
    ])
    expect(places).toHaveLength(2)
    const people = (await support.ask(users, { id: company.uuid })).body.data as Record<string, unknown>[]
    expect(people).toHaveLength(2)
    expect(people[0]).toMatchObject({
      uuid: owner.uuid,
      login_id: owner.uuid,
      name: owner.username,
      email: owner.email,
      guild_login: true,
      person: { personal_information: { first_name: 'Robin', last_name: 'Vale' } },
    })
    const linked = (await support.ask(loginLocations, { id: company.uuid })).body.data
    expect(linked).toEqual([
      { uuid: owner.uuid, locations: [b.uuid] },
      { uuid: people[1]!.uuid, locations: [] },
    ])
    for (const call of [info, users, locations, loginLocations]) {
      expect((await support.ask(call, { id: a.uuid })).status).toBe(404)
    }
  })
})

describe('changing a company', () => {
  it('changes the name and the given fields, and refuses an outdated version', async () => {
    const company = await makeCompany(server)
    const name = fresh('Renamed')
    const changed = await support.ask(edit, { uuid: company.uuid, name, ad_dashboard: true, version: 1 })
    expect(changed.body).toMatchObject({ uuid: company.uuid, name, ad_dashboard: true, cloud_ecdr: false, version: 2 })
    const stale = await support.ask(edit, { uuid: company.uuid, name: 'X', version: 1 })
    expect([stale.status, stale.body.code]).toEqual([409, 'conflict'])
    expect((await support.ask(info, { id: company.uuid })).body).toMatchObject({ name, ad_dashboard: true })
    const blank = await support.ask(edit, { uuid: company.uuid, name: '  ' })
    expect([blank.status, blank.body.message]).toEqual([422, 'Please enter a company name.'])
    const taken = await support.ask(edit, { uuid: company.uuid, name: support.company.name })
    expect(taken.status).toBe(409)
  })

  it('needs step-up', async () => {
    const company = await makeCompany(server)
    for (const path of ['edit', 'remove']) {
      const body = { name: 'X' }
      const reply = await server.call(`/api/company/${company.uuid}/${path}`, body, support.tab.bearer)
      expect([path, reply.status, reply.body.code]).toEqual([path, 403, 'step_up_needed'])
    }
  })
})
