import { readFileSync } from 'node:fs'
import { contract } from '@pillar/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { asOwner, makeLogin, signIn } from '../../../../test/people.ts'
import { entriesFile, entryRow, MORPHINE, productsFile, type RegisterRow } from '../../../../test/register.ts'
import { startUploadServer, type TestPharmacy, type UploadServer } from '../../../../test/upload.ts'
import { inScope } from '../../../db/scope.ts'
import { anchorRegisters, verifyRegisters } from '../verify/register-check.jobs.ts'
import { readRegisterHeads } from '../verify/verify-register.queries.ts'
import { verifyOne, verifyScope } from '../verify/verify-register.ts'

let server: UploadServer
beforeAll(async () => {
  server = await startUploadServer()
})
afterAll(() => server.close())

const PRODUCTS = productsFile([MORPHINE])

async function verdictOf({ companyId, id }: TestPharmacy) {
  const scope = { companyId, locationIds: [id] }
  const [verdict] = await verifyScope(server.services.pools.app, scope, new Map(), new Date())
  return verdict!
}

describe('evidence beside the entries', () => {
  it('is also chained: a contradiction or a count that is altered, removed or cut off is found', async () => {
    const pharmacy = await server.pharmacy()
    const sent = (quantity_in: string) => entriesFile([entryRow(1, 'opening', { quantity_in })])
    const status = (day: number) => `taken_at,incoming_scripts\n2026-11-0${day}T10:00,${day}\n`
    await pharmacy.load({ s8_products: PRODUCTS, s8_transactions: sent('7'), s8_status: status(1) })
    await pharmacy.load({ s8_transactions: sent('8'), s8_status: status(2) })
    await pharmacy.load({ s8_transactions: sent('9'), s8_status: status(2) })
    const fault = async () => (await verdictOf(pharmacy)).fault
    expect(await fault()).toBeNull()
    const owner = (statement: string) => asOwner(server, statement, [pharmacy.id])
    const [head] = await owner('select evidence_seq::int as seq from s8_head where location_id = $1')
    expect(head).toEqual({ seq: 4 })
    const found = (seq: number) => ({ seq, number: null, what: 'evidence' })
    await owner(`update s8_status set incoming_scripts = 5 where location_id = $1 and seq = 1`)
    expect(await fault()).toEqual(found(1))
    await owner(`update s8_status set incoming_scripts = 1 where location_id = $1 and seq = 1`)
    await owner(
      `update s8_contradiction set content = content || '{"note": "mine"}' where location_id = $1 and seq = 2`,
    )
    expect(await fault()).toEqual(found(2))
    await owner(`update s8_contradiction set content = content || '{"note": null}' where location_id = $1 and seq = 2`)
    expect(await fault()).toBeNull()
    await owner('delete from s8_contradiction where location_id = $1 and seq = 4')
    expect(await fault()).toEqual(found(4))
    await owner('update s8_head set evidence_seq = 3 where location_id = $1')
    expect(await fault()).toEqual(found(3))
    await owner('delete from s8_status where location_id = $1 and seq = 3')
    expect(await fault()).toEqual(found(3))
  })

  it('is no fault if it arrives while the check is running', async () => {
    const pharmacy = await server.pharmacy()
    const scope = { companyId: pharmacy.companyId, locationIds: [pharmacy.id] }
    const { app } = server.services.pools
    const status = (day: number) => `taken_at,incoming_scripts\n2026-11-0${day}T10:00,${day}\n`
    await pharmacy.load({ s8_products: PRODUCTS, s8_status: status(1) })
    const [head] = await inScope(app, scope, readRegisterHeads)
    await pharmacy.load({ s8_status: status(2) })
    const check = () => inScope(app, scope, (tx) => verifyOne(tx, head!, undefined, new Date()))
    expect((await check()).fault).toBeNull()
    // Nor are the first entries of a register that had only counts.
    await pharmacy.load({ s8_transactions: entriesFile([entryRow(1, 'opening', { quantity_in: '7' })]) })
    expect((await check()).fault).toBeNull()
    await asOwner(server, 'update s8_head set seq = 0 where location_id = $1', [pharmacy.id])
    expect((await check()).fault).toMatchObject({ what: 'truncated' })
  })

  it('does not fit its anchor if its newest records and the head were cut off together', async () => {
    const pharmacy = await server.pharmacy()
    const status = 'taken_at,incoming_scripts\n2026-11-01T10:00,1\n2026-11-02T10:00,2\n'
    await pharmacy.load({ s8_products: PRODUCTS, s8_status: status })
    await anchorRegisters(server.services, await verifyRegisters(server.services))
    await asOwner(server, 'delete from s8_status where location_id = $1 and seq = 2', [pharmacy.id])
    await asOwner(
      server,
      `update s8_head h set evidence_seq = 1, evidence_hash = t.hash from s8_status t
       where h.location_id = $1 and t.location_id = $1 and t.seq = 1`,
      [pharmacy.id],
    )
    expect((await verdictOf(pharmacy)).fault).toBeNull()
    const verdicts = await verifyRegisters(server.services)
    expect(verdicts.find(({ locationId }) => locationId === pharmacy.id)?.fault).toEqual({
      ...{ seq: 2, number: null, what: 'evidence' },
    })
  })

  it('that arrived before is chained by the migration', async () => {
    const pharmacy = await server.pharmacy()
    const sent = (quantity_in: string) => entriesFile([entryRow(1, 'opening', { quantity_in })])
    const status = 'taken_at,incoming_scripts\n2026-11-01T10:00,1\n2026-11-02T10:00,2\n'
    await pharmacy.load({ s8_products: PRODUCTS, s8_transactions: sent('7'), s8_status: status })
    await pharmacy.load({ s8_transactions: sent('8') })
    for (const table of ['s8_contradiction', 's8_status'])
      await asOwner(server, `alter table ${table} drop column seq, drop column hash`)
    await asOwner(server, 'alter table s8_head drop column evidence_seq, drop column evidence_hash')
    await asOwner(server, readFileSync(new URL('../../../../migrations/0105_s8_evidence.sql', import.meta.url), 'utf8'))
    const [head] = await asOwner(server, 'select evidence_seq::int as seq from s8_head where location_id = $1', [
      pharmacy.id,
    ])
    expect([head, (await verdictOf(pharmacy)).fault]).toEqual([{ seq: 3 }, null])
    await pharmacy.load({ s8_transactions: sent('9') })
    expect((await verdictOf(pharmacy)).fault).toBeNull()
  })
})

