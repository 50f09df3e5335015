import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { storePlain } from '../../../test/field/plain-contacts.ts'
import { makeMessagingWorld, makePatients } from '../../../test/messaging.ts'
import { asOwner, dump } from '../../../test/people.ts'
import { startTestServer, type TestServer } from '../../../test/server.ts'
import { inScope } from '../scope.ts'
import {
  contactSpellings,
  openContact,
  openContacts,
  removeUnusedContacts,
  storedContact,
  storedContacts,
} from './contact.ts'
import { type Keys, openKeys } from './key-ring.ts'
import { switchContacts } from './new-keys.ts'
import { columns, retire, rotate } from './rotation.ts'
import { sweepFields } from './sweep.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

const pools = () => server.services.pools
const inTx = <T>(work: Parameters<ReturnType<ReturnType<typeof pools>['app']['transaction']>['execute']>[0]) =>
  pools().app.transaction().execute(work) as Promise<T>
const stored = (keys: Keys, ...contacts: string[]) =>
  inTx<ReadonlyMap<string, string>>((tx) => storedContacts(tx, keys, contacts))
const opened = (keys: Keys, ...handles: string[]) => openContacts(pools().app, keys, handles)
const numbers = (count: number, from = 0) => Array.from({ length: count }, (_, at) => `+61488${100_000 + from + at}`)
const fresh = () => openKeys(server.services.env, pools().system)
const OF_INDEX = '(select from contact_index i where i.contact_id = c.id)'
/** Until some transaction waits for a lock of another. */
const someWaits = () =>
  expect
    .poll(async () => (await asOwner(server, 'select from pg_locks where not granted')).length, { timeout: 10_000 })
    .toBeGreaterThan(0)
/** Backdates the keys, so that they seal now. */
const ripen = (seconds = 1) =>
  asOwner(server, `update data_key set writes_from = now() - make_interval(secs => $1) where writes_from > now()`, [
    seconds,
  ])

