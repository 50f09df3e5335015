import { contract } from '@pillar/contract'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { asOwner, fresh, makeCompany, makeLogin, type TestCompany } from '../../../test/people.ts'
import { startTestServer, type TestServer } from '../../../test/server.ts'
import { makeSupport, type Support } from '../../../test/support.ts'
import { untilWaiting } from '../../../test/waiting.ts'

const { create, edit, info, places } = contract.locationAdmin
const modules = contract.moduleAdmin
let server: TestServer
let support: Support
let company: TestCompany
beforeAll(async () => {
  server = await startTestServer()
  support = await makeSupport(server)
  company = await makeCompany(server)
})
afterAll(() => server.close())

const draft = (more: object = {}) => ({
  ...{ company_id: company.uuid, name: fresh('Sturt Street Pharmacy'), street_address: '12 Sturt Street' },
  ...{
    town: 'Ballarat Central',
    region: 'VIC',
    postcode: '3350',
    country_name: 'Australia',
    phone_number: '03 5331 0000',
  },
  ...more,
})
const make = async (more: object = {}) => {
  const { status, body } = await support.ask(create, draft(more))
  expect([status, body.message]).toEqual([200, undefined])
  const { location, ...itself } = body
  expect(location).toEqual(itself)
  return location
}
const refused = async (call: typeof create | typeof edit, input: object) => {
  const { status, body } = await support.ask(call as typeof edit, input as never)
  return [status, body.message]
}
const moduleId = async (name: string) =>
  (await support.ask(modules.list, {})).body.data.find((one) => one.name === name)!.uuid

describe('creating a pharmacy', () => {
  it('places it by its address, with owner, modules and a working key', async () => {
    const owner = await makeLogin(server, company.id)
    const programs = await moduleId('pharmaprograms')
    const made = await make({
      ...{ owner: owner.uuid, data_source: 'fred', no_guild_consent: true, features: ['beta'] },
      module_ids: [{ module_id: programs, external_id: 'PP-7' }],
    })
    expect(made).toMatchObject({
      ...{ company_id: company.uuid, company_name: company.name, country: 'AU', country_name: 'Australia', version: 1 },
      ...{ latitude: -37.562, longitude: 143.851, time_zone: 'Australia/Melbourne', data_source: 'fred' },
      ...{ features: ['beta'], no_guild_consent: true, owner: { uuid: owner.uuid, name: 'Robin Vale' } },
      modules: [{ name: 'pharmaprograms', external_id: 'PP-7' }],
    })
    expect((await support.ask(info, { id: made.uuid })).body).toEqual(made)
    const rows = (await support.ask(contract.company.locations, { id: company.uuid })).body.data
    expect(rows.find(({ uuid }) => uuid === made.uuid)).toMatchObject({
      owner: made.owner,
      modules: made.modules,
      version: 1,
    })
    const links = (await support.ask(contract.company.loginLocations, { id: company.uuid })).body.data
    expect(links.find(({ uuid }) => uuid === owner.uuid)?.locations).toEqual([made.uuid])
    const log = await asOwner(server, 'select action, login_id from audit where company_id = $1 and object = $2', [
      company.id,
      made.uuid,
    ])
    expect(log).toEqual([{ action: 'locationAdmin.create', login_id: support.login.id }])
    const [key] = await asOwner(
      server,
      'select prefix, sealed is not null as sealed, ends_at from location_key k join location l on l.id = k.location_id where l.uuid = $1',
      [made.uuid],
    )
    expect(key).toMatchObject({ prefix: expect.stringMatching(/^pillar_upload_\w{6}$/), sealed: true, ends_at: null })
  })

  it('names everything missing or wrong', async () => {
    const none = { name: '', town: '', region: null, postcode: '' }
    expect(await refused(create, draft(none))).toEqual([
      422,
      'Please enter a pharmacy name, enter a suburb, select a state, and enter a postcode of four digits.',
    ])
    const british = { country_name: 'United Kingdom', region: null, town: 'London', postcode: 'EC1A 1BB' }
    // A company's money is in one currency.
    const here = 'Please select Australia as the country: it is that of the company.'
    expect(await refused(create, draft(british))).toEqual([422, here])
    expect(await refused(create, draft({ country_name: 'Atlantis' }))).toEqual([
      422,
      'Please select Australia, United Kingdom, or United States as the country.',
    ])
    expect(await refused(create, draft({ data_source: 'abacus' }))).toEqual([
      422,
      'Please select a data source from the list.',
    ])
    const programs = await moduleId('pharmaprograms')
    expect(await refused(create, draft({ module_ids: [{ module_id: programs, external_id: ' ' }] }))).toEqual([
      422,
      'Please enter an external ID for Pharmacy Programs.',
    ])
    const stranger = await makeLogin(server, (await makeCompany(server)).id)
    const disabled = await makeLogin(server, company.id)
    await asOwner(server, 'update login set disabled_at = now() where id = $1', [disabled.id])
    for (const owner of [stranger.uuid, disabled.uuid])
      expect(await refused(create, draft({ owner }))).toEqual([
        422,
        'Please select an owner among the users of the company.',
      ])
    expect((await support.ask(create, draft({ features: ['alpha'] }))).status).toBe(422)
    const left = await makeCompany(server)
    await asOwner(server, 'update company set removed_at = now() where id = $1', [left.id])
    for (const company_id of [stranger.uuid, left.uuid])
      expect(await refused(create, draft({ company_id }))).toEqual([404, 'That company was not found.'])
    expect(await refused(create, draft({ module_ids: [{ module_id: company.uuid }] }))).toEqual([
      404,
      'That module was not found.',
    ])
    const { name } = await make()
    expect(await refused(create, draft({ name: name.toUpperCase() }))).toEqual([
      409,
      `The company already has a pharmacy called "${name.toUpperCase()}". Please enter another pharmacy name.`,
    ])
    // Another company may have a pharmacy of that name.
    await make({ name, company_id: (await makeCompany(server)).uuid })
  })
})

