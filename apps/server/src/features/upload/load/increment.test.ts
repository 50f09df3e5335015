import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startUploadServer, type TestPharmacy, type UploadServer } from '../../../../test/upload.ts'

let server: UploadServer
beforeAll(async () => {
  server = await startUploadServer()
})
afterAll(() => server.close())

/** A small linear congruential generator: the same pharmacy every time. */
function dice(seed: number): (sides: number) => number {
  let state = seed
  return (sides) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((state / 2_147_483_648) * sides)
  }
}

const DRUGS =
  'drug_id,name,atc,pack_size\nA,Rosuvastatin,C10AA07,30\nB,Atorvastatin,C10AA05,30\nC,Metformin,A10BA02,100\nD,Amoxicillin,J01CA04,20\n'
const MOLECULES = ['A', 'B', 'C', 'D']

interface Line {
  id: string
  day: string
  patient: number
  drug: string
  k: number
  price: number
}

function history(random: (sides: number) => number): Line[] {
  const lines: Line[] = []
  for (let patient = 1; patient <= 25; patient++) {
    for (let course = 0; course < 2; course++) {
      const drug = MOLECULES[random(4)] ?? 'A'
      let at = Date.UTC(2024, 0, 1 + random(300))
      for (let k = 1; at < Date.UTC(2026, 9, 1); k = (k % 6) + 1) {
        if (random(6) > 0)
          lines.push({
            id: `s${lines.length}`,
            day: new Date(at).toISOString().slice(0, 10),
            patient,
            drug,
            k,
            price: 5 + random(40),
          })
        at += (22 + random(20)) * 86_400_000
      }
    }
  }
  return lines.sort((a, b) => (a.day < b.day ? -1 : 1))
}

const prescriptionOf = ({ patient, drug }: Line) => `${patient}-${drug}`
/** What the pharmacy records late: deaths and ceased prescriptions. */
interface Ends {
  died: ReadonlyMap<number, string>
  ceased: ReadonlyMap<string, string>
}
const NO_ENDS: Ends = { died: new Map(), ceased: new Map() }

function files(lines: readonly Line[], sexes: readonly string[], { died, ceased }: Ends = NO_ENDS) {
  const prescriptions = [...new Map(lines.map((line) => [prescriptionOf(line), line])).values()]
  return {
    patients: `patient_id,sex,date_of_birth,deceased_on\n${sexes.map((sex, at) => `${at + 1},${sex},19${40 + at}-05-05,${died.get(at + 1) ?? ''}`).join('\n')}\n`,
    drugs: DRUGS,
    prescriptions: `prescription_id,patient_id,drug_id,repeats_authorised,ceased_on\n${prescriptions.map((line) => `${prescriptionOf(line)},${line.patient},${line.drug},5,${ceased.get(prescriptionOf(line)) ?? ''}`).join('\n')}\n`,
    scripts: scriptsOf(lines),
  }
}
const scriptsOf = (lines: readonly Line[]) =>
  `script_id,dispensed_on,patient_id,drug_id,prescription_id,units,supply_number,patient_type,patient_price\n${lines
    .map(
      (line) =>
        `${line.id},${line.day},${line.patient},${line.drug},${prescriptionOf(line)},30,${line.k},General,${line.price}.00`,
    )
    .join('\n')}\n`

async function figures(pharmacy: TestPharmacy): Promise<unknown> {
  const { rows: cells } = await sql`
    select to_jsonb(c) - 'location_id' as cell from metric_cell c where location_id = ${pharmacy.id}
    order by period, category_id, subcategory_id`.execute(server.owner)
  const { rows: totals } = await sql`
    select to_jsonb(t) - 'location_id' as total from metric_total t where location_id = ${pharmacy.id} order by period`.execute(
    server.owner,
  )
  const { rows: patients } = await sql`
    select p.source_id, p.patient_type, m.observed_days, m.covered_days, m.here_slots, m.leaked_slots
    from patient p left join patient_measure m on m.location_id = p.location_id and m.patient_id = p.id
    where p.location_id = ${pharmacy.id} order by p.source_id`.execute(server.owner)
  return { cells, totals, patients }
}

