import type { Services } from '../../api/context.ts'
import { inScope } from '../../db/scope.ts'
import { openEmailSimulator, openSmsSimulator } from '../../gateways/simulator.ts'
import { sendDue } from '../messaging.jobs.ts'
import { refreshSequences, tickSequences } from '../sequence/sequence.jobs.ts'
import { setSequenceActive } from '../sequence/sequence-state.queries.ts'
import { signalDue } from '../simulator/simulator.queries.ts'
import { beginFollowUp } from '../upload/after-upload.queries.ts'
import { type DemoSequence, type findDemoCompany, findDemoSequences } from './demo-messaging.queries.ts'

type DemoCompany = NonNullable<Awaited<ReturnType<typeof findDemoCompany>>>

/** How long the demo sequences have been running. */
const DAYS = 48
/** Every how many days the pharmacies upload: the fewer, the faster the start; a follow-up waits three days at most. */
const UPLOADS = 2
/** Early afternoon in every zone of the demo company. */
const HOUR_UTC = 3
const DAY_MS = 86_400_000

/**
 * Gives the demo company's sequences a past, by the engine's own functions on a clock moved back and against a simulated gateway on the
 * same clock: they are switched on seven weeks ago, patients enrol after every other day's upload, and each day's follow-ups go. Must run
 * before the sender's loops start.
 */
export async function replayDemoSequences(services: Services, company: DemoCompany): Promise<void> {
  const { system, app } = services.pools
  let now = services.now()
  const clock = () => now
  const past: Services = {
    ...services,
    now: clock,
    sms: openSmsSimulator(system, Number.POSITIVE_INFINITY, services.env.SMS_SENDER, clock),
    bulkEmail: openEmailSimulator(system, Number.POSITIVE_INFINITY, clock),
  }
  const scope = { companyId: company.id, locationIds: company.location_ids }
  const sequences = await inScope(app, scope, findDemoSequences)
  if (sequences.length === 0) return
  const today = Math.floor(services.now().getTime() / DAY_MS) * DAY_MS
  now = new Date(today - DAYS * DAY_MS)
  await inScope(app, scope, async (tx) => {
    for (const { location_id, id } of sequences) await setSequenceActive(tx, location_id, id, true, now)
  })
  for (let days = DAYS; days >= 1; days--) {
    now = new Date(today - days * DAY_MS + HOUR_UTC * 3_600_000)
    if (days % UPLOADS === 0) await uploaded(past, scope.companyId, sequences)
    await tickSequences(past)
    await sendDue(past)
    if ((await signalDue(system, now, 100_000)) > 0) await sendDue(past)
  }
  await uploaded(services, scope.companyId, sequences)
}

/** What follows an upload, as far as sequences go. */
async function uploaded(services: Services, companyId: number, sequences: readonly DemoSequence[]): Promise<void> {
  const places = new Map(sequences.map(({ location_id, time_zone }) => [location_id, time_zone]))
  for (const [id, timeZone] of places) {
    await inScope(services.pools.app, { companyId, locationIds: [id] }, async (tx) => {
      await beginFollowUp(tx)
      await refreshSequences(tx, { id, timeZone }, services.now())
    })
  }
}
