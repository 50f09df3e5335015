import { chown, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { writtenAt } from '../../../test/field/contacts.ts'
import { addressesOf, consentLog } from '../../../test/field/opened.ts'
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
import {
  alone,
  copyDatabase,
  DRUGS,
  databaseOf,
  figuresOf,
  HEAD,
  leaveClosed,
  leaveTraces,
  NAMED,
  OTHERS,
  PATIENTS,
  RX,
  scripts,
  ZELDA,
} from '../../../test/process/erasure-world.ts'
import { entriesFile, entryRow, MORPHINE, productsFile } from '../../../test/register.ts'
import { startUploadServer, type TestPharmacy, type UploadServer } from '../../../test/upload.ts'
import { inScope } from '../../db/scope.ts'
import { recomputeMetrics } from '../metrics/metrics.queries.ts'
import { eraseAgain } from './erase.ts'
import { startErasures } from './erasure.jobs.ts'
import { ledgerFile, readLedger } from './erasure-ledger.ts'
import { completeLedger } from './ledger-gap.ts'

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
  await leaveTraces(server, place)
}, 120_000)
afterAll(() => server.close())

/** All tables as one text with their sealed values opened, except the register, which the law requires to be kept. */
async function stands(): Promise<string> {
  const places = [place.id, other.id]
  const of = <T>(read: (id: number) => Promise<T>) => Promise.all(places.map(read))
  const sealed = [
    await consentLog(server, places),
    await of((id) => addressesOf(server, id)),
    await of((id) => writtenAt(server, id)),
  ]
  const register = await asOwner<{ row: string }>(server, 'select row_to_json(t)::text as row from s8_entry t')
  return [JSON.stringify(sealed), ...(await dump(server)).split('\n')]
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

/** Erases as support does, with the password entered again. */
async function erase(more: Record<string, unknown> = {}) {
  const input = {
    ...{ id: uuids.company, location_id: uuids.place, number: 'PT-90417', last_name: 'quirrenbach' },
    ...{ reason: 'Asked in writing, the pharmacy checked who it was', ...more },
  }
  const grant = await stepUp(server, desk, 'delete', uuids.company)
  return server.call(`/api/company/${uuids.company}/erase-patient`, input, grant)
}

/** Recounts all periods of both pharmacies from the stored rows. */
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

/** Replaces the database with the backup, keeping the present one under another name. */
const restoreBackup = (kept: string) =>
  alone(
    server,
    `alter database ${databaseOf(server)} rename to ${databaseOf(server)}_${kept}`,
    copyDatabase(server, `${databaseOf(server)}_backup`, databaseOf(server)),
  )

/** What /metrics reports about erasures missing from the ledger. */
async function lacking(): Promise<string | undefined> {
  const { body } = await server.app.inject({ url: '/metrics', remoteAddress: '127.0.0.1' })
  return /^pillar_erasures_not_in_ledger (.+)$/m.exec(body)?.[1]
}
const sameRecords = (a: unknown[], b: unknown[]) => JSON.stringify(a.toSorted()) === JSON.stringify(b.toSorted())

describe('erasing a patient', () => {
  let before: { figures: string; register: unknown }

  it('starts with data about her in every table', async () => {
    expect(hits(await stands())).toEqual(NAMED)
    before = { figures: await figuresOf(server), register: await registerRows() }
    await alone(server, copyDatabase(server, databaseOf(server), `${databaseOf(server)}_backup`))
  })

  it('is refused with a wrong name, or a reason that names her', async () => {
    expect((await erase({ last_name: 'Ode' })).status).toBe(404)
    expect((await erase({ reason: 'Zeldaphine asked for it in writing' })).body).toMatchObject({
      errors: { reason: [expect.stringContaining('leave out the name')] },
    })
    expect(hits(await stands())).toEqual(NAMED)
  })

  it('leaves nothing that names her in tables, queues and files; figures and register stay', async () => {
    // An event of a gateway that does not open keeps nobody from being erased, nor do letters whose recipient or text does not.
    const closed = await leaveClosed(server)
    const logged = vi.spyOn(server.services.log, 'error')
    expect(await erase()).toMatchObject({ status: 200, body: { records: 2, held: 1 } })
    expect(logged).toHaveBeenCalledWith({ letters: closed.letters }, expect.stringMatching(/^letters did not open/))
    logged.mockRestore()
    await closed.remove()
    expect(hits(await stands())).toEqual([])
    expect(hits(await filesText())).toEqual([])
    for (const table of ['consent_request', 'trial_link', 'contact_history'])
      expect(await asOwner(server, `select from ${table}`)).toEqual([])
    const letters = await asOwner<{ body: Buffer | null }>(
      server,
      `select body from mail where subject in ('A reply', 'Your sign-up')`,
    )
    expect(letters).toEqual([{ body: null }])
    expect(await registerRows()).toEqual(before.register)
    expect(await asOwner(server, 'select location_id, number::int from erasure_hold')).toEqual([
      { location_id: place.id, number: 1 },
    ])
    expect(await figuresOf(server)).toBe(before.figures)
    await countAgain()
    expect(await figuresOf(server)).toBe(before.figures)
  })

  it('closes her consent on every channel, and the audit records it without naming her', async () => {
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

  it('keeps her erased in later uploads, under her number or a new one', async () => {
    const rest = {
      drugs: DRUGS,
      prescriptions: RX,
      scripts: HEAD + scripts('z', 'R1', [1, 2, 3, 5]) + scripts('b', 'R2', [1, 2, 4]),
    }
    expect((await place.load({ patients: PATIENTS + ZELDA + OTHERS, ...rest })).etl_state).toBe('COMPLETED')
    expect(hits(await stands())).toEqual([])
    expect(await figuresOf(server)).toBe(before.figures)
    const again = ZELDA.replace('PT-90417', 'PT-55501').replace('17 Numbat Row,Quokkaville,Nor-by-East,3121', ',,,')
    const sister = 'P9,Ida,Quill,F,1980-01-01,,,,,+61 477 123 987,ZQ@quirren.example,0\n'
    expect((await place.load({ patients: PATIENTS + again + sister })).etl_state).toBe('COMPLETED')
    expect(hits(await stands())).toEqual([])
    expect(
      await asOwner(server, `select mobile_sealed, email_sealed, mobile, email from patient where first_name = 'Ida'`),
    ).toEqual([{ mobile_sealed: null, email_sealed: null, mobile: null, email: null }])
    const fresh = await asOwner<{ n: number }>(
      server,
      'select count(*)::int as n from patient where erased_at is not null and sms_opt_out',
    )
    expect(fresh).toEqual([{ n: 3 }])
    // Scripts without the patients file find their alias by the new number too.
    const more = `z9,2026-05-09,PT-55501,A,,30,,General,7.70,Dear Zel\n`
    expect((await place.load({ scripts: HEAD + more })).notes).toContain('1 new')
    expect(hits(await stands())).toEqual([])
  })

  it('is repeated once after restoring an earlier backup, even if two processes start at once', async () => {
    await restoreBackup('old')
    expect(hits(await stands())).toEqual(NAMED)
    const both = await Promise.all([eraseAgain(server.services), eraseAgain(server.services)])
    expect(both.toSorted((a, b) => a.erasures - b.erasures)).toEqual([
      { erasures: 0, records: 0 },
      { erasures: 1, records: 2 },
    ])
    expect(hits(await stands())).toEqual([])
    expect(await figuresOf(server)).toBe(before.figures)
    expect(await registerRows()).toEqual(before.register)
    expect(await eraseAgain(server.services)).toEqual({ erasures: 0, records: 0 })
  })

  it('reports a ledger that was altered, or another secret, and does not continue', async () => {
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

  it('reports an erasure missing from the ledger, and the next start adds it from the database', async () => {
    const { env, secret } = server.services
    const file = ledgerFile(env.DATA_DIR)
    const [whole] = await readLedger(env.DATA_DIR, secret)
    const told = vi.spyOn(server.services.log, 'error')
    const lacks = 'lacked 1 of the erasures that the database knows'
    await (await startErasures(server.services, () => {}))()
    expect([await lacking(), told.mock.calls]).toEqual(['0', []])

    await rm(file)
    expect(await lacking()).toBe('1')
    const both = await Promise.all([completeLedger(server.services), completeLedger(server.services)])
    expect(both.toSorted()).toEqual([expect.stringContaining(lacks), null])
    await rm(file)
    // A drill as root leaves a file that Pillar, as another user, can continue.
    const asRoot = process.getuid?.() === 0
    const { uid, gid } = await stat(env.DATA_DIR)
    if (asRoot) await chown(env.DATA_DIR, 12_345, gid)
    await (await startErasures(server.services, () => {}))()
    expect(told.mock.calls).toEqual([[expect.stringContaining(lacks)]])
    expect((await stat(file)).uid).toBe(asRoot ? 12_345 : uid)
    if (asRoot) await chown(env.DATA_DIR, uid, gid)
    expect(await lacking()).toBe('0')
    const sorted = { person: whole!.keys.person.toSorted(), sms: whole!.keys.sms, email: whole!.keys.email }
    expect(await readLedger(env.DATA_DIR, secret)).toEqual([
      { ...whole, records: expect.toSatisfy((all) => sameRecords(all, whole!.records)), keys: sorted },
    ])
    // The added line erases the patient again, like the one that was lost.
    await restoreBackup('older')
    expect(hits(await stands())).toEqual(NAMED)
    expect(await eraseAgain(server.services)).toEqual({ erasures: 1, records: 2 })
    expect(hits(await stands())).toEqual([])

    // An unknown state must not look as though all were well.
    await writeFile(file, '{}')
    expect(await lacking()).toBe('Nan')
  })
})