describe('uploads in pieces', () => {
  it.each([1, 2, 3, 4])(
    'give the same figures as one upload of everything (pharmacy %i)',
    { timeout: 60_000 },
    async (seed) => {
      const random = dice(seed)
      const lines = history(random)
      const sexes = Array.from({ length: 25 }, () => (random(2) === 0 ? 'F' : 'M'))
      // Pharmacy 1 corrects a sex late, 2 corrects and deletes lines, 3 only grows, 4 adds deaths and ceased medicines.
      const corrected = lines
        .map((line, at) => (at % 97 === 13 ? { ...line, price: 99 } : line))
        .filter((_, at) => at % 89 !== 7)
      const final = seed === 2 ? corrected : lines
      const ends: Ends = {
        died: new Map([
          [2, '2025-12-20'],
          [5, '2026-05-02'],
          [8, '2026-09-30'],
        ]),
        ceased: new Map(
          lines.flatMap((line, at) => (at % 40 === 3 ? [[prescriptionOf(line), '2026-02-10'] as const] : [])),
        ),
      }
      const known = seed === 4 ? ends : NO_ENDS
      const pieces = await server.pharmacy()
      const until = (day: string) => lines.filter((line) => line.day <= day)
      const good = async (sent: Parameters<TestPharmacy['load']>[0], fields: Record<string, string>) =>
        expect(await pieces.load(sent, fields)).toMatchObject({ etl_state: 'COMPLETED', fault_count: 0 })
      // Half of the history with some patients' sex still wrong, then increments, corrections, and the full record.
      await good(
        files(
          until('2026-03-01'),
          sexes.map((sex, at) => (seed === 1 && at < 3 ? '' : sex)),
        ),
        { to: '2026-03-01', initial_upload: 'true' },
      )
      const increment = lines.filter((line) => line.day > '2026-03-01' && line.day <= '2026-08-20')
      await good({ ...files(increment, sexes), patients: `patient_id,sex\n25,${sexes[24]}\n` }, { to: '2026-08-20' })
      await good(
        { ...files(lines, sexes), scripts: scriptsOf(lines.filter((line) => line.day > '2026-08-20')) },
        { to: '2026-10-15' },
      )
      const { patients, prescriptions } = files(lines, sexes, known)
      await good({ patients, prescriptions }, { to: '2026-10-15' })
      await good({ scripts: scriptsOf(final) }, { to: '2026-10-15', initial_upload: 'true', from: '2023-01-01' })
      const whole = await server.pharmacy()
      expect(await whole.load(files(final, sexes, known), { to: '2026-10-15' })).toMatchObject({
        etl_state: 'COMPLETED',
        fault_count: 0,
      })
      expect(await figures(pieces)).toEqual(await figures(whole))
    },
  )
})

it('a refund does not hide the slots that a later repeat reveals', async () => {
  const head = 'script_id,dispensed_on,patient_id,drug_id,prescription_id,days_supply,supply_number,patient_price\n'
  const old = 'a,2025-01-10,1,C,,30,,9.00\nb,2026-05-01,1,A,r,30,1,-9.00\n'
  const repeat = 'c,2026-06-01,1,A,r,30,5,9.00\n'
  const rest = {
    patients: 'patient_id\n1\n',
    drugs: DRUGS,
    prescriptions: 'prescription_id,patient_id,drug_id\nr,1,A\n',
  }
  const pieces = await server.pharmacy()
  await pieces.load({ ...rest, scripts: head + old }, { to: '2026-06-15' })
  await pieces.load({ scripts: head + repeat }, { to: '2026-06-15' })
  const whole = await server.pharmacy()
  await whole.load({ ...rest, scripts: head + old + repeat }, { to: '2026-06-15' })
  expect(await figures(pieces)).toEqual(await figures(whole))
})

