import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { DEEP } from '../../../../../../test/deep.ts'
import { startTestServer, type TestServer } from '../../../../../../test/server.ts'
import { rowsOnlyIn, truthOf } from '../../../../../../test/world/upload-truth.ts'
import type { Piece } from '../../../../../../test/world/upload-world.ts'
import { ensureCompany } from '../../../../location/location.queries.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

const RUNS = DEEP ? 300 : 20

const lastUpdated = (version: number) => new Date(Date.UTC(2026, 9, 1) + version * 60_000).toISOString()
const PRODUCTS = ['Rosuvastatin 10 mg', 'Metformin 500 mg', 'Amoxicillin 500 mg']

/** A change of one resource: which one, and to what. Its place in the list is its time. */
const change = fc.oneof(
  fc.record({
    type: fc.constant('Patient'),
    id: fc.constantFrom('p1', 'p2'),
    gender: fc.constantFrom('female', 'male', 'unknown'),
    birthDate: fc.constantFrom('1950-02-03', '1961-12'),
  }),
  fc.record({ type: fc.constant('Medication'), id: fc.constantFrom('m1', 'm2'), name: fc.constantFrom(...PRODUCTS) }),
  fc.record({
    type: fc.constant('MedicationRequest'),
    id: fc.constantFrom('r1', 'r2'),
    patient: fc.constantFrom('p1', 'p2'),
    repeats: fc.constantFrom(0, 2, 5),
    status: fc.constantFrom('active', 'active', 'active', 'completed', 'draft', 'entered-in-error'),
    intent: fc.constantFrom('order', 'order', 'order', 'proposal'),
    bare: fc.constantFrom(false, true),
  }),
  fc.record({
    type: fc.constant('MedicationDispense'),
    id: fc.constantFrom('s1', 's2', 's3', 's4', 's5'),
    patient: fc.constantFrom('p1', 'p2'),
    product: fc.constantFrom('m1', 'm2'),
    day: fc.integer({ min: 1, max: 300 }),
    status: fc.constantFrom('completed', 'completed', 'completed', 'entered-in-error', 'on-hold'),
    number: fc.integer({ min: 1, max: 5 }),
    bare: fc.constantFrom(false, false, true),
  }),
  fc.record({ type: fc.constant('Bundle'), id: fc.constantFrom('s1', 's2', 's3', 's4', 's5') }),
)
type Change = { type: string; id: string } & Record<string, unknown>

function resource(of: Change, version: number): object {
  const { type, id, name, patient, product, repeats, day, number, ...more } = of
  const uses = {
    subject: { reference: `Patient/${patient}` },
    medicationReference: { reference: `Medication/${product ?? 'm1'}` },
  }
  const meta = { lastUpdated: lastUpdated(version) }
  if (type === 'Bundle')
    return { resourceType: type, meta, entry: [{ request: { method: 'DELETE', url: `MedicationDispense/${id}` } }] }
  // A record taken back may be stripped of all its content.
  if (more.bare && more.status === 'entered-in-error') return { resourceType: type, id, meta, status: more.status }
  if (type === 'Patient') return { resourceType: type, id, meta, ...more }
  if (type === 'Medication') return { resourceType: type, id, meta, code: { text: name } }
  if (type === 'MedicationRequest')
    return {
      resourceType: type,
      id,
      meta,
      status: more.status,
      intent: more.intent,
      ...uses,
      dispenseRequest: { numberOfRepeatsAllowed: repeats },
    }
  return {
    ...{ resourceType: type, id, meta, ...uses, ...more },
    ...{ authorizingPrescription: [{ reference: 'MedicationRequest/r1' }], daysSupply: { value: 30 } },
    whenHandedOver: new Date(Date.UTC(2026, 0, 1) + Number(day) * 86_400_000).toISOString().slice(0, 10),
    extension: [{ url: 'http://hl7.org.au/fhir/StructureDefinition/dispense-number', valueInteger: number }],
  }
}

/** What exists before any change: everyone and everything the others refer to. */
const BEGIN: Change[] = [
  ...['p1', 'p2'].map((id) => ({ type: 'Patient', id })),
  ...['m1', 'm2'].map((id) => ({ type: 'Medication', id, name: PRODUCTS[0] })),
]

const piece = (resources: object[]): Piece => ({
  initial: false,
  from: null,
  to: null,
  files: { patients: { columns: [], rows: resources as never } },
})
/** The resources of a piece as files, one per type, in the given order. */
const written = {
  source: 'fhir',
  files: ({ files }: Piece) => {
    const resources = (files.patients?.rows ?? []) as unknown as { resourceType: string }[]
    const types = [...new Set(resources.map((one) => one.resourceType))]
    const text = (type: string) =>
      resources.filter((one) => one.resourceType === type).map((one) => `${JSON.stringify(one)}\n`)
    return Object.fromEntries(types.map((type) => [type === 'Bundle' ? 'deleted' : type, text(type).join('')]))
  },
}

it('in whatever order the versions of resources arrive, the newest of each is stored and counted', {
  timeout: 1_800_000,
}, async () => {
  const { services } = server
  const [one, other] = await Promise.all(
    ['In Any Order', 'Newest Only'].map((name) => ensureCompany(services.pools.system, { name, country: 'AU' })),
  )
  const world = fc.record({
    changes: fc.array(change, { minLength: 1, maxLength: 14 }),
    keys: fc.array(fc.nat(1000), { minLength: 14, maxLength: 14 }),
    pieces: fc.integer({ min: 1, max: 4 }),
  })
  await fc.assert(
    fc.asyncProperty(world, async ({ changes, keys, pieces }) => {
      const begun = BEGIN.map((of) => resource(of, 0))
      const made = changes.map((of, at) => ({
        of: of as Change,
        made: resource(of as Change, at + 1),
        key: keys[at] ?? 0,
      }))
      const shuffled = made.toSorted((a, b) => a.key - b.key)
      const parts = Array.from({ length: pieces }, (_, at) =>
        piece(shuffled.filter((_one, n) => n % pieces === at).map((each) => each.made)),
      )
      const newest = new Map(
        [...BEGIN.map((of) => ({ of, made: resource(of, 0) })), ...made].map((each) => [
          `${each.of.type === 'Bundle' ? 'MedicationDispense' : each.of.type}/${each.of.id}`,
          each.made,
        ]),
      )
      const stored = await truthOf(services, one!.id, [piece(begun), ...parts], written)
      const once = await truthOf(services, other!.id, [piece([...newest.values()])], written)
      if (stored !== once) expect(rowsOnlyIn(stored, once)).toEqual(rowsOnlyIn(once, stored))
    }),
    { numRuns: RUNS },
  )
})
