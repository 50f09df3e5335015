import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { rotate } from '../../src/db/field/rotation.ts'
import { sweepFields } from '../../src/db/field/sweep.ts'
import { inScope } from '../../src/db/scope.ts'
import { processEvents } from '../../src/features/inbound/events.ts'
import { referenceOf } from '../../src/features/sending/reference.ts'
import { followUp } from '../../src/features/upload/after-upload.jobs.ts'
import type { SmsGateway } from '../../src/gateways/gateway.ts'
import { insertGatewayEvents } from '../../src/gateways/gateway-event.queries.ts'
import { type MessagingWorld, makeRun, setRules, statesOf, type TestPatient, type TestRun } from '../messaging.ts'
import { FakePhones } from '../outside/fake-gateway.ts'
import { asOwner, makeCompany, makeLogin, signIn, stepUp } from '../people.ts'
import { sendAll } from '../sending.ts'
import { makeSupport } from '../support.ts'
import { makeRunningTrial, signUp, trialTokenFor } from '../trial.ts'
import { startUploadServer, type UploadServer } from '../upload.ts'
import { opening } from './contacts.ts'
import { consentLog, eventsOf } from './opened.ts'

/**
 * Where a patient's number or address appears in a dump, plain or as a hash without a key. Decision 068 says in which order these go; an
 * additional one is a mistake, and a removed one must be deleted here.
 */
const STANDS_IN: Readonly<Record<string, string>> = {
  'simulator_message.recipient': 'where no gateway is set up: what would have been sent, for seven days',
  'trial_referral.email': 'what a patient gave to the recruiter, who sorts and searches it',
  'trial_referral.phone_number': 'what a patient gave to the recruiter, who sorts and searches it',
  'trial_referral.search_text': 'what the recruiter searches',
}

const PEOPLE = [
  { number: 'P1', last: 'Aldous', mobile: '0477 310 111', sms: '+61477310111', email: 'Ada.Q@canary.example' },
  { number: 'P2', last: 'Bellam', mobile: '+61 477 310 112', sms: '+61477310112', email: 'bo@canary.example' },
  { number: 'P3', last: 'Cresswell', mobile: '0477310113', sms: '+61477310113', email: 'cy@canary.example' },
  // Two who share a number.
  { number: 'P4', last: 'Dunmore', mobile: '0477 310 114', sms: '+61477310114', email: 'di@canary.example' },
  { number: 'P5', last: 'Dunmore', mobile: '(0477) 310-114', sms: '+61477310114', email: 'ed@canary.example' },
]
const FILES = {
  patients: `patient_id,first_name,last_name,date_of_birth,mobile,email\n${PEOPLE.map((one, at) => `${one.number},Zz${at},${one.last},1960-01-0${at + 1},${one.mobile},${one.email}\n`).join('')}`,
  drugs: 'drug_id,name,atc,pack_size\nA,Rosuvastatin 10 mg tablet,C10AA07,30\n',
  scripts: `script_id,dispensed_on,patient_id,drug_id,units,patient_type,patient_price\n${PEOPLE.map((one) => `s${one.number},2026-11-02,${one.number},A,30,General,7.70\n`).join('')}`,
}
/** A number nobody has. */
const STRANGER = '+61477310999'

let server: UploadServer
let world: MessagingWorld
let patients: TestPatient[]
let services: UploadServer['services']
let place: number
/** A text to everybody. */
let texts: TestRun

beforeAll(async () => {
  server = await startUploadServer()
  const pharmacy = await server.pharmacy()
  expect(await pharmacy.load(FILES)).toMatchObject({ etl_state: 'COMPLETED', fault_count: 0 })
  await followUp(server.services, pharmacy.companyId, pharmacy.id)
  services = { ...server.services, sms: new FakePhones().gateway() }
  place = pharmacy.id
  const scope = { companyId: pharmacy.companyId, locationIds: [place] }
  const [row] = await asOwner<{ company: string; company_name: string; uuid: string; name: string }>(
    server,
    'select c.uuid as company, c.name as company_name, l.uuid, l.name from location l join company c on c.id = l.company_id where l.id = $1',
    [place],
  )
  world = {
    company: { id: pharmacy.companyId, uuid: row!.company, name: row!.company_name },
    locations: [{ id: place, uuid: row!.uuid, key: pharmacy.key, name: row!.name }],
    scope,
    inside: (work) => inScope(server.services.pools.app, scope, work),
  }
  await setRules(server, pharmacy.companyId, {})
  const rows = await asOwner<TestPatient & Record<string, unknown>>(
    server,
    'select id, location_id as "locationId", sms_to, email_to from patient where location_id = $1 order by source_id',
    [place],
  )
  patients = await opening(server, ['sms_to', 'email_to'], rows)
  expect(patients.map((one) => one.sms_to)).toEqual(PEOPLE.map((one) => one.sms))
}, 120_000)
afterAll(() => server.close())

