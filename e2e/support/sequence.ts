import { inScope } from '../../apps/server/src/db/scope.ts'
import { refreshSequences, tickSequences } from '../../apps/server/src/features/sequence/sequence.jobs.ts'
import { dispense, makeDrug } from '../../apps/server/test/world/sequence-world.ts'
import { behindServer } from './behind.ts'
import type { Network } from './messaging.ts'

const DAY_MS = 86_400_000
const iso = (daysAgo: number) => new Date(Date.now() - daysAgo * DAY_MS).toISOString().slice(0, 10)

/**
 * Gives the patients of a network's first pharmacy their first script of a medicine yesterday. Those who have been coming for more than a year
 * start the sequences of that event, and their due follow-ups are queued. Does by hand what an upload and a minute's wait would do.
 * @returns messages queued
 */
export async function haveFirstScript(network: Network): Promise<number> {
  return behindServer(async (server, services) => {
    const { pools } = services
    const [place] = await network.sql<{ id: number; time_zone: string }>(
      'select id, time_zone from location where id = $1',
      [network.pharmacies[0]!.id],
    )
    const { id, time_zone } = place!
    const [old, medicine] = [await makeDrug(server, id), await makeDrug(server, id)]
    const lines = network.patients.flatMap((patientId) => [
      { patientId, drugId: old.id, on: iso(800) },
      { patientId, drugId: medicine.id, on: iso(1) },
    ])
    await dispense(server, id, lines)
    const scope = { companyId: network.company.id, locationIds: [id] }
    await inScope(pools.app, scope, (tx) => refreshSequences(tx, { id, timeZone: time_zone }, new Date()))
    return tickSequences(services)
  })
}
