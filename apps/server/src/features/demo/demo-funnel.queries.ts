import { signUpOf } from '@pillar/domain/trial/agreement'
import type { ParticipantEvent } from '@pillar/domain/trial/participant'
import { sql } from 'kysely'
import type { Services } from '../../api/context.ts'
import type { Tx } from '../../db/database.ts'
import type { Keys } from '../../db/field/key-ring.ts'
import { inScope } from '../../db/scope.ts'
import { knownDetails } from '../consent/trial/trial-page.queries.ts'
import { moveParticipant, type ParticipantKey, switchRecruiterContacted } from '../trial/participant.queries.ts'
import { eraseReferral, insertReferral } from '../trial/referral.queries.ts'
import { countTrials } from '../trial/trial-count.jobs.ts'
import { countedPlaces } from '../trial/trial-count.queries.ts'
import { DEMO_TRIALS } from './demo-trial.ts'

const DAY_MS = 86_400_000

/** What came of an invitation, each with the days since: most people do not answer, some are called, few take part. */
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

/** What a demo patient fills in where the pharmacy does not know it. */
const FILLED_IN = {
  first_name: 'Alex',
  last_name: 'Martin',
  phone_number: '0491 570 156',
  email: 'someone@mail.example',
  postcode: '2150',
}

/** Gives the running demo trial its funnel: counted as every night, then invited and answered over the past weeks. Uploads come before. */
export async function addDemoFunnel(services: Pick<Services, 'pools' | 'keys' | 'log'>, now: Date): Promise<void> {
  const { pools, keys } = services
  const trial = await pools.system
    .selectFrom('trial')
    .select(['id', 'recruiter_id', 'name'])
    .where('name', '=', DEMO_TRIALS[0].name)
    .executeTakeFirst()
  if (!trial) return
  const recruiter = await pools.system
    .selectFrom('login')
    .select('id')
    .where('username', '=', 'trials')
    .executeTakeFirst()
  await countTrials(services, null, now)
  const ago = (days: number) => new Date(now.getTime() - days * DAY_MS)
  for (const [at, place] of (await countedPlaces(pools.system)).entries()) {
    await inScope(pools.app, { companyId: place.companyId, locationIds: [place.id] }, async (tx) => {
      const invited = await inviteMost(tx, place.id, trial.id, ago(60 - (at % 8)))
      for (const [nth, patientId] of invited.slice(0, ANSWERED).entries()) {
        const answered = at * ANSWERED + nth
        const who = { locationId: place.id, trialId: trial.id, patientId }
        const by = {
          loginId: recruiter?.id ?? null,
          timeZone: place.timeZone,
          channel: channelOf(answered),
          keys,
          ...trial,
        }
        for (const [event, days] of OUTCOMES[answered % OUTCOMES.length] ?? [])
          await answer(tx, who, event, { ...by, now: ago(days - (answered % 3) / 2) })
      }
    })
  }
  // Where nobody answered the sums are still those of the night before.
  await countTrials(services, trial.id, now)
}

const channelOf = (nth: number) => (nth % 3 === 0 ? ('email' as const) : ('sms' as const))

interface By {
  keys: Keys
  loginId: number | null
  name: string
  recruiter_id: number
  timeZone: string
  channel: 'sms' | 'email'
  now: Date
}

/** One step as the pages and the dashboard make it. */
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
  const { name: trialName, recruiter_id: recruiterId, timeZone, channel } = by
  const { details } = signUpOf(known, FILLED_IN, 'AU')
  await insertReferral(tx, who, { recruiterId, trialName, messageId: null, channel, timeZone, details, now })
}

/** Four in five of those who are eligible get an invitation. @returns who, by id; nobody where it happened before */
async function inviteMost(tx: Tx, locationId: number, trialId: number, at: Date): Promise<number[]> {
  const { rows } = await sql<{ patient_id: number }>`
    with invited as (
      update trial_participant set state = 'contacted', contacted_at = ${at}, invited_at = ${at}
      where location_id = ${locationId} and trial_id = ${trialId} and state = 'eligible' and patient_id % 5 <> 0
        and not exists (select from trial_event e where e.location_id = ${locationId} and e.trial_id = ${trialId})
      returning patient_id
    ), logged as (
      insert into trial_event (location_id, trial_id, patient_id, event, at)
      select ${locationId}, ${trialId}, patient_id, 'contacted', ${at} from invited
    )
    select patient_id from invited order by patient_id`.execute(tx)
  return rows.map((row) => row.patient_id)
}