let told = 0
const reply = (from: string, text: string) =>
  insertGatewayEvents(services.pools.system, services.keys, 'fake', [
    { id: `r${++told}`, at: services.now().toISOString(), kind: 'reply', from, to: '+61400000000', text },
  ])
/** What gateways tend to say. */
const tellFailed = async (patient: TestPatient) => {
  const [message] = await asOwner<{ id: number }>(
    server,
    'select id from message where run_id = $1 and patient_id = $2',
    [texts.id, patient.id],
  )
  const reference = referenceOf(texts.uuid, place, message!.id)
  const receipt = { kind: 'receipt', reference, gatewayRef: 'g', status: 'failed' } as const
  const reason = `No route to ${patient.sms_to}`
  const at = services.now().toISOString()
  await insertGatewayEvents(services.pools.system, services.keys, 'fake', [
    { ...receipt, id: `r${++told}`, at, reason },
  ])
}
const processAll = async () => {
  while ((await processEvents(services)) > 0);
}

/** Search texts: the digits that end every spelling of a number, an address in lower case, and hashes of both. */
async function searchedFor(): Promise<string[]> {
  const values = PEOPLE.flatMap((one) => [one.sms, one.email.toLowerCase()])
  const hashes = await asOwner<{ hash: string }>(
    server,
    `select h as hash from unnest($1::text[]) v cross join lateral (values (hashtextextended(v, 0)::text), (hashtext(v)::text),
       (md5(v)), (encode(sha256(v::bytea), 'hex')), (encode(sha512(v::bytea), 'hex'))) t(h)`,
    [values],
  )
  const plain = [...PEOPLE.map((one) => one.sms.slice(3)), ...PEOPLE.map((one) => one.email.toLowerCase())]
  return [...plain, STRANGER.slice(3), ...hashes.map(({ hash }) => hash)]
}

/** A stored value as text, with bytes also read as text, without the characters people put between digits. */
function readable(text: string): string {
  const bytes = /^\\x([0-9a-f]*)$/.exec(text)
  const whole = bytes ? `${bytes[1]} ${Buffer.from(bytes[1]!, 'hex').toString('latin1')}` : text
  return `${whole} ${whole.replaceAll(/[\s()./-]/g, '')}`.toLowerCase()
}

/** Every column of every table, including the queue's, in which one of the numbers or addresses can be read. */
async function columnsWithContacts(): Promise<string[]> {
  const words = await searchedFor()
  const tables = await asOwner<{ name: string; label: string }>(
    server,
    `select format('%I.%I', table_schema, table_name) as name,
       case table_schema when 'public' then '' else table_schema || '.' end || table_name as label from information_schema.tables
     where table_schema not in ('pg_catalog', 'information_schema') and table_type = 'BASE TABLE'`,
  )
  const found = new Set<string>()
  for (const { name, label } of tables) {
    const cells = await asOwner<{ column: string; value: string }>(
      server,
      `select distinct c.key as column, c.value from ${name} t cross join lateral json_each_text(row_to_json(t)) c where c.value is not null`,
    )
    for (const { column, value } of cells)
      if (words.some((word) => readable(value).includes(word))) found.add(`${label}.${column}`)
  }
  return [...found].sort()
}

const consentsOf = async (wanted: readonly TestPatient[]) =>
  (
    await asOwner<{ sms: string }>(
      server,
      `select coalesce(c.sms_health_outreach, 'none') as sms from unnest($2::bigint[]) with ordinality p(id, n)
       left join consent c on c.location_id = $1 and c.patient_id = p.id order by n`,
      [place, wanted.map(({ id }) => id)],
    )
  ).map(({ sms }) => sms)

