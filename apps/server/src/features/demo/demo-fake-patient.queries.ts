import { sql } from 'kysely'
import type { Pools } from '../../db/database.ts'
import type { Keys } from '../../db/field/key-ring.ts'
import { inScope } from '../../db/scope.ts'
import { insertFakePatient } from '../fake-patient/fake-patient.queries.ts'

const PEOPLE = [
  { id: -48_213, first_name: 'Testa', last_name: 'Person', age: 44, sex: 'Female', adherence_level: 2 },
  { id: -903, first_name: 'Trial', last_name: 'Balloon', age: 71, sex: 'Male', adherence_level: 5 },
] as const

const NOBODY = { mobile: '', email: '', sms_to: null, email_to: null, address: '', medicare: '', dva: '' }
const NO_REASON = { sms_nocontact_reason: null, email_nocontact_reason: null }

/** Two fake patients at the first pharmacies of the demo network, without a number, because nobody has confirmed one. May run again. */
export async function addDemoFakePatients(
  { system, app }: Pick<Pools, 'system' | 'app'>,
  keys: Keys,
  now: Date,
): Promise<void> {
  const { rows } = await sql<{ id: number; company_id: number; by: number }>`
    select l.id, l.company_id, (select min(id) from login where sr_login) as by
    from location l join company c on c.id = l.company_id and c.demo
    where l.removed_at is null and exists (select from login where sr_login)
    order by l.name limit 3`.execute(system)
  for (const { id, company_id, by } of rows) {
    await inScope(app, { companyId: company_id, locationIds: [id] }, async (tx) => {
      const there = await tx.selectFrom('fake_patient').select('number').where('location_id', '=', id).execute()
      const numbers = new Set(there.map((row) => row.number))
      for (const one of PEOPLE.filter((person) => !numbers.has(person.id))) {
        const scripts = { loyalty_level: 5, leaked_scripts: 2, total_scripts: 24 }
        await insertFakePatient({ tx, keys }, id, { ...NOBODY, ...NO_REASON, ...scripts, ...one }, { by, at: now })
      }
    })
  }
}
