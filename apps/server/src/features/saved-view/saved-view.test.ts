import type { contract, ReplyOf } from '@pillar/contract'
import { MOST_VIEWS } from '@pillar/domain/saved-view/saved-view'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  asOwner,
  makeCompany,
  makeLogin,
  type SignedIn,
  signIn,
  type TestCompany,
  type TestLogin,
} from '../../../test/people.ts'
import { startTestServer, type TestServer } from '../../../test/server.ts'
import { untilWaiting } from '../../../test/waiting.ts'

type Views = ReplyOf<(typeof contract)['savedView']['list']>['views']

const STATE = { period: '2026-11', group: 'Sex', columns: ['Female', 'Male'], order: 'asc', sort: 'pharmacy' }

let server: TestServer
let company: TestCompany
let maker: TestLogin
let own: SignedIn
let colleague: SignedIn
let rival: SignedIn

beforeAll(async () => {
  server = await startTestServer()
  company = await makeCompany(server)
  const flags = ['data_analytics'] as const
  maker = await makeLogin(server, company.id, { flags })
  own = await signIn(server, maker)
  colleague = await signIn(server, await makeLogin(server, company.id, { flags }))
  rival = await signIn(server, await makeLogin(server, (await makeCompany(server)).id, { flags }))
})
afterAll(() => server.close())

const post = <T = { id: string; version: number; message: string }>(path: string, body: object, who = own) =>
  server.call<T>(`/api/saved-view/${path}`, body, who.bearer)
const views = async (who = own) => (await post<{ views: Views }>('list', {}, who)).body.views
const create = async (name: string, more: object = {}, who = own) =>
  post('create', { name, state: STATE, ...more }, who)

