import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { Kysely, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import type { DB } from '../src/db/schema.generated.ts'
import { inScope } from '../src/db/scope.ts'
import { createLocation, ensureCompany } from '../src/features/location/location.queries.ts'
import { recoverUploads } from '../src/features/upload/upload.jobs.ts'
import { startTestServer, type TestServer } from './server.ts'

export interface Sent {
  status: number
  body: { uuid: string; etl_state: string; repeated: boolean; message: string; errors?: Record<string, string[]> }
}

export interface Status {
  etl_state: string | null
  notes: string
  retry_at: string | null
  files: {
    file_type: string
    received_bytes: number
    rows: number | null
    loaded: number | null
    faulty: number | null
  }[]
  faults: { file_type: string; line: number; column: string; value: string; reason: string }[]
  fault_count: number
}

export interface StoredScript {
  source_id: string
  day: string
  patient: string
  molecule: string
  k: number | null
  days: number
  basis: number
  type: number
  cents: number
}

export type Files = Record<string, string | Buffer>

export interface TestPharmacy {
  id: number
  companyId: number
  key: string
  /** POSTs files as multipart and returns the answer at once. */
  upload: (files: Files, fields?: Record<string, string>) => Promise<Sent>
  status: (uuid: string) => Promise<Status>
  /** Status once the upload is COMPLETED or ERROR. */
  settled: (uuid: string) => Promise<Status>
  /** upload, then settled. */
  load: (files: Files, fields?: Record<string, string>) => Promise<Status>
  scripts: () => Promise<StoredScript[]>
  /** Everything the pharmacy's numbers depend on, as one text: equal before and after means nothing changed. */
  fingerprint: () => Promise<string>
}

export interface UploadServer extends TestServer {
  url: string
  pharmacy: (timeZone?: string) => Promise<TestPharmacy>
  /** Sees everything; for checks, and for what support does by hand. */
  owner: Kysely<DB>
  /** What a worker does at its start and every half minute. */
  recover: () => Promise<void>
  /** Starts a worker in a separate process, for tests that kill it; it ends with the server at the latest. */
  startWorker: () => Promise<ChildProcess>
  /** Lets two hours pass for uploads, which ends leases and the wait after a setback. */
  passTwoHours: () => Promise<unknown>
}

let made = 0

/** A listening server with its worker, and pharmacies to upload for. */
export async function startUploadServer(
  options: Pick<NonNullable<Parameters<typeof startTestServer>[0]>, 'work' | 'without' | 'env' | 'on'> = {},
): Promise<UploadServer> {
  const server = await startTestServer({ ...options, work: options.work ?? true })
  const url = await server.app.listen({ port: 0, host: '127.0.0.1' })
  if (options.work !== false) await recoverUploads(server.services)
  const pool = new pg.Pool({ connectionString: server.ownerUrl, max: 2 })
  // A test that ends connections may end this one while it is idle; its next query opens another.
  pool.on('error', () => {})
  const owner = new Kysely<DB>({ dialect: new PostgresDialect({ pool }) })
  const workers: ChildProcess[] = []
  return {
    ...server,
    url,
    owner,
    recover: () => recoverUploads(server.services),
    pharmacy: (timeZone) => makePharmacy(server, url, timeZone ?? 'Australia/Sydney'),
    startWorker: async () => {
      const script = fileURLToPath(new URL('etl/upload-worker.ts', import.meta.url))
      const env = { ...process.env, DATABASE_URL: server.ownerUrl, DATA_DIR: server.services.env.DATA_DIR }
      const worker = spawn(process.execPath, [script], { env, stdio: ['ignore', 'pipe', 'inherit'] })
      workers.push(worker)
      await once(worker.stdout, 'data')
      return worker
    },
    passTwoHours: () =>
      sql`update upload set lease_until = lease_until - interval '2 hours', retry_at = retry_at - interval '2 hours'`.execute(
        owner,
      ),
    close: async () => {
      for (const worker of workers) worker.kill('SIGKILL')
      await owner.destroy()
      await server.close()
    },
  }
}

async function makePharmacy(server: TestServer, url: string, timeZone: string): Promise<TestPharmacy> {
  const { pools } = server.services
  const company = await ensureCompany(pools.system, { name: 'Testing Pharmacies', country: 'AU' })
  const name = `Pharmacy ${made++}`
  const { id, key } = await createLocation(pools.system, {
    companyId: company.id,
    name,
    country: 'AU',
    time_zone: timeZone,
  })
  const scope = { companyId: company.id, locationIds: [id] }
  const status = async (uuid: string) =>
    (await (await post(`${url}/api/etl/status`, key, JSON.stringify({ uuid }), 'application/json')).json()) as Status
  const upload = async (files: Files, fields: Record<string, string> = {}): Promise<Sent> => {
    const answer = await post(`${url}/api/etl/upload`, key, formOf(files, { data_source: 'canonical', ...fields }))
    return { status: answer.status, body: (await answer.json()) as Sent['body'] }
  }
  const settled = async (uuid: string): Promise<Status> => {
    for (let waited = 0; waited < 60_000; waited += 50) {
      const now = await status(uuid)
      if (now.etl_state === 'COMPLETED' || now.etl_state === 'ERROR') return now
      await new Promise((done) => setTimeout(done, 50))
    }
    throw new Error('The upload was not loaded within a minute.')
  }
  return {
    id,
    companyId: company.id,
    key,
    upload,
    status,
    settled,
    load: async (files, fields) => {
      const sent = await upload(files, fields)
      if (sent.status !== 200) throw new Error(`upload refused: ${sent.status} ${sent.body.message}`)
      return settled(sent.body.uuid)
    },
    scripts: () => inScope(pools.app, scope, async (tx) => (await storedScripts.execute(tx)).rows),
    fingerprint: () =>
      inScope(pools.app, scope, async (tx) => (await fingerprintQuery.execute(tx)).rows[0]?.text ?? ''),
  }
}

export function formOf(files: Files, fields: Record<string, string>): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  for (const [name, content] of Object.entries(files))
    form.append(name, new Blob([content as unknown as BlobPart]), `${name}.csv`)
  return form
}

