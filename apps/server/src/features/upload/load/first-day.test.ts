import { afterAll, beforeAll, expect, it } from 'vitest'
import { asOwner } from '../../../../test/people.ts'
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

it('lines that are reversed or put on file move neither end of the data', async () => {
  const pharmacy = await server.pharmacy()
  const line = (id: string, day: string, more = ',') => `${id},${day},1,A,${more}\n`
  const file = (...lines: string[]) => ({
    ...BASE,
    scripts: `script_id,dispensed_on,patient_id,drug_id,reversed,deferred\n${lines.join('')}`,
  })
  const range = async () =>
    (
      await asOwner(
        server,
        `select data_from::text as from, data_to::text as to, span.from as first, span.to as last
         from location l, lateral (select first_day::text as from, last_day::text as to from upload u
           where u.location_id = l.id order by u.id desc limit 1) span where l.id = ${pharmacy.id}`,
      )
    )[0]
  const counted = [line('a', '2026-03-01'), line('b', '2026-04-01')]
  const wrong = [line('w1', '2016-01-01', '1,'), line('w2', '2026-09-01', '1,'), line('w3', '2026-09-02', ',1')]
  const expected = { from: '2026-03-01', to: '2026-04-01', first: '2026-03-01', last: '2026-04-01' }
  const status = await pharmacy.load(file(...counted, ...wrong))
  expect(status.notes).not.toContain('check its date')
  expect(await range()).toEqual(expected)
  await pharmacy.load(file(line('old', '2016-06-01')))
  expect(await range()).toMatchObject({ from: '2016-06-01' })
  // A script reversed later also leaves the range.
  await pharmacy.load(file(line('old', '2016-06-01', '1,')))
  expect(await range()).toMatchObject({ from: '2026-03-01', to: '2026-04-01' })
})
