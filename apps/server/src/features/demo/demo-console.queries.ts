import { sql } from 'kysely'
import { v7 as uuidv7 } from '../../api/uuid.ts'
import type { Pools, Tx } from '../../db/database.ts'
import { FEATURE_FLAGS } from '../company/company-admin.queries.ts'

/** Companies that have just signed up and have no pharmacy yet. */
const COMPANIES = ['Boronia Street Pharmacies', 'Kestrel Health Group', 'Mallee Chemists', 'Tidewater Apothecaries']

const GLOBAL_TEMPLATES = [
  [
    'Trial invitation',
    'Hi {First Name}, {Pharmacy Name} is helping with a study you may be able to join, {Trial Name}. Read about it: {Consent ID}',
  ],
  ['Repeat is ready', 'Hi {First Name}, your repeat is ready at {Pharmacy Name}.'],
] as const

/**
 * What the support console shows of the demo network besides its companies and people: modules, links, global templates, and the products a
 * company's people may open. May run again.
 */
export async function addDemoConsole({ system, staff }: Pick<Pools, 'system' | 'staff'>, now: Date): Promise<void> {
  await system.transaction().execute(async (tx) => {
    await tx
      .insertInto('company')
      .values(COMPANIES.map((name) => ({ name, uuid: uuidv7(), country: 'AU', demo: true, created_at: now })))
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    await switchOnWhatIsOpen(tx)
    await sql`
      insert into location_module (location_id, company_id, module_id, external_id)
      select l.id, l.company_id, m.id, case when m.needs_external_id then 'PP-' || (1000 + l.id) end
      from location l join company c on c.id = l.company_id and c.demo cross join module m
      where l.data_source is not null and (not m.needs_external_id or l.id % 3 = 0)
      on conflict do nothing`.execute(tx)
    await sql`
      insert into login_location (location_id, company_id, login_id)
      select l.id, l.company_id, l.owner_login_id from location l join company c on c.id = l.company_id and c.demo
      where l.owner_login_id is not null on conflict do nothing`.execute(tx)
  })
  await staff
    .insertInto('template')
    .values(
      GLOBAL_TEMPLATES.map(([name, body]) => ({
        ...{ uuid: uuidv7(), name, body, company_id: null, sms_template: true, email_template: false },
        ...{ active: false, enterprise_template: false, created_at: now, updated_at: now },
      })),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Switches on for a company what its people may open: the demo's people get their flags before Settings knows their companies. */
async function switchOnWhatIsOpen(tx: Tx): Promise<void> {
  const features = Object.entries(FEATURE_FLAGS).map(
    ([feature, flag]) =>
      sql`${sql.ref(feature)} = ${sql.ref(feature)} or exists (select from login l where l.company_id = c.id and l.${sql.ref(flag)})`,
  )
  await sql`update company c set ${sql.join(features)} where c.demo`.execute(tx)
}
