import { ensureRecommendations } from '../../src/features/recommendation/recommended.queries.ts'
import { advanceRuns } from '../../src/features/sending/lease.queries.ts'
import { ensureSequenceRecommendations } from '../../src/features/sequence/recommended.queries.ts'
import type { MessagingWorld } from '../messaging.ts'
import { FakePhones } from '../outside/fake-gateway.ts'
import { asOwner } from '../people.ts'
import { sendAll } from '../sending.ts'
import { startTestServer } from '../server.ts'
import { makeSupport } from '../support.ts'

/** A server with recommended sequences, a support person, and phones that receive texts. */
export async function startSequenceConsole() {
  const server = await startTestServer()
  const support = await makeSupport(server)
  const phones = new FakePhones()
  await ensureRecommendations(server.services.pools.system, 'AU', server.services.now())
  await ensureSequenceRecommendations(server.services.pools.system, server.services.now())
  return {
    server,
    support,
    phones,
    /** Sends everything that is due. */
    send: async () => {
      const services = { ...server.services, sms: phones.gateway() }
      await advanceRuns(services.pools.system, services.now())
      await sendAll(services, { hand: 50 })
    },
    /** The uuid of a sequence. */
    uuidOf: async (id: number) =>
      (await asOwner<{ uuid: string }>(server, 'select uuid from sequence where id = $1', [id]))[0]!.uuid,
  }
}

/** A sequence of the world's first pharmacy, in the form calls use. */
export const at = (world: MessagingWorld, id: string) => ({ id, location_id: world.locations[0]!.uuid })
