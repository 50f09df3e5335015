import { instantAt } from '@pillar/domain/time/local-time'
import { dayIn } from '@pillar/domain/time/zone'
import { signUpOf } from '@pillar/domain/trial/agreement'
import type { ParticipantEvent } from '@pillar/domain/trial/participant'
import { sql } from 'kysely'
import type { Services } from '../../api/context.ts'
import type { Database, Tx } from '../../db/database.ts'
import type { Keys } from '../../db/field/key-ring.ts'
import { inScope } from '../../db/scope.ts'
import { knownDetails } from '../consent/trial/trial-page.queries.ts'
import { moveParticipant, type ParticipantKey, switchRecruiterContacted } from '../trial/participant.queries.ts'
import { eraseReferral, insertReferral } from '../trial/referral.queries.ts'
import { countTrials } from '../trial/trial-count.jobs.ts'
import { countedPlaces } from '../trial/trial-count.queries.ts'
import { DEMO_TRIALS } from './demo-trial.ts'

/** The outcomes of invitations, each with the most days since: most people do not answer, some are called, few take part. */
const OUTCOMES: readonly (readonly (readonly [ParticipantEvent | 'called' | 'withdrawn', number])[])[] = [
  [
    ['referred', 51],
    ['called', 49],
    ['enrolled', 41],
  ],
  [['opted_out', 30]],
  [
    ['referred', 5],
    ['called', 2],
  ],
  [['referred', 1]],
  [
    ['referred', 24],
    ['called', 23],
    ['enrolled', 12],
  ],
  [
    ['referred', 38],
    ['withdrawn', 9],
  ],
  [
    ['referred', 44],
    ['called', 43],
    ['enrolled', 33],
    ['unenrolled', 15],
  ],
  [],
  [
    ['referred', 17],
    ['called', 16],
  ],
  [['referred', 9]],
  [['opted_out', 12]],
]
/** People of each pharmacy who answered. */
const ANSWERED = 2

/** When somebody did this step, at most so many days ago: at different times of different days, in the order of the steps. */
function momentOf(nth: number, step: number, days: number, { timeZone, now }: { timeZone: string; now: Date }): Date {
  const share = 1 - ((nth * 7) % 10) / 20
  const minute = 9 * 60 + step * 180 + ((nth * 37) % 170)
  return instantAt(timeZone, dayIn(timeZone, now) - Math.max(1, Math.round(days * share)), minute)
}

/** What a demo patient fills in if the pharmacy does not know it. */
const FILLED_IN = {
  first_name: 'Alex',
  last_name: 'Martin',
  phone_number: '0491 570 156',
  email: 'someone@mail.example',
  postcode: '2150',
}

/** Gives the running demo trial its funnel: the answers of people who got its invitation over the past weeks. Requires the invitations. */
export async function addDemoFunnel(services: Pick<Services, 'pools' | 'keys' | 'log'>, now: Date): Promise<void> {
  const { pools, keys } = services
  const trial = await findRunningTrial(pools.system)
  if (!trial) return
  const recruiter = await pools.system
    .selectFrom('login')
    .select('id')
    .where('username', '=', 'trials')
    .executeTakeFirst()
  for (const [at, place] of (await countedPlaces(pools.system)).entries()) {
    await inScope(pools.app, { companyId: place.companyId, locationIds: [place.id] }, async (tx) => {
      for (const [nth, { patientId, messageId }] of (await reached(tx, place.id, trial.id)).entries()) {
        const answered = at * ANSWERED + nth
        const who = { locationId: place.id, trialId: trial.id, patientId }
        const by = { loginId: recruiter?.id ?? null, timeZone: place.timeZone, messageId, keys, ...trial }
        for (const [step, [event, days]] of (OUTCOMES[answered % OUTCOMES.length] ?? []).entries())
          await answer(tx, who, event, { ...by, now: momentOf(answered, step, days, { ...by, now }) })
      }
    })
  }
  // Counts every trial, including those nobody answered: the sums are as after last night.
  await countTrials(services, null, now)
}

/** The running demo trial; undefined if it was renamed. */
export const findRunningTrial = (system: Database) =>
  system
    .selectFrom('trial')
    .select(['id', 'recruiter_id', 'name', 'created_by'])
    .where('name', '=', DEMO_TRIALS[0].name)
    .executeTakeFirst()

interface By {
  keys: Keys
  loginId: number | null
  name: string
  recruiter_id: number
  timeZone: string
  messageId: number
  now: Date
}

/** One step, recorded as the pages and the dashboard do it. */
async function answer(
  tx: Tx,
  who: ParticipantKey,
  event: ParticipantEvent | 'called' | 'withdrawn',
  by: By,
): Promise<void> {
  const { loginId, now } = by
  if (event === 'called') {
    if (loginId !== null) await switchRecruiterContacted(tx, who, true, { loginId, now })
    return
  }
  if (event === 'withdrawn') {
    await moveParticipant(tx, who, 'opted_out', { loginId: null, now })
    await eraseReferral(tx, who, now)
    return
  }
  const switched = event === 'enrolled' || event === 'unenrolled'
  await moveParticipant(tx, who, event, { loginId: switched ? loginId : null, now })
  if (event !== 'referred') return
  const known = await knownDetails(tx, by.keys, who.locationId, who.patientId)
  if (!known) throw new Error('a patient of the demo is gone')
  const { name: trialName, recruiter_id: recruiterId, timeZone, messageId } = by
  const { details } = signUpOf(known, FILLED_IN, 'AU')
  await insertReferral(tx, who, { recruiterId, trialName, messageId, timeZone, details, now })
}

/** The first at a pharmacy who got their invitation; empty if anybody has answered already. */
async function reached(tx: Tx, locationId: number, trialId: number) {
  const { rows } = await sql<{ patientId: number; messageId: number }>`
    select p.patient_id as "patientId", p.message_id as "messageId" from trial_participant p
    where p.location_id = ${locationId} and p.trial_id = ${trialId} and p.state = 'contacted' and p.message_id is not null
      and not exists (select from trial_event e
        where e.location_id = ${locationId} and e.trial_id = ${trialId} and e.event = 'referred')
    order by p.patient_id limit ${ANSWERED}`.execute(tx)
  return rows
}
