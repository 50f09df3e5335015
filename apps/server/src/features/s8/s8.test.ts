import { contract } from '@pillar/contract'
import { addMonths, formatDay } from '@pillar/domain/time/day'
import { instantAt } from '@pillar/domain/time/local-time'
import { dayIn } from '@pillar/domain/time/zone'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { asOwner, makeLogin, type SignedIn, signIn } from '../../../test/people.ts'
import { entriesFile, entryRow, METHADONE, MORPHINE, productsFile } from '../../../test/register.ts'
import { startUploadServer, type TestPharmacy, type UploadServer } from '../../../test/upload.ts'

let server: UploadServer
let pharmacy: TestPharmacy
let uuid: string
let tab: SignedIn

const ZONE = 'Australia/Sydney'
const TODAY = dayIn(ZONE, new Date())
/** The day this many days ago at the pharmacy. */
const ago = (days: number) => formatDay(TODAY - days)

beforeAll(async () => {
  server = await startUploadServer()
  pharmacy = await server.pharmacy()
  uuid = (await asOwner<{ uuid: string }>(server, 'select uuid from location where id = $1', [pharmacy.id]))[0]!.uuid
  const old = { product_id: 'OLD', name: 'Pethidine 50 mg injection', inactive: '1' }
  const flower = { product_id: 'THC', name: 'THC 22% flower', cannabis: '1', custom: '1' }
  const never = { product_id: 'HYD', name: 'Hydromorphone 2 mg tablet' }
  await pharmacy.load({
    s8_products: productsFile([MORPHINE, METHADONE, old, flower, never]),
    s8_transactions: entriesFile([
      entryRow(1, 'opening', { quantity_in: '100', occurred_at: `${ago(70)}T09:00` }),
      entryRow(2, 'count', { counted: '100', occurred_at: `${ago(29)}T09:00`, note: 'Evening count' }),
      entryRow(3, 'opening', { product_id: 'ME5', quantity_in: '400', occurred_at: `${ago(60)}T09:00` }),
      entryRow(4, 'count', { product_id: 'ME5', counted: '400', occurred_at: `${ago(28)}T23:00` }),
      entryRow(5, 'odt_dose', {
        product_id: 'ME5',
        quantity_out: '8',
        patient_id: '7',
        occurred_at: `${ago(29)}T09:00`,
      }),
      entryRow(6, 'odt_dose', {
        product_id: 'ME5',
        quantity_out: '8',
        patient_id: '8',
        occurred_at: `${ago(30)}T09:00`,
      }),
      entryRow(7, 'supply', {
        quantity_out: '28',
        name: 'Ruth Hale',
        address: '3 Fern St',
        balance: '70',
        intern: '1',
        occurred_at: `${ago(3)}T23:30`,
      }),
      entryRow(8, 'opening', { product_id: 'OLD', quantity_in: '5', occurred_at: `${ago(60)}T09:00` }),
      entryRow(9, 'opening', { product_id: 'HYD', quantity_in: '0', occurred_at: `${ago(2)}T09:00` }),
    ]),
    s8_status: `taken_at,incoming_scripts,pending_odt_claims\n${ago(2)}T10:00,4,\n${ago(1)}T10:00,3,2\n`,
  })
  tab = await signIn(server, await makeLogin(server, pharmacy.companyId, { flags: ['ecdr'] }))
})
afterAll(() => server.close())

const ask = async <T = { results: Record<string, unknown>[] }>(path: string, body: object = {}, as = tab) => {
  const reply = await server.call<T & { total: number; last_page: number }>(
    path.replace('{location_uuid}', uuid),
    body,
    as.bearer,
  )
  expect([path, reply.status, reply.status === 200 ? '' : JSON.stringify(reply.body)]).toEqual([path, 200, ''])
  return reply.body
}