it('two people on one prescription reveal the slots of each, as in one upload', async () => {
  const head = 'script_id,dispensed_on,patient_id,drug_id,prescription_id,days_supply,supply_number,patient_price\n'
  const old = 'a,2025-01-10,1,C,,30,,9.00\nb,2026-03-20,1,A,r,30,1,9.00\n'
  const repeat = 'c,2026-06-01,2,A,r,40,2,9.00\n'
  const rest = {
    patients: 'patient_id\n1\n2\n',
    drugs: DRUGS,
    prescriptions: 'prescription_id,patient_id,drug_id\nr,1,A\n',
  }
  const pieces = await server.pharmacy()
  await pieces.load({ ...rest, scripts: head + old }, { to: '2026-06-15' })
  await pieces.load({ scripts: head + repeat }, { to: '2026-06-15' })
  const whole = await server.pharmacy()
  await whole.load({ ...rest, scripts: head + old + repeat }, { to: '2026-06-15' })
  expect(await figures(pieces)).toEqual(await figures(whole))
})

it('a death corrected to a later day is counted again from the day recorded before', async () => {
  const supplies = [10, 11, 12, 13, 14, 15].map((month) =>
    new Date(Date.UTC(2025, month, 5)).toISOString().slice(0, 10),
  )
  const head = 'script_id,dispensed_on,patient_id,drug_id,days_supply,patient_price\n'
  const died = (on: string) => `patient_id,deceased_on\n1,${on}\n`
  const rest = { drugs: DRUGS, scripts: `${head}${supplies.map((on) => `${on},${on},1,A,60,9.00`).join('\n')}\n` }
  const pieces = await server.pharmacy()
  await pieces.load({ ...rest, patients: died('2025-12-20') }, { to: '2026-06-15' })
  const before = await figures(pieces)
  await pieces.load({ patients: died('2026-04-20') }, { to: '2026-06-15' })
  const whole = await server.pharmacy()
  await whole.load({ ...rest, patients: died('2026-04-20') }, { to: '2026-06-15' })
  expect(await figures(pieces)).toEqual(await figures(whole))
  expect(before).not.toEqual(await figures(whole))
})

it('a surname corrected by an upload makes somebody the same person as at another pharmacy, or another person again', async () => {
  const [here, there] = [await server.pharmacy(), await server.pharmacy()]
  await sql`
    update location set company_id = (select company_id from location where id = ${here.id}) where id = ${there.id}`.execute(
    server.owner,
  )
  const named = (surname: string) => ({
    patients: `patient_id,first_name,last_name,sex,date_of_birth,postcode\n1,Mary,${surname},F,1950-05-05,3000\n`,
  })
  const rest = { drugs: DRUGS, scripts: 'script_id,dispensed_on,patient_id,drug_id\na,2026-06-01,1,A\n' }
  const linked = async () =>
    (await sql`select from person_link where location_id in (${here.id}, ${there.id})`.execute(server.owner)).rows
      .length
  await here.load({ ...named('Quinn'), ...rest })
  await there.load({ ...named('Quine'), ...rest })
  expect(await linked()).toBe(0)
  await there.load(named('Quinn'))
  expect(await linked()).toBe(2)
  await there.load(named('Quine'))
  expect(await linked()).toBe(0)
})

