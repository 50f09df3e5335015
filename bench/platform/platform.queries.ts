import pg from 'pg'
import { openPools } from '../../apps/server/src/db/database.ts'
import { createLogin } from '../../apps/server/src/features/session/login.queries.ts'

export const PASSWORD = 'three herons over Ballarat'
export const USERNAME = 'bench.support'

/** The size of the platform at full scale. */
export const SIZE = {
  companies: 1_000,
  pharmacies: 10_000,
  users: 20_000,
  templates: 100_000,
  campaigns: 5_000,
  uploads: 30_000,
  acts: 200_000,
}
export type Size = typeof SIZE

const WORDS = `array['Saltbush','Banksia','Wattle','Heron','Kookaburra','Ironbark','Coolabah','Bilby','Mallee','Lorikeet','Currawong','Quandong',
  'Ballarat','Bendigo','Geelong','Dubbo','Cairns','Albany','Hobart','Darwin','Mildura','Orange','Tamworth','Bunbury']`
const word = (n: string, salt: number) => `(${WORDS})[1 + (${n} * 7 + ${salt}) % 24]`
/** An invented time-ordered uuid. */
const UUID = 'gen_random_uuid()'

/** Writes a platform of invented companies, pharmacies, people, templates, campaigns and uploads straight into a fresh database. */
export async function writePlatform(databaseUrl: string, size: Size): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  const run = (text: string, values: unknown[] = []) => client.query(text, values)
  try {
    await run(
      `insert into company (uuid, name, created_at) select ${UUID}, ${word('n', 0)} || ' ' || ${word('n / 24', 5)} || ' Pharmacy Group ' || n,
         now() - n * interval '7 hours' from generate_series(1, $1::int) n`,
      [size.companies],
    )
    await run('create temporary table c as select id, row_number() over (order by id) - 1 as n from company')
    await run(
      `insert into location (uuid, company_id, name, street_address, town, region, postcode, time_zone, data_source)
       select ${UUID}, c.id, ${word('n.n', 3)} || ' Street Pharmacy ' || n.n, n.n || ' High Street', ${word('n.n', 12)}, 'VIC', '3350',
         'Australia/Melbourne', 'fred'
       from generate_series(1, $1::int) n(n) join c on c.n = n.n % $2`,
      [size.pharmacies, size.companies],
    )
    await run(
      `insert into location_module (location_id, company_id, module_id)
       select l.id, l.company_id, m.id from location l, module m where m.name = 'strong_pro' on conflict do nothing`,
    )
    await run(
      `insert into login (uuid, company_id, username, email, password_hash, first_name, last_name, data_analytics)
       select ${UUID}, c.id, 'person' || n.n, 'person' || n.n || '@bench.example', 'none', ${word('n.n', 1)}, ${word('n.n', 9)} || n.n % 97, true
       from generate_series(1, $1::int) n(n) join c on c.n = n.n % $2`,
      [size.users, size.companies],
    )
    await run(
      `insert into template (uuid, company_id, name, body, sms_template, email_template, active, enterprise_template, updated_at)
       select ${UUID}, case when n.n % 50 > 0 then c.id end, ${word('n.n', 2)} || ' reminder ' || n.n, 'Dear {First Name}, ' || n.n || ' from {Pharmacy Name}', true,
         n.n % 3 = 0, n.n % 4 > 0, n.n % 50 > 0 and n.n % 2 = 0, now() - n.n * interval '1 minute'
       from generate_series(1, $1::int) n(n) join c on c.n = n.n % $2`,
      [size.templates, size.companies],
    )
    await run(
      `insert into campaign (uuid, company_id, name, goal_type, measure_by, goal, active)
       select ${UUID}, c.id, ${word('n.n', 4)} || ' campaign ' || n.n, 'scripts', 'percentage', 5, n.n % 3 = 0
       from generate_series(1, $1::int) n(n) join c on c.n = n.n % $2`,
      [size.campaigns, size.companies],
    )
    await run(
      `insert into upload (uuid, location_id, etl_state, data_source, location_upload_time, etl_stop_time)
       select ${UUID}, l.id, case when k = 1 and l.id % 20 = 0 then 'ERROR' else 'COMPLETED' end, 'fred',
         now() - k * interval '1 day' - (l.id % 9) * interval '1 day', now() - k * interval '1 day' - (l.id % 9) * interval '1 day'
       from location l, generate_series(1, $1::int) k`,
      [Math.max(1, Math.round(size.uploads / size.pharmacies))],
    )
    await run(
      `insert into audit (company_id, login_id, action, object, object_name, at)
       select case when n % 3 > 0 then (select min(id) from company) + n % $2::int end, n % 500, 'company.edit', gen_random_uuid()::text, ${word('n', 6)}, now() - n * interval '1 minute'
       from generate_series(1, $1::int) n`,
      [size.acts, size.companies],
    )
    await run('vacuum analyze')
  } finally {
    await client.end()
  }
}

/** The support person who asks. */
export async function addSupport(databaseUrl: string): Promise<void> {
  const pools = openPools(databaseUrl, () => {}, 1)
  try {
    const { id: companyId } = await pools.system
      .selectFrom('company')
      .select('id')
      .orderBy('id')
      .limit(1)
      .executeTakeFirstOrThrow()
    await createLogin(pools.system, {
      ...{ companyId, username: USERNAME, email: 'support@bench.example', first_name: 'Kim', last_name: 'Lee' },
      ...{ password: PASSWORD, flags: ['sr_login' as const] },
    })
  } finally {
    await pools.close()
  }
}

/** The rival's answer to a list: the same page and the same count by plain SQL, as the owner, in milliseconds. */
export async function plainSql(client: pg.Client, text: string, values: readonly unknown[]): Promise<number> {
  const began = performance.now()
  await client.query(text, [...values])
  return performance.now() - began
}
