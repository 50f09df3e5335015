import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { opening } from '../../../test/field/contacts.ts'
import { addressesOf } from '../../../test/field/opened.ts'
import { makeMessagingWorld, makePatients, makeRun, statesOf } from '../../../test/messaging.ts'
import { FakePhones } from '../../../test/outside/fake-gateway.ts'
import { asOwner } from '../../../test/people.ts'
import { sendAll } from '../../../test/sending.ts'
import { startUploadServer, type TestPharmacy, type UploadServer } from '../../../test/upload.ts'
import { reconcile } from '../../features/sending/reconcile.ts'
import { followUp } from '../../features/upload/after-upload.jobs.ts'
import { inScope } from '../scope.ts'
import type { AlteredValue } from './altered.ts'
import { openContacts, openWholeContacts } from './contact.ts'
import { openKeys } from './key-ring.ts'
import { columns, retire, rotate } from './rotation.ts'
import { sweepFields } from './sweep.ts'
import { tryOpening } from './try-opening.ts'

let server: UploadServer
let pharmacy: TestPharmacy
let told: AlteredValue[]
const pools = () => server.services.pools
const fresh = async () => {
  server.services.keys = await openKeys(server.services.env, pools().system, (value) => told.push(value))
}
beforeAll(async () => {
  server = await startUploadServer({ without: ['after-upload'] })
})
afterAll(() => server.close())
beforeEach(async () => {
  told = []
  await fresh()
  pharmacy = await server.pharmacy()
  await load()
})

const PATIENTS = [1, 2, 3].map((at) => ({ id: `P${at}`, mobile: `0477 310 00${at}`, address: `${at} Canary St` }))
let loads = 0
/** The same patients each time, in a different file: an identical one would not be loaded again. */
const load = async () => {
  const rows = PATIENTS.map(({ id, mobile, address }) => `${id},${mobile},${address}\n`)
  const patients = `patient_id,mobile,address\n${rows.join('')}${'\n'.repeat(++loads)}`
  expect(await pharmacy.load({ patients })).toMatchObject({ etl_state: 'COMPLETED', fault_count: 0 })
  await followUp(server.services, pharmacy.companyId, pharmacy.id)
}
/** Changes one byte of P2's sealed value: 2 is in the key's number, 10 in the nonce, 40 in the text. */
const damage = (column: 'mobile_sealed' | 'address_sealed', byte: number) =>
  asOwner(
    server,
    `update patient set ${column} = set_byte(${column}, $2, get_byte(${column}, $2) # 1) where location_id = $1 and source_id = 'P2'`,
    [pharmacy.id, byte],
  )
/** Flips one bit of a contact's text; a second flip restores it. */
const flip = (id: number) =>
  asOwner(server, 'update contact set sealed = set_byte(sealed, 25, get_byte(sealed, 25) # 1) where id = $1', [id])
const numbers = async () => {
  const rows = await asOwner<{ source_id: string; sms_to: string | null }>(
    server,
    'select source_id, sms_to from patient where location_id = $1 order by id',
    [pharmacy.id],
  )
  return (await opening(server, ['sms_to'], rows)).map(({ sms_to }) => sms_to)
}
const addressKeys = async () => (await columns(pools().system)).find(({ column }) => column === 'patient.address')
const again = () => asOwner(server, `update patient set contact_source = null where location_id = $1`, [pharmacy.id])

describe('a check of sealed values, as after a restore', () => {
  it('opens the newest values of every column and pharmacy, and counts those that do not open', async () => {
    const whole = await tryOpening(pools(), server.services.keys, 2)
    expect(whole).toMatchObject({ altered: 0, columns: expect.any(Number) })
    await damage('mobile_sealed', 40)
    expect(await tryOpening(pools(), server.services.keys, 2)).toEqual({
      ...whole,
      opened: whole.opened - 1,
      altered: 1,
    })
    expect(told).toEqual([{ column: 'patient.mobile', location: pharmacy.id }])
    // Does not check older ones.
    expect(await tryOpening(pools(), server.services.keys, 1)).toMatchObject({ altered: 0 })
    await damage('mobile_sealed', 40)
  })
})

