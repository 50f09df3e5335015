import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startUploadServer, type UploadServer } from '../../../../../test/upload.ts'

let server: UploadServer
beforeAll(async () => {
  server = await startUploadServer()
})
afterAll(() => server.close())

const patients = (...rows: string[]) => ({
  patients: `patient_id,first_name,last_name,date_of_birth\n${rows.join('\n')}\n`,
})
const OURS = ['1,Ruth,Hale,1956-04-04', '2,John,Poe,1961-05-05', '3,Ann,Roe,1971-06-06', '4,Kim,Li,1981-07-07']
const THEIRS = ['1,Omar,Vale,1999-01-01', '2,Ida,Stone,1944-02-02', '3,Lou,Marsh,1988-03-03', '5,Eve,Hill,1950-04-04']
const DRUGS = { drugs: 'drug_id,name,atc\nA,Rosuvastatin,C10AA07\n' }
const scripts = (...rows: string[]) => ({ scripts: `script_id,dispensed_on,patient_id,drug_id\n${rows.join('\n')}\n` })

it('patients of another pharmacy under this one’s key are refused: they would take over consent and history; support can override', async () => {
  const pharmacy = await server.pharmacy()
  await pharmacy.load(patients(...OURS))
  const before = await pharmacy.fingerprint()
  for (const initial_upload of ['false', 'true']) {
    const refused = await pharmacy.load(patients(...THEIRS), { initial_upload })
    expect(refused).toMatchObject({ etl_state: 'ERROR' })
    expect(refused.notes).toContain(
      'patients.csv: of 3 rows whose patient_id is stored, 3 are other people. Either these files are another pharmacy’s, or ids were given anew. Nothing was changed.',
    )
  }
  expect(await pharmacy.fingerprint()).toBe(before)
  const sent = await pharmacy.upload(patients(...THEIRS, '6,Una,Wood,1950-04-04'))
  await pharmacy.settled(sent.body.uuid)
  await sql`update upload set etl_state = 'OVERRIDE' where uuid = ${sent.body.uuid}`.execute(server.owner)
  await server.recover()
  expect(await pharmacy.settled(sent.body.uuid)).toMatchObject({ etl_state: 'COMPLETED' })
  expect(await pharmacy.fingerprint()).not.toBe(before)
})

it('corrections are loaded: a married name, a birth, capitals, a name where there was none; a reused id is noted', async () => {
  const pharmacy = await server.pharmacy()
  await pharmacy.load(patients(...OURS, '5,,,1950-01-01', '6,Ida,Vale,', '7,Lou,Marsh,1988-03-03'))
  const corrected = await pharmacy.load(
    patients(
      '1,Ruth,Poe,1956-04-14',
      '2,JOHN,POE,1961-05-15',
      '3,Anne,Roe,1971-06-07',
      '4,Kimberly,Lim,1981-07-07',
      '5,Eve,Hill,1950-02-01',
      '6,Una,Wood,1950-04-04',
    ),
  )
  expect(corrected).toMatchObject({ etl_state: 'COMPLETED' })
  expect(corrected.notes).not.toContain('other names')
  const reused = await pharmacy.load(patients('7,Omar,Vale,1999-01-01'))
  expect(reused.notes).toContain(
    'Patients with another date of birth and other names than stored under their id: 1. If they are other people, give them ids of their own',
  )
})

it('scripts that would overwrite those of other patients and days are refused, as when numbers start again at 1', async () => {
  const pharmacy = await server.pharmacy()
  const stored = ['1,2026-01-05,1,A', '2,2026-01-06,2,A', '3,2026-01-07,3,A', '4,2026-01-08,4,A']
  await pharmacy.load({ ...patients(...OURS), ...DRUGS, ...scripts(...stored) })
  const before = await pharmacy.fingerprint()
  const refused = await pharmacy.load(
    scripts('1,2026-07-05,2,A', '2,2026-07-05,3,A', '3,2026-07-06,4,A', '9,2026-07-06,1,A'),
  )
  expect(refused).toMatchObject({ etl_state: 'ERROR' })
  expect(refused.notes).toContain('scripts.csv: of 3 rows whose script_id is stored, 3 are of other patients and days.')
  expect(await pharmacy.fingerprint()).toBe(before)
  // Patients found to be one are joined, or days are corrected: either alone is the same script.
  const joined = stored.slice(0, 3).map((row) => row.replace(/,.,A$/, ',4,A'))
  const corrected = stored.slice(0, 3).map((row) => row.replace('2026-01', '2026-02'))
  for (const rows of [joined, stored, corrected])
    expect(await pharmacy.load(scripts(...rows))).toMatchObject({ etl_state: 'COMPLETED' })
})

