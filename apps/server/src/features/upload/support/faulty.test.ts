import { contract } from '@pillar/contract'
import { parse } from 'csv-parse/sync'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ago, type Faulty, makeFaulty } from '../../../../test/etl/faulty.ts'
import { asOwner, fresh, makeCompany, makeLogin } from '../../../../test/people.ts'
import { startTestServer, type TestServer } from '../../../../test/server.ts'
import { makeSupport, type Support } from '../../../../test/support.ts'

const { faulty, faultyCsv, work, people } = contract.etl
let server: TestServer
let support: Support
let company: Faulty['company']
let make: Faulty['make']
let empty: Faulty['empty']

beforeAll(async () => {
  server = await startTestServer()
  support = await makeSupport(server)
  ;({ company, make, empty } = await makeFaulty(server))
})
afterAll(() => server.close())

type Input = Parameters<typeof support.ask<typeof faulty>>[1]
const ask = async (input: Input = {}) => (await support.ask(faulty, input)).body
const stateOf = async (name: string, input: Input = {}) =>
  (await ask({ ...input, search_term: name })).etl_items.map(({ status }) => status)[0] ?? null

describe('the list', () => {
  it('has pharmacies whose newest upload failed or never came, those never heard of, and those silent for too long', async () => {
    await empty()
    const made = {
      fine: await make('fine', {}),
      fixed: await make('fixed', { success: 1, uploads: [['ERROR', 2]] }),
      failed: await make('failed', { success: 5, uploads: [['ERROR', 2]] }),
      twice: await make('twice', {
        success: 5,
        uploads: [
          ['NOT RECEIVED', 4],
          ['ERROR', 2],
        ],
      }),
      lost: await make('lost', { success: 5, uploads: [['NOT RECEIVED', 2]] }),
      again: await make('again', {
        success: 5,
        uploads: [
          ['ERROR', 4],
          ['REQUESTED', 1],
        ],
      }),
      coming: await make('coming', { success: 5, uploads: [['RECEIVED', 1]] }),
      arrived: await make('arrived', {
        success: 5,
        uploads: [
          ['ERROR', 3],
          ['RECEIVED', 1],
        ],
      }),
      never: await make('never', { success: null }),
      first: await make('first', { success: null, uploads: [['ERROR', 1]] }),
      silent: await make('silent', { success: 24 * 20 }),
      other: await make('other', { success: null, module: false }),
    }
    const states = Object.fromEntries(
      await Promise.all(Object.entries(made).map(async ([key, { name }]) => [key, await stateOf(name)])),
    )
    expect(states).toEqual({
      ...{ fine: null, fixed: null, coming: null, other: null },
      ...{ failed: 'ERROR', twice: 'ERROR', first: 'ERROR', lost: 'NOT RECEIVED', silent: 'NOT RECEIVED' },
      ...{ again: 'REQUESTED', arrived: 'RECEIVED', never: 'NEVER UPLOADED' },
    })
    const body = await ask()
    expect(body.etl_stats).toEqual({ TOTAL: 11, noUploadPharmacies: 1, 'NEVER UPLOADED': 1, COMPLETED: 3 })
    expect(body.total).toBe(8)
    expect(body.breakdown.states.reduce((sum, { count }) => sum + count, 0)).toBe(8)
    expect(body.breakdown.sources.reduce((sum, { count }) => sum + count, 0)).toBe(8)
    // The list of companies shows the same for each company.
    const { results } = (await support.ask(contract.company.search, { name: company.name })).body
    expect(results[0]).toMatchObject({ uploads: { expected: 11, up_to_date: 3 } })
    const other = await makeCompany(server)
    const none = (await support.ask(contract.company.search, { name: other.name })).body.results
    expect(none[0]).toMatchObject({ uploads: { expected: 0, up_to_date: 0 } })
    const quiet = await ask({ filters: { show_no_uploads: false } })
    expect([quiet.total, quiet.etl_stats.noUploadPharmacies]).toEqual([7, 1])
    expect(await stateOf(made.silent.name, { filters: { show_no_uploads: false } })).toBeNull()
  })

  it('as a file has all that match, whatever the page, and no cell is a formula', async () => {
    const word = fresh('file')
    for (const sign of ['=', 'a', 'b']) await make(`${sign}${word}`, { success: null })
    const { body } = await support.ask(faultyCsv, {
      search_term: word,
      per_page: 5,
      page: 9,
      sort_field: 'name',
      sort_order: 'asc',
    })
    const rows = parse(body as unknown as string, { columns: true, bom: true }) as Record<string, string>[]
    expect(rows.map((row) => row.Pharmacy!.replace(/file.*/, ''))).toEqual(["'=", 'a', 'b'])
    expect(rows[1]).toMatchObject({
      ...{ Company: company.name, Status: 'NEVER UPLOADED', 'Last good one (UTC)': '', 'Assigned to': '' },
      'Next step': 'Help the pharmacy set up its first upload.',
    })
    const found = (await support.ask(contract.audit.search, { action: 'etl.faultyCsv' })).body.results
    expect(found[0]).toMatchObject({ words: 'exported the list of faulty uploads' })
  })

  it('has the specification’s order, ten to a page', async () => {
    await empty()
    for (let at = 0; at < 4; at++) {
      await make('n', { success: null })
      await make('e', { uploads: [['ERROR', 0]] })
      await make('l', { uploads: [['NOT RECEIVED', 0]] })
    }
    const first = await ask()
    expect(first.etl_items.map(({ status }) => status)).toEqual([
      ...Array(4).fill('ERROR'),
      ...Array(4).fill('NOT RECEIVED'),
      ...Array(2).fill('NEVER UPLOADED'),
    ])
    expect(first).toMatchObject({ current_page: 1, page_count: 2, per_page: 10, total: 12 })
    expect((await ask({ page: 2 })).etl_items).toHaveLength(2)
    expect((await ask({ per_page: 5, sort_order: 'asc' })).etl_items.map(({ status }) => status)).toEqual([
      ...Array(4).fill('NEVER UPLOADED'),
      'NOT RECEIVED',
    ])
    expect((await ask({ status: 'ERROR' })).total).toBe(4)
  })

  it('has each once, whatever their addresses lack or share', async () => {
    await empty()
    const addresses: readonly (readonly [country: string, region: string | null, postcode: string | null])[] = [
      ['AU', null, '6000'],
      ['AU', '', '6000'],
      ['AU', 'WA', '6000'],
      ['US', 'WA', '98101'],
      ['US', null, '98101'],
      ['AU', null, null],
      ['AU', '', ''],
    ]
    const names: string[] = []
    for (const address of addresses) {
      const { id, name } = await make('Address', { uploads: [['ERROR', 0]] })
      await asOwner(server, 'update location set country = $2, region = $3, postcode = $4 where id = $1', [
        id,
        ...address,
      ])
      names.push(name)
    }
    const { etl_items, total } = await ask({ search_term: 'Address', per_page: 50 })
    expect(etl_items.map(({ name }) => name).sort()).toEqual(names.sort())
    expect(total).toBe(names.length)
  })

  it('counts by hours or by business days of the pharmacy’s own zone and region', async () => {
    await empty()
    const place = await make('Carlton', { success: 50 })
    expect(await stateOf(place.name, { filters: { show_no_uploads: true, hours: 49 } })).toBe('NOT RECEIVED')
    expect(await stateOf(place.name, { filters: { show_no_uploads: true, hours: 51 } })).toBeNull()
    // Success on Thursday 14 August 2025 at 20:00; by Thursday 21 at 09:00 four business days have passed.
    const now = server.services.now
    const at = (iso: string) => {
      server.services.now = () => new Date(iso)
    }
    const four = { filters: { show_no_uploads: true, business_days: 4 } }
    await asOwner(
      server,
      `update location set last_upload_at = '2025-08-14T20:00:00+10:00', region = 'QLD' where id = $1`,
      [place.id],
    )
    const login = await makeLogin(server, company.id, { flags: ['sr_login'] })
    try {
      at('2025-08-21T09:00:00+10:00')
      const tx = async () => {
        const { faultyHandlers } = await import('./faulty-list.ts')
        return server.services.pools.staff.transaction().execute(async (staff) => {
          const context = { staff, services: server.services, caller: { loginId: login.id } } as never
          const input = faulty.input.parse({ ...four, search_term: place.name })
          return (await faultyHandlers.faulty(input, context)).etl_items.map((row) => [row.status, row.silent_days])
        })
      }
      expect(await tx()).toEqual([['NOT RECEIVED', 4]])
      at('2025-08-20T09:00:00+10:00')
      expect(await tx()).toEqual([])
      at('2025-08-22T09:00:00+10:00')
      expect(await tx()).toEqual([['NOT RECEIVED', 5]])
    } finally {
      server.services.now = now
    }
  })
})

