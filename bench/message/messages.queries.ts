import pg from 'pg'
import { openPools } from '../../apps/server/src/db/database.ts'
import { storedContacts } from '../../apps/server/src/db/field/contact.ts'
import { openKeys } from '../../apps/server/src/db/field/key-ring.ts'
import { readEnv } from '../../apps/server/src/env.ts'

/**
 * A company with `places` pharmacies, `count` patients with a mobile number each, and one held run with a queued text for everybody.
 * @returns the run, and the seconds for writing its messages
 */
export async function writeRun(
  databaseUrl: string,
  dataDir: string,
  places: number,
  count: number,
): Promise<{ id: number; seconds: number }> {
  return onDatabase(databaseUrl, async (client) => {
    const one = async <T>(text: string, values: unknown[]) => (await client.query(text, values)).rows[0] as T
    const company = await one<{ id: number }>(
      `insert into company (uuid, name, country) values (gen_random_uuid(), 'Bench Messages', 'AU') returning id`,
      [],
    )
    await client.query(
      `insert into messaging_setting (company_id, cap_messages, cap_hours, week, holidays_quiet)
       values ($1, 2, 168, (select jsonb_agg(jsonb_build_array(0, 1440)) from generate_series(1, 7)), false)`,
      [company.id],
    )
    await client.query(
      `insert into location (uuid, company_id, name, country, time_zone)
       select gen_random_uuid(), $1, 'Bench Pharmacy ' || n, 'AU', 'Australia/Sydney' from generate_series(1, $2::int) n`,
      [company.id, places],
    )
    await client.query(
      `insert into patient (location_id, source, source_id, first_name, last_name, mobile, sms_to, email, email_to)
       select l.id, 'canonical', 'bench-' || l.id || '-' || n, 'Ines', 'Moran', number, number, address, address
       from location l cross join generate_series(1, $2::int) n,
         lateral (select '+614' || lpad(((l.id * 100000 + n) % 100000000)::text, 8, '0') as number, 'p' || l.id || '.' || n || '@mail.example' as address) c
       where l.company_id = $1`,
      [company.id, Math.ceil(count / places)],
    )
    await sealContacts(client, databaseUrl, dataDir, company.id)
    const run = await one<{ id: number }>(
      `insert into message_run (uuid, company_id, context, state, starts_at)
       values (gen_random_uuid(), $1, 'campaign', 'holding', now() + interval '1 day') returning id`,
      [company.id],
    )
    await client.query(
      `insert into message_batch (location_id, uuid, run_id, company_id, channel, context, template_name, message_kind, body, next_at)
       select id, gen_random_uuid(), $2, $1, 'sms', 'campaign', 'Repeat due', 'health_outreach', $3, now() from location where company_id = $1`,
      [company.id, run.id, TEXT],
    )
    const began = performance.now()
    await client.query(
      `insert into message (location_id, run_id, batch_id, patient_id, channel, state, contact, body, parts, cents, planned_at)
       select b.location_id, b.run_id, b.id, p.id, 'sms', 'queued', p.sms_to, $2, 1, 12, now()
       from message_batch b join patient p on p.location_id = b.location_id where b.run_id = $1`,
      [run.id, TEXT],
    )
    const seconds = (performance.now() - began) / 1000
    await client.query('vacuum analyze message')
    await client.query('analyze')
    return { id: run.id, seconds }
  })
}

/** Stores the contacts of a company's patients as an upload does. */
async function sealContacts(client: pg.Client, databaseUrl: string, dataDir: string, companyId: number): Promise<void> {
  const { rows } = await client.query<{ contact: string }>(
    `select c as contact from patient p join location l on l.id = p.location_id, unnest(array[p.sms_to, p.email_to]) c where l.company_id = $1`,
    [companyId],
  )
  const pools = openPools(databaseUrl, () => {}, 2)
  try {
    const keys = await openKeys(readEnv({ DATA_DIR: dataDir }), pools.system)
    const handles = await pools.system.transaction().execute((tx) =>
      storedContacts(
        tx,
        keys,
        rows.map(({ contact }) => contact),
      ),
    )
    await client.query(
      'create temp table handle as select * from unnest($1::text[], $2::text[]) as h(contact, handle)',
      [[...handles.keys()], [...handles.values()]],
    )
    await client.query(
      `update patient p set mobile = null, email = null, sms_to = s.handle, email_to = e.handle from location l, handle s, handle e
       where l.company_id = $1 and p.location_id = l.id and s.contact = p.sms_to and e.contact = p.email_to`,
      [companyId],
    )
  } finally {
    await pools.close()
  }
}

const TEXT = 'Hi Ines, your next repeat is due at Bench Pharmacy. Call 03 5550 0100.\nReply STOP to opt out'

/** Lets a held run begin. */
export const beginRun = (databaseUrl: string, runId: number) =>
  onDatabase(databaseUrl, (client) => client.query('update message_run set starts_at = now() where id = $1', [runId]))

export interface RunProgress {
  queued: number
  sending: number
  /** Messages the gateway accepted, and how many of those have a receipt. */
  accepted: number
  settled: number
  other: number
  /** Seconds from the first to the last acceptance. */
  seconds: number
}

export function progressOf(databaseUrl: string, runId: number): Promise<RunProgress> {
  return onDatabase(databaseUrl, async (client) => {
    const { rows } = await client.query(
      `select count(*) filter (where state = 'queued')::int as queued, count(*) filter (where state = 'sending')::int as sending,
         count(*) filter (where sent_at is not null)::int as accepted,
         count(*) filter (where sent_at is not null and state in ('delivered', 'failed'))::int as settled,
         count(*) filter (where sent_at is null and state not in ('queued', 'sending'))::int as other,
         coalesce(extract(epoch from max(sent_at) - min(planned_at)), 0)::float8 as seconds
       from message where run_id = $1`,
      [runId],
    )
    return rows[0] as RunProgress
  })
}

/** Brings the rival's table of jobs to the same state as the ledger's. */
export const tidyJobs = (databaseUrl: string) =>
  onDatabase(databaseUrl, (client) => client.query('vacuum analyze bench_boss.job_common'))

async function onDatabase<T>(databaseUrl: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
