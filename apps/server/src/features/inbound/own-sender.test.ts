import { afterAll, beforeAll, expect, it } from 'vitest'
import { storedAs } from '../../../test/field/contacts.ts'
import { freshMobile, makeMessagingWorld, makePatients, makeRun } from '../../../test/messaging.ts'
import { asOwner, fresh } from '../../../test/people.ts'
import { startTestServer, type TestServer } from '../../../test/server.ts'
import { insertGatewayEvents } from '../../gateways/gateway-event.queries.ts'
import { processEvents } from './events.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

const SHARED = '+61400000000'

it('a reply to a pharmacy’s own number is for that pharmacy alone, one to the shared number for all that texted', async () => {
  const [number, never, sender] = [freshMobile(), freshMobile(), freshMobile()]
  const world = await makeMessagingWorld(server, { locations: 3 })
  const [own, other, silent] = world.locations.map(({ id }) => Number(id)) as [number, number, number]
  // Two pharmacies send from one number; one of them has texted.
  await asOwner(server, 'update location set sms_sender = $2 where id = any($1)', [[own, silent], sender])
  for (const id of [own, other, silent]) {
    const [patient] = await makePatients(server, id, 1, () => ({ sms_to: number }))
    await makePatients(server, id, 1, () => ({ sms_to: never }))
    if (id === silent) continue
    const run = await makeRun(server, world, { patients: [patient!] })
    await asOwner(server, `update message set state = 'sent', sent_at = now() where run_id = $1`, [run.id])
  }
  /** @returns the pharmacies whose texts to the number have ended, after all replies so far */
  const stop = async (from: string, to: string) => {
    const event = { kind: 'reply' as const, id: fresh('stop'), at: new Date().toISOString(), from, to, text: 'STOP' }
    await insertGatewayEvents(server.services.pools.system, server.services.keys, 'fake', [event])
    await processEvents(server.services)
    const rows = await asOwner<{ id: string }>(
      server,
      `select c.location_id as id from consent c join patient p on p.location_id = c.location_id and p.id = c.patient_id
       where p.sms_to = $1 and c.sms_marketing = 'out' order by 1`,
      [await storedAs(server, from)],
    )
    return rows.map(({ id }) => Number(id))
  }
  // Gateways report the number with or without its plus.
  expect(await stop(number, sender.slice(1))).toEqual([own])
  expect(await stop(number, SHARED)).toEqual([own, other])
  // If neither has texted, nobody knows which was meant: no opt-out is lost.
  expect(await stop(never, sender)).toEqual([own, silent])
})