describe('an Australian postcode', () => {
  it('may be a number, whose leading zero is restored', async () => {
    const made = await make({ town: 'Darwin', region: 'NT', postcode: 800 })
    expect(made).toMatchObject({ postcode: '0800', time_zone: 'Australia/Darwin' })
    const moved = { id: made.uuid, name: made.name, town: 'Fremantle', region: 'WA', postcode: 6160 }
    const { data, ...after } = (await support.ask(edit, moved)).body
    expect(after).toMatchObject({ postcode: '6160', time_zone: 'Australia/Perth' })
    expect(data).toEqual(after)
    for (const postcode of [-1, 33.5, 33500]) expect((await refused(create, draft({ postcode })))[0]).toBe(422)
  })
})

describe('changing a pharmacy', () => {
  it('keeps fields left out, moves it with its address, and refuses an outdated version', async () => {
    const made = await make({ data_source: 'fred' })
    const first = await support.ask(edit, { id: made.uuid, name: made.name, phone_number: '', version: 1 })
    expect(first.body.data).toEqual({ ...made, phone_number: null, version: 2 })
    const perth = { town: 'Fremantle', region: 'WA', postcode: '6160' }
    const moved = await support.ask(edit, { id: made.uuid, name: 'Moved', ...perth, version: 2 })
    expect(moved.body).toMatchObject({ ...perth, time_zone: 'Australia/Perth', latitude: -32.056, version: 3 })
    const nowhere = await support.ask(edit, { id: made.uuid, name: 'Moved', postcode: '9999', town: 'Nowhere' })
    expect(nowhere.body).toMatchObject({ latitude: null, longitude: null, time_zone: 'Australia/Perth' })
    expect((await refused(edit, { id: made.uuid, name: 'X', version: 2 }))[0]).toBe(409)
    expect(await refused(edit, { id: company.uuid, name: 'X' })).toEqual([404, 'That pharmacy was not found.'])
    const [row] = await asOwner<{ detail: { changes: object[] } }>(
      server,
      `select detail from audit where action = 'locationAdmin.edit' and company_id is null and object = $1 order by id limit 1`,
      [made.uuid],
    )
    expect(row?.detail.changes).toEqual([
      {
        object: made.uuid,
        before: { phone_number: '03 5331 0000', version: 1 },
        after: { phone_number: null, version: 2 },
      },
    ])
  })

  it('keeps a source that is not on the list, and its owner unless another is given', async () => {
    const owner = await makeLogin(server, company.id)
    const made = await make({ owner: owner.uuid })
    await asOwner(server, `update location set data_source = 'canonical' where uuid = $1`, [made.uuid])
    const kept = await support.ask(edit, { id: made.uuid, name: made.name, data_source: 'canonical' })
    expect(kept.body).toMatchObject({ data_source: 'canonical', owner: { uuid: owner.uuid } })
    const bare = await support.ask(edit, { id: made.uuid, name: made.name, data_source: null, owner: null })
    expect(bare.body).toMatchObject({ data_source: null, owner: null })
  })

  it('links the new owner, who then gets its notices, beside the previous people', async () => {
    const [before, after] = [await makeLogin(server, company.id), await makeLogin(server, company.id)]
    const made = await make({ owner: before.uuid })
    await support.ask(edit, { id: made.uuid, name: made.name, owner: after.uuid })
    const { data } = (await support.ask(contract.company.loginLocations, { id: company.uuid })).body
    for (const { uuid } of [before, after])
      expect(data.find((one) => one.uuid === uuid)?.locations).toEqual([made.uuid])
  })

  it('saves only one of two simultaneous changes of one version', async () => {
    const made = await make()
    const holder = new pg.Client({ connectionString: server.ownerUrl })
    await holder.connect()
    await holder.query('begin')
    await holder.query('select from location where uuid = $1 for update', [made.uuid])
    const both = ['One', 'Other'].map((street_address) =>
      support.ask(edit, { id: made.uuid, name: made.name, street_address, version: 1 }),
    )
    await untilWaiting(server, 2)
    await holder.end()
    expect((await Promise.all(both)).map(({ status }) => status).toSorted()).toEqual([200, 409])
  })
})

