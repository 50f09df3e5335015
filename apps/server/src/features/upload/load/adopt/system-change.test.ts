import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { asOwner } from '../../../../../test/people.ts'
import { startUploadServer, type TestPharmacy, type UploadServer } from '../../../../../test/upload.ts'

let server: UploadServer
beforeAll(async () => {
  server = await startUploadServer()
})
afterAll(() => server.close())

const OLD = { data_source: 'fred' }
const table = (head: string, rows: readonly string[]) => `${[head, ...rows].join('\n')}\n`

/** Ann's prescription of 1 April, with 5 repeats, and her supplies on the first of these months, under the ids of a system. */
const record = (id: string, months: readonly number[], firstNumber: number) => ({
  patients: `patient_id,first_name,last_name,sex,date_of_birth,postcode\n${id},Ann,Roe,F,1950-05-05,2204\n`,
  drugs: 'drug_id,name,atc,default_days\nA,Rosuvastatin,C10AA07,30\n',
  prescriptions: `prescription_id,patient_id,drug_id,prescribed_on,repeats_authorised\n${id}R,${id},A,2026-04-01,5\n`,
  scripts: table('script_id,dispensed_on,patient_id,drug_id,prescription_id,supply_number', [
    ...(firstNumber === 1 ? [`${id}0,2025-12-01,${id},A,,`] : []),
    ...months.map((month, at) => `${id}${month},2026-0${month}-01,${id},A,${id}R,${firstNumber + at}`),
  ]),
})

const figuresOf = ({ id }: TestPharmacy) =>
  asOwner<{ period: number; leaked: number; missed: number; due: number }>(
    server,
    `select period, leaked_slots as leaked, repeats_missed as missed, repeats_due as due from metric_figure
     where location_id = ${id} and period > 0 order by period`,
  )
const loyaltyOf = ({ id }: TestPharmacy) =>
  asOwner(server, `select here_slots, leaked_slots from patient_measure where location_id = ${id}`)

it('a prescription that goes on in another dispensing system has lost no supply, and misses none', async () => {
  const [steady, changed] = [await server.pharmacy(), await server.pharmacy()]
  await steady.load(record('1', [4, 5, 6, 7, 8, 9], 1))
  await changed.load(record('1', [4, 5, 6], 1), OLD)
  await changed.load(record('N', [7, 8, 9], 4))
  expect(await figuresOf(changed)).toEqual(await figuresOf(steady))
  expect(await loyaltyOf(changed)).toEqual([{ here_slots: 7, leaked_slots: 0 }])
})

it('a supply that was missed, or made elsewhere, after the change still is', async () => {
  const [gone, gap] = [await server.pharmacy(), await server.pharmacy()]
  await gone.load(record('1', [4, 5, 6], 1), OLD)
  const other = {
    patients: 'patient_id,first_name\nX,Zoe\n',
    drugs: 'drug_id,name,atc\nA,Rosuvastatin,C10AA07\n',
    scripts: table('script_id,dispensed_on,patient_id,drug_id', ['x,2026-07-01,X,A', 'y,2026-09-30,X,A']),
  }
  await gone.load(other)
  const sum = (rows: Awaited<ReturnType<typeof figuresOf>>, of: 'missed' | 'leaked') =>
    rows.find(({ period }) => period === 202623)?.[of]
  // Repeats of 1 July, 31 July and 30 August.
  expect(sum(await figuresOf(gone), 'missed')).toBe(3)
  await gap.load(record('1', [4, 5, 6], 1), OLD)
  await gap.load(other)
  // The repeats of July and August, in the new system's time, were supplied elsewhere.
  await gap.load(record('N', [9], 6))
  expect(sum(await figuresOf(gap), 'leaked')).toBe(2)
})