describe('a sealed value that was altered', () => {
  it.each([2, 10, 40])('delays neither a rotation nor an upload, damaged at byte %i', async (byte) => {
    await damage('address_sealed', byte)
    const { env } = server.services
    await rotate(env, pools().system)
    await asOwner(server, `update data_key set writes_from = now() - interval '1 second' where writes_from > now()`)
    await fresh()
    await sweepFields(pools(), server.services.keys)
    expect(told).toEqual([{ column: 'patient.address', location: pharmacy.id }])
    expect(await addressesOf(server, pharmacy.id)).toEqual({ P1: '1 Canary St', P2: null, P3: '3 Canary St' })
    expect(await addressKeys()).toMatchObject({ keys: 2, through: true, altered: true })
    // The key it was sealed with is kept.
    await expect(retire(env, pools(), server.services.keys, 0)).rejects.toThrow(
      'One value does not open, and cannot be sealed with the new key: nothing is retired.',
    )
    expect(await addressKeys()).toMatchObject({ keys: 2, altered: true })
    expect(told).toHaveLength(1)
    await load()
    expect(await addressesOf(server, pharmacy.id)).toEqual({ P1: '1 Canary St', P2: '2 Canary St', P3: '3 Canary St' })
    await retire(env, pools(), server.services.keys, 0)
    expect(await addressKeys()).toMatchObject({ keys: 1, through: true, altered: false })
  })

  it('in a number leaves this patient without one until the pharmacy sends it again', async () => {
    expect(await numbers()).toEqual(['+61477310001', '+61477310002', '+61477310003'])
    await damage('mobile_sealed', 40)
    await again()
    await followUp(server.services, pharmacy.companyId, pharmacy.id)
    expect(await numbers()).toEqual(['+61477310001', null, '+61477310003'])
    expect(told).toEqual([{ column: 'patient.mobile', location: pharmacy.id }])
    await load()
    expect(await numbers()).toEqual(['+61477310001', '+61477310002', '+61477310003'])
  })

  it('because it was moved to another column or another row opens as neither', async () => {
    await asOwner(
      server,
      `update patient p set address_sealed = p.mobile_sealed, mobile_sealed = o.mobile_sealed from patient o
       where p.location_id = $1 and p.source_id = 'P2' and o.location_id = $1 and o.source_id = 'P3'`,
      [pharmacy.id],
    )
    const shown = await tryOpening(pools(), server.services.keys, 3)
    expect(shown.altered).toBe(2)
    expect(told.map(({ column }) => column).sort()).toEqual(['patient.address', 'patient.mobile'])
    await load()
    expect(await tryOpening(pools(), server.services.keys, 3)).toMatchObject({ altered: 0 })
  })

  it('in a contact costs its own message and no other', async () => {
    const phones = new FakePhones()
    const services = { ...server.services, sms: phones.gateway() }
    const world = await makeMessagingWorld(server)
    const patients = await makePatients(server, world.locations[0]!.id, 3)
    const run = await makeRun(server, world, { patients })
    const [row] = await asOwner<{ contact: string }>(
      server,
      'select contact from message where run_id = $1 and patient_id = $2',
      [run.id, patients[1]!.id],
    )
    const id = Number(row!.contact.slice(1))
    await flip(id)
    await sendAll(services)
    expect([...phones.accepted.values()].map((text) => text.to).sort()).toEqual(
      [patients[0]!.sms_to, patients[2]!.sms_to].sort(),
    )
    expect(Object.values(await statesOf(server, run.id))).toEqual([2, 1])
    expect(told).toEqual([{ column: 'contact', row: String(id) }])
    const opened = await inScope(pools().app, world.scope, (tx) =>
      openWholeContacts(tx, server.services.keys, [row!.contact]),
    )
    expect(opened.size).toBe(0)
    // Work that needs the contact itself, to erase it or to stop messages to it, fails as a whole.
    await expect(
      inScope(pools().app, world.scope, (tx) => openContacts(tx, server.services.keys, [row!.contact])),
    ).rejects.toThrow('a sealed field is not as it was sealed')
    const { body } = await server.app.inject({
      url: '/metrics',
      remoteAddress: '127.0.0.1',
      headers: { host: 'localhost' },
    })
    expect(body).toContain('pillar_field_values_altered{column="contact"} 1\n')
    await flip(id)
    await inScope(pools().app, world.scope, (tx) => openContacts(tx, server.services.keys, [row!.contact]))
    expect(server.services.keys.altered()).toContainEqual({ column: 'contact', values: 0 })
  })

  it('in a contact whose message may be lost: the gateway is not asked about somebody else, and it is not sent again', async () => {
    const phones = new FakePhones()
    const asked: string[] = []
    const gateway = phones.gateway()
    const sms = {
      ...gateway,
      lookUp: async (requests: readonly { to: string }[]) => {
        asked.push(...requests.map(({ to }) => to))
        return requests.map(() => ({ kind: 'absent' as const }))
      },
    }
    const services = { ...server.services, sms }
    const world = await makeMessagingWorld(server)
    const patients = await makePatients(server, world.locations[0]!.id, 2)
    const run = await makeRun(server, world, { patients })
    await asOwner(
      server,
      `update message set state = 'sending', gateway = $2, attempts = 1, lease_until = now() - interval '1 second' where run_id = $1`,
      [run.id, gateway.name],
    )
    const [row] = await asOwner<{ contact: string }>(
      server,
      'select contact from message where run_id = $1 and patient_id = $2',
      [run.id, patients[0]!.id],
    )
    await flip(Number(row!.contact.slice(1)))
    await reconcile(services)
    expect(asked).toEqual([patients[1]!.sms_to])
    expect(await statesOf(server, run.id)).toEqual({ queued: 1, unknown: 1 })
  })
})