describe('a work list', () => {
  const one = async (name: string, input: Input = {}) => (await ask({ ...input, search_term: name })).etl_items[0]

  it('is assigned and noted, each with before and after in the audit', async () => {
    await empty()
    const place = await make('Fitzroy', { uploads: [['ERROR', 0]] })
    const person = (await support.ask(people, {})).body.data.find(({ me }) => me)!
    expect(person.uuid).toBe(support.login.uuid)
    const edit = async (more: object) => support.ask(work, { id: place.uuid, ...more })
    expect((await edit({ assigned_to: person.uuid, version: 0 })).body).toEqual({ version: 1 })
    expect((await edit({ note: ' They change their system on Friday. ', version: 1 })).body).toEqual({ version: 2 })
    expect(await one(place.name)).toMatchObject({
      ...{
        assigned_to: { uuid: person.uuid, name: person.name },
        note: 'They change their system on Friday.',
        version: 2,
      },
    })
    expect((await ask({ assigned: 'me' })).total).toBe(1)
    expect((await ask({ assigned: 'nobody' })).total).toBe(0)
    const stale = await edit({ note: 'x', version: 1 })
    expect([stale.status, stale.body.code]).toEqual([409, 'conflict'])
    expect((await edit({ assigned_to: place.uuid })).status).toBe(404)
    const log = await asOwner<{ detail: { changes: object[] } }>(
      server,
      `select detail from audit where action = 'etl.work' and object = $1 order by id`,
      [place.uuid],
    )
    expect(log.map(({ detail }) => detail.changes[0])).toMatchObject([
      { before: { assigned_to: null }, after: { assigned_to: person.name } },
      { before: { note: '' }, after: { note: 'They change their system on Friday.' } },
    ])
    await edit({ assigned_to: null })
    expect((await one(place.name))?.assigned_to).toBeNull()
  })

  it('snoozes a pharmacy until a date', async () => {
    const place = await make('Coburg', { uploads: [['ERROR', 0]] })
    const edit = (until: string | null) => support.ask(work, { id: place.uuid, snoozed_until: until })
    expect((await edit(ago(1))).body.message).toBe('Please choose a time in the future.')
    await edit(ago(-24))
    expect(await one(place.name)).toBeUndefined()
    expect(await one(place.name, { snoozed: true })).toMatchObject({ name: place.name })
    expect((await ask()).snoozed).toBe(1)
    await asOwner(server, 'update upload_work set snoozed_until = $2 where location_id = $1', [place.id, ago(1)])
    expect(await one(place.name)).toMatchObject({ name: place.name })
  })

  it('snoozes a pharmacy until its state changes, even to the same state of another upload', async () => {
    const place = await make('Preston', { success: 5, uploads: [['ERROR', 2]] })
    await support.ask(work, { id: place.uuid, snoozed_until_change: true })
    expect(await one(place.name)).toBeUndefined()
    expect(await one(place.name, { snoozed: true })).toMatchObject({ snoozed_until_change: true })
    await asOwner(
      server,
      `insert into upload (uuid, location_id, etl_state, data_source) values (gen_random_uuid(), $1, 'ERROR', 'z')`,
      [place.id],
    )
    expect(await one(place.name)).toMatchObject({ status: 'ERROR' })
  })
})
