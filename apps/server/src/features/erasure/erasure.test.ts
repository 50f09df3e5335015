import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  asOwner,
  dump,
  makeCompany,
  makeLogin,
  type SignedIn,
  signIn,
  stepUp,
  type TestLogin,
} from '../../../test/people.ts'
import { entriesFile, entryRow, MORPHINE, productsFile } from '../../../test/register.ts'
import { startUploadServer, type TestPharmacy, type UploadServer } from '../../../test/upload.ts'
import { seal } from '../../api/seal.ts'
import { inScope } from '../../db/scope.ts'
import { recomputeMetrics } from '../metrics/metrics.queries.ts'
import { eraseAgain } from './erase.ts'
import { ledgerFile } from './erasure-ledger.ts'

/** Words that name Zelda and nobody else in the test's database. */
const NAMED = [
  'Zeldaphine',
  'Quirrenbach',
  '61477123987',
  '0477 123 987',
  'zq@quirren.example',
  '17 Numbat Row',
  '1951-03-17',
  'PT-90417',
  'Dear Zel',
  'AUTH-7734',
]

const PATIENTS = 'patient_id,first_name,last_name,sex,date_of_birth,address,postcode,mobile,email,sms_opt_out\n'
const ZELDA = 'PT-90417,Zeldaphine,Quirrenbach,F,1951-03-17,17 Numbat Row,3121,0477 123 987,zq@quirren.example,0\n'
const OTHERS =
  'P2,Ben,Ode,M,1960-01-02,1 High St,3121,0477 000 111,ben@ode.example,0\nP3,Cho,Lim,F,1970-05-06,2 High St,3122,0477 000 222,cho@lim.example,0\n'
const DRUGS = 'drug_id,name,atc,pack_size\nA,Rosuvastatin 10 mg tablet,C10AA07,30\n'
const RX = 'prescription_id,patient_id,drug_id,repeats_authorised,authority\nR1,PT-90417,A,5,AUTH-7734\nR2,P2,A,5,\n'
const HEAD =
  'script_id,dispensed_on,patient_id,drug_id,prescription_id,units,supply_number,patient_type,patient_price,directions\n'
const scripts = (who: string, rx: string, months: readonly number[]) =>
  months
    .map(
      (m) =>
        `${who}-${m},2026-0${m}-04,${who === 'z' ? 'PT-90417' : 'P2'},A,${rx},30,${m},General,7.70,Take ONE daily${who === 'z' ? ' Dear Zel' : ''}\n`,
    )
    .join('')

let server: UploadServer
let place: TestPharmacy
let other: TestPharmacy
let desk: { login: TestLogin; tab: SignedIn }
let uuids: { company: string; place: string }
beforeAll(async () => {
  server = await startUploadServer()
  place = await server.pharmacy()
  other = await server.pharmacy()
  const staff = await makeCompany(server)
  const login = await makeLogin(server, staff.id, { flags: ['sr_login'] })
  desk = { login, tab: await signIn(server, login) }
  const [row] = await asOwner<{ company: string; place: string }>(
    server,
    'select c.uuid as company, l.uuid as place from location l join company c on c.id = l.company_id where l.id = $1',
    [place.id],
  )
  uuids = row!
  const rest = {
    drugs: DRUGS,
    prescriptions: RX,
    scripts: HEAD + scripts('z', 'R1', [1, 2, 3, 5]) + scripts('b', 'R2', [1, 2, 4]),
  }
  for (const one of [place, other]) {
    const done = await one.load({ patients: PATIENTS + ZELDA + OTHERS, ...rest })
    expect([done.etl_state, done.notes]).toEqual(['COMPLETED', expect.any(String)])
  }
  const register = { s8_products: productsFile([MORPHINE]) }
  const entry = entryRow(1, 'supply', {
    product_id: 'M10',
    patient_id: 'PT-90417',
    name: 'Zeldaphine Quirrenbach',
  })
  const kept = await place.load({ ...register, s8_transactions: entriesFile([entry]) })
  expect([kept.etl_state, kept.notes]).toEqual(['COMPLETED', expect.any(String)])
  await leaveTraces()
}, 120_000)
afterAll(() => server.close())

