import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { asOwner } from '../../../../../../test/people.ts'
import { startUploadServer, type TestPharmacy, type UploadServer } from '../../../../../../test/upload.ts'

let server: UploadServer
beforeAll(async () => {
  server = await startUploadServer({ env: { UPLOAD_DAY_COUNT: '1000' } })
})
afterAll(() => server.close())

const FHIR = { data_source: 'fhir' }
const line = (resource: object) => `${JSON.stringify(resource)}\n`
const Patient = line({ resourceType: 'Patient', id: 'p1', birthDate: '1950-02-03' })
const Medication = line({ resourceType: 'Medication', id: 'm1', code: { text: 'Rosuvastatin 10 mg' } })
const uses = { subject: { reference: 'Patient/p1' }, medicationReference: { reference: 'Medication/m1' } }
const on = (day: number) => ({ meta: { lastUpdated: `2026-07-0${day}T10:00:00Z` } })
const request = (day: number, more: object = {}) =>
  line({
    ...{ resourceType: 'MedicationRequest', id: 'r1', ...on(day), status: 'active', intent: 'order', ...uses },
    ...{ dispenseRequest: { numberOfRepeatsAllowed: 5 }, ...more },
  })
const MedicationDispense = [1, 3, 4]
  .map((number) =>
    line({
      ...{ resourceType: 'MedicationDispense', id: `s${number}`, ...on(1), status: 'completed', ...uses },
      ...{ whenHandedOver: `2026-0${number}-01`, daysSupply: { value: 30 } },
      extension: [{ url: 'http://hl7.org.au/fhir/StructureDefinition/dispense-number', valueInteger: number }],
      authorizingPrescription: [{ reference: 'MedicationRequest/r1' }],
    }),
  )
  .join('')
const WRONG = { resourceType: 'MedicationRequest', id: 'r1', status: 'entered-in-error' }

/** The stored prescriptions of a pharmacy, what its scripts name, and the scripts that count as supplied elsewhere. */
async function stored({ id }: TestPharmacy) {
  const requests = await asOwner(
    server,
    `select source_id, repeats_authorised from prescription where location_id = ${id}`,
  )
  const scripts = await asOwner(
    server,
    `select distinct prescription_id is null as unknown, prescription_ref from script where location_id = ${id}`,
  )
  const [leaked] = await asOwner(
    server,
    `select sum(leaked_slots)::int as n from metric_cell where location_id = ${id}`,
  )
  return { requests, scripts, leaked: leaked?.n }
}

describe('a request whose newer version is no prescription', () => {
  const versions: [string, string][] = [
    ['entered in error', request(2, { status: 'entered-in-error' })],
    ['entered in error, with nothing but its id', line({ ...WRONG, ...on(2) })],
    ['a draft', request(2, { status: 'draft' })],
    ['a proposal', request(2, { intent: 'proposal' })],
  ]
  it.each(versions)('as %s is deleted, and figures are as if it had never been sent', async (_name, newer) => {
    const [pharmacy, never] = [await server.pharmacy(), await server.pharmacy()]
    await pharmacy.load({ Patient, Medication, MedicationRequest: request(1), MedicationDispense }, FHIR)
    expect((await stored(pharmacy)).requests).toEqual([{ source_id: 'r1', repeats_authorised: 5 }])
    const status = await pharmacy.load({ MedicationRequest: newer }, FHIR)
    expect(status).toMatchObject({ etl_state: 'COMPLETED', fault_count: 0 })
    expect(status.notes).toContain(
      'Prescriptions deleted because a newer version of their request is not a prescription: 1.',
    )
    await never.load({ Patient, Medication, MedicationDispense }, FHIR)
    expect(await stored(pharmacy)).toEqual({ ...(await stored(never)), requests: [] })
    expect((await stored(pharmacy)).scripts).toEqual([{ unknown: true, prescription_ref: 'r1' }])
    // An older version that comes late does not bring it back; a newer one does.
    await pharmacy.load({ MedicationRequest: request(1, { authoredOn: '2026-01-01' }) }, FHIR)
    expect((await stored(pharmacy)).requests).toEqual([])
    await pharmacy.load({ MedicationRequest: request(3) }, FHIR)
    expect(await stored(pharmacy)).toMatchObject({
      requests: [{ source_id: 'r1', repeats_authorised: 5 }],
      scripts: [{ unknown: false, prescription_ref: null }],
    })
  })

  it('in one file decides by its version, and without versions by its place', async () => {
    const files = { Patient, Medication, MedicationDispense }
    const requests = async (...lines: string[]) => {
      const pharmacy = await server.pharmacy()
      const status = await pharmacy.load({ ...files, MedicationRequest: lines.join('') }, FHIR)
      expect(status).toMatchObject({ etl_state: 'COMPLETED', fault_count: 0 })
      return (await stored(pharmacy)).requests.length
    }
    const bare = (of: object) => line({ ...WRONG, ...of })
    const plain = request(1, { meta: undefined })
    expect(await requests(bare(on(2)), request(1))).toBe(0)
    expect(await requests(request(2), bare(on(1)))).toBe(1)
    expect(await requests(plain, bare({}))).toBe(0)
    expect(await requests(bare({}), plain)).toBe(1)
    // Beside a line with a version, one without is the older, wherever it stands.
    expect(await requests(request(2), bare({}), plain)).toBe(1)
    expect(await requests(bare(on(2)), plain)).toBe(0)
  })

  it('no longer rules out the supply numbers above its repeats', async () => {
    const pharmacy = await server.pharmacy()
    const few = request(1, { dispenseRequest: { numberOfRepeatsAllowed: 2 } })
    await pharmacy.load({ Patient, Medication, MedicationRequest: few, MedicationDispense }, FHIR)
    expect((await pharmacy.scripts()).map(({ k }) => k)).toEqual([1, 3, null])
    await pharmacy.load({ MedicationRequest: request(2, { status: 'draft' }) }, FHIR)
    expect((await pharmacy.scripts()).map(({ k }) => k)).toEqual([1, 3, 4])
  })
})