describe('the owner of a pharmacy', () => {
  it('cannot be somebody who is removed at that moment', async () => {
    const made = await make()
    const owner = await makeLogin(server, company.id)
    const holder = new pg.Client({ connectionString: server.ownerUrl })
    await holder.connect()
    await holder.query('begin')
    await holder.query('select from login where uuid = $1 for update', [owner.uuid])
    await holder.query('update login set disabled_at = now(), removed_at = now() where uuid = $1', [owner.uuid])
    const given = support.ask(edit, { id: made.uuid, name: made.name, owner: owner.uuid })
    await untilWaiting(server)
    await holder.query('commit')
    await holder.end()
    const { status, body } = await given
    expect([status, body.message]).toEqual([422, 'Please select an owner among the users of the company.'])
  })
})

describe('how long a stock count of a Schedule 8 product stays valid', () => {
  it('is set, kept if left out, and reset, with the change in the log', async () => {
    const made = await make({ s8_stocktake_warning_days: 14 })
    expect(made.s8_stocktake_warning_days).toBe(14)
    const kept = await support.ask(edit, { id: made.uuid, name: made.name })
    expect(kept.body.s8_stocktake_warning_days).toBe(14)
    const rows = (await support.ask(contract.company.locations, { id: company.uuid })).body.data
    expect(rows.find(({ uuid }) => uuid === made.uuid)?.s8_stocktake_warning_days).toBe(14)
    const back = await support.ask(edit, { id: made.uuid, name: made.name, s8_stocktake_warning_days: null })
    expect(back.body.s8_stocktake_warning_days).toBeNull()
    const [row] = await asOwner<{ detail: { changes: object[] } }>(
      server,
      `select detail from audit where action = 'locationAdmin.edit' and company_id is null and object = $1 order by id desc limit 1`,
      [made.uuid],
    )
    expect(row?.detail.changes).toEqual([
      expect.objectContaining({ before: { s8_stocktake_warning_days: 14, version: 2 } }),
    ])
  })

  it('is 1 to 366 whole days', async () => {
    for (const days of [0, 367, 2.5])
      expect((await support.ask(create, draft({ s8_stocktake_warning_days: days }))).status).toBe(422)
  })
})