describe('a correction that arrives alone is counted as in one upload', () => {
  const days = Array.from({ length: 9 }, (_, at) => new Date(Date.UTC(2025, 8 + at, 5)).toISOString().slice(0, 10))
  const BASE = {
    patients: 'patient_id,sex,date_of_birth,facility\n1,F,1950-01-01,0\n',
    drugs: 'drug_id,name,atc,pack_size,chronic\nA,Rosuvastatin,C10AA07,30,1\n',
    prescriptions: 'prescription_id,patient_id,drug_id,prescribed_on,repeats_authorised\nr,1,A,2025-09-01,9\n',
    scripts: `script_id,dispensed_on,patient_id,drug_id,prescription_id,days_supply,supply_number,patient_price\n${days
      .map((on, at) => `${on},${on},1,A,r,30,${at + 1},9.00`)
      .filter((_, at) => at !== 3)
      .join('\n')}\n`,
  }
  it.each([
    ['a date of birth', 'patients', ',1950-', ',1990-'],
    ['living in a facility', 'patients', ',0\n', ',1\n'],
    ['whether a medicine is for a chronic condition', 'drugs', ',1\n', ',0\n'],
    ['the repeats', 'prescriptions', ',9\n', ',2\n'],
  ] as const)('%s', async (_, set, wrong, right) => {
    const corrected = BASE[set].replace(wrong, right)
    const [pieces, whole] = [await server.pharmacy(), await server.pharmacy()]
    await pieces.load(BASE, { to: '2026-06-15' })
    const before = await figures(pieces)
    await pieces.load({ [set]: corrected }, { to: '2026-06-15' })
    await whole.load({ ...BASE, [set]: corrected }, { to: '2026-06-15' })
    expect(await figures(pieces)).toEqual(await figures(whole))
    expect(before).not.toEqual(await figures(whole))
  })
  it.each([
    ['later', '2026-01-10', '2026-04-10'],
    ['earlier', '2026-04-10', '2026-01-10'],
    ['not at all', '2026-01-10', ''],
    ['after all', '', '2026-01-10'],
  ])('that a medicine was ceased %s', async (_, wrong, right) => {
    const record = (ceased: string) => ({
      ...BASE,
      prescriptions: `prescription_id,patient_id,drug_id,prescribed_on,repeats_authorised,ceased_on\nr,1,A,2025-09-01,9,${ceased}\n`,
      scripts: `${BASE.scripts.split('\n').slice(0, 5).join('\n')}\n`,
    })
    const [pieces, whole] = [await server.pharmacy(), await server.pharmacy()]
    await pieces.load(record(wrong), { to: '2026-06-15' })
    const before = await figures(pieces)
    await pieces.load({ prescriptions: record(right).prescriptions }, { to: '2026-06-15' })
    await whole.load(record(right), { to: '2026-06-15' })
    expect(await figures(pieces)).toEqual(await figures(whole))
    expect(before).not.toEqual(await figures(whole))
  })
  it.each([
    ['patient', '2,A'],
    ['medicine', '1,B'],
  ])('that a ceased prescription is of another %s', async (_, right) => {
    const pairs = ['1,A', '2,A', '1,B']
    const scripts = pairs.flatMap((pair) => days.slice(0, 4).map((on) => `${pair}-${on},${on},${pair},30,9.00`))
    const record = (pair: string) => ({
      patients: 'patient_id,sex\n1,F\n2,M\n',
      drugs: `${BASE.drugs}B,Atorvastatin,C10AA05,30,1\n`,
      prescriptions: `prescription_id,patient_id,drug_id,ceased_on\nr,${pair},2026-01-10\n`,
      scripts: `script_id,dispensed_on,patient_id,drug_id,days_supply,patient_price\n${scripts.map((row) => row.replace(',', '')).join('\n')}\n`,
    })
    const [pieces, whole] = [await server.pharmacy(), await server.pharmacy()]
    await pieces.load(record('1,A'), { to: '2026-06-15' })
    const before = await figures(pieces)
    await pieces.load({ prescriptions: record(right).prescriptions }, { to: '2026-06-15' })
    await whole.load(record(right), { to: '2026-06-15' })
    expect(await figures(pieces)).toEqual(await figures(whole))
    expect(before).not.toEqual(await figures(whole))
  })
})