describe('S8 Management', () => {
  it('returns one line per pharmacy, with counts from the register beside those its system sends', async () => {
    const { results } = await ask(contract.s8.stats.path)
    expect(results).toEqual([
      expect.objectContaining({
        last_stocktake_taken_on: ago(28),
        // 29 days after a count that is valid for 28: overdue; after 28 days: not yet. A product never counted is not included.
        overdue_products_count: 1,
        incoming_script_count: 3,
        incoming_invoice_count: null,
        pending_countersigned_count: 1,
        // A dose 29 days ago counts today, one 30 days ago no longer does.
        active_opioid_replacement_oral_patient_count: 1,
        pending_opioid_replacement_oral_claim_count: 2,
        active_staged_supply_patient_count: 0,
        owner: null,
      }),
    ])
    expect((await ask(contract.s8.stats.path, { name: 'nobody' })).results).toEqual([])
  })

  it('lists products by state, tag and stock, first the active ones that are counted or overdue', async () => {
    const names = async (filter: object) =>
      (await ask(contract.s8.products.path, filter)).results.map((row) => [row.product_id, row.status])
    expect(await names({})).toEqual([
      ['ME5', 'counted'],
      ['M10', 'overdue'],
    ])
    expect(await names({ counted: false, overdue: false, never: true })).toEqual([
      ['HYD', 'never'],
      ['THC', 'never'],
    ])
    expect(await names({ never: true, active: false, in_stock: true })).toEqual([
      ['ME5', 'counted'],
      ['M10', 'overdue'],
      ['OLD', 'never'],
    ])
    expect(await names({ never: true, otp: true, custom: true })).toEqual([
      ['ME5', 'counted'],
      ['THC', 'never'],
    ])
    expect(await names({ s8_stocktake_warning_days: 27 })).toEqual([
      ['ME5', 'overdue'],
      ['M10', 'overdue'],
    ])
    await asOwner(server, 'update location set s8_stocktake_warning_days = 40 where id = $1', [pharmacy.id])
    expect(await names({})).toEqual([
      ['ME5', 'counted'],
      ['M10', 'counted'],
    ])
    await asOwner(server, 'update location set s8_stocktake_warning_days = null where id = $1', [pharmacy.id])
  })

  it('shows the entries of the last month, newest first, and records who looked', async () => {
    const { results, total } = await ask(contract.s8.drugRegister.path)
    // After a February the month before today begins later than 30 days ago.
    const since = formatDay(addMonths(TODAY, -1))
    const lately = [ago(2), ago(3), ago(30), ago(29), ago(28), ago(29)]
    const expected = [9, 7, 6, 5, 4, 2].filter((_, at) => lately[at]! >= since)
    expect([total, results.map((row) => row.transaction_product_id)]).toEqual([expected.length, expected])
    expect(results[1]).toMatchObject({
      ...{ product_name: 'Morphine 10 mg tablet', balance_check_status: 'incorrect', balance: 72, stated_balance: 70 },
      ...{ action: 'Supplied', name: 'Ruth Hale', out: 28, waits_for_countersign: true },
    })
    const only = async (filter: object) =>
      (await ask(contract.s8.drugRegister.path, filter)).results.map((row) => row.transaction_product_id)
    expect(await only({ balance: 'incorrect' })).toEqual([7])
    expect(await only({ countersigned: false })).toEqual([7])
    expect(await only({ name: 'ruth' })).toEqual([7])
    expect(await only({ start_date: ago(3), end_date: ago(3) })).toEqual([7])
    // A browser in Sydney sends its midnight as an instant of the evening before in UTC.
    const midnight = `${ago(4)}T14:00:00.000Z`
    expect(await only({ start_date: midnight, end_date: midnight })).toEqual([7])
    expect(await only({ start_date: `${ago(3)}T00:00:00`, end_date: `${ago(3)}T23:59:59` })).toEqual([7])
    const looks = await asOwner(
      server,
      `select object, detail ->> 'rows' as rows from audit where action = 's8.drugRegister' order by id limit 1`,
    )
    expect(looks).toEqual([{ object: uuid, rows: String(expected.length) }])
  })

  it('marks the entries of an erased patient, and keeps them complete', async () => {
    await asOwner(
      server,
      `insert into erasure_hold (location_id, source, number, erasure)
       select location_id, source, number, gen_random_uuid() from s8_entry where location_id = $1 and number = 7`,
      [pharmacy.id],
    )
    const { results } = await ask(contract.s8.drugRegister.path, { sort_order: 'desc' })
    expect(results.filter((row) => row.erased)).toMatchObject([{ transaction_product_id: 7, name: 'Ruth Hale' }])
  })

  it('exports both registers, with times in the requested zone', async () => {
    const file = async (path: string, more: object = {}) => {
      const reply = await server.call<string>(
        path.replace('{location_uuid}', uuid),
        { timezone: 'Australia/Perth', ...more },
        tab.bearer,
      )
      return [reply.status, String(reply.headers['content-disposition']), String(reply.body)] as const
    }
    const [status, name, text] = await file(contract.s8.drugRegisterCsv.path, { start_date: ago(3), end_date: ago(3) })
    expect([status, name]).toEqual([200, expect.stringContaining('_drug_register.csv')])
    // 23:30 in Sydney is two or three hours earlier in Perth.
    expect(text).toMatch(
      new RegExp(
        `7,${ago(3)} 2[01]:30,Australia/Perth,Morphine 10 mg tablet,Incorrect Balance,Supplied,Ruth Hale,3 Fern St,0,28,72,`,
      ),
    )
    expect(await file(contract.s8.productsCsv.path)).toEqual([
      200,
      expect.stringContaining('_stock_register.csv'),
      expect.stringContaining('Morphine 10 mg tablet,,72,tablets,'),
    ])
    expect((await file(contract.s8.productsCsv.path, { timezone: 'Mars/Olympus' }))[0]).toBe(422)
  })

  it('finds an entry by the register’s own number, by which the queue names it', async () => {
    const { results } = await ask<{ results: { transaction_product_id: number }[] }>(contract.s8.drugRegister.path, {
      ...{ name: '7', start_date: ago(30), end_date: ago(0) },
    })
    expect(results.map((one) => one.transaction_product_id)).toContain(7)
    const none = await ask<{ total: number }>(contract.s8.drugRegister.path, { name: '70707', start_date: ago(30) })
    expect(none.total).toBe(0)
  })

  it('puts what needs somebody into one queue, with the next step', async () => {
    const { results } = await ask<{
      results: { kind: string; transaction_product_id: number; what: string; days: number; next_step: string }[]
    }>(contract.s8.attention.path)
    expect(results.map(({ kind, transaction_product_id, days }) => [kind, transaction_product_id, days])).toEqual([
      ['balance', 7, 3],
      ['countersign', 7, 3],
      ['late', null, 0],
    ])
    expect(results[0]!.what).toBe('70 recorded where 72 should be, at transaction 7 by A. Petrou.')
    server.clock.offsetMs = 12 * 86_400_000
    tab = await signIn(server, await makeLogin(server, pharmacy.companyId, { flags: ['ecdr'] }))
    const later = await ask<{ now: Record<string, number> }>(contract.s8.attentionCounts.path)
    server.clock.offsetMs = 0
    expect(later.now).toMatchObject({ silent: 1, balance: 1, countersign: 1, late: 2, chain: 0, contradiction: 0 })
  })

  it('counts each week by the pharmacy’s own day: the last one is today’s, in the morning too, and a week without any is there', async () => {
    // Seven in the morning, while it is still the day before in UTC.
    server.clock.offsetMs = instantAt(ZONE, TODAY + 1, 7 * 60).getTime() - Date.now()
    tab = await signIn(server, await makeLogin(server, pharmacy.companyId, { flags: ['ecdr'] }))
    const { weeks } = await ask<{ weeks: object[] }>(contract.s8.attentionCounts.path)
    server.clock.offsetMs = 0
    expect(weeks).toHaveLength(9)
    expect(weeks[0]).toEqual({ day: ago(8 * 7 - 1), counts: {} })
    expect(weeks.slice(-2)).toEqual([
      { day: ago(6), counts: {} },
      { day: ago(-1), counts: { balance: 1, countersign: 1, late: 2 } },
    ])
  })

  it('still counts a product as late in the weeks before its first count', async () => {
    const other = await server.pharmacy()
    const opened = entryRow(1, 'opening', { quantity_in: '5', occurred_at: `${ago(60)}T09:00` })
    const counted = entryRow(2, 'count', { counted: '5', occurred_at: `${ago(0)}T00:00` })
    const reader = await signIn(server, await makeLogin(server, other.companyId, { flags: ['ecdr'] }))
    const late = async () => {
      const path = contract.s8.attentionCounts.path
      const { weeks } = await ask<{ weeks: { counts: Record<string, number> }[] }>(path, {}, reader)
      return weeks.map(({ counts }) => counts.late ?? 0)
    }
    await other.load({ s8_products: productsFile([MORPHINE]), s8_transactions: entriesFile([opened]) })
    // Due 31 days ago: late at the ends of four weeks and today. One at the other pharmacy was late five weeks ago and is today.
    expect(await late()).toEqual([0, 0, 0, 1, 1, 1, 1, 1, 2])
    await other.load({ s8_products: productsFile([MORPHINE]), s8_transactions: entriesFile([opened, counted]) })
    expect(await late()).toEqual([0, 0, 0, 1, 1, 1, 1, 1, 1])
  })

  it('provides a page of one product whose balance closes', async () => {
    tab = await signIn(server, await makeLogin(server, pharmacy.companyId, { flags: ['ecdr'] }))
    const page = await ask<{
      opening_balance: number
      closing_balance: number
      entries: { in: number; out: number }[]
      chain: { entries: number }
    }>(contract.s8.page.path, { product_id: 'M10', start_date: ago(30), end_date: ago(0) })
    const moved = page.entries.reduce((sum, one) => sum + one.in - one.out, 0)
    expect([page.opening_balance, moved, page.closing_balance, page.chain.entries]).toEqual([100, -28, 72, 9])
    const looks = await asOwner(
      server,
      `select object, detail ->> 'rows' as rows, detail ->> 'start_date' as from_day from audit where action = 's8.page'`,
    )
    expect(looks).toEqual([{ object: uuid, rows: String(page.entries.length), from_day: ago(30) }])
  })

  it('checks a register on request, and names the altered entry', async () => {
    expect(await ask(contract.s8.check.path)).toMatchObject({ entries: 9, fault: null })
    await asOwner(server, 'update s8_entry set quantity_out = 20 where location_id = $1 and number = 7', [pharmacy.id])
    const fault = 'Entry 7 (transaction 7) was altered or moved.'
    expect(await ask(contract.s8.check.path)).toMatchObject({ fault })
    expect((await ask<{ check: { fault: string } }>(contract.s8.info.path)).check.fault).toBe(fault)
    const { results } = await ask<{ results: { kind: string; what: string }[] }>(contract.s8.attention.path, {
      kind: 'chain',
    })
    expect(results).toEqual([expect.objectContaining({ kind: 'chain', what: fault })])
  })

  it('is open only to the company’s people with ecdr', async () => {
    const other = await signIn(server, await makeLogin(server, pharmacy.companyId, { flags: ['data_analytics'] }))
    const [company] = await asOwner<{ id: number }>(
      server,
      `insert into company (uuid, name, country) values (gen_random_uuid(), 'Rival', 'AU') returning id`,
    )
    const rival = await signIn(server, await makeLogin(server, company!.id, { flags: ['ecdr'] }))
    for (const call of [contract.s8.drugRegister, contract.s8.products, contract.s8.info, contract.s8.check]) {
      const path = call.path.replace('{location_uuid}', uuid)
      expect((await server.call(path, {}, other.bearer)).status).toBe(403)
      expect((await server.call(path, {}, rival.bearer)).status).toBe(404)
    }
    expect((await ask(contract.s8.stats.path, {}, rival)).results).toEqual([])
  })
})
