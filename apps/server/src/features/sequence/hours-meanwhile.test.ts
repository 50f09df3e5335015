import { afterAll, beforeAll, expect, it } from 'vitest'
import { asOwner } from '../../../test/people.ts'
import { openingAtTheEnd, sendAll } from '../../../test/sending.ts'
import { startTestServer, type TestServer } from '../../../test/server.ts'
import { afterUploadOf, decisionsOf, makeSequence, newMedicine, setClock } from '../../../test/world/sequence-world.ts'
import { tickSequences } from './sequence.jobs.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

it('hours that change while follow-ups are queued apply to them', async () => {
  const { world } = await newMedicine(server)
  const id = await makeSequence(server, world, [3])
  await afterUploadOf(server, world)
  setClock(server, '2026-08-04T00:10:00Z')
  await openingAtTheEnd(server, world, () => tickSequences(server.services))
  expect(await decisionsOf(server, id)).toEqual(['1: sms queued'])
  await asOwner(server, "update message_run set state = 'sending' where state = 'holding'")
  await sendAll(server.services)
  expect(await decisionsOf(server, id)).not.toEqual(['1: sms queued'])
})
