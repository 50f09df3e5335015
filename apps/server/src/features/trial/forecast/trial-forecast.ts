import { Refusal } from '@pillar/contract'
import type { Services } from '../../../api/context.ts'
import type { Tx } from '../../../db/database.ts'
import { countInvitees, forecastInvitations, type InviteForecast } from './trial-forecast.jobs.ts'
import { askForecast, eligibleOf, readForecast, type StoredForecast } from './trial-forecast.queries.ts'

/** With at most this many eligible patients the request itself counts them. */
export const COUNTED_AT_ONCE = 10_000
/** Older counts are not shown, because consent, limits and messages change. */
const FRESH_MS = 5 * 60_000
/** After this long a count is taken as lost with its worker and queued again. */
const LOST_MS = 20 * 60_000

/** Whom a trial's invitations would reach. `countedAt` is null for a count made just now; the whole answer is null while a job counts. */
export async function forecastTrial(
  services: Services,
  staff: Tx,
  trialId: number,
): Promise<(InviteForecast & { countedAt: Date | null }) | null> {
  const { system } = services.pools
  if ((await eligibleOf(system, trialId)) <= COUNTED_AT_ONCE)
    return { ...(await countInvitees(services, staff, trialId)), countedAt: null }
  const now = services.now()
  const known = await readForecast<InviteForecast>(system, trialId)
  if (known?.answer && known.counted_at && known.done_at && !known.outdated && isAfter(known.done_at, now, FRESH_MS))
    return { ...known.answer, countedAt: known.counted_at }
  if (isCounting(known, now)) return null
  const failed = known?.failed_at ?? null
  await system.transaction().execute(async (tx) => {
    if (await askForecast(tx, trialId, known?.asked_at ?? null, now))
      await services.queue.send(tx, forecastInvitations, { trial_id: trialId })
  })
  if (failed && isAfter(failed, now, FRESH_MS))
    throw new Refusal(
      'unavailable',
      'The patients could not be counted. They are being counted again: please try again in a few minutes.',
    )
  return null
}

const isAfter = (at: Date, now: Date, ms: number) => now.getTime() - at.getTime() < ms

/** Whether the last requested count is still running. */
function isCounting(known: StoredForecast<InviteForecast> | undefined, now: Date): boolean {
  if (!known || known.failed_at || !isAfter(known.asked_at, now, LOST_MS)) return false
  return known.done_at === null || known.done_at < known.asked_at
}
