import type { Services } from '../../../api/context.ts'
import { inScope } from '../../../db/scope.ts'
import { sendDue } from '../../messaging.jobs.ts'
import { refreshSequences, tickSequences } from '../../sequence/sequence.jobs.ts'
import { setSequenceActive } from '../../sequence/sequence-state.queries.ts'
import { signalDue } from '../../simulator/simulator.queries.ts'
import { beginFollowUp } from '../../upload/after-upload.queries.ts'
import { type DemoSequence, type findDemoCompany, findDemoSequences } from '../demo-messaging.queries.ts'
import { openPast } from './demo-past.ts'

type DemoCompany = NonNullable<Awaited<ReturnType<typeof findDemoCompany>>>

/** How long the demo sequences have been running, in days. */
const DAYS = 48
/** Days between the pharmacies' uploads: fewer uploads make a faster start; a follow-up waits three days at most. */
const UPLOADS = 2
/** Hours after the demo's days begin: early afternoon in every zone of the demo company. */
const AFTERNOON = 2

/**
 * Gives the demo company's sequences a past, by the engine's own functions on a clock moved back and against a simulated gateway on the
 * same clock: they were switched on seven weeks ago, patients enrol after every other day's upload, and each day's follow-ups are sent.
 * Must run before the sender's loops start.
 */
export async function replayDemoSequences(services: Services, company: DemoCompany): Promise<void> {
  const { system, app } = services.pools
  const past = openPast(services)
  const scope = { companyId: company.id, locationIds: company.location_ids }
  const sequences = await inScope(app, scope, findDemoSequences)
  if (sequences.length === 0) return
  past.moveTo(DAYS, 0)
  await inScope(app, scope, async (tx) => {
    for (const { location_id, id } of sequences) await setSequenceActive(tx, location_id, id, true, past.services.now())
  })
  for (let days = DAYS; days >= 1; days--) {
    past.moveTo(days, AFTERNOON)
    if (days % UPLOADS === 0) await uploaded(past.services, scope.companyId, sequences)
    await tickSequences(past.services)
    await sendDue(past.services)
    if ((await signalDue(system, past.services.now(), 100_000)) > 0) await sendDue(past.services)
  }
  await uploaded(services, scope.companyId, sequences)
}

/** The work after an upload that concerns sequences. */
async function uploaded(services: Services, companyId: number, sequences: readonly DemoSequence[]): Promise<void> {
  const places = new Map(sequences.map(({ location_id, time_zone }) => [location_id, time_zone]))
  for (const [id, timeZone] of places) {
    await inScope(services.pools.app, { companyId, locationIds: [id] }, async (tx) => {
      await beginFollowUp(tx)
      await refreshSequences(tx, { id, timeZone }, services.now())
    })
  }
}
