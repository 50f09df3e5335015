import { sql } from 'kysely'
import type { PasswordCost } from '../../api/context.ts'
import type { Pools, Tx } from '../../db/database.ts'
import { createLogin, findLogin } from '../session/login.queries.ts'

/** People of newly signed-up companies: invited some days ago, or not yet (null). */
const WAITING = [
  ['Boronia Street Pharmacies', 'Maeve', 'Tran', 1],
  ['Boronia Street Pharmacies', 'Oliver', 'Byrne', null],
  ['Kestrel Health Group', 'Aisha', 'Rahman', 3],
  ['Kestrel Health Group', 'Callum', 'Reid', 12],
  ['Mallee Chemists', 'Ingrid', 'Olsen', null],
  ['Tidewater Apothecaries', 'Mateo', 'Silva', 9],
] as const

/** Personal details of some of them. */
const DETAILS = [
  ['Helen', 'Nell', 'Female', '1968-03-25'],
  ['Graham', null, 'Male', '1967-04-16'],
  ['Sunita', null, 'Female', '1981-09-02'],
  ['Connor', 'Con', 'Male', '1979-07-10'],
  ['Tamara', 'Tam', 'Female', '1990-11-30'],
  ['Ngaire', null, 'Female', '1962-01-08'],
  ['Tom', null, 'Male', '1975-06-19'],
  ['Oliver', 'Ollie', 'Male', '1988-08-21'],
  ['Aisha', null, 'Female', '1985-12-05'],
  ['Mateo', 'Teo', 'Male', '1992-02-14'],
] as const

/** Users waiting for a password, personal details, and welcome emails, some already sent. May run again. */
export async function addDemoUsers({ system }: Pick<Pools, 'system'>, now: Date, cost?: PasswordCost): Promise<void> {
  await system.transaction().execute(async (tx) => {
    for (const [company, first, last, daysAgo] of WAITING)
      await addWaiting(tx, company, first, last, daysAgo, now, cost)
    for (const [first_name, preferred_name, sex, dob] of DETAILS) {
      await sql`
        update login l set preferred_name = ${preferred_name}, sex = ${sex}, dob = ${dob}
        from company c where c.id = l.company_id and c.demo and l.first_name = ${first_name} and l.dob is null`.execute(
        tx,
      )
    }
    await sql`
      insert into onboarding_notification (location_id, login_id, destination, created_at)
      select x.location_id, x.login_id, u.email, ${now}::timestamptz - interval '20 days'
      from login_location x join login u on u.id = x.login_id join company c on c.id = u.company_id and c.demo
      where x.location_id % 2 = 0 and not exists (
        select from onboarding_notification n where n.location_id = x.location_id and n.login_id = x.login_id)`.execute(
      tx,
    )
  })
}

async function addWaiting(
  tx: Tx,
  company: string,
  first_name: string,
  last_name: string,
  daysAgo: number | null,
  now: Date,
  cost?: PasswordCost,
): Promise<void> {
  const username = `${first_name}.${last_name}`.toLowerCase()
  const owner = await tx
    .selectFrom('company')
    .select('id')
    .where('name', '=', company)
    .where('demo', '=', true)
    .executeTakeFirst()
  if (!owner || (await findLogin(tx, username))) return
  const email = `${username}@${company.toLowerCase().replaceAll(/[^a-z]/g, '')}.example`
  const person = { username, email, first_name, last_name, flags: ['data_analytics'] as const, password: null }
  const { id } = await createLogin(tx, { ...person, companyId: owner.id }, cost)
  if (daysAgo === null) return
  await tx
    .updateTable('login')
    .set({ invited_at: new Date(now.getTime() - daysAgo * 86_400_000) })
    .where('id', '=', id)
    .execute()
}