/** What sending, replies, letters and links leave of somebody. */
async function leaveTraces(): Promise<void> {
  const [zelda] = await asOwner<{ id: number }>(
    server,
    `select id from patient where location_id = $1 and source_id = 'PT-90417'`,
    [place.id],
  )
  const at = [place.id, zelda!.id]
  await asOwner(
    server,
    `update patient set sms_to = '+61477123987', email_to = 'zq@quirren.example' where source_id = 'PT-90417'`,
  )
  await asOwner(
    server,
    `insert into message_reply (location_id, uuid, sender, received_by, body, may_stop, patient_ids, received_at)
     values ($1, gen_random_uuid(), '+61477123987', '+61400000000', 'It is Quirrenbach, which tablets?', false, array[$2::bigint], now())`,
    at,
  )
  await asOwner(
    server,
    `insert into consent_entry (location_id, uuid, patient_id, at, type, channel, wording, source, contact)
     values ($1, gen_random_uuid(), $2, now(), 'start', 'sms', 'Quirrenbach says yes', 'reply', '+61477123987')`,
    at,
  )
  await asOwner(
    server,
    `insert into consent_request (location_id, token_hash, patient_id, marketing, health_outreach, expires_at)
     values ($1, sha256('token'), $2, true, true, now() + interval '1 day')`,
    at,
  )
  await asOwner(server, `insert into contact_history (company_id, contact) values ($1, '+61477123987')`, [
    place.companyId,
  ])
  await asOwner(
    server,
    `insert into gateway_event (gateway, event_id, payload, done_at) values ('fake', 'e1', '{"from":"+61477123987","text":"Quirrenbach"}', now())`,
  )
  await asOwner(
    server,
    `insert into simulator_message (reference, channel, recipient, sender, body, accepted_at)
     values ('ref-1', 'sms', '+61477123987', '+61400000000', 'Dear Zel', now())`,
  )
  const sealed = seal(server.services.secret, 'Reply of +61477123987', 'shop@pharmacy.example', 'mail body')
  await asOwner(server, `insert into mail (recipient, subject, body) values ('shop@pharmacy.example', 'A reply', $1)`, [
    sealed,
  ])
  await asOwner(server, `insert into mail (recipient, subject) values ('zq@quirren.example', 'Your sign-up')`)
}

/** The tables, but for the register, which is kept by law, as one text. */
async function stands(): Promise<string> {
  const register = await asOwner<{ row: string }>(server, 'select row_to_json(t)::text as row from s8_entry t')
  return (await dump(server))
    .split('\n')
    .filter((line) => !register.some(({ row }) => row === line))
    .join('\n')
}
const hits = (text: string) => NAMED.filter((word) => text.includes(word))

async function filesText(): Promise<string> {
  const folder = server.services.env.DATA_DIR
  const names = await readdir(folder, { recursive: true, withFileTypes: true })
  const texts = names.filter((one) => one.isFile()).map((one) => readFile(join(one.parentPath, one.name), 'latin1'))
  return (await Promise.all(texts)).join('\n')
}

/** Every stored figure of the company, as one text. */
async function figures(): Promise<string> {
  const tables = [
    'metric_cell',
    'metric_figure',
    'metric_total',
    'metric_persistence',
    'person_cell',
    'person_figure',
    'patient_measure',
    'script_lines',
  ]
  const texts: string[] = []
  for (const name of [...tables, 'board_fact', 'sixty_day_cell', 'touch', 'message_stat']) {
    const rows = await asOwner<{ row: string }>(server, `select row_to_json(t)::text as row from ${name} t order by 1`)
    texts.push(`${name}\n${rows.map(({ row }) => row).join('\n')}`)
  }
  const [counted] = await asOwner<{ row: string }>(
    server,
    `select json_build_array(count(*), count(distinct (location_id, patient_id)), sum(patient_price_cents), sum(days_supply))::text as row from script`,
  )
  return [...texts, counted!.row].join('\n')
}

/** What support does, with the password entered again. */
async function erase(more: Record<string, unknown> = {}) {
  const input = {
    ...{ id: uuids.company, location_id: uuids.place, number: 'PT-90417', last_name: 'quirrenbach' },
    ...{ reason: 'Asked in writing, the pharmacy checked who it was', ...more },
  }
  const grant = await stepUp(server, desk, 'delete', uuids.company)
  return server.call(`/api/company/${uuids.company}/erase-patient`, input, grant)
}

const database = () => new URL(server.ownerUrl).pathname.slice(1)
/** Runs statements from outside while nobody is connected; pools open new connections afterwards. */
async function alone(...statements: string[]): Promise<void> {
  const url = new URL(server.ownerUrl)
  url.pathname = '/pillar_template'
  const client = new pg.Client({ connectionString: url.href })
  await client.connect()
  try {
    await client.query(`alter database ${database()} with allow_connections false`)
    const left = () =>
      client.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [database()])
    while ((await left()).rows.length > 0) await new Promise((done) => setTimeout(done, 20))
    for (const statement of statements) await client.query(statement)
  } finally {
    await client.query(`alter database ${database()} with allow_connections true`)
    await client.end()
  }
}

/** All periods of both pharmacies counted again from what is stored. */
async function countAgain(): Promise<void> {
  for (const one of [place, other])
    await inScope(server.services.pools.app, { companyId: place.companyId, locationIds: [one.id] }, async (tx) => {
      const zone = { id: one.id, country: 'AU' as const, timeZone: 'Australia/Sydney' }
      const { rows } = await sql<{
        day: string
      }>`select data_to::text as day from location where id = ${one.id}`.execute(tx)
      await recomputeMetrics(tx, zone, { dataTo: rows[0]!.day, changedFrom: null, touched: null }, () => {})
    })
}
const registerRows = () =>
  asOwner<{ row: string }>(server, 'select row_to_json(t)::text as row from s8_entry t order by 1')