describe('what the former system said of a patient and the new one leaves empty', () => {
  const HEAD = 'patient_id,first_name,last_name,sex,date_of_birth,postcode,deceased_on,facility'
  const person = (id: string, died = '', facility = '') =>
    `${HEAD}\n${id},Ann,Roe,F,1950-05-05,2204,${died},${facility}\n`
  const stateOf = async ({ id }: TestPharmacy) =>
    (await asOwner(server, 'select deceased_on::text as died, facility from patient where location_id = $1', [id]))[0]
  const files = (id: string, month: number, patients: string) => ({ ...record(id, [month], 2), patients })
  const DEAD = { died: '2026-05-05', facility: true }
  const ALIVE = { died: null, facility: false }

  it('stays: a death and a facility, night after night, whichever of the two sends the patient', async () => {
    const pharmacy = await server.pharmacy()
    await pharmacy.load(files('1', 4, person('1', '2026-05-05', '1')), OLD)
    const first = await pharmacy.load(files('N', 5, person('N')))
    expect(first.notes).toContain(
      'who died according to the pharmacy’s other dispensing system: 1. They still count as dead.',
    )
    expect(await stateOf(pharmacy)).toEqual(DEAD)
    await pharmacy.load({ patients: person('N') })
    expect(await stateOf(pharmacy)).toEqual(DEAD)
    await pharmacy.load({ patients: person('1', '2026-05-05', '1') }, OLD)
    await pharmacy.load({ patients: person('N') })
    expect(await stateOf(pharmacy)).toEqual(DEAD)
    // The former system withdraws it.
    await pharmacy.load({ patients: person('1', '', '0') }, OLD)
    expect(await stateOf(pharmacy)).toEqual(ALIVE)
    await pharmacy.load({ patients: person('N') })
    expect(await stateOf(pharmacy)).toEqual(ALIVE)
  })

  it('ends with what the new one says, and a death with a supply after it', async () => {
    const pharmacy = await server.pharmacy()
    await pharmacy.load(files('1', 4, person('1', '2026-05-05', '1')), OLD)
    await pharmacy.load({ patients: person('N', '2026-05-06', '0') })
    expect(await stateOf(pharmacy)).toEqual({ died: '2026-05-06', facility: false })
    await pharmacy.load(files('N', 6, person('N', '', '0')))
    await pharmacy.load({ patients: person('N', '', '0') })
    expect(await stateOf(pharmacy)).toEqual(ALIVE)
  })
})

it('a new system whose patients are hardly recognised is refused: everybody would be a second patient; support can override', async () => {
  const pharmacy = await server.pharmacy()
  const people = (prefix: string, count: number, sexes: number) =>
    table(
      'patient_id,first_name,last_name,sex,date_of_birth,postcode',
      Array.from({ length: count }, (_, at) => {
        const born = `${1930 + (at % 60)}-0${1 + Math.floor(at / 60)}-05`
        return `${prefix}${at},Ann,Roe,${at < sexes ? 'F' : ''},${born},2204`
      }),
    )
  await pharmacy.load({ patients: people('o', 60, 60) }, OLD)
  const refused = await pharmacy.load({ patients: people('n', 70, 9) })
  expect(refused).toMatchObject({ etl_state: 'ERROR' })
  expect(refused.notes).toContain(
    'patients.csv: of 70 patients, 9 were recognised from the pharmacy’s other dispensing system',
  )
  // A fifth of those it could know is enough, and so are later files of strangers.
  expect(await pharmacy.load({ patients: people('n', 70, 12) })).toMatchObject({ etl_state: 'COMPLETED' })
  expect(await pharmacy.load({ patients: people('x', 60, 0) })).toMatchObject({ etl_state: 'COMPLETED' })
  const second = await server.pharmacy()
  await second.load({ patients: people('o', 60, 60) }, OLD)
  expect(await second.load({ patients: people('n', 49, 0) })).toMatchObject({ etl_state: 'COMPLETED' })
  const forced = await server.pharmacy()
  await forced.load({ patients: people('o', 60, 60) }, OLD)
  const sent = await forced.upload({ patients: people('n', 70, 0) })
  expect(await forced.settled(sent.body.uuid)).toMatchObject({ etl_state: 'ERROR' })
  await asOwner(server, `update upload set etl_state = 'OVERRIDE' where uuid = $1`, [sent.body.uuid])
  await server.recover()
  expect(await forced.settled(sent.body.uuid)).toMatchObject({ etl_state: 'COMPLETED' })
})
