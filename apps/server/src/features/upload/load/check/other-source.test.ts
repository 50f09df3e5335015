import { day as dayOf, formatDay } from '@pillar/domain/time/day'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startUploadServer, type UploadServer } from '../../../../../test/upload.ts'

let server: UploadServer
beforeAll(async () => {
  server = await startUploadServer()
})
afterAll(() => server.close())

const LAST = dayOf('2026-10-31')
const BASE = { patients: 'patient_id\n1\n', drugs: 'drug_id,name,atc\nA,Rosuvastatin,C10AA07\n' }
/** A script on each of some days, the last so many days before 31 October. */
const scripts = (count: number, back: number) => ({
  ...BASE,
  scripts: `script_id,dispensed_on,patient_id,drug_id\n${Array.from({ length: count }, (_, at) => `s${at},${formatDay(LAST - back - at)},1,A`).join('\n')}\n`,
})
const FRED = { data_source: 'fred' }

it('history that another system of the pharmacy already sent is refused, because it would count twice', async () => {
  const pharmacy = await server.pharmacy()
  await pharmacy.load(scripts(100, 30), FRED)
  for (const fields of [{}, { initial_upload: 'true' }] as Record<string, string>[]) {
    const refused = await pharmacy.load(scripts(120, 0), fields)
    expect(refused).toMatchObject({ etl_state: 'ERROR' })
    expect(refused.notes).toBe(
      'scripts.csv has scripts of 90 days of which scripts from Fred Dispense Classic are stored: they would count twice. Nothing was changed. Send only the days since the pharmacy changed its system, or ask support to override this check.',
    )
  }
  expect(await pharmacy.scripts()).toHaveLength(100)
})

it('a week of overlap is loaded, and so is every later upload of the new system', async () => {
  const pharmacy = await server.pharmacy()
  await pharmacy.load(scripts(100, 23), FRED)
  expect(await pharmacy.load(scripts(30, 0))).toMatchObject({ etl_state: 'COMPLETED' })
  expect(await pharmacy.load(scripts(60, 0))).toMatchObject({ etl_state: 'COMPLETED' })
  expect(await pharmacy.load(scripts(60, 0), { initial_upload: 'true' })).toMatchObject({ etl_state: 'ERROR' })
})

it('support can override the refusal', async () => {
  const pharmacy = await server.pharmacy()
  await pharmacy.load(scripts(30, 0), FRED)
  const sent = await pharmacy.upload(scripts(30, 0))
  expect(await pharmacy.settled(sent.body.uuid)).toMatchObject({ etl_state: 'ERROR' })
  await sql`update upload set etl_state = 'OVERRIDE' where uuid = ${sent.body.uuid}`.execute(server.owner)
  await server.recover()
  expect(await pharmacy.settled(sent.body.uuid)).toMatchObject({ etl_state: 'COMPLETED' })
})
