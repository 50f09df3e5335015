import { afterAll, beforeAll, expect, it } from 'vitest'
import { asOwner } from '../../../test/people.ts'
import { startUploadServer, type UploadServer } from '../../../test/upload.ts'
import type { Tx } from '../../db/database.ts'
import { inScope } from '../../db/scope.ts'
import { refreshContacts } from './cohort.jobs.ts'
import { changedContacts, saveContacts } from './contact.queries.ts'

let server: UploadServer
beforeAll(async () => {
  // The test does the work that follows an upload itself.
  server = await startUploadServer({ without: ['after-upload'] })
})
afterAll(() => server.close())

it('contacts derived by older rules are derived again with the next upload, once', async () => {
  const { id, companyId, load } = await server.pharmacy()
  const patients = 'patient_id,mobile\nA,0412 645 678\nB,Mum 0412 345 679\n'
  expect(await load({ patients })).toMatchObject({ etl_state: 'COMPLETED', fault_count: 0 })
  const refresh = () =>
    inScope(server.services.pools.app, { companyId, locationIds: [id] }, (tx) =>
      refreshContacts(tx, server.services.keys, { id, country: 'AU' }),
    )
  const texted = () =>
    asOwner(server, 'select source_id from patient where location_id = $1 and sms_to is not null order by 1', [id])
  await refresh()
  // As left by a version that texted any number it found among words.
  await asOwner(
    server,
    `update patient p set sms_to = a.sms_to from patient a where a.location_id = $1 and a.source_id = 'A' and p.location_id = $1`,
    [id],
  )
  expect(await refresh()).toBe(0)
  expect(await texted()).toHaveLength(2)
  await asOwner(server, 'update location set contact_rules = 0 where id = $1', [id])
  expect(await refresh()).toBe(2)
  expect(await texted()).toEqual([{ source_id: 'A' }])
  expect(await refresh()).toBe(0)
})

it('a number or address that does not exist counts again once the pharmacy writes another one', async () => {
  const { id, companyId, load } = await server.pharmacy()
  const write = async (row: string) => {
    await load({ patients: `patient_id,mobile,email\n${row}\n` })
    await inScope(server.services.pools.app, { companyId, locationIds: [id] }, (tx) =>
      refreshContacts(tx, server.services.keys, { id, country: 'AU' }),
    )
    const states = await asOwner(
      server,
      'select sms_gone_at is not null as sms, email_gone_at is not null as email from patient where location_id = $1',
      [id],
    )
    return states[0]
  }
  await write('A,0412 645 678,ada@mail.example')
  await asOwner(server, 'update patient set sms_gone_at = now(), email_gone_at = now() where location_id = $1', [id])
  expect(await write('A,+61412645678,Ada@mail.example')).toEqual({ sms: true, email: true })
  expect(await write('A,0412 645 678,ada.l@mail.example')).toEqual({ sms: true, email: false })
  expect(await write('A,,ada.l@mail.example')).toEqual({ sms: false, email: false })
})

it('contacts read before an upload changed them are not stored', async () => {
  const { id, companyId, load } = await server.pharmacy()
  await load({ patients: 'patient_id,mobile\nA,0412 645 678\n' })
  const inside = <T>(work: (tx: Tx) => Promise<T>) =>
    inScope(server.services.pools.app, { companyId, locationIds: [id] }, work)
  const read = await inside((tx) => changedContacts(tx, server.services.keys, { locationId: id, afterId: 0, limit: 9 }))
  await load({ patients: 'patient_id,mobile\nA,0412 345 679\n' })
  const old = read.map((one) => ({ ...one, sms_to: one.mobile, email_to: null }))
  expect([old.length, await inside((tx) => saveContacts(tx, id, old))]).toEqual([1, 0])
})
