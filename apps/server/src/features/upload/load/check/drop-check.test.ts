import { day as dayOf, formatDay } from '@pillar/domain/time/day'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startUploadServer, type TestPharmacy, type UploadServer } from '../../../../../test/upload.ts'

let server: UploadServer
beforeAll(async () => {
  server = await startUploadServer()
})
afterAll(() => server.close())

const LAST = dayOf('2026-10-31')
const dayAt = (back: number) => formatDay(LAST - back)
const BASE = { patients: 'patient_id\n1\n2\n3\n4\n', drugs: 'drug_id,name,atc\nA,Rosuvastatin,C10AA07\n' }
/** A script on each of several days before the last, named by its day. */
const scripts = (backs: readonly number[]) =>
  `script_id,dispensed_on,patient_id,drug_id\n${backs.map((back) => `s${back},${dayAt(back)},1,A`).join('\n')}\n`
const days = (count: number, first = 0) => Array.from({ length: count }, (_, at) => first + at)
const over = (count: number) => ({ initial_upload: 'true', from: dayAt(count - 1), to: dayAt(0) })

async function withYear(): Promise<TestPharmacy> {
  const pharmacy = await server.pharmacy()
  const status = await pharmacy.load({ ...BASE, scripts: scripts(days(400)) }, over(400))
  expect(status).toMatchObject({ etl_state: 'COMPLETED' })
  return pharmacy
}

describe('an initial upload of a range is compared with the stored rows of the same days', () => {
  it('30 days after 400 are loaded, even with fewer patients in their file', async () => {
    const pharmacy = await withYear()
    const status = await pharmacy.load({ patients: 'patient_id\n1\n', scripts: scripts(days(30)) }, over(30))
    expect(status).toMatchObject({ etl_state: 'COMPLETED' })
    expect(await pharmacy.scripts()).toHaveLength(400)
  })

  it('half of the stored scripts of these days may be missing, and not one more', async () => {
    const pharmacy = await withYear()
    const refused = await pharmacy.load({ scripts: scripts(days(14)) }, over(30))
    expect(refused).toMatchObject({ etl_state: 'ERROR' })
    expect(refused.notes).toContain(
      `scripts.csv has 14 rows for ${dayAt(29)} to ${dayAt(0)}, less than half of the 30 scripts stored of these days`,
    )
    expect(await pharmacy.scripts()).toHaveLength(400)
    const taken = await pharmacy.load({ scripts: scripts(days(15)) }, over(30))
    expect(taken).toMatchObject({ etl_state: 'COMPLETED' })
    expect(await pharmacy.scripts()).toHaveLength(385)
  })

  it('rows of other days do not make up for missing ones', async () => {
    const pharmacy = await withYear()
    const refused = await pharmacy.load({ scripts: scripts([...days(14), ...days(200, 100)]) }, over(30))
    expect(refused).toMatchObject({ etl_state: 'ERROR', notes: expect.stringContaining('less than half') })
  })

  it('scripts that nightly uploads added count as stored', async () => {
    const pharmacy = await server.pharmacy()
    await pharmacy.load({ ...BASE, scripts: scripts(days(10, 20)) }, over(30))
    await pharmacy.load({ scripts: scripts(days(20)) })
    const refused = await pharmacy.load({ scripts: scripts(days(10, 20)) }, over(30))
    expect(refused).toMatchObject({ etl_state: 'ERROR', notes: expect.stringContaining('the 30 scripts stored') })
  })

  it('without a stated range the file must match the last initial upload, and the days it spans', async () => {
    const pharmacy = await withYear()
    const whole = { initial_upload: 'true' }
    const short = await pharmacy.load({ scripts: scripts(days(199)) }, whole)
    expect(short.notes).toContain('scripts.csv has 199 rows, less than half of the 400 of the last initial upload')
    const thin = await pharmacy.load({ scripts: scripts([...days(150), 399]) }, { ...whole, from: dayAt(399) })
    expect(thin.notes).toContain('less than half of the 400 scripts stored of these days')
  })

  it('other files are compared if the new upload covers as many days as the last', async () => {
    const pharmacy = await withYear()
    const fewer = await pharmacy.load({ patients: 'patient_id\n1\n', scripts: scripts(days(400)) }, over(400))
    expect(fewer.notes).toContain('patients.csv has 1 rows, less than half of the 4 of the last initial upload')
  })

  it('a file is compared with the last initial upload that had it, not with one that had other files', async () => {
    const pharmacy = await withYear()
    const whole = { initial_upload: 'true' }
    expect(await pharmacy.load({ drugs: BASE.drugs }, whole)).toMatchObject({ etl_state: 'COMPLETED' })
    const fewer = await pharmacy.load({ patients: 'patient_id\n1\n', scripts: scripts(days(400)) }, whole)
    expect(fewer.notes).toContain('patients.csv has 1 rows, less than half of the 4 of the last initial upload')
  })

  it('the last initial upload is the newest that was loaded: none that was refused, and no nightly one', async () => {
    const pharmacy = await withYear()
    const patients = (count: number) =>
      `patient_id\n${Array.from({ length: count }, (_, at) => `${at + 1}\n`).join('')}`
    const whole = (count: number) => pharmacy.load({ patients: patients(count) }, { initial_upload: 'true' })
    expect(await pharmacy.load({ patients: patients(1) })).toMatchObject({ etl_state: 'COMPLETED' })
    for (let again = 0; again < 2; again++)
      expect((await whole(1)).notes).toContain('patients.csv has 1 rows, less than half of the 4')
    expect(await whole(2)).toMatchObject({ etl_state: 'COMPLETED' })
    expect(await whole(1)).toMatchObject({ etl_state: 'COMPLETED' })
  })

  it('faulty rows are not missing, and days after the range or scripts of another system are not compared', async () => {
    const pharmacy = await withYear()
    const faulty = ['x1,never,1,A', 'x2,never,1,A'].map((line) => `${line}\n`).join('')
    const half = await pharmacy.load({ scripts: scripts(days(198, 202)) + faulty }, over(400))
    expect(half).toMatchObject({ etl_state: 'COMPLETED' })
    expect(await pharmacy.scripts()).toHaveLength(198)
    const shorter = { initial_upload: 'true', from: dayAt(399), to: dayAt(30) }
    const older = await pharmacy.load({ patients: 'patient_id\n1\n', scripts: scripts(days(198, 202)) }, shorter)
    expect(older).toMatchObject({ etl_state: 'COMPLETED' })
    const other = { ...over(7), from: dayAt(208), to: dayAt(202), data_source: 'fred' }
    expect(await pharmacy.load({ ...BASE, scripts: scripts([205]) }, other)).toMatchObject({ etl_state: 'COMPLETED' })
  })
})
