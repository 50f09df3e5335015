import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startUploadServer, type UploadServer } from '../../../../../test/upload.ts'

let server: UploadServer
beforeAll(async () => {
  server = await startUploadServer({ env: { UPLOAD_DAY_COUNT: '1000' } })
})
afterAll(() => server.close())

const FHIR = { data_source: 'fhir' }
const line = (resource: object) => `${JSON.stringify(resource)}\n`
const Patient = line({ resourceType: 'Patient', id: 'p1', birthDate: '1950-02-03' })
const Medication = line({ resourceType: 'Medication', id: 'm1', code: { text: 'Rosuvastatin 10 mg' } })
const dispense = (at: number, more: object = {}) =>
  line({
    ...{ resourceType: 'MedicationDispense', id: `s${at}`, status: 'completed', subject: { reference: 'Patient/p1' } },
    ...{
      medicationReference: { reference: 'Medication/m1' },
      whenHandedOver: `2026-0${1 + at}-10`,
      daysSupply: { value: 30 },
    },
    ...more,
  })
const deleted = (...urls: string[]) =>
  line({
    ...{ resourceType: 'Bundle', id: 'b', type: 'transaction' },
    entry: urls.map((url) => ({ request: { method: 'DELETE', url } })),
  })
const SIX = [0, 1, 2, 3, 4, 5]