describe('looking up a place', () => {
  const found = async (search_term: string, country: 'AU' | 'GB' | 'US' = 'AU') =>
    (await support.ask(places, { country, search_term })).body.data.map(({ town, region, postcode }) =>
      [town, region, postcode].filter(Boolean).join(' '),
    )

  it('finds by postcode, by words of a name, and by state', async () => {
    expect((await found('3350'))[0]).toBe('Alfredton VIC 3350')
    expect((await found('ballarat'))[0]).toBe('Ballarat VIC 3350')
    expect(await found('ballarat c')).toEqual(['Ballarat Central VIC 3350'])
    expect(await found('fremantle wa')).toContain('Fremantle WA 6160')
    expect(await found('richmond qld')).not.toContain('Richmond VIC 3121')
    expect(await found('creek')).toHaveLength(20)
    expect(await found(' ')).toEqual([])
    expect(await found('zzzz')).toEqual([])
  })

  it('accepts a full British postcode, and knows the zones of states', async () => {
    expect(await found('eh1 2ab', 'GB')).toEqual(['Old Town EH1 2AB'])
    expect((await found('AB10', 'GB'))[0]).toBe('Aberdeen AB10')
    const [seattle] = (await support.ask(places, { country: 'US', search_term: '98101' })).body.data
    expect(seattle).toMatchObject({ town: 'Seattle', region: 'WA', time_zone: 'America/Los_Angeles' })
  })
})

describe('modules', () => {
  it('are added and removed by the uuid or the key of the pharmacy, and the key is in no log', async () => {
    const made = await make()
    const [upload, programs] = [await moduleId('strong_pro'), await moduleId('pharmaprograms')]
    const { uuid } = made
    expect((await support.ask(modules.available, { key: uuid })).body.data.map(({ name }) => name)).toEqual([
      'pharmaprograms',
      'strong_pro',
    ])
    const added = await support.ask(modules.add, { key: uuid, moduleId: programs, external_id: ' PP-9 ' })
    expect(added.body.data).toMatchObject([{ name: 'pharmaprograms', external_id: 'PP-9' }])
    const wrong = await support.ask(modules.add, { key: uuid, moduleId: programs, external_id: '' })
    expect([wrong.status, wrong.body.message]).toEqual([422, 'Please enter an external ID for Pharmacy Programs.'])
    await support.ask(modules.add, { key: uuid, moduleId: upload })
    const other = await make({ module_ids: [{ module_id: programs, external_id: 'PP-8' }] })
    const left = await support.ask(modules.remove, { key: uuid, moduleId: programs })
    expect(left.body.data).toMatchObject([{ name: 'strong_pro' }])
    expect((await support.ask(info, { id: other.uuid })).body.modules).toMatchObject([{ external_id: 'PP-8' }])
    expect((await support.ask(modules.remove, { key: 'pillar_upload_nobody', moduleId: upload })).status).toBe(404)
    expect((await support.ask(modules.add, { key: uuid, moduleId: uuid })).status).toBe(404)
    const log = await asOwner(
      server,
      `select action from audit where company_id = $1 and object = $2 and action like 'module%' order by id`,
      [company.id, uuid],
    )
    expect(log.map(({ action }) => action)).toEqual(['moduleAdmin.add', 'moduleAdmin.add', 'moduleAdmin.remove'])
  })
})
