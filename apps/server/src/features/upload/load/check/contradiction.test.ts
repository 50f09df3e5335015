import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { asOwner } from '../../../../../test/people.ts'
import { type Files, startUploadServer, type TestPharmacy, type UploadServer } from '../../../../../test/upload.ts'

let server: UploadServer
beforeAll(async () => {
  server = await startUploadServer()
})
afterAll(() => server.close())

/** A file of a head and its rows, each filled up with empty values. */
function table(head: string, ...rows: string[]): string {
  const width = head.split(',').length
  const filled = rows.map((row) => row + ','.repeat(width - row.split(',').length))
  return `${[head, ...filled].join('\n')}\n`
}
const PATIENTS = 'patient_id,date_of_birth,deceased_on'
const PRESCRIPTIONS = 'prescription_id,patient_id,drug_id,prescribed_on,repeats_authorised,ceased_on'
const SCRIPTS =
  'script_id,dispensed_on,patient_id,drug_id,prescription_id,supply_number,repeats_left,reversed,patient_price,cost,government_amount'
const DRUGS = table('drug_id,name,atc', 'A,Rosuvastatin,C10AA07', 'B,Ramipril,C09AA05')
const BASE: Files = { patients: table(PATIENTS, 'P,1950-01-01,', 'Q,1950-01-01,'), drugs: DRUGS }

describe('a supply number above the repeats authorised plus one', () => {
  const prescription = (repeats: string) => table(PRESCRIPTIONS, `R,P,A,2026-01-02,${repeats},`)
  const scripts = table(SCRIPTS, 's1,2026-01-05,P,A,R,1', 's2,2026-02-04,P,A,R,2', 's3,2026-08-06,P,A,R,46')
  const numbers = async (pharmacy: TestPharmacy) => (await pharmacy.scripts()).map(({ k }) => k)
  const leaked = async (pharmacy: TestPharmacy) =>
    (
      await asOwner(
        server,
        `select max(leaked_slots)::int as leaked from metric_cell where location_id = ${pharmacy.id}`,
      )
    )[0]?.leaked

  it('says nothing about supplies elsewhere, and a note reports it', async () => {
    const pharmacy = await server.pharmacy()
    const status = await pharmacy.load({ ...BASE, prescriptions: prescription('5'), scripts })
    expect(await numbers(pharmacy)).toEqual([1, 2, null])
    expect(await leaked(pharmacy)).toBe(0)
    expect(status.notes).toContain(
      '1 row of scripts.csv (line 4) has a supply number above the repeats authorised plus one: the number is not used.',
    )
  })

  it('is told from a script’s own repeats, whatever its prescription says', async () => {
    const pharmacy = await server.pharmacy()
    const own = table(`${SCRIPTS},repeats_authorised`, 's1,2026-02-04,P,A,R,,1,,,,,2', 's2,2026-03-06,P,A,R,4,,,,,,3')
    for (const files of [{ ...BASE, prescriptions: prescription('5'), scripts: own }, { scripts: own }]) {
      await pharmacy.load(files)
      expect(await numbers(pharmacy)).toEqual([2, 4])
    }
    await pharmacy.load({ prescriptions: prescription('1') })
    expect(await numbers(pharmacy)).toEqual([2, 4])
  })

  it('counts once the repeats are corrected, and no longer when they are lowered again', async () => {
    const pharmacy = await server.pharmacy()
    await pharmacy.load({ ...BASE, scripts })
    expect(await numbers(pharmacy)).toEqual([1, 2, 46])
    for (const [repeats, expected] of [
      ['5', [1, 2, null]],
      ['50', [1, 2, 46]],
      ['1', [1, 2, null]],
      ['0', [1, null, null]],
      ['', [1, 2, 46]],
    ] as const) {
      await pharmacy.load({ prescriptions: prescription(repeats) })
      expect([repeats, await numbers(pharmacy)]).toEqual([repeats, expected])
    }
  })
})

