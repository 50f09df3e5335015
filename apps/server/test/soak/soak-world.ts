import { createLocation } from '../../src/features/location/location.queries.ts'
import { makeCompany, makeLogin, type TestLogin } from '../people.ts'
import type { TestServer } from '../server.ts'
import type { Files } from '../upload.ts'

const PHARMACIES = 3
const PATIENTS = 120
const MONTHS = 24
const DAY_MS = 86_400_000
const MEDICINES = [
  ['A', 'Rosuvastatin 10 mg tablet', 'rosuvastatin', 'C10AA07'],
  ['B', 'Perindopril 5 mg tablet', 'perindopril', 'C09AA04'],
  ['C', 'Metformin 500 mg tablet', 'metformin', 'A10BA02'],
  ['D', 'Salbutamol 100 mcg inhaler', 'salbutamol', 'R03AC02'],
] as const

export interface SoakWorld {
  login: TestLogin
  pharmacies: { uuid: string; key: string }[]
}

/** A company with pharmacies that have sent nothing yet, and a person who looks at their figures. */
export async function makeSoakWorld(server: TestServer): Promise<SoakWorld> {
  const { id: companyId } = await makeCompany(server)
  const pharmacies: SoakWorld['pharmacies'] = []
  for (let at = 0; at < PHARMACIES; at++) {
    const place = { companyId, name: `Soaked ${at}`, country: 'AU', time_zone: 'Australia/Sydney' } as const
    pharmacies.push(await createLocation(server.services.pools.system, place))
  }
  return { login: await makeLogin(server, companyId, { flags: ['data_analytics'] }), pharmacies }
}

const dayBefore = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10)

const csv = (columns: string, rows: readonly string[]) => `${columns}\n${rows.map((row) => `${row}\n`).join('')}`

/** Two years of a pharmacy's record: everybody with one medicine every month. */
export function firstUpload(): Files {
  const people = Array.from({ length: PATIENTS }, (_, at) => at)
  const born = (at: number) => `${1930 + (at % 60)}-05-${String(1 + (at % 28)).padStart(2, '0')}`
  return {
    patients: csv(
      'patient_id,first_name,sex,date_of_birth',
      people.map((at) => `${at},Person ${at},${at % 2 ? 'F' : 'M'},${born(at)}`),
    ),
    drugs: csv(
      'drug_id,name,molecule,atc,pack_size',
      MEDICINES.map((medicine) => `${medicine.join(',')},30`),
    ),
    scripts: scriptsOf(
      people.flatMap((at) =>
        Array.from({ length: MONTHS }, (_, month) => ({
          ...{ id: `${at}-${month}`, patient: at, cents: 700 + at },
          on: dayBefore(2 + (at % 28) + 30 * month),
        })),
      ),
    ),
  }
}

/** A night's upload: yesterday's supplies of a few people, each time with different prices. */
export function nightlyUpload(night: number): Files {
  const scripts = Array.from({ length: 12 }, (_, at) => ({
    ...{ id: `night-${at}`, patient: (night * 12 + at) % PATIENTS, on: dayBefore(1), cents: 1000 + night },
  }))
  return { scripts: scriptsOf(scripts) }
}

function scriptsOf(scripts: readonly { id: string; patient: number; on: string; cents: number }[]): string {
  return csv(
    'script_id,dispensed_on,patient_id,drug_id,units,patient_type,patient_price,days_supply',
    scripts.map(({ id, patient, on, cents }) => {
      const [drug] = MEDICINES[patient % MEDICINES.length]!
      return `${id},${on},${patient},${drug},30,General,${(cents / 100).toFixed(2)},30`
    }),
  )
}