describe('a resource that a bulk export lists as deleted', () => {
  it('disappears with everything counted from it, as if it had never been sent', async () => {
    const [whole, fewer] = [await server.pharmacy(), await server.pharmacy()]
    const kept = SIX.filter((at) => at !== 2 && at !== 5)
    await whole.load({ Patient, Medication, MedicationDispense: SIX.map((at) => dispense(at)).join('') }, FHIR)
    await fewer.load({ Patient, Medication, MedicationDispense: kept.map((at) => dispense(at)).join('') }, FHIR)
    const status = await whole.load(
      {
        deleted:
          deleted('MedicationDispense/s2') +
          deleted('https://ehr.example/fhir/MedicationDispense/s5', 'MedicationDispense/s404'),
      },
      FHIR,
    )
    expect(status).toMatchObject({ etl_state: 'COMPLETED', fault_count: 0 })
    expect(status.files).toMatchObject([{ file_type: 'deleted', rows: 2, loaded: 2, faulty: 0 }])
    expect(status.notes).toContain('Scripts deleted because their source deleted them: 2.')
    const ids = async (pharmacy: typeof whole) =>
      (await pharmacy.scripts()).map(({ source_id, days }) => [source_id, days])
    expect(await ids(whole)).toEqual(await ids(fewer))
    const figures = async (pharmacy: typeof whole) => {
      const { rows } = await sql<{ text: string }>`
        select string_agg((to_jsonb(c) - 'location_id')::text, ',' order by c.period, c.category_id, c.subcategory_id) as text
        from metric_cell c where location_id = ${pharmacy.id}`.execute(server.owner)
      return rows[0]?.text
    }
    expect(await figures(whole)).toBe(await figures(fewer))
  })

  it('stays if the same upload sends it, and if it is a person or a product, which is reported', async () => {
    const pharmacy = await server.pharmacy()
    const files = { Patient, Medication, MedicationDispense: SIX.map((at) => dispense(at)).join('') }
    await pharmacy.load(files, FHIR)
    const status = await pharmacy.load(
      { MedicationDispense: dispense(1), deleted: deleted('MedicationDispense/s1', 'Patient/p1', 'Medication/m1') },
      FHIR,
    )
    expect(status.notes).toContain(
      'deleted.ndjson: 2 deletions left out (Patient/p1; Medication/m1): only dispenses are deleted.',
    )
    expect(await pharmacy.scripts()).toHaveLength(SIX.length)
  })

  it('may also be a dispense line with only "entered-in-error": the last line counts', async () => {
    const pharmacy = await server.pharmacy()
    const bare = (at: number) => line({ resourceType: 'MedicationDispense', id: `s${at}`, status: 'entered-in-error' })
    await pharmacy.load({ Patient, Medication, MedicationDispense: SIX.map((at) => dispense(at)).join('') }, FHIR)
    const lines = [bare(0), dispense(1), bare(1), bare(2), dispense(2)]
    const status = await pharmacy.load({ MedicationDispense: lines.join('') }, FHIR)
    expect(status).toMatchObject({ etl_state: 'COMPLETED', fault_count: 0 })
    expect(status.notes).toContain('Scripts deleted because their source deleted them: 2.')
    expect((await pharmacy.scripts()).map(({ source_id }) => source_id)).toEqual(['s2', 's3', 's4', 's5'])
  })

  it('and is older than the stored one deletes nothing, not even in an initial upload', async () => {
    const pharmacy = await server.pharmacy()
    const on = (day: number) => ({ meta: { lastUpdated: `2026-07-0${day}T10:00:00Z` } })
    const six = SIX.map((at) => dispense(at, on(2)))
    await pharmacy.load({ Patient, Medication, MedicationDispense: six.join('') }, FHIR)
    const bare = line({ resourceType: 'MedicationDispense', id: 's1', status: 'entered-in-error', ...on(1) })
    const lines = [...six.filter((_one, at) => at !== 1), bare].join('')
    await pharmacy.load({ MedicationDispense: lines }, { ...FHIR, initial_upload: 'true' })
    expect((await pharmacy.scripts()).map(({ source_id }) => source_id)).toContain('s1')
  })

  const taken: [string, object][] = [
    ['a patient nobody knows', { subject: { reference: 'Patient/p404' } }],
    ['a product nobody knows', { medicationReference: { reference: 'Medication/m404' } }],
    ['a month alone', { whenHandedOver: '2026-02' }],
    ['a day to come', { whenHandedOver: '2099-01-01' }],
    ['a patient by a number nobody has', { subject: { identifier: { system: 'urn:mrn', value: '404' } } }],
    ['a reference that is none', { subject: { reference: 'p1' } }],
    ['an amount below zero', { quantity: { value: -30 } }],
  ]
  it.each(taken)('may also be a line that is no supply and names %s', async (_what, odd) => {
    for (const status of ['cancelled', 'entered-in-error', 'stopped', 'on-hold']) {
      const pharmacy = await server.pharmacy()
      await pharmacy.load({ Patient, Medication, MedicationDispense: SIX.map((at) => dispense(at)).join('') }, FHIR)
      const sent = await pharmacy.load({ MedicationDispense: dispense(1, { status, ...odd }) }, FHIR)
      expect(sent).toMatchObject({ etl_state: 'COMPLETED', fault_count: 0 })
      expect(sent.notes).toContain('Scripts deleted because their source deleted them: 1.')
      expect(sent.notes).toContain('any supply stored under the same id was deleted.')
      expect((await pharmacy.scripts()).map(({ source_id }) => source_id)).toEqual(['s0', 's2', 's3', 's4', 's5'])
    }
  })

  it('is a faulty line for a completed dispense of an unknown patient, and reverts nothing', async () => {
    const pharmacy = await server.pharmacy()
    const many = Array.from({ length: 120 }, (_, at) => dispense(0, { id: `g${at}` }))
    await pharmacy.load({ Patient, Medication, MedicationDispense: many.join('') }, FHIR)
    const odd = dispense(0, { id: 'g0', subject: { reference: 'Patient/p404' } })
    const status = await pharmacy.load({ MedicationDispense: [...many.slice(1), odd].join('') }, FHIR)
    expect(status).toMatchObject({ etl_state: 'COMPLETED', fault_count: 1 })
    expect((await pharmacy.scripts()).map(({ source_id }) => source_id)).toContain('g0')
  })

  const broken: [string, string, RegExp][] = [
    [
      'an entry that creates',
      line({ resourceType: 'Bundle', entry: [{ request: { method: 'POST', url: 'Patient' } }] }),
      /entry\[0\]\.request\.method POST is not DELETE/,
    ],
    [
      'a deletion of many',
      deleted('MedicationDispense?status=completed'),
      /entry\[0\]\.request\.url .* does not name one resource/,
    ],
    [
      'a dispense',
      dispense(1),
      /resourceType MedicationDispense is another type; deleted\.ndjson holds resources of Bundle only/,
    ],
  ]
  it.each(broken)('with %s is refused', async (_name, text, why) => {
    const pharmacy = await server.pharmacy()
    const status = await pharmacy.load({ deleted: text }, FHIR)
    expect(status.etl_state).toBe('ERROR')
    const [fault] = status.faults
    expect(`${fault?.column} ${fault?.value} ${fault?.reason}`).toMatch(why)
  })
})
