import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { DEEP } from '../../../../test/deep.ts'
import { asOwner, makeCompany, makeLocation } from '../../../../test/people.ts'
import { startTestServer, type TestServer } from '../../../../test/server.ts'
import { anchorFile } from '../../audit/anchor.ts'
import { registerAnchors } from './register-anchor.ts'
import { anchorRegisters, unanchoredRegisters, verifyRegisters } from './register-check.jobs.ts'
import { registerFaultSentence } from './verify-register.ts'

const ROWS = DEEP ? 1_000_000 : 3_000
vi.setConfig({ testTimeout: DEEP ? 3_600_000 : 60_000, hookTimeout: DEEP ? 3_600_000 : 60_000 })

let server: TestServer
let pharmacy: { id: number; name: string }

/** The input of an entry's hash, written out a second time. */
const LINE = `row(e.location_id, e.seq, e.source, e.number, e.product_name, e.product_id, e.entry_type, extract(epoch from e.occurred_at), e.party_name,
  e.party_address, e.patient_id, e.quantity_in, e.quantity_out, e.stated_balance, e.counted, e.stated_check, e.reference, e.prescribed, e.pharmacist,
  e.intern, e.second_signer, e.doctor, e.note, e.refers_to, extract(epoch from e.received_at), e.upload_id)::text`

/** Rehashes all entries of the pharmacy from some place on, and the head, as a forger would. */
const forge = (from: number, head = true) =>
  asOwner(
    server,
    `with start as (select coalesce((select hash from s8_entry where location_id = $1 and seq = $2 - 1), ''::bytea) as hash), anew as (
       select e.seq, s8_chain(start.hash, ${LINE}) over (order by e.seq rows unbounded preceding) as hash
       from s8_entry e, start where e.location_id = $1 and e.seq >= $2
     ), done as (update s8_entry e set hash = anew.hash from anew where e.location_id = $1 and e.seq = anew.seq returning e.seq, e.hash)
     ${head ? 'update s8_head h set seq = d.seq, hash = d.hash from (select * from done order by seq desc limit 1) d where h.location_id = $1' : 'select from done'}`,
    [pharmacy.id, from],
  )

async function fill(rows: number): Promise<void> {
  await asOwner(
    server,
    `insert into s8_entry (location_id, seq, source, number, product_id, product_name, entry_type, occurred_at, quantity_in, quantity_out,
       pharmacist, intern, received_at, upload_id, hash, party_name, note)
     select $1, n, 'canonical', n, 'P' || n % 50, 'Morphine ' || n % 50, case when n % 2 = 0 then 'supply' else 'receipt' end,
       timestamptz '2025-01-01' + n * interval '1 minute', case when n % 2 = 1 then 20 else 0 end, case when n % 2 = 0 then 10 else 0 end,
       'A. Petrou', false, timestamptz '2026-01-01', 1, '', 'Patient ' || n, case when n % 7 = 0 then 'said "no, thanks"' end
     from generate_series(1, $2::int) n`,
    [pharmacy.id, rows],
  )
  await asOwner(server, `insert into s8_head values ($1, 0, '')`, [pharmacy.id])
  await forge(1)
  await asOwner(
    server,
    `insert into s8_balance select location_id, source, number, sum(quantity_in - quantity_out) over (partition by product_id order by number), 'skipped'
     from s8_entry where location_id = $1`,
    [pharmacy.id],
  )
}

async function faults(): Promise<string[]> {
  const verdicts = await verifyRegisters(server.services)
  return verdicts.filter(({ fault }) => fault !== null).map(registerFaultSentence)
}

const change = (sql: string, ...more: unknown[]) => asOwner(server, sql, [pharmacy.id, ...more])

beforeAll(async () => {
  server = await startTestServer()
  const company = await makeCompany(server)
  pharmacy = await makeLocation(server, company.id, 'Harbour Street Pharmacy')
  await fill(ROWS)
  await anchorRegisters(server.services, await verifyRegisters(server.services))
})
afterAll(() => server.close())

const AT = Math.floor(ROWS / 2)

