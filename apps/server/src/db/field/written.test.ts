import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { opening, writtenAt } from '../../../test/field/contacts.ts'
import { eventsOf } from '../../../test/field/opened.ts'
import { storePlain } from '../../../test/field/plain-contacts.ts'
import { asOwner } from '../../../test/people.ts'
import { startUploadServer, type TestPharmacy, type UploadServer } from '../../../test/upload.ts'
import { refreshContacts } from '../../features/cohort/cohort.jobs.ts'
import { fillContacts } from '../../features/cohort/fill-contacts.jobs.ts'
import { insertGatewayEvents } from '../../gateways/gateway-event.queries.ts'
import { inScope } from '../scope.ts'
import { openKeys } from './key-ring.ts'
import { switchContacts } from './new-keys.ts'
import { keyStatus, retire, rotate } from './rotation.ts'
import { sweepFields } from './sweep.ts'

let server: UploadServer
let pharmacy: TestPharmacy
beforeAll(async () => {
  // The test does the work that follows an upload itself, and checks it.
  server = await startUploadServer({ without: ['after-upload'] })
  pharmacy = await server.pharmacy()
})
afterAll(() => server.close())

interface Person {
  mobile: string | null
  email: string | null
}
const numberOf = (at: number) => `0477 ${String(310_000 + at).replace(/(?=...$)/, ' ')}`
/** Everybody has a number, every second one an address. */
const everyone = (count: number): Record<string, Person> =>
  Object.fromEntries(
    Array.from({ length: count }, (_, at) => [
      `P${at}`,
      { mobile: numberOf(at), email: at % 2 ? null : `Ada${at}@canary.example` },
    ]),
  )
const file = (people: Record<string, Person>) => ({
  patients: `patient_id,mobile,email\n${Object.entries(people)
    .map(([id, { mobile, email }]) => `${id},${mobile ?? ''},${email ?? ''}\n`)
    .join('')}`,
})
let loads = 0
/** Never the same file twice: it would not be loaded again. */
const load = async (one: TestPharmacy, people: Record<string, Person>) =>
  expect(await one.load({ patients: `${file(people).patients}${'\n'.repeat(++loads)}` })).toMatchObject({
    etl_state: 'COMPLETED',
    fault_count: 0,
  })
const resolve = (one: UploadServer, { id, companyId }: TestPharmacy) =>
  inScope(one.services.pools.app, { companyId, locationIds: [id] }, (tx) =>
    refreshContacts(tx, one.services.keys, { id, country: 'AU' }),
  )
const rows = (one: UploadServer, { id }: TestPharmacy) =>
  asOwner(one, 'select id, xmin::text, contact_source, updated_at from patient where location_id = $1 order by id', [
    id,
  ])
const goesTo = async (one: UploadServer, { id }: TestPharmacy) =>
  Object.fromEntries(
    (
      await opening(
        one,
        ['sms_to', 'email_to'],
        await asOwner<{ source_id: string; sms_to: string | null; email_to: string | null }>(
          one,
          'select source_id, sms_to, email_to from patient where location_id = $1 order by id',
          [id],
        ),
      )
    ).map(({ source_id, sms_to, email_to }) => [source_id, { sms_to, email_to }]),
  )
/** The numbers and addresses a thief could read where an upload writes; contacts-at-rest searches every table. */
const readable = async (one: UploadServer) => {
  const rows = await asOwner<{ text: string }>(
    one,
    'select t::text as text from patient t union all select t::text from upload_fault t union all select t::text from contact t union all select t::text from gateway_event t',
  )
  const whole = rows
    .map(({ text }) => text)
    .join('\n')
    .replaceAll(/[ -]/g, '')
    .toLowerCase()
  // With what comes before it: six digits alone are sometimes part of a sealed value.
  const words = ['61477310', '0477310', 'canary', Buffer.from('canary').toString('hex')]
  return words.filter((word) => whole.includes(word))
}
const since = (one: UploadServer, seconds: number) =>
  asOwner(one, 'update data_key set writes_from = now() - make_interval(secs => $1) where writes_from > now()', [
    seconds,
  ])
const fresh = async (one: UploadServer) => {
  one.services.keys = await openKeys(one.services.env, one.services.pools.system)
}

