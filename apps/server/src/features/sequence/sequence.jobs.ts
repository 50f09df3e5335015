import { RESPONSE_DAYS } from '@pillar/domain/campaign/sequence'
import { formatDay } from '@pillar/domain/time/day'
import { localTime } from '@pillar/domain/time/local-time'
import type { Services } from '../../api/context.ts'
import { reasonOf } from '../../api/log.ts'
import { repeat } from '../../api/repeat.ts'
import { refuseDoubtfulTime } from '../../db/clock.ts'
import type { Tx } from '../../db/database.ts'
import { inScope, withoutNestedLoops } from '../../db/scope.ts'
import { settleContacts } from '../cohort/fill-contacts.jobs.ts'
import { textFrame } from '../cohort/message-text.ts'
import { messagingPharmacies } from '../location/messaging-pharmacy.queries.ts'
import { shareWriting } from '../run/run-write.queries.ts'
import { restoredUntilOf } from '../sending/restore/set-aside.queries.ts'
import { shareRules } from '../sending/rule/rules.queries.ts'
import { decideFollowUps, placeAt } from './decide.ts'
import {
  endGone,
  endReached,
  enrol,
  lockSequences,
  noteResponses,
  planEnrolledAt,
  planEnrolments,
  runningSequences,
  tryLockSequences,
} from './enrolment.queries.ts'
import { buildEventFacts } from './facts.queries.ts'
import { dueEnrolments, dueFollowUps, locationsWithDueFollowUps, reopenRuns } from './follow-up-queue.queries.ts'

/** Enrolments decided in one transaction. */
const CHUNK = 2000
const TICK_MS = 60_000
/** Corrections of dispensing data come late: responses to messages this old are still recorded. */
const LATE_DAYS = 90

/**
 * After an upload: finds reached goals, events that are gone and responses, and enrols the patients whom the pharmacy's sequences follow up
 * from now on. @returns how many enrolled
 */
export async function refreshSequences(tx: Tx, location: { id: number; timeZone: string }, now: Date): Promise<number> {
  await lockSequences(tx, location.id)
  const day = localTime(location.timeZone, now).day
  const at = { today: formatDay(day), now }
  await endReached(tx, location.id, at)
  await noteResponses(tx, location.id, location.timeZone, at.today, day - RESPONSE_DAYS - LATE_DAYS)
  const sequences = await runningSequences(tx, location.id, at.today)
  if (sequences.length === 0) return 0
  await buildEventFacts(tx, location.id, at.today)
  for (const sequence of sequences) await endGone(tx, location.id, sequence, at)
  let enrolled = 0
  for (const sequence of sequences) enrolled += await enrol(tx, location.id, sequence, at)
  await endReached(tx, location.id, at)
  await planEnrolledAt(tx, location.id, location.timeZone, now)
  return enrolled
}

/**
 * One round over all pharmacies: due follow-ups are queued in the ledger, or skipped with their reason, each once however many processes
 * look. A pharmacy that fails is logged and tried again. @returns messages queued
 */
export async function tickSequences(services: Services): Promise<number> {
  const { app, system } = services.pools
  await settleContacts(services)
  await reopenRuns(system)
  let queued = 0
  for (const place of await locationsWithDueFollowUps(system, services.now())) {
    try {
      const scope = { companyId: place.companyId, locationIds: [place.locationId] }
      for (let more = true; more; ) {
        const done = await inScope(app, scope, (tx) => withoutNestedLoops(tx, () => tickPlace(tx, services, place)))
        queued += done.queued
        more = done.more
      }
    } catch (error) {
      services.log.error({ location: place.locationId, reason: reasonOf(error) }, 'follow-ups of sequences')
    }
  }
  return queued
}

async function tickPlace(
  tx: Tx,
  services: Services,
  { locationId, companyId }: { locationId: number; companyId: number },
): Promise<{ queued: number; more: boolean }> {
  // The process that holds it is doing the work.
  if (!(await tryLockSequences(tx, locationId))) return { queued: 0, more: false }
  await shareWriting(tx, [locationId])
  // Before any batch is locked: whoever changes the rules locks batches after them.
  await shareRules(tx)
  const now = services.now()
  const [pharmacy] = await messagingPharmacies(tx, [locationId])
  if (!pharmacy) return { queued: 0, more: false }
  const today = formatDay(localTime(pharmacy.time_zone, now).day)
  const turn = await dueEnrolments(tx, locationId, now, CHUNK)
  if (turn.length === 0) return { queued: 0, more: false }
  await endReached(tx, locationId, { today, now }, turn)
  const due = await dueFollowUps(tx, locationId, turn)
  const restoredUntil = await restoredUntilOf(tx)
  const place = placeAt({ companyId, pharmacy, frame: textFrame(services), now, restoredUntil })
  const queued = await decideFollowUps(tx, place, due)
  await planEnrolments(tx, locationId, pharmacy.time_zone, turn)
  return { queued, more: turn.length === CHUNK }
}

/** Looks for due follow-ups every minute, in every worker process. @returns stops it, once the current work is done */
export function startSequences(services: Services): () => Promise<void> {
  return repeat(services, 'looking for due follow-ups', TICK_MS, async () => {
    refuseDoubtfulTime(services)
    await tickSequences(services)
  })
}