describe('a register of many entries', () => {
  it('is intact, and anchored with its count and its last link', async () => {
    const verdicts = await verifyRegisters(server.services)
    expect(verdicts).toEqual([{ locationId: pharmacy.id, pharmacy: pharmacy.name, entries: ROWS, fault: null }])
    expect((await registerAnchors(server.services)).get(pharmacy.id)).toMatchObject({ seq: ROWS })
  })

  beforeEach(() => change('create table if not exists kept as select * from s8_entry where location_id = $1'))

  /** Restores the entries at these places, and the head, and finds the register intact. */
  async function restore(from: number, to = from) {
    await change('delete from s8_entry where location_id = $1 and seq between $2 and $3', from, to)
    await change('insert into s8_entry select * from kept where location_id = $1 and seq between $2 and $3', from, to)
    await change(
      'update s8_head h set seq = k.seq, hash = k.hash from (select * from kept order by seq desc limit 1) k where h.location_id = $1',
    )
    expect(await faults()).toEqual([])
  }

  it('names the entry that was altered, and the pharmacy', async () => {
    await change('update s8_entry set quantity_out = quantity_out + 5 where location_id = $1 and seq = $2', AT)
    expect(await faults()).toEqual([`Harbour Street Pharmacy: entry ${AT} (transaction ${AT}) was altered or moved.`])
    await restore(AT)
  })

  it('is reported without an anchor in another folder, once a nightly job must have created one', async () => {
    const verdicts = await verifyRegisters(server.services)
    const elsewhere = { ...server.services, env: { DATA_DIR: mkdtempSync(join(tmpdir(), 'pillar-elsewhere-')) } }
    expect(await unanchoredRegisters(server.services, verdicts)).toEqual([])
    expect(await unanchoredRegisters(elsewhere, verdicts)).toEqual(verdicts)
    expect(await unanchoredRegisters(elsewhere, [{ ...verdicts[0]!, fault: { kind: 'altered' } as never }])).toEqual([])
    await change('update s8_entry set received_at = now() where location_id = $1 and seq = 1')
    expect(await unanchoredRegisters(elsewhere, verdicts)).toEqual([])
    await restore(1)
  })

  it('names a change in any field, even an empty one', async () => {
    for (const set of [
      `note = ''`,
      `pharmacist = 'A. Petrov'`,
      `number = number + 10000000`,
      `occurred_at = occurred_at + interval '1 microsecond'`,
    ]) {
      await change(`update s8_entry set ${set} where location_id = $1 and seq = $2`, AT)
      expect([set, (await faults())[0]]).toEqual([set, expect.stringContaining(`entry ${AT} `)])
      await change('delete from s8_entry where location_id = $1 and seq = $2', AT)
      await change('insert into s8_entry select * from kept where location_id = $1 and seq = $2', AT)
    }
    expect(await faults()).toEqual([])
  })

  it('names the entry that was removed', async () => {
    await change('delete from s8_entry where location_id = $1 and seq = $2', AT)
    expect(await faults()).toEqual([`Harbour Street Pharmacy: entry ${AT} was removed or moved.`])
    await restore(AT)
    // Chained anew without it, the others tell no less.
    await change('delete from s8_entry where location_id = $1 and seq = $2', ROWS - 1)
    await forge(ROWS - 2)
    expect(await faults()).toEqual([`Harbour Street Pharmacy: entry ${ROWS - 1} was removed or moved.`])
    await restore(ROWS - 2, ROWS)
  })

  it('names the first of two entries that changed places', async () => {
    await change(
      'update s8_entry set seq = seq + 10000000 where location_id = $1 and seq in ($2::bigint, $2::bigint + 7)',
      AT,
    )
    await change(
      `update s8_entry set seq = case seq when 10000000 + $2::bigint then $2::bigint + 7 else $2::bigint end
       where location_id = $1 and seq > 10000000`,
      AT,
    )
    expect(await faults()).toEqual([expect.stringContaining(`Harbour Street Pharmacy: entry ${AT} `)])
    await restore(AT, AT + 7)
  })

  it('misses entries that were cut off at the end, even if the head was cut with them', async () => {
    const words = `Harbour Street Pharmacy: entry ${ROWS} and all after it were cut off.`
    await change('delete from s8_entry where location_id = $1 and seq = $2', ROWS)
    expect(await faults()).toEqual([words])
    await change(
      'update s8_head h set seq = e.seq, hash = e.hash from s8_entry e where h.location_id = $1 and e.location_id = $1 and e.seq = $2::bigint - 1',
      ROWS,
    )
    expect(await faults()).toEqual([words])
    await restore(ROWS)
  })

  it('does not fit a head with another hash', async () => {
    await change('update s8_head set hash = sha256(hash) where location_id = $1')
    expect(await faults()).toEqual([expect.stringContaining(`entry ${ROWS} or entries before it were rewritten`)])
    await restore(ROWS)
  })

  it('does not fit its anchor if every hash after a change was calculated again', async () => {
    await change(`update s8_entry set party_name = 'Somebody else' where location_id = $1 and seq = $2`, AT)
    await forge(AT)
    expect(await faults()).toEqual([
      `Harbour Street Pharmacy: entry ${ROWS} or entries before it were rewritten since they were anchored.`,
    ])
    await restore(AT, ROWS)
  })

  it('is missed if all of it has disappeared, including the head', async () => {
    await change('delete from s8_entry where location_id = $1')
    await change('delete from s8_head where location_id = $1')
    expect(await faults()).toEqual([expect.stringMatching(/entry 1 and all after it were cut off/)])
    await change(`insert into s8_head values ($1, 0, '')`)
    await restore(1, ROWS)
  })

  it('names a balance that differs from the sum of the entries', async () => {
    await change('update s8_balance set balance = balance + 1 where location_id = $1 and number = $2', AT)
    expect(await faults()).toEqual([
      `Harbour Street Pharmacy: the balance shown for transaction ${AT} is not what its entries add up to.`,
    ])
    await change('update s8_balance set balance = balance - 1 where location_id = $1 and number = $2', AT)
    const move = (from: number, to: number) =>
      change('update s8_balance set number = $3 where location_id = $1 and number = $2', from, to)
    await move(ROWS, ROWS + 1)
    expect(await faults()).toEqual([expect.stringContaining(`the balance shown for transaction ${ROWS} `)])
    await move(ROWS + 1, ROWS)
    expect(await faults()).toEqual([])
  })

  it('is not checked against anchors that were altered', async () => {
    const file = anchorFile(server.services.env.DATA_DIR, 's8')
    const was = readFileSync(file, 'utf8')
    writeFileSync(file, was.replace(String(ROWS), String(ROWS - 1)))
    await expect(verifyRegisters(server.services)).rejects.toThrow('Line 1 of')
    writeFileSync(file, was)
  })
})
