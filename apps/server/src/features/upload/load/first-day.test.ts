import { afterAll, beforeAll, expect, it } from 'vitest'
import { startUploadServer, type UploadServer } from '../../../../test/upload.ts'

let server: UploadServer
beforeAll(async () => {
  server = await startUploadServer()
})
afterAll(() => server.close())

const BASE = { patients: 'patient_id\n1\n', drugs: 'drug_id,name,atc\nA,Rosuvastatin,C10AA07\n' }
const scripts = (...days: string[]) =>
  `script_id,dispensed_on,patient_id,drug_id\n${days.map((day, at) => `s${at},${day},1,A`).join('\n')}\n`

it('a first script more than 60 days before the next is reported until its date is corrected', async () => {
  const pharmacy = await server.pharmacy()
  const rest = ['2026-02-10', '2026-03-10', '2026-03-11']
  const status = await pharmacy.load({ ...BASE, scripts: scripts('2016-02-10', '2016-02-10', ...rest) })
  expect(status.notes).toContain(
    'The first script of this record is dated 2016-02-10, 3653 days before the next: check its date.',
  )
  const corrected = await pharmacy.load({ scripts: scripts('2026-02-10', '2026-02-10') })
  expect(corrected.notes).not.toContain('check its date')
})

it('a gap of 60 days, later gaps and a record of one day are not', async () => {
  for (const days of [
    ['2026-01-01', '2026-03-02', '2026-09-01'],
    ['2026-01-01'],
    ['2026-01-01', '2026-01-02', '2026-08-01'],
  ]) {
    const status = await (await server.pharmacy()).load({ ...BASE, scripts: scripts(...days) })
    expect(status).toMatchObject({ etl_state: 'COMPLETED', notes: `Scripts: ${days.length} new, 0 changed.` })
  }
  const status = await (await server.pharmacy()).load({ ...BASE, scripts: scripts('2026-01-01', '2026-03-03') })
  expect(status.notes).toContain('61 days before the next')
})