describe('contacts in a new installation', () => {
  it('are stored by handles from the start: equal for equal contacts, with no plain text in the database', async () => {
    const { keys } = server.services
    const [one, two] = ['+61477310111', 'ada.q@canary.example']
    const first = await stored(keys, one, two)
    expect(first.get(one)).toMatch(/^#\d+$/)
    expect(first.get(two)).not.toBe(first.get(one))
    const again = await stored(keys, two, one, first.get(one)!)
    expect(again).toEqual(new Map([...first, [first.get(one)!, first.get(one)!]]))
    expect(await opened(keys, ...first.values())).toEqual(new Map([...first].map(([plain, handle]) => [handle, plain])))
    const whole = await dump(server)
    expect(whole).not.toContain('477310111')
    expect(whole.toLowerCase()).not.toContain(Buffer.from('canary.example').toString('hex'))
    expect(await asOwner(server, 'select count(*)::int as n from contact')).toEqual([{ n: 2 }])
  })

  it('a number that two write at once, in any order, is one contact', async () => {
    const { keys } = server.services
    const all = numbers(200)
    const ways = Array.from({ length: 6 }, (_, at) => stored(keys, ...(at % 2 ? all : [...all].reverse())))
    const [first, ...others] = await Promise.all(ways)
    for (const other of others) for (const one of all) expect(other!.get(one)).toBe(first!.get(one))
    const rows = await asOwner(server, 'select c.id from contact c left join contact_index i on i.contact_id = c.id')
    expect(rows).toHaveLength(202)
    await expect(
      asOwner(server, 'select 1 from contact_index group by contact_id having count(*) > 1'),
    ).resolves.toEqual([])
  })

  it('a number that a transaction has written and not yet committed is one contact for those that write it meanwhile', async () => {
    const { keys } = server.services
    const [held, meanwhile] = numbers(2, 300)
    let waiting: Promise<ReadonlyMap<string, string>> | undefined
    const first = await inTx<ReadonlyMap<string, string>>(async (tx) => {
      const made = await storedContacts(tx, keys, [held!])
      waiting = stored(keys, held!, meanwhile!)
      await someWaits()
      return made
    })
    expect((await waiting!).get(held!)).toBe(first.get(held!))
    expect(await asOwner(server, `select c.id from contact c where not exists ${OF_INDEX}`)).toEqual([])
  })

  it('an unused contact that a transaction begins to use while it is removed stays', async () => {
    const { keys } = server.services
    const world = await makeMessagingWorld(server)
    const [patient] = await makePatients(server, world.locations[0]!.id, 1)
    const [used, unused] = numbers(2, 400)
    const handles = await stored(keys, used!, unused!)
    let removing: Promise<number> | undefined
    await inScope(pools().app, world.scope, async (tx) => {
      const handle = await storedContact(tx, keys, used!)
      const remove = pools().system.transaction()
      removing = remove.execute((other) => removeUnusedContacts(other, handles.values()))
      await someWaits()
      await sql`update patient set sms_to = ${handle} where location_id = ${world.locations[0]!.id} and id = ${patient!.id}`.execute(
        tx,
      )
    })
    expect(await removing!).toBe(1)
    expect([...(await opened(keys, ...handles.values())).values()]).toEqual([used])
  })

  it('a sender whose name looks like a handle is a separate contact', async () => {
    const { keys } = server.services
    const [handle] = (await stored(keys, '+61477310111')).values()
    const spellings = await inTx<string[]>((tx) => contactSpellings(tx, keys, handle!))
    expect(spellings).toHaveLength(1)
    expect(spellings).not.toContain(handle)
  })

  it('an erased one is gone, and an altered one is refused', async () => {
    const { keys } = server.services
    expect(await openContact(pools().app, keys, '#999999')).toBeNull()
    const handle = await inTx<string>((tx) => storedContact(tx, keys, '+61477310777'))
    await asOwner(server, 'update contact set sealed = (select sealed from contact where id = 1) where id = $1', [
      handle.slice(1),
    ])
    await expect(openContact(pools().app, keys, handle)).rejects.toThrow()
    await asOwner(server, 'delete from contact where id = $1', [handle.slice(1)])
  })
})

describe('while the contact keys are rotated', () => {
  it('handles stay the same, and processes that know the old key, both or the new one create no second one', async () => {
    const old = server.services.keys
    const all = numbers(1500, 1000)
    const before = await stored(old, ...all)
    await rotate(server.services.env, pools().system)
    const both = await fresh()
    expect(await stored(both, ...all)).toEqual(before)
    const one = numbers(40, 5000)
    const racing = await Promise.all([stored(old, ...one), stored(both, ...[...one].reverse()), stored(old, ...one)])
    await ripen()
    const writer = await fresh()
    const two = numbers(40, 6000)
    racing.push(...(await Promise.all([stored(both, ...two), stored(writer, ...[...two].reverse())])))
    for (const made of racing)
      for (const [plain, handle] of made) expect((await stored(writer, plain)).get(plain)).toBe(handle)
    await asOwner(server, 'update contact set sealed = sealed where id < 0')
    await Promise.all([sweepFields(pools(), writer), sweepFields(pools(), await fresh())])
    await retire(server.services.env, pools(), writer, 0)
    const after = await fresh()
    const last = numbers(40, 7000)
    const [stale, alone] = await Promise.all([stored(writer, ...last), stored(after, ...[...last].reverse())])
    expect([...alone].sort()).toEqual([...stale].sort())
    expect(await stored(after, ...all)).toEqual(before)
    expect(await opened(after, ...before.values())).toEqual(
      new Map([...before].map(([plain, handle]) => [handle, plain])),
    )
    expect((await after.contacts()).filled).toBe(true)
    expect((await columns(pools().system)).map(({ keys }) => keys)).not.toContain(2)
    await sweepFields(pools(), after)
  }, 60_000)
})

describe('an existing installation', () => {
  it('keeps contacts unchanged until it is switched over; then processes learn of it before anyone writes a handle', async () => {
    const other = await startTestServer()
    try {
      const env = other.services.env
      await storePlain(other)
      const store = (keys: Keys, one: string) =>
        other.services.pools.app.transaction().execute((tx) => storedContact(tx, keys, one))
      const spelled = (keys: Keys, one: string) =>
        other.services.pools.app.transaction().execute((tx) => contactSpellings(tx, keys, one))
      const unaware = await openKeys(env, other.services.pools.system)
      expect(await store(unaware, '+61477310111')).toBe('+61477310111')
      expect(await spelled(unaware, '+61477310111')).toEqual(['+61477310111'])
      expect(await spelled(unaware, '#1')).toEqual([])
      expect(await switchContacts(env, other.services.pools.system)).toBe(true)
      expect(await switchContacts(env, other.services.pools.system)).toBe(false)
      const early = await openKeys(env, other.services.pools.system)
      expect(await early.contacts()).toMatchObject({ state: 'plain', filled: false })
      expect(await store(early, '+61477310111')).toBe('+61477310111')
      const both = await spelled(early, '+61477310111')
      expect(both).toEqual([expect.stringMatching(/^#\d+$/), '+61477310111'])
      await asOwner(other, `update data_key set writes_from = now() - interval '1 second' where writes_from > now()`)
      const writer = await openKeys(env, other.services.pools.system)
      expect((await writer.contacts()).state).toBe('both')
      expect(await store(writer, '+61477310111')).toBe(both[0])
      await asOwner(other, `update data_key set writes_from = now() - interval '1 minute'`)
      expect((await (await openKeys(env, other.services.pools.system)).contacts()).state).toBe('sealed')
    } finally {
      await other.close()
    }
  })
})