describe('numbers and addresses of patients', () => {
  it('are in the known columns, and in no others, after an upload, messages, replies and a sign-up for a trial', async () => {
    const [first, second, third] = patients
    texts = await makeRun(server, world, { patients })
    await makeRun(server, world, { patients: [first!, second!], channel: 'email' })
    await sendAll(services)
    await sendAll(services, {}, 'email')
    await tellFailed(first!)
    await reply(second!.sms_to!, 'STOP')
    await reply(third!.sms_to!, 'Thanks')
    await reply(STRANGER, 'Hello?')
    await processAll()
    expect(
      await asOwner(
        server,
        `select payload - 'at' as kept from gateway_event where done_at is not null and gateway = 'fake' order by id`,
      ),
    ).toEqual([
      { kept: { kind: 'receipt', reference: expect.stringMatching(/^p/), status: 'failed' } },
      ...[1, 2, 3].map(() => ({ kept: { kind: 'reply' } })),
    ])
    // Used events keep nothing more; the one that reached nobody is kept, sealed.
    expect(await eventsOf(server, `gateway = 'fake' and payload_sealed is not null`)).toMatchObject([
      { failure: expect.stringContaining('No pharmacy'), payload: { from: STRANGER, text: 'Hello?' } },
    ])
    await reply(third!.sms_to!, 'Not processed yet')
    const refused = await makeRun(server, world, { patients: [third!] })
    const send: SmsGateway['send'] = async (all) =>
      all.map(({ to }) => ({ kind: 'rejected', reason: `550 <${to}>: user unknown` }))
    await sendAll({ ...services, sms: { ...services.sms, send } })
    expect(await asOwner(server, 'select state, reason from message where run_id = $1', [refused.id])).toEqual([
      { state: 'failed', reason: '550 <the number>: user unknown' },
    ])
    const support = await makeSupport(server)
    // Of an age none of them has: only the test is counted.
    const trial = await makeRunningTrial(server, support, { filters: { age: ['18-34'] } })
    const token = await trialTokenFor(server, world, trial.id, first!)
    expect((await signUp(server, token, { email: PEOPLE[0]!.email, phone_number: PEOPLE[0]!.mobile })).status).toBe(200)
    expect(await columnsWithContacts()).toEqual(Object.keys(STANDS_IN).sort())
    await processAll()
  })
})

describe('while keys are rotated', () => {
  it('a STOP reaches everybody with the number, and each entry of the log opens again', async () => {
    const sharing = patients.slice(3)
    const next = await makeRun(server, world, { patients: sharing, startsAt: new Date(Date.now() + 3_600_000) })
    await rotate(services.env, services.pools.system)
    await reply(PEOPLE[3]!.sms, 'stop')
    await processAll()
    expect(await consentsOf(sharing)).toEqual(['out', 'out'])
    expect(await statesOf(server, next.id)).toEqual({ 'skipped opted_out': 2 })
    await asOwner(server, `update data_key set writes_from = now() - interval '1 second' where writes_from > now()`)
    await sweepFields(services.pools, services.keys)
    await reply(PEOPLE[3]!.sms, 'START')
    await processAll()
    expect(await consentsOf(sharing)).toEqual(['unknown', 'unknown'])
    const log = (await consentLog(server, [place])).filter(({ patient }) => sharing.some(({ id }) => id === patient))
    expect(log.map(({ type, contact }) => [type, contact])).toEqual(
      sharing.flatMap(() => ['stop', 'start'].map((type) => [type, PEOPLE[3]!.sms])),
    )
  })
})

describe('after all were erased', () => {
  it('no number and no address of them is left in any column', async () => {
    // As written by versions that kept gateways' reasons unchanged.
    await asOwner(server, `update message set reason = 'No route to ' || $1 where state = 'failed'`, [PEOPLE[0]!.sms])
    expect(await columnsWithContacts()).toContain('message.reason')
    await reply(PEOPLE[2]!.sms, 'Not processed yet')
    const staff = await makeCompany(server)
    const login = await makeLogin(server, staff.id, { flags: ['sr_login'] })
    const desk = { login, tab: await signIn(server, login) }
    for (const { number, last } of PEOPLE) {
      const grant = await stepUp(server, desk, 'delete', world.company.uuid)
      const input = { location_id: world.locations[0]!.uuid, number, last_name: last, reason: 'Asked in writing' }
      const path = `/api/company/${world.company.uuid}/erase-patient`
      expect(await server.call(path, { id: world.company.uuid, ...input }, grant)).toMatchObject({ status: 200 })
    }
    expect((await eventsOf(server, 'payload_sealed is not null')).map(({ payload }) => payload.from)).toEqual([
      STRANGER,
    ])
    await tellFailed(patients[1]!)
    await processAll()
    const [late] = await asOwner(server, 'select state, reason from message where run_id = $1 and patient_id = $2', [
      texts.id,
      patients[1]!.id,
    ])
    expect(late).toEqual({ state: 'failed', reason: 'The gateway gave no reason' })
    expect(await columnsWithContacts()).toEqual([])
    const kept = await asOwner<{ handle: string }>(server, `select '#' || id as handle from contact`)
    const known = new Set((await opening(server, ['handle'], kept)).map(({ handle }) => handle))
    expect(PEOPLE.flatMap((one) => [one.sms, one.email.toLowerCase()]).filter((one) => known.has(one))).toEqual([])
  })
})