describe('erasing a patient', () => {
  let before: { figures: string; register: unknown }

  it('the tables hold her everywhere before', async () => {
    expect(hits(await stands())).toEqual(NAMED)
    before = { figures: await figures(), register: await registerRows() }
    await alone(`create database ${database()}_backup template ${database()}`)
  })

  it('is refused with a wrong name, or a reason that names her', async () => {
    expect((await erase({ last_name: 'Ode' })).status).toBe(404)
    expect((await erase({ reason: 'Zeldaphine asked for it in writing' })).body).toMatchObject({
      errors: { reason: [expect.stringContaining('leave out the name')] },
    })
    expect(hits(await stands())).toEqual(NAMED)
  })

  it('leaves nothing that names her in tables, queues and files; figures and register stay', async () => {
    expect(await erase()).toMatchObject({ status: 200, body: { records: 2, held: 1 } })
    expect(hits(await stands())).toEqual([])
    expect(hits(await filesText())).toEqual([])
    const letters = await asOwner<{ body: Buffer | null }>(
      server,
      `select body from mail where recipient = 'shop@pharmacy.example'`,
    )
    expect(letters).toEqual([{ body: null }])
    expect(await registerRows()).toEqual(before.register)
    expect(await asOwner(server, 'select location_id, number::int from erasure_hold')).toEqual([
      { location_id: place.id, number: 1 },
    ])
    expect(await figures()).toBe(before.figures)
    await countAgain()
    expect(await figures()).toBe(before.figures)
  })

  it('her consent is out on every channel, and the audit tells what was done without her', async () => {
    const out = {
      sms_health_outreach: 'out',
      sms_marketing: 'out',
      email_health_outreach: 'out',
      email_marketing: 'out',
    }
    const consent = await asOwner(
      server,
      `select sms_health_outreach, sms_marketing, email_health_outreach, email_marketing from consent c
       join patient p on p.location_id = c.location_id and p.id = c.patient_id where p.erased_at is not null`,
    )
    expect(consent).toEqual([out, out])
    const [log] = await asOwner<{ detail: object }>(
      server,
      `select detail from audit where action = 'erasure.erasePatient' and not copy`,
    )
    expect(JSON.stringify(log!.detail)).toContain('the pharmacy checked who it was')
  })

  it('later uploads that carry her again, under her number or a new one, keep her erased', async () => {
    const rest = {
      drugs: DRUGS,
      prescriptions: RX,
      scripts: HEAD + scripts('z', 'R1', [1, 2, 3, 5]) + scripts('b', 'R2', [1, 2, 4]),
    }
    expect((await place.load({ patients: PATIENTS + ZELDA + OTHERS, ...rest })).etl_state).toBe('COMPLETED')
    expect(hits(await stands())).toEqual([])
    expect(await figures()).toBe(before.figures)
    const again = ZELDA.replace('PT-90417', 'PT-55501').replace('17 Numbat Row,3121', ',')
    const sister = 'P9,Ida,Quill,F,1980-01-01,,,+61 477 123 987,,0\n'
    expect((await place.load({ patients: PATIENTS + again + sister })).etl_state).toBe('COMPLETED')
    expect(hits(await stands())).toEqual([])
    expect(await asOwner(server, `select source_id, mobile from patient where first_name = 'Ida'`)).toEqual([
      { source_id: 'P9', mobile: null },
    ])
    const fresh = await asOwner<{ n: number }>(
      server,
      'select count(*)::int as n from patient where erased_at is not null and sms_opt_out',
    )
    expect(fresh).toEqual([{ n: 3 }])
    // Scripts alone, without the patients file, find their alias by the new number too.
    const more = `z9,2026-05-09,PT-55501,A,,30,,General,7.70,Dear Zel\n`
    expect((await place.load({ scripts: HEAD + more })).notes).toContain('1 new')
    expect(hits(await stands())).toEqual([])
  })

  it('a backup restored from before erases her again, once', async () => {
    await alone(
      `alter database ${database()} rename to ${database()}_old`,
      `create database ${database()} template ${database()}_backup`,
    )
    expect(hits(await stands())).toEqual(NAMED)
    expect(await eraseAgain(server.services)).toEqual({ erasures: 1, records: 2 })
    expect(hits(await stands())).toEqual([])
    expect(await figures()).toBe(before.figures)
    expect(await registerRows()).toEqual(before.register)
    expect(await eraseAgain(server.services)).toEqual({ erasures: 0, records: 0 })
  })

  it('a ledger that was altered, or another secret, is told and not passed over', async () => {
    const file = ledgerFile(server.services.env.DATA_DIR)
    const text = await readFile(file, 'utf8')
    const other = { ...server.services, secret: Buffer.alloc(32, 9) }
    await expect(eraseAgain(other)).rejects.toThrow('SECRET is not the one')
    await writeFile(file, text.replace('in writing', 'by phone'))
    await expect(eraseAgain(server.services)).rejects.toThrow('is not as it was written')
    // A line cut off by a crash takes nothing with it.
    await writeFile(file, `${text}\n{"uuid":"0`)
    expect(await eraseAgain(server.services)).toEqual({ erasures: 0, records: 0 })
  })
})