describe('numbers and addresses of an upload', () => {
  it('are not stored in plain text, and open again', async () => {
    await load(pharmacy, everyone(1200))
    expect(await resolve(server, pharmacy)).toBe(1200)
    expect(await readable(server)).toEqual([])
    expect(await writtenAt(server, pharmacy.id)).toEqual(everyone(1200))
    expect(await goesTo(server, pharmacy)).toMatchObject({
      P0: { sms_to: '+61477310000', email_to: 'ada0@canary.example' },
      P1: { sms_to: '+61477310001', email_to: null },
    })
  })

  it('are not written again by an unchanged upload', async () => {
    const before = await rows(server, pharmacy)
    await load(pharmacy, everyone(1200))
    expect(await resolve(server, pharmacy)).toBe(0)
    expect(await rows(server, pharmacy)).toEqual(before)
  })

  it('are written only for patients whose number or address changed, whose facts are then recalculated', async () => {
    const people = everyone(1200)
    people.P3 = { mobile: '0477 999 003', email: null }
    people.P4 = { mobile: null, email: 'new@canary.example' }
    const before = await rows(server, pharmacy)
    await load(pharmacy, people)
    expect(await resolve(server, pharmacy)).toBe(2)
    const after = await rows(server, pharmacy)
    expect(after.filter((row, at) => JSON.stringify(row) !== JSON.stringify(before[at]))).toHaveLength(2)
    expect(await writtenAt(server, pharmacy.id)).toEqual(people)
    expect(await goesTo(server, pharmacy)).toMatchObject({
      P3: { sms_to: '+61477999003', email_to: null },
      P4: { sms_to: null, email_to: 'new@canary.example' },
    })
    await load(pharmacy, everyone(1200))
    await resolve(server, pharmacy)
  })

  it('are not stored with a row that is refused because of one', async () => {
    const people = { ...everyone(150), P7: { mobile: `0477 310 ${'1'.repeat(60)}`, email: null } }
    const done = await (await server.pharmacy()).load(file(people))
    expect(done).toMatchObject({ etl_state: 'COMPLETED', faults: [{ line: 9, column: 'mobile', value: '' }] })
    expect(await readable(server)).toEqual([])
  })

  it('open in no other row', async () => {
    await asOwner(
      server,
      `update patient p set mobile_sealed = o.mobile_sealed from patient o
       where p.location_id = $1 and o.location_id = $1 and p.source_id = 'P1' and o.source_id = 'P2'`,
      [pharmacy.id],
    )
    await expect(writtenAt(server, pharmacy.id)).rejects.toThrow()
    await load(pharmacy, everyone(1200))
  })
})

describe('a rotation', () => {
  it('seals them again without recalculating anybody’s facts', async () => {
    await resolve(server, pharmacy)
    const { env, pools } = server.services
    await rotate(env, pools.system)
    await since(server, 1)
    await fresh(server)
    await sweepFields(pools, server.services.keys)
    await retire(env, pools, server.services.keys, 0)
    await fresh(server)
    expect(await writtenAt(server, pharmacy.id)).toEqual(everyone(1200))
    expect(await resolve(server, pharmacy)).toBe(0)
    const before = await rows(server, pharmacy)
    await load(pharmacy, everyone(1200))
    expect(await rows(server, pharmacy)).toEqual(before)
  }, 60_000)
})

