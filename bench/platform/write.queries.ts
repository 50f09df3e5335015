import pg from 'pg'
import { body, type Run, type Size, UUID, word } from './invented.queries.ts'
import { writeMessages, writeSequences, writeTrials } from './write-more.queries.ts'

/** Writes a platform of invented companies, pharmacies, people, templates, campaigns, uploads and messages straight into a fresh database. */
export async function writePlatform(databaseUrl: string, size: Size): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  const run: Run = (text, values = []) => client.query(text, values)
  try {
    await writePlaces(run, size)
    await writeTemplates(run, size)
    await writeCampaigns(run, size)
    await writeUploads(run, size)
    await writeActs(run, size)
    await writeSequences(run, size)
    await writeTrials(run, size)
    await writeMessages(run, size)
    await run('vacuum analyze')
    await run('checkpoint')
  } finally {
    await client.end()
  }
}

async function writePlaces(run: Run, size: Size): Promise<void> {
  await run(
    `insert into company (uuid, name, created_at) select ${UUID}, ${word('n', 0)} || ' ' || ${word('n / 24', 5)} || ' Pharmacy Group ' || n,
       now() - n * interval '7 hours' from generate_series(1, $1::int) n`,
    [size.companies],
  )
  await run('create temporary table c as select id, row_number() over (order by id) - 1 as n from company')
  await run(
    `insert into location (uuid, company_id, name, street_address, town, region, postcode, time_zone, data_source)
     select ${UUID}, c.id, ${word('n.n', 3)} || ' Street Pharmacy ' || n.n, n.n || ' High Street', ${word('n.n', 12)},
       (array['VIC', 'NSW', 'QLD', 'SA', 'WA', 'TAS'])[1 + n.n % 6], '3350',
       (array['Melbourne', 'Sydney', 'Brisbane', 'Adelaide', 'Perth', 'Hobart'])[1 + n.n % 6], 'fred'
     from generate_series(1, $1::int) n(n) join c on c.n = n.n % $2`,
    [size.pharmacies, size.companies],
  )
  await run(`update location set time_zone = 'Australia/' || time_zone where time_zone not like '%/%'`)
  await run(
    `insert into location_module (location_id, company_id, module_id)
     select l.id, l.company_id, m.id from location l, module m where m.name = 'strong_pro' on conflict do nothing`,
  )
  // `nth`: its place among its company's pharmacies.
  await run(`create temporary table l as select id, company_id, row_number() over (order by id) - 1 as n,
    row_number() over (partition by company_id order by id) - 1 as nth from location`)
  await run('create index on l (company_id, nth)')
  await run('analyze l, location, c')
  await run(
    `insert into login (uuid, company_id, username, email, password_hash, first_name, last_name, data_analytics, password_pending, created_at)
     select ${UUID}, c.id, 'person' || n.n, 'person' || n.n || '@bench.example', 'none', ${word('n.n', 1)}, ${word('n.n', 9)} || n.n % 97,
       true, n.n % 25 = 0, now() - n.n * interval '13 minutes'
     from generate_series(1, $1::int) n(n) join c on c.n = n.n % $2`,
    [size.users, size.companies],
  )
  // One person in ten is linked to no pharmacy.
  await run(
    `insert into login_location (login_id, location_id, company_id)
     select o.id, l.id, o.company_id from login o join l on l.company_id = o.company_id and l.nth between o.id % 3 and o.id % 3 + 2
     where o.id % 10 > 0 on conflict do nothing`,
  )
}

async function writeTemplates(run: Run, size: Size): Promise<void> {
  await run(
    `insert into template_recommendation (uuid, name, description, body, sms_template, email_template, published_at)
     select ${UUID}, ${word('n', 11)} || ' recommended ' || n, 'Asks people to come in', ${body('n')}, n % 3 = 0, n % 4 > 0, now() - n * interval '1 hour'
     from generate_series(1, $1::int) n`,
    [size.recommended],
  )
  await run(
    'create temporary table r as select id, row_number() over (order by id) - 1 as n from template_recommendation',
  )
  await run(
    `insert into template (uuid, company_id, name, body, sms_template, email_template, active, enterprise_template, template_recommendation_id, updated_at)
     select ${UUID}, case when n.n % 50 > 0 then c.id end, ${word('n.n', 2)} || ' reminder ' || n.n, ${body('n.n')}, true,
       n.n % 3 = 0, n.n % 4 > 0, n.n % 50 > 0 and n.n % 2 = 0, case when n.n % 50 > 0 then r.id end, now() - n.n * interval '1 minute'
     from generate_series(1, $1::int) n(n) join c on c.n = n.n % $2 left join r on n.n % 5 = 0 and r.n = n.n / 5 % $3`,
    [size.templates, size.companies, size.recommended],
  )
  await run(`create temporary table t as
    select id, company_id, row_number() over (partition by company_id order by id) - 1 as nth from template where company_id is not null`)
  await run('create index on t (company_id, nth)')
  await run('analyze t, template')
}