it('drugs that are other medicines than stored under their id are refused: whoever ever got one would be taking the other', async () => {
  const pharmacy = await server.pharmacy()
  const drugs = (...rows: string[]) => ({ drugs: `drug_id,name,atc\n${rows.join('\n')}\n` })
  const stored = [
    '1,Rosuvastatin 10 mg,C10AA07',
    '2,Metformin 500 mg,A10BA02',
    '3,Sertraline 50 mg,N06AB06',
    '4,Ear plugs,',
  ]
  await pharmacy.load({ ...patients(...OURS), ...drugs(...stored), ...scripts('1,2026-01-05,1,1', '2,2026-01-05,2,2') })
  const before = await pharmacy.fingerprint()
  const renumbered = [
    '1,Metformin 500 mg,A10BA02',
    '2,Sertraline 50 mg,N06AB06',
    '3,Warfarin 1 mg,B01AA03',
    '4,Bandage,',
  ]
  const refused = await pharmacy.load(drugs(...renumbered))
  expect(refused).toMatchObject({ etl_state: 'ERROR' })
  expect(refused.notes).toContain('drugs.csv: of 4 rows whose drug_id is stored, 3 are other medicines.')
  expect(await pharmacy.fingerprint()).toBe(before)
  // Another brand or strength, a code or an ingredient put right, and an ingredient added are the same product.
  const corrected = [
    '1,Crestor 20 mg,C10AA07',
    '2,Metformin 500 mg,C10AA07',
    '3,Zoloft,N06AB06',
    '4,Aspirin 100 mg,B01AC06',
  ]
  const combined = ['1,Ezetimibe + Rosuvastatin,C10BA06', '2,Metformin 500 mg,A10BA02']
  for (const rows of [corrected, combined]) {
    const done = await pharmacy.load(drugs(...rows))
    expect(done).toMatchObject({ etl_state: 'COMPLETED' })
    expect(done.notes).not.toContain('other medicines')
  }
  const reused = await pharmacy.load(drugs('3,Warfarin 1 mg,B01AA03'))
  expect(reused.notes).toContain('Drugs that are other medicines than stored under their id: 1.')
})

it('a script of another patient and day than stored under its id is noted', async () => {
  const pharmacy = await server.pharmacy()
  await pharmacy.load({ ...patients(...OURS), ...DRUGS, ...scripts('1,2026-01-05,1,A', '2,2026-01-06,2,A') })
  const done = await pharmacy.load(scripts('1,2026-07-05,2,A', '2,2026-01-06,2,A'))
  expect(done).toMatchObject({ etl_state: 'COMPLETED' })
  expect(done.notes).toContain('Scripts of another patient and day than stored under their id: 1.')
})

it('the record of another pharmacy of the company is refused as a pharmacy’s first: each script would count twice', async () => {
  const one = await server.pharmacy()
  const two = await server.pharmacy()
  const rows = (count: number) =>
    Array.from(
      { length: count },
      (_, at) => `${at},Ann,Roe,${1930 + (at % 60)}-0${1 + (at % 9)}-01,F,2000,04${11_111_111 + at * 37}`,
    )
  const record = (count: number) => ({
    patients: `patient_id,first_name,last_name,date_of_birth,sex,postcode,mobile\n${rows(count).join('\n')}\n`,
    ...DRUGS,
    ...scripts('1,2026-01-05,1,A', '2,2026-01-06,2,A'),
  })
  await one.load(record(60))
  const refused = await two.load(record(60))
  expect(refused).toMatchObject({ etl_state: 'ERROR' })
  expect(refused.notes).toContain(
    '60 of the 60 patients who can be recognised by name, birth and contact are also patients of ',
  )
  expect(await two.scripts()).toEqual([])
  const own = rows(60).map((row, at) => (at < 54 ? row : row.replace('Ann', 'Zoe')))
  const mostlyOwn = { ...record(60), patients: record(60).patients.replace(rows(60).join('\n'), own.join('\n')) }
  expect(await two.load(mostlyOwn)).toMatchObject({ etl_state: 'COMPLETED' })
})

it('a register of other products and days is refused, because nothing in it can be taken back; corrected entries are evidence', async () => {
  const pharmacy = await server.pharmacy()
  const products = { s8_products: 'product_id,name\nM,Morphine 10 mg\nO,Oxycodone 5 mg\n' }
  const register = (month: string, product: string) => ({
    ...products,
    s8_transactions: `transaction_id,product_id,entry_type,occurred_at,quantity_in,pharmacist\n${[1, 2, 3].map((n) => `${n},${product},receipt,2026-${month}-0${n}T09:00,10,Kim`).join('\n')}\n`,
  })
  await pharmacy.load(register('03', 'M'))
  const refused = await pharmacy.load(register('05', 'O'))
  expect(refused).toMatchObject({ etl_state: 'ERROR' })
  expect(refused.notes).toContain('of 3 rows whose transaction_id is stored, 3 are of other products and days.')
  for (const changed of [register('03', 'O'), register('04', 'M')]) {
    const kept = await pharmacy.load(changed)
    expect(kept).toMatchObject({ etl_state: 'COMPLETED' })
    expect(kept.notes).toContain('3 entries were sent again with other content')
  }
})
