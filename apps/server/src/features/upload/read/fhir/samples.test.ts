import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { FHIR_FILES } from '@pillar/domain/upload/upload-file'
import { type Files, startUploadServer, type TestPharmacy, type UploadServer } from '../../../../../test/upload.ts'

let server: UploadServer
let pharmacy: TestPharmacy
beforeAll(async () => {
  server = await startUploadServer()
  pharmacy = await server.pharmacy('Australia/Brisbane')
})
afterAll(() => server.close())

const sample = (): Files =>
  Object.fromEntries(
    FHIR_FILES.map((name) => [name, readFileSync(new URL(`../../../../../test/data/fhir/${name}.ndjson`, import.meta.url))]),
  )

describe('published examples', () => {
  it('loads', async () => {
    const status = await pharmacy.load(sample(), { data_source: 'fhir' })
    console.log(JSON.stringify(status, null, 1))
    console.log(await pharmacy.scripts())
  })
})