describe('values that contradict one another', () => {
  const notes = async (files: Files) => (await (await server.pharmacy()).load({ ...BASE, ...files })).notes
  const script = (...values: string[]) => table(SCRIPTS, values.join(','))
  const R = table(PRESCRIPTIONS, 'R,P,A,2026-03-02,5,')

  it('a patient who died before being born counts as dead, and a note says so', async () => {
    const pharmacy = await server.pharmacy()
    const status = await pharmacy.load({
      ...BASE,
      patients: table(PATIENTS, 'Q,1950-01-01,', 'P,1950-01-01,1900-01-01'),
    })
    expect(status.notes).toContain(
      '1 row of patients.csv (line 3) has a date of death before the date of birth: the patient counts as dead, and gets no messages.',
    )
    // The other date may arrive later, in a file without this one.
    const later = await pharmacy.load({ patients: table('patient_id,date_of_birth', 'P,1951-01-01', 'Q,1951-01-01') })
    expect(later.notes).toContain('1 row of patients.csv (line 2) has a date of death before')
    const corrected = await pharmacy.load({ patients: table(PATIENTS, 'P,1950-01-01,') })
    expect(corrected.notes).not.toContain('death')
  })

  it.each([
    [
      'an age no living person has',
      { patients: table(PATIENTS, 'P,1900-01-01,') },
      'a date of birth more than 120 years ago',
    ],
    [
      'a cessation before the prescription',
      { prescriptions: table(PRESCRIPTIONS, 'R,P,A,2026-03-02,5,2026-03-01') },
      'a date of cessation before the date of prescribing',
    ],
    [
      'a supply before the prescription',
      { prescriptions: R, scripts: script('s', '2026-01-30', 'P', 'A', 'R', '1') },
      'a date more than 30 days before the prescription',
    ],
    ['a supply before birth', { scripts: script('s', '1949-12-31', 'P', 'A') }, 'a date before the patient’s birth'],
    [
      'more repeats left than authorised',
      { prescriptions: R, scripts: script('s', '2026-03-03', 'P', 'A', 'R', '', '6') },
      'more repeats left than authorised',
    ],
    [
      'a number that differs from the repeats left',
      { prescriptions: R, scripts: script('s', '2026-03-03', 'P', 'A', 'R', '1', '4') },
      'repeats left that do not fit the supply number',
    ],
    [
      'another patient than the prescription',
      { prescriptions: R, scripts: script('s', '2026-03-03', 'Q', 'A', 'R', '1') },
      'another patient than the prescription',
    ],
    [
      'a refund whose cost is not given back',
      { scripts: script('s', '2026-03-03', 'P', 'A', '', '', '', '', '-20.00', '6.10') },
      'a cost and a price of opposite signs',
    ],
    [
      'another medicine than the prescription',
      { prescriptions: R, scripts: script('s', '2026-03-03', 'P', 'B', 'R', '1') },
      'another medicine than the prescription',
    ],
  ])('%s is noted', async (_, files, words) => {
    expect(await notes(files)).toMatch(new RegExp(`1 row of \\w+\\.csv \\(line 2\\) has ${words}`))
  })

  it('an age no living person has counts as unknown; a day of death stored before, or an age some have, keeps it', async () => {
    const pharmacy = await server.pharmacy()
    await pharmacy.load({ patients: table(PATIENTS, 'D,,2010-03-01') })
    const births = table('patient_id,date_of_birth', 'P,1900-01-01', 'D,1900-01-01', 'Q,1910-01-01')
    const { notes } = await pharmacy.load({ patients: births })
    expect(notes).toContain(
      '1 row of patients.csv (line 2) has a date of birth more than 120 years ago and no date of death: the age counts as unknown.',
    )
    const stored = `select source_id as id, date_of_birth::text as born from patient where location_id = ${pharmacy.id} order by 1`
    expect(await asOwner(server, stored)).toEqual([
      { id: 'D', born: '1900-01-01' },
      { id: 'P', born: null },
      { id: 'Q', born: '1910-01-01' },
    ])
  })

  it('a patient with more supplies in a year than a person can have is noted, unless it is known to be none', async () => {
    const pharmacy = await server.pharmacy()
    const supplies = (count: number, id: string) =>
      Array.from({ length: count }, (_, at) => `${id}${at},2026-0${1 + (at % 9)}-01,${id},A`)
    const rows = (many: number) => table(SCRIPTS, ...supplies(many, 'P'), ...supplies(3, 'Q'))
    const words = 'Patient P has 2001 supplies in the year to 2026-09-01, more than one person can have'
    expect((await pharmacy.load({ ...BASE, scripts: rows(2001) })).notes).toContain(words)
    expect((await pharmacy.load({ scripts: rows(2000) })).notes).not.toContain('Patient P has')
    const known = await pharmacy.load({ patients: table('patient_id,facility', 'P,1'), scripts: rows(2001) })
    expect(known.notes).not.toContain('Patient P has')
  })

  it('a supply after death is noted, unless it was reversed', async () => {
    const patients = table(PATIENTS, 'P,1950-01-01,2026-03-01')
    expect(await notes({ patients, scripts: script('s', '2026-03-02', 'P', 'A') })).toContain(
      'a date after the patient’s death',
    )
    expect(await notes({ patients, scripts: script('s', '2026-03-01', 'P', 'A') })).not.toContain('death')
    expect(await notes({ patients, scripts: script('s', '2026-03-02', 'P', 'A', '', '', '', '1') })).not.toContain(
      'death',
    )
  })

  it('several rows are counted, and the first is named', async () => {
    const scripts = table(SCRIPTS, 's1,2026-03-03,P,A', 's2,1949-12-31,P,A', 's3,1949-12-30,Q,A')
    expect(await notes({ scripts })).toContain(
      '2 rows of scripts.csv (the first is line 3) have a date before the patient’s birth: both dates are kept.',
    )
    expect(await notes({ scripts: script('s', '1949-12-31', 'P', 'A', '', '', '', '1') })).not.toContain('birth')
  })

  it('a supply number that is known is not called unknown, and a price the government pays has the sign of its cost', async () => {
    const scripts = script('s', '2026-03-03', 'P', 'A', 'R', '1', '6')
    expect(await notes({ prescriptions: R, scripts })).not.toContain('stays unknown')
    const paid = (patient: string, government: string) =>
      notes({ scripts: script('s', '2026-03-03', 'P', 'A', '', '', '', '', patient, '6.10', government) })
    expect(await paid('-1.00', '31.60')).not.toContain('opposite signs')
    expect(await paid('7.70', '-31.60')).toContain('opposite signs')
  })

  it('a supply may come some days before its prescription, and plausible rows are not noted', async () => {
    const line = (...values: string[]) => values.join(',')
    const scripts = table(
      SCRIPTS,
      line('s0', '2026-01-31', 'P', 'A', 'R'),
      line('s1', '2026-03-02', 'P', 'A', 'R', '1', '5'),
      line('s2', '2026-04-02', 'P', 'A', 'R', '6', '0'),
    )
    expect(await notes({ prescriptions: R, scripts })).toBe('Scripts: 3 new, 0 changed.')
  })
})