async function writeCampaigns(run: Run, size: Size): Promise<void> {
  const recommended = Math.max(20, Math.round(size.campaigns / 10))
  await run(
    `insert into campaign_recommendation (uuid, name, description, goal_type, measure_by, goal, published_at)
     select ${UUID}, ${word('n', 14)} || ' recommended campaign ' || n, 'For people whose repeats are due', 'scripts', 'percentage', 5, now() - n * interval '2 hours'
     from generate_series(1, $1::int) n`,
    [recommended],
  )
  await run(
    `insert into campaign_recommendation_template (campaign_recommendation_id, template_recommendation_id)
     select k.id, r.id from campaign_recommendation k join r on r.n in (k.id % $1, (k.id + 7) % $1) on conflict do nothing`,
    [size.recommended],
  )
  await run(
    `insert into campaign (uuid, company_id, name, goal_type, measure_by, goal, active, start_day, campaign_recommendation_id, created_at)
     select ${UUID}, c.id, ${word('n.n', 4)} || ' campaign ' || n.n, 'scripts', 'percentage', 5, n.n % 3 = 0, current_date - n.n % 400,
       case when n.n % 2 = 0 then (select min(id) from campaign_recommendation) + n.n % $3 end, now() - n.n * interval '1 hour'
     from generate_series(1, $1::int) n(n) join c on c.n = n.n % $2`,
    [size.campaigns, size.companies, recommended],
  )
  await run(
    `insert into campaign_location (campaign_id, company_id, location_id)
     select c.id, c.company_id, l.id from campaign c join location l on l.company_id = c.company_id`,
  )
  await run(
    `insert into campaign_template (campaign_id, company_id, template_id)
     select c.id, c.company_id, t.id from campaign c join t on t.company_id = c.company_id and t.nth between c.id % 17 and c.id % 17 + 1`,
  )
}

async function writeUploads(run: Run, size: Size): Promise<void> {
  const each = Math.max(1, Math.round(size.uploads / size.pharmacies))
  await run(
    `insert into upload (uuid, location_id, etl_state, data_source, created_at, last_updated, location_upload_time, etl_start_time, etl_stop_time)
     select ${UUID}, l.id, case when k = 1 and l.n % 20 = 0 then 'ERROR' when k = 1 and l.n % 50 = 1 then 'REQUESTED' else 'COMPLETED' end, 'fred', at, at, at, at, at
     from l, generate_series(1, $1::int) k, lateral (select now() - k * interval '1 day' - l.n % 9 * interval '1 day' as at) a
     where l.n % 40 <> 7`,
    [each],
  )
  await run(
    `insert into upload_file (upload_id, location_id, file_type, file_path, bytes, sha256, row_count, loaded, faulty)
     select u.id, u.location_id, f, '/data/uploads/' || u.uuid || '/' || f || '.csv', 100000, '', 2000, 1990, 10
     from upload u, unnest(array['script', 'patient', 'drug']) f where u.created_at > now() - interval '12 days'`,
  )
  await run(
    `update location l set last_upload_at = u.at
     from (select location_id, max(etl_stop_time) as at from upload where etl_state = 'COMPLETED' group by 1) u where u.location_id = l.id`,
  )
}

/** Without seals, which no list reads: the cost of sealing is measured separately. */
async function writeActs(run: Run, size: Size): Promise<void> {
  await run('alter table audit disable trigger seal')
  await run(
    `insert into audit (company_id, login_id, session_id, action, object, object_name, detail, network, agent, at)
     select case when n.n % 3 > 0 then c.id end, 1 + n.n % $3::int, ${UUID}, (array['company.edit', 'session.start', 'templateAdmin.edit', 'user.edit'])[1 + n.n % 4],
       gen_random_uuid()::text, ${word('n.n', 6)}, '{"fields": {"name": ["Old name", "New name"]}}', '203.0.113.0/24', 'Firefox', now() - n.n * interval '1 minute'
     from generate_series(1, $1::int) n(n) join c on c.n = n.n % $2`,
    [size.acts, size.companies, Math.min(size.users, 500)],
  )
  await run('alter table audit enable trigger seal')
}
