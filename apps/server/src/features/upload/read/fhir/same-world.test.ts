import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { DEEP } from '../../../../../test/deep.ts'
import { startTestServer, type TestServer } from '../../../../../test/server.ts'
import { resourcesOf, sayable } from '../../../../../test/world/fhir-world.ts'
import { rowsOnlyIn, truthOf } from '../../../../../test/world/upload-truth.ts'
import { piecesOf, type Row, wholeOf, worldSizes } from '../../../../../test/world/upload-world.ts'
import { ensureCompany } from '../../../location/location.queries.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

const RUNS = DEEP ? 500 : 25

it('the same uploads as FHIR and in Pillar’s own format store the same rows and figures', {
  timeout: 1_800_000,
}, async () => {
  const { services } = server
  const company = (name: string) => ensureCompany(services.pools.system, { name, country: 'AU' })
  const [own, fhir] = await Promise.all([company('Own Format'), company('As FHIR')])
  let scripts = 0
  await fc.assert(
    fc.asyncProperty(worldSizes(true), fc.infiniteStream(fc.nat(1_000_000)), async (size, numbers) => {
      const made = piecesOf(size)
      const drugs = new Map(
        (wholeOf(made).files.drugs?.rows ?? []).map((row): [string, Row] => [row.drug_id ?? '', row]),
      )
      const pieces = sayable(made, drugs)
      const dice = (sides: number) => (numbers.next().value as number) % sides
      const canonical = await truthOf(services, own.id, pieces)
      const asFhir = await truthOf(services, fhir.id, pieces, {
        source: 'fhir',
        files: (piece) => resourcesOf(piece, dice),
      })
      const same = asFhir.replaceAll('"source": "fhir"', '"source": "canonical"')
      if (same !== canonical) expect(rowsOnlyIn(same, canonical)).toEqual(rowsOnlyIn(canonical, same))
      scripts += (JSON.parse(canonical) as { scripts: unknown[] }).scripts.length
    }),
    { numRuns: RUNS },
  )
  expect(scripts).toBeGreaterThan(RUNS)
})
