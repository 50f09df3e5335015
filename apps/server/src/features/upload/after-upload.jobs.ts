import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import type { Services } from '../../api/context.ts'
import { job } from '../../api/queue.ts'
import { raisePosition } from '../../api/replica/position.queries.ts'
import type { Tx } from '../../db/database.ts'
import { inScope } from '../../db/scope.ts'
import { traced } from '../../gateways/telemetry/trace.ts'
import { refreshCampaigns } from '../attribution/campaign-result.queries.ts'
import { queueStatRecount } from '../attribution/message-stat.queries.ts'
import { refreshTouches } from '../attribution/touch.queries.ts'
import { refreshContacts, refreshFacts } from '../cohort/cohort.jobs.ts'
import { carryOptOuts } from '../consent/carry/carry-opt-outs.queries.ts'
import { recountRecommendations } from '../recommendation/patient-count.queries.ts'
import { forgetGone } from '../sending/gone.queries.ts'
import { refreshSequences } from '../sequence/sequence.jobs.ts'
import { refreshSixtyDay } from '../sixty-day/sixty-day.jobs.ts'
import { beginFollowUp, uploadedLocation } from './after-upload.queries.ts'
import { uploadsGoFirst } from './waiting.queries.ts'

/** The pharmacy whose upload was completed. */
export interface UploadedLocation {
  id: number
  companyId: number
  country: 'AU' | 'GB' | 'US'
  timeZone: string
  /** Last day of its data. */
  dataTo: string
}

type StepName =
  | 'contacts'
  | 'facts'
  | '60-day sums'
  | 'touches'
  | 'campaign results'
  | 'sequences'
  | 'message statistics'
  | 'recommended campaigns'

/** One step after an upload, in the pharmacy's own transaction; safe to run again. */
interface Step {
  name: StepName
  run: (tx: Tx, location: UploadedLocation, now: Date, services: Services) => Promise<void>
}

/** Order matters: later steps read what earlier ones wrote. */
const STEPS: readonly Step[] = [
  {
    name: 'contacts',
    run: async (tx, location, now, { keys }) => {
      await forgetGone(tx, location.id, now)
      await refreshContacts(tx, keys, location)
      await carryOptOuts(tx, location.id, now)
    },
  },
  { name: 'facts', run: refreshFacts },
  { name: '60-day sums', run: (tx, location, _now, services) => refreshSixtyDay(tx, location, services) },
  { name: 'touches', run: async (tx, location) => void (await refreshTouches(tx, location)) },
  { name: 'campaign results', run: async (tx, location) => void (await refreshCampaigns(tx, location)) },
  {
    name: 'sequences',
    run: async (tx, location, now) => void (await refreshSequences(tx, location, now)),
  },
  { name: 'message statistics', run: (tx, location) => queueStatRecount(tx, location.id) },
  { name: 'recommended campaigns', run: recountRecommendations },
]

/**
 * Uploads in progress need the same processors for the portal's numbers, so they go first, up to a limit. The limit counts
 * from the end of the pharmacy's own upload: counted per job, a night's jobs would wait one after another.
 */
const LONGEST_WAIT_SECONDS = 60
const LOOK_AGAIN_MS = 1_000

async function letUploadsPass({ pools, stopping }: Services, locationId: number): Promise<void> {
  while (!stopping?.aborted && (await uploadsGoFirst(pools.system, locationId, LONGEST_WAIT_SECONDS)))
    await sleep(LOOK_AGAIN_MS)
}

/**
 * Work after a completed upload that need not delay it: contacts, cohort facts, campaign results, sequence
 * follow-ups. The portal's numbers are not included: they are visible with COMPLETED.
 */
export const afterUpload = job({
  name: 'after-upload',
  payload: z.object({ location_id: z.number().int(), company_id: z.number().int() }),
  concurrency: () => 1,
  retries: 5,
  again: true,
  async run({ location_id, company_id }, services) {
    await letUploadsPass(services, location_id)
    await followUp(services, company_id, location_id)
  },
})

/** Runs the steps that follow an upload of a company's pharmacy, or some of them. */
export async function followUp(
  services: Services,
  companyId: number,
  locationId: number,
  names?: readonly StepName[],
): Promise<void> {
  for (const step of STEPS.filter(({ name }) => names?.includes(name) ?? true)) {
    const run = () =>
      inScope(services.pools.app, { companyId, locationIds: [locationId] }, async (tx) => {
        await beginFollowUp(tx)
        const found = await uploadedLocation(tx, locationId)
        if (found?.dataTo) await step.run(tx, found as UploadedLocation, services.now(), services)
      })
    await traced(step.name, { company: companyId, location: locationId }, run)
    await raisePosition(services.pools.system, companyId)
  }
}