describe('an existing installation', () => {
  let other: UploadServer
  let place: TestPharmacy
  beforeAll(async () => {
    other = await startUploadServer({ without: ['after-upload'] })
    await storePlain(other)
    place = await other.pharmacy()
    await load(place, everyone(1200))
    await resolve(other, place)
  }, 60_000)
  afterAll(() => other.close())
  const sealed = async () => {
    const [row] = await asOwner<{ n: number }>(
      other,
      'select count(*) filter (where mobile is null)::int as n from patient',
    )
    return row!.n
  }

  it('stores them unchanged until it is switched over', async () => {
    const people = await writtenAt(other, place.id)
    expect(people.P0).toEqual({ mobile: `PLAIN ${numberOf(0)}`, email: 'PLAIN Ada0@canary.example' })
    const before = await rows(other, place)
    await load(place, everyone(1200))
    expect(await resolve(other, place)).toBe(0)
    expect(await rows(other, place)).toEqual(before)
  })

  it('seals the existing ones afterwards, killed at any point, and everything can be read meanwhile', async () => {
    const { env, pools } = other.services
    const people = { ...everyone(1200), P5: { mobile: null, email: null } }
    await load(place, people)
    await resolve(other, place)
    const told = {
      id: 'r1',
      at: new Date().toISOString(),
      kind: 'reply',
      from: '+61477310998',
      to: '',
      text: 'Hi',
    } as const
    await insertGatewayEvents(pools.system, other.services.keys, 'fake', [told])
    expect(await eventsOf(other, 'payload_sealed is null')).toMatchObject([{ payload: told }])
    // Two whose numbers were different when contacts were worked out.
    await asOwner(
      other,
      `update patient set contact_source = '0477 310 999' || chr(31) where location_id = $1 and source_id in ('P5', 'P7')`,
      [place.id],
    )
    expect(await switchContacts(env, pools.system)).toBe(true)
    await fresh(other)
    expect(await fillContacts(other.services)).toBe(false)
    await since(other, 60)
    await killedHalfWay()
    expect(await sealed()).toBeLessThan(1200)
    expect((await keyStatus(env, pools.system)).contacts).toBe('filling')
    await fresh(other)
    const half = await writtenAt(other, place.id)
    const plain = (text: string | null) => text?.replace('PLAIN ', '') ?? null
    expect(
      Object.fromEntries(
        Object.entries(half).map(([id, { mobile, email }]) => [id, { mobile: plain(mobile), email: plain(email) }]),
      ),
    ).toEqual(people)
    await Promise.all([fillContacts(other.services), fillContacts(other.services)])
    await expect.poll(() => fillContacts(other.services)).toBe(true)
    expect((await keyStatus(env, pools.system)).contacts).toBe('sealed')
    expect(await writtenAt(other, place.id)).toEqual(people)
    expect(await readable(other)).toEqual([])
    expect(await eventsOf(other)).toMatchObject([{ sealed: true, payload: told }])
    // Only those two still have to be resolved.
    expect(await resolve(other, place)).toBe(2)
    const before = await rows(other, place)
    await load(place, people)
    expect(await rows(other, place)).toEqual(before)
  }, 120_000)

  it('that sealed only the sending side is asked for the command once more', async () => {
    const { env, pools } = other.services
    await asOwner(
      other,
      `delete from data_key where column_name in ('patient.mobile', 'patient.email');
       update patient set mobile_sealed = null, email_sealed = null`,
    )
    await fresh(other)
    await load(place, everyone(40))
    await resolve(other, place)
    expect((await writtenAt(other, place.id)).P0?.mobile).toBe(`PLAIN ${numberOf(0)}`)
    expect((await keyStatus(env, pools.system)).contacts).toBe('plain')
    expect(await switchContacts(env, pools.system)).toBe(true)
    expect(await switchContacts(env, pools.system)).toBe(false)
    await since(other, 60)
    await fresh(other)
    await expect.poll(() => fillContacts(other.services)).toBe(true)
    expect(await writtenAt(other, place.id)).toMatchObject(everyone(40))
    expect(await resolve(other, place)).toBe(0)
    expect(await readable(other)).toEqual([])
  }, 60_000)

  /** Kills a process that seals stored values once it has sealed the first numbers. */
  async function killedHalfWay(): Promise<void> {
    await asOwner(
      other,
      `create function wait_a_little() returns trigger language plpgsql as $$ begin perform pg_sleep(0.001); return new; end $$;
       create trigger wait_a_little before update on patient for each row execute function wait_a_little()`,
    )
    const script = fileURLToPath(new URL('../../../test/field/sealing-worker.ts', import.meta.url))
    const child = spawn(process.execPath, [script, 'fill'], {
      env: { ...process.env, DATABASE_URL: other.ownerUrl, DATA_DIR: other.services.env.DATA_DIR },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const before = await sealed()
    while ((await sealed()) === before) await sleep(20)
    child.kill('SIGKILL')
    await once(child, 'exit')
    await asOwner(other, 'drop trigger wait_a_little on patient; drop function wait_a_little')
  }
})
