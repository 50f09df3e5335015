import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { formatDay } from '@pillar/domain/time/day'
import { periodOf } from '@pillar/domain/time/period'
import { dayIn } from '@pillar/domain/time/zone'
import { RUNNING } from './people.ts'

export const TODAY = dayIn('Australia/Sydney', new Date())

/** A day in the running financial year: two days ago if the year is old enough. */
const SUPPLIED = formatDay(Math.max(periodOf('AU', RUNNING).from, TODAY - 2))

export interface Supply {
  script: string
  patient: string
  /** The amount the patient paid, in dollars; the government adds 10.00. */
  paid: string
  reversed?: boolean
  /** Instead of the day of all the others. */
  on?: string
}

/** A canonical upload: one medicine, and one patient per name in the supplies. @returns its folder */
export async function writeRecord(supplies: readonly Supply[]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'pillar-e2e-record-'))
  const file = (name: string, lines: string[]) => writeFile(join(folder, `${name}.csv`), `${lines.join('\n')}\n`)
  const patients = [...new Set(supplies.map(({ patient }) => patient))]
  await file('patients', ['patient_id,sex,date_of_birth', ...patients.map((id) => `${id},F,1956-04-04`)])
  await file('drugs', [
    'drug_id,name,molecule,pack_size,atc',
    '3310,Atorvastatin 40 mg tablet (30),atorvastatin,30,C10AA05',
  ])
  await file('scripts', [
    'script_id,dispensed_on,patient_id,drug_id,units,patient_price,government_amount,reversed',
    ...supplies.map(
      ({ script, patient, paid, reversed, on }) =>
        `${script},${on ?? SUPPLIED},${patient},3310,30,${paid},10.00,${reversed ? 1 : 0}`,
    ),
  ])
  return folder
}
