import { copyFileSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { writtenAt } from '../../../test/field/contacts.ts'
import { type Files, startUploadServer, type UploadServer } from '../../../test/upload.ts'
import { sendUpload } from '../../cli/send-upload.ts'
import { inScope } from '../../db/scope.ts'

let server: UploadServer
beforeAll(async () => {
  server = await startUploadServer()
})
afterAll(() => server.close())

const PATIENTS = 'patient_id,sex,date_of_birth,mobile\n1,F,1950-02-03,0491570156\n2,M,1961-12-31,\n'
const DRUGS = 'drug_id,name,atc,pack_size\nA,Rosuvastatin 10 mg tablet,C10AA07,30\n'
const PRESCRIPTIONS = 'prescription_id,patient_id,drug_id,repeats_authorised\np1,1,A,5\n'
const HEADER = 'script_id,dispensed_on,patient_id,drug_id,prescription_id,repeats_left,patient_price,patient_type'
const scripts = (...rows: string[]) => `${[HEADER, ...rows].join('\n')}\n`
const dated = (id: string, day: string, price = '7.70') => `${id},${day},1,A,p1,5,${price},Concession`
const ALL: Files = {
  patients: PATIENTS,
  drugs: DRUGS,
  prescriptions: PRESCRIPTIONS,
  scripts: scripts(
    dated('a', '2026-01-10'),
    dated('b', '2026-02-10'),
    dated('c', '2026-03-10'),
    dated('d', '2026-04-10'),
  ),
}
const ids = (rows: { source_id: string }[]) => rows.map((row) => row.source_id).join('')

describe('sending again', () => {
  it('the same content, compressed or not, is recognised and not loaded again', async () => {
    const pharmacy = await server.pharmacy()
    const first = await pharmacy.upload(ALL)
    await pharmacy.settled(first.body.uuid)
    const before = await pharmacy.fingerprint()
    const packed = Object.fromEntries(Object.entries(ALL).map(([name, text]) => [name, gzipSync(text)]))
    const again = await pharmacy.upload(packed)
    expect(again.body).toEqual({ uuid: first.body.uuid, etl_state: 'COMPLETED', repeated: true })
    expect(await pharmacy.fingerprint()).toBe(before)
  })

  it('the same content after another upload undoes that one, and is loaded again', async () => {
    const pharmacy = await server.pharmacy()
    await pharmacy.load(ALL)
    const price = (cents: string) => ({ scripts: scripts(dated('a', '2026-01-10', cents)) })
    const paid = async () => (await pharmacy.scripts())[0]?.cents
    for (const [amount, cents] of [
      ['9.90', 990],
      ['7.70', 770],
      ['9.90', 990],
    ] as const) {
      const sent = await pharmacy.upload(price(amount))
      expect(sent.body.repeated).toBe(false)
      await pharmacy.settled(sent.body.uuid)
      expect(await paid()).toBe(cents)
    }
    expect((await pharmacy.upload(price('9.90'))).body.repeated).toBe(true)
  })

  it('the same rows in another upload change nothing', async () => {
    const pharmacy = await server.pharmacy()
    await pharmacy.load(ALL)
    const before = (await pharmacy.fingerprint()).split('|').slice(0, 6)
    const status = await pharmacy.load(ALL, { to: '2026-04-30' })
    expect(status.notes).toBe('Scripts: 0 new, 0 changed.')
    expect((await pharmacy.fingerprint()).split('|').slice(0, 4)).toEqual(before.slice(0, 4))
  })

  it('a changed row is updated, and the last row of a repeated id counts', async () => {
    const pharmacy = await server.pharmacy()
    await pharmacy.load(ALL)
    const status = await pharmacy.load({
      scripts: scripts(dated('b', '2026-02-10', '1.00'), dated('b', '2026-02-11', '9.00')),
    })
    expect(status.notes).toBe('1 rows of scripts.csv repeat an id; the last of each counts. Scripts: 0 new, 1 changed.')
    expect((await pharmacy.scripts())[1]).toMatchObject({ source_id: 'b', day: '2026-02-11', cents: 900 })
  })
})

describe('partial and initial uploads', () => {
  it('a partial upload never deletes, and a missing column keeps its value', async () => {
    const pharmacy = await server.pharmacy()
    await pharmacy.load(ALL)
    await pharmacy.load({ patients: 'patient_id,sex\n1,M\n', scripts: scripts(dated('e', '2026-05-10')) })
    expect(ids(await pharmacy.scripts())).toBe('abcde')
    const { rows } = await sql`select sex, date_of_birth, patient_type from patient
      where location_id = ${pharmacy.id} and source_id = '1'`.execute(server.owner)
    expect(rows).toEqual([{ sex: 'M', date_of_birth: '1950-02-03', patient_type: 2 }])
    expect(await writtenAt(server, pharmacy.id)).toMatchObject({ 1: { mobile: '0491570156', email: null } })
  })

  it('the latest supply says who pays, not a line put on file, reversed or refunded after it', async () => {
    const pharmacy = await server.pharmacy()
    await pharmacy.load(ALL)
    const later = `${HEADER},deferred,reversed`
    const rows = [
      'f,2026-05-10,1,A,p1,5,7.70,DVA,1,',
      'g,2026-05-11,1,A,p1,5,7.70,Private,,1',
      'h,2026-05-12,1,A,p1,5,-7.70,General,,',
    ]
    await pharmacy.load({ scripts: `${[later, ...rows].join('\n')}\n` })
    const type = async () =>
      (
        await sql`select patient_type from patient where location_id = ${pharmacy.id} and source_id = '1'`.execute(
          server.owner,
        )
      ).rows
    expect(await type()).toEqual([{ patient_type: 2 }])
    await pharmacy.load({ scripts: `${later}\nf,2026-05-10,1,A,p1,5,7.70,DVA,,\n` })
    expect(await type()).toEqual([{ patient_type: 4 }])
  })

  it('an initial upload is the full record of its dates: missing rows are deleted', async () => {
    const pharmacy = await server.pharmacy()
    await pharmacy.load(ALL)
    const fewer = { scripts: scripts(dated('b', '2026-02-10'), dated('d', '2026-04-10')) }
    const status = await pharmacy.load(fewer, { initial_upload: 'true' })
    expect(status.notes).toBe('Scripts: 0 new, 0 changed, 1 deleted that this initial upload no longer holds.')
    expect(ids(await pharmacy.scripts())).toBe('abd')
    const rest = { scripts: scripts(dated('b', '2026-02-10'), dated('d', '2026-04-10')) }
    await pharmacy.load(rest, { initial_upload: 'true', from: '2026-01-01', to: '2026-04-30' })
    expect(ids(await pharmacy.scripts())).toBe('bd')
  })

  it('less than half of the last initial upload is refused until support overrides', async () => {
    const pharmacy = await server.pharmacy()
    await pharmacy.load(ALL, { initial_upload: 'true' })
    const before = await pharmacy.fingerprint()
    const sent = await pharmacy.upload(
      { scripts: scripts(dated('a', '2026-01-10')) },
      { initial_upload: 'true', from: '2026-01-01', to: '2026-12-31' },
    )
    const refused = await pharmacy.settled(sent.body.uuid)
    expect(refused.etl_state).toBe('ERROR')
    expect(refused.notes).toContain(
      'scripts.csv has 1 rows for 2026-01-01 to 2026-12-31, less than half of the 4 scripts stored of these days',
    )
    expect(await pharmacy.fingerprint()).toBe(before)
    await sql`update upload set etl_state = 'OVERRIDE' where uuid = ${sent.body.uuid}`.execute(server.owner)
    await server.recover()
    expect(await pharmacy.settled(sent.body.uuid)).toMatchObject({ etl_state: 'COMPLETED' })
    expect(ids(await pharmacy.scripts())).toBe('a')
  })

  it('an empty initial upload deletes nothing', async () => {
    const pharmacy = await server.pharmacy()
    await pharmacy.load(ALL)
    const before = await pharmacy.fingerprint()
    const range = { initial_upload: 'true', from: '2026-01-01', to: '2026-12-31' }
    expect(await pharmacy.load({ scripts: scripts() }, range)).toMatchObject({
      etl_state: 'ERROR',
      notes: expect.stringContaining('holds no row to load'),
    })
    expect(await pharmacy.fingerprint()).toBe(before)
  })

  it('a faulty row of an initial upload does not delete its script', async () => {
    const pharmacy = await server.pharmacy()
    const rows = Array.from({ length: 200 }, (_, at) => dated(`s${at}`, '2026-02-10'))
    await pharmacy.load({ ...ALL, scripts: scripts(...rows) }, { initial_upload: 'true' })
    const status = await pharmacy.load(
      { scripts: scripts(...rows.slice(0, 199), 's199,2026-02-10,1,A,p1,5,many,Concession') },
      { initial_upload: 'true' },
    )
    expect(status).toMatchObject({ etl_state: 'COMPLETED', fault_count: 1 })
    expect(await pharmacy.scripts()).toHaveLength(200)
  })
})

describe('values calculated by a load', () => {
  it('supply numbers from repeats, on the prescription or the script', async () => {
    const pharmacy = await server.pharmacy()
    const head =
      'script_id,dispensed_on,patient_id,drug_id,prescription_id,supply_number,repeats_authorised,repeats_left'
    const rows = [
      'a,2026-01-01,1,A,p1,,,5',
      'b,2026-02-01,1,A,p1,,,3',
      'c,2026-03-01,1,A,,,2,0',
      'd,2026-04-01,1,A,p1,6,,2',
      'e,2026-05-01,1,A,,,,1',
    ]
    await pharmacy.load({ ...ALL, scripts: `${[head, ...rows].join('\n')}\n` })
    expect((await pharmacy.scripts()).map((row) => row.k)).toEqual([1, 3, 3, 6, null])
  })

  it('the data ends at the stated end, never after today, and never moves back', async () => {
    const pharmacy = await server.pharmacy()
    const reach = async () =>
      (
        await sql<{
          data_from: string
          data_to: string
        }>`select data_from, data_to from location where id = ${pharmacy.id}`.execute(server.owner)
      ).rows[0]
    await pharmacy.load(ALL)
    expect(await reach()).toEqual({ data_from: '2026-01-10', data_to: '2026-04-10' })
    await pharmacy.load({ patients: PATIENTS }, { to: '2026-06-01' })
    expect(await reach()).toMatchObject({ data_to: '2026-06-01' })
    await pharmacy.load({ drugs: DRUGS }, { to: '2026-05-01' })
    expect(await reach()).toMatchObject({ data_to: '2026-06-01' })
    await pharmacy.load({ scripts: scripts(dated('z', '2026-01-01')) }, { to: '2099-01-01T00:00:00Z' })
    const today = new Intl.DateTimeFormat('en-CA', { timeZone: 'Australia/Sydney' }).format(new Date())
    expect(await reach()).toEqual({ data_from: '2026-01-01', data_to: today })
  })

  it('figures are available as soon as it is COMPLETED', async () => {
    const pharmacy = await server.pharmacy()
    await pharmacy.load(ALL)
    const { rows } = await sql<{ scripts: number; revenue: number }>`
      select scripts, revenue_cents as revenue from metric_total where location_id = ${pharmacy.id} and period = 202500`.execute(
      server.owner,
    )
    expect(rows).toEqual([{ scripts: 4, revenue: 3080 }])
  })
})

describe('a real sample', () => {
  it('loads completely: every fill, with its bad data', async () => {
    const pharmacy = await server.pharmacy()
    const folder = mkdtempSync(join(tmpdir(), 'omop-'))
    for (const name of ['person', 'drug_exposure'])
      copyFileSync(new URL(`../../../test/data/synpuf50_${name}.csv`, import.meta.url), join(folder, `${name}.csv`))
    const sent = await sendUpload({
      url: server.url,
      key: pharmacy.key,
      source: 'omop',
      folder,
      initial: true,
      shiftDays: 5802,
    })
    expect(sent).toMatchObject({ etl_state: 'COMPLETED', fault_count: 0, repeated: false })
    expect(sent.files).toMatchObject([
      { file_type: 'drug_exposure', rows: 2140, loaded: 2140, faulty: 0 },
      { file_type: 'person', rows: 50, loaded: 50, faulty: 0 },
    ])
    const stored = await inScope(
      server.services.pools.app,
      { companyId: 0, locationIds: [pharmacy.id] },
      async (tx) =>
        (
          await sql<{ n: number; people: number; unnamed: number; assumed: number; first: string; last: string }>`
        with s as materialized (select drug_id, patient_id, days_basis, dispensed_on from script)
        select count(*)::int as n, count(distinct s.patient_id)::int as people,
               count(*) filter (where d.name like 'Unnamed drug%')::int as unnamed, count(*) filter (where s.days_basis = 5)::int as assumed,
               min(s.dispensed_on)::text as first, max(s.dispensed_on)::text as last
        from s join drug d on d.id = s.drug_id`.execute(tx)
        ).rows[0],
    )
    // 67 fills have no name; 244 + 51 have no days' supply or 0, and nothing to derive it from.
    expect(stored).toEqual({ n: 2140, people: 43, unnamed: 67, assumed: 295, first: '2023-11-29', last: '2026-11-18' })
    const counted = await sql<{ scripts: number }>`
      with c as materialized (select * from metric_cell)
      select coalesce(sum(script_count), 0)::int as scripts from c join subcategory s on s.id = c.subcategory_id
      where c.location_id = ${pharmacy.id} and c.period between 202601 and 202612 and s.name = 'Metformin'`.execute(
      server.owner,
    )
    expect(counted.rows[0]?.scripts).toBeGreaterThan(0)
  })
})