export function post(url: string, key: string, body: string | FormData, type?: string): Promise<Response> {
  const headers = { authorization: `Bearer ${key}`, ...(type ? { 'content-type': type } : {}) }
  return fetch(url, { method: 'POST', headers, body })
}

const storedScripts = sql<StoredScript>`
  with s as materialized (select * from script)
  select s.source_id, s.dispensed_on::text as day, p.source_id as patient, m.name as molecule, s.supply_number as k,
         s.days_supply as days, s.days_basis as basis, s.patient_type as type, s.patient_price_cents + s.government_cents as cents
  from s join patient p on p.id = s.patient_id join drug d on d.id = s.drug_id join molecule m on m.id = d.molecule_id
  order by s.source_id`

// Contact details are resolved after the upload, in the background.
const fingerprintQuery = sql<{ text: string }>`
  select concat_ws('|',
    (select coalesce(md5(string_agg((to_jsonb(t) - '{sms_to,email_to,contact_source}'::text[])::text, ',' order by t.source_id)), '-') from patient t),
    (select coalesce(md5(string_agg(t::text, ',' order by t.source_id)), '-') from drug t),
    (select coalesce(md5(string_agg(t::text, ',' order by t.source_id)), '-') from prescription t),
    (select coalesce(md5(string_agg(t::text, ',' order by t.source_id)), '-') from script t),
    (select coalesce(md5(string_agg(t::text, ',' order by t.period, t.category_id, t.subcategory_id)), '-') from metric_cell t),
    (select coalesce(md5(string_agg(t::text, ',' order by t.period)), '-') from metric_total t),
    (select coalesce(md5(string_agg(concat_ws(',', data_from, data_to, data_source, last_upload_at), ',')), '-') from location)) as text`