it('both versions of an entry show all that differs: the balance each stated, the reference, who signed', async () => {
  const pharmacy = await server.pharmacy()
  const sent = (more: RegisterRow) => entriesFile([entryRow(1, 'opening', { quantity_in: '7', ...more })])
  await pharmacy.load({ s8_products: PRODUCTS, s8_transactions: sent({ balance: '7', reference: 'INV 1' }) })
  await pharmacy.load({ s8_transactions: sent({ balance: '8', reference: 'INV 2', second_signer: 'L. Moran' }) })
  const [place] = await asOwner<{ uuid: string }>(server, 'select uuid from location where id = $1', [pharmacy.id])
  const tab = await signIn(server, await makeLogin(server, pharmacy.companyId, { flags: ['ecdr'] }))
  const path = contract.s8.contradiction.path.replace('{location_uuid}', place!.uuid)
  const { body } = await server.call<object>(path, { transaction_product_id: 1 }, tab.bearer)
  const same = { in: 7, product_name: 'Morphine 10 mg tablet', doctor: null }
  expect(body).toMatchObject({
    kept: { ...same, stated_balance: 7, reference_number: 'INV 1', second_signer: null },
    sent: [{ ...same, stated_balance: 8, reference_number: 'INV 2', second_signer: 'L. Moran' }],
  })
  // The printed page of the register says so too.
  const asked = { product_id: 'M10', start_date: '2026-10-31', end_date: '2026-11-02' }
  const page = await server.call<object>(
    contract.s8.page.path.replace('{location_uuid}', place!.uuid),
    asked,
    tab.bearer,
  )
  expect(page.body).toMatchObject({ entries: [{ in: 7 }], contradicted: [1] })
})