describe('a saved view', () => {
  it('keeps the address bar’s state under a name', async () => {
    const made = await create(' Mine ')
    expect(made.status).toBe(200)
    expect(await views()).toMatchObject([
      { id: made.body.id, name: 'Mine', shared: false, state: STATE, mine: true, may_change: true, is_default: false },
    ])
  })

  it('belongs to its maker until it is shared, and then only its maker changes it', async () => {
    const { id } = (await create('Shared later')).body
    expect(await views(colleague)).toEqual([])
    expect((await post('default', { id }, colleague)).status).toBe(404)
    expect((await post(`${id}/edit`, { shared: true, version: 1 })).body).toEqual({ version: 2 })
    expect(await views(colleague)).toMatchObject([
      { id, name: 'Shared later', mine: false, may_change: false, made_by: 'Robin Vale' },
    ])
    const refused = await post(`${id}/edit`, { name: 'Theirs' }, colleague)
    expect([refused.status, refused.body.message]).toEqual([
      403,
      'Only Robin Vale can change this view. Save one of your own.',
    ])
    expect((await post(`${id}/remove`, {}, colleague)).status).toBe(403)
  })

  it('is invisible to other companies, shared or not', async () => {
    const [{ id }] = (await views()) as [Views[number]]
    expect(await views(rival)).toEqual([])
    for (const [path, body] of [
      [`${id}/edit`, { name: 'x' }],
      [`${id}/remove`, {}],
      ['default', { id }],
    ] as const) {
      expect([path, (await post(path, body, rival)).status]).toEqual([path, 404])
    }
  })

  it('can be replaced and renamed, but not over another one with that name or a newer version', async () => {
    const { id } = (await create('Replaced')).body
    expect((await create('REPLACED')).body.message).toBe('A view of that name exists. Please choose another name.')
    await post(`${id}/edit`, { state: { period: '2025' }, version: 1 })
    expect((await views()).find((one) => one.id === id)).toMatchObject({
      name: 'Replaced',
      state: { period: '2025' },
      version: 2,
    })
    expect((await post(`${id}/edit`, { name: 'Late', version: 1 })).status).toBe(409)
    expect((await post(`${id}/edit`, { name: 'mine' })).body.message).toContain('A view of that name exists.')
    // Another person may have the same name.
    expect((await create('Replaced', {}, colleague)).status).toBe(200)
    expect((await post(`${id}/edit`, { name: 'replaced' })).status).toBe(200)
  })

  it('is not renamed to a name that another one is given at that moment', async () => {
    const [one, other] = [(await create('First to be it')).body, (await create('Second to be it')).body]
    const held = new pg.Client({ connectionString: server.ownerUrl })
    await held.connect()
    await held.query('begin')
    await held.query(`update saved_view set name = 'It' where uuid = $1`, [one.id])
    const second = post(`${other.id}/edit`, { name: 'it' })
    await untilWaiting(server)
    await held.query('commit')
    await held.end()
    const { status, body } = await second
    expect([status, body.message]).toEqual([409, 'A view of that name exists. Please choose another name.'])
  })

  it('is the default of a person, one at a time, and no longer once it is removed or unshared', async () => {
    const { id } = (await create('For all', { shared: true })).body
    const other = (await create('Other')).body.id
    const defaults = async (who: SignedIn) => (await views(who)).filter((one) => one.is_default).map(({ name }) => name)
    await post('default', { id: other })
    await post('default', { id })
    await post('default', { id }, colleague)
    expect([await defaults(own), await defaults(colleague)]).toEqual([['For all'], ['For all']])
    const third = await signIn(server, await makeLogin(server, company.id, { flags: ['data_analytics'] }))
    await post('default', { id: (await create('Third', {}, third)).body.id }, third)
    await post(`${id}/edit`, { shared: false })
    await post(`${id}/edit`, { shared: true })
    expect([await defaults(own), await defaults(colleague)]).toEqual([['For all'], []])
    await post(`${id}/remove`, {})
    expect(await defaults(own)).toEqual([])
    await post('default', { id: other })
    await post('default', { id: null })
    expect(await defaults(own)).toEqual([])
    // Other people's default views stay unchanged throughout.
    expect(await defaults(third)).toEqual(['Third'])
  })

  it('is listed by name, one’s own before colleagues’', async () => {
    const [one, two] = [
      await makeLogin(server, company.id, { flags: ['data_analytics'] }),
      await makeLogin(server, company.id, { flags: ['data_analytics'] }),
    ]
    const [a, b] = [await signIn(server, one), await signIn(server, two)]
    for (const name of ['m shared', 'Z shared']) await create(name, { shared: true }, b)
    for (const name of ['y', 'B', 'a']) await create(name, {}, a)
    const names = (await views(a)).map(({ name }) => name).filter((name) => /^.( shared)?$/.test(name))
    expect(names).toEqual(['a', 'B', 'y', 'm shared', 'Z shared'])
    for (const { id } of (await views(b)).filter(({ mine }) => mine)) await post(`${id}/remove`, {}, b)
  })

  it('has a name, and only a limited number are allowed', async () => {
    const { status, body } = await create('  ')
    expect([status, body.message]).toEqual([422, 'Please enter a name.'])
    expect(
      (
        await create('Too much', {
          state: { pharmacies: 'x'.repeat(8000), without: 'x'.repeat(8000), more: 'x'.repeat(300) },
        })
      ).status,
    ).toBe(422)
    const person = await signIn(server, await makeLogin(server, company.id, { flags: ['data_analytics'] }))
    for (let at = 0; at < MOST_VIEWS; at++) expect((await create(`View ${at}`, {}, person)).status).toBe(200)
    expect((await create('One more', {}, person)).body.message).toBe('You have 50 views. Please remove one first.')
  })

  it('keeps hostile texts unchanged, and refuses invalid ones', async () => {
    const person = await signIn(server, await makeLogin(server, company.id, { flags: ['data_analytics'] }))
    const state = JSON.parse('{"constructor":"x","toString":["<script>"],"a\'b":"\');drop table saved_view;--"}')
    expect((await create('Hostile', { state }, person)).status).toBe(200)
    expect((await views(person)).find(({ name }) => name === 'Hostile')!.state).toEqual(state)
    for (const bad of [{ 'a\0b': 1 }, { 'a\ud800': 1 }, { a: 'b\0' }, { a: { b: 'c' } }, { a: null }]) {
      expect([bad, (await create('Not kept', { state: bad }, person)).status]).toEqual([bad, 422])
    }
  })

  it('of somebody who can no longer sign in can be changed by colleagues', async () => {
    const [shared] = (await views(colleague)).filter(({ mine }) => !mine)
    await asOwner(server, 'update login set disabled_at = now() where id = $1', [maker.id])
    expect((await views(colleague)).find(({ id }) => id === shared!.id)).toMatchObject({ may_change: true })
    expect((await post(`${shared!.id}/remove`, {}, colleague)).status).toBe(200)
  })

  it('of somebody who has moved to another company can be changed by colleagues', async () => {
    const login = await makeLogin(server, company.id, { flags: ['data_analytics'] })
    const { id } = (await create('Left behind', { shared: true }, await signIn(server, login))).body
    const mine = async () => (await views(colleague)).find((one) => one.id === id)
    expect(await mine()).toMatchObject({ may_change: false })
    await asOwner(server, 'update login set company_id = $2 where id = $1', [login.id, (await makeCompany(server)).id])
    expect(await mine()).toMatchObject({ may_change: true })
    expect((await post(`${id}/remove`, {}, colleague)).status).toBe(200)
  })

  it('leaves rows in the log that name it', async () => {
    const rows = await asOwner<{ action: string; object_name: string | null }>(
      server,
      `select distinct action, object_name from audit where company_id = $1 and action like 'savedView.%' and object_name in ('Replaced', 'replaced', 'For all')`,
      [company.id],
    )
    const told = rows.map(({ action, object_name }) => `${action} ${object_name}`)
    for (const one of [
      'savedView.create Replaced',
      'savedView.edit replaced',
      'savedView.remove For all',
      'savedView.setDefault For all',
    ])
      expect(told).toContain(one)
  })
})
