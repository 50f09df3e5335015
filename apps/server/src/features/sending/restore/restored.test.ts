import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeMessagingWorld, makePatients, makeRun } from '../../../../test/messaging.ts'
import { FakePhones } from '../../../../test/outside/fake-gateway.ts'
import { asOwner, fresh } from '../../../../test/people.ts'
import { sendAll } from '../../../../test/sending.ts'
import { startTestServer, type TestServer } from '../../../../test/server.ts'
import { afterUploadOf, decisionsOf, makeSequence, newMedicine, tickAt } from '../../../../test/world/sequence-world.ts'
import { insertGatewayEvents } from '../../../gateways/gateway-event.queries.ts'
import { processEvents } from '../../inbound/events.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

const restored = (since: string, until: string) =>
  asOwner(server, 'insert into restore_gap (since, until) values ($1, $2)', [since, until])

describe('after a restore', () => {
  it('a follow-up that was due before is not sent, even to somebody enrolled since; a later one is', async () => {
    const { world } = await newMedicine(server)
    const id = await makeSequence(server, world, [3, 23])
    await restored('2026-08-03T12:00:00Z', '2026-08-04T01:00:00Z')
    expect(await afterUploadOf(server, world)).toBe(1)
    expect(await tickAt(server, '2026-08-04T02:00:00Z')).toBe(0)
    expect(await decisionsOf(server, id)).toEqual(['1: restored'])
    expect(await tickAt(server, '2026-08-24T00:00:30Z')).toBe(1)
  })

  it('a STOP from before is recorded and not confirmed again; a later one is confirmed', async () => {
    server.clock.offsetMs = 0
    const phones = new FakePhones()
    const services = { ...server.services, sms: phones.gateway() }
    const stop = async () => {
      const world = await makeMessagingWorld(server)
      const [patient] = await makePatients(server, world.locations[0]!.id, 1)
      await makeRun(server, world, { patients: [patient!] })
      await sendAll(services)
      const event = {
        id: fresh('reply'),
        at: new Date().toISOString(),
        kind: 'reply',
        from: patient!.sms_to!,
        to: '+61400000000',
        text: 'STOP',
      } as const
      await insertGatewayEvents(services.pools.system, services.keys, 'fake', [event])
      return async () => {
        while ((await processEvents(services)) > 0);
        await sendAll(services)
        const texts = [...phones.accepted.values()].filter(({ to }) => to === patient!.sms_to).length
        const [{ out }] = (await asOwner(
          server,
          `select count(*)::int as out from consent where patient_id = $1 and sms_marketing = 'out'`,
          [patient!.id],
        )) as [{ out: number }]
        return { texts, out }
      }
    }
    const before = await stop()
    await restored(new Date(Date.now() - 60_000).toISOString(), new Date().toISOString())
    // The newest restore counts.
    await restored('2020-01-01T00:00:00Z', '2020-01-02T00:00:00Z')
    expect(await before()).toEqual({ texts: 1, out: 1 })
    const after = await stop()
    expect(await after()).toEqual({ texts: 2, out: 1 })
  })
})
