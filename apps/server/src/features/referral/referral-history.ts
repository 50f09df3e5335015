import { type AnswerOf, type contract, Refusal } from '@pillar/contract'
import { recordAudit } from '../../api/audit.ts'
import { type Context, callerOf, type HandlersOf, tenantTx } from '../../api/context.ts'
import { asRecruiter, withScope } from '../../db/scope.ts'
import type { ParticipantKey } from '../trial/participant.queries.ts'
import { recruiterSeeing } from './own-recruiter.ts'
import { colleagueNames, findReferral } from './referral.queries.ts'
import { historyOf } from './referral-history.queries.ts'

type Answer = AnswerOf<typeof contract.referral.history>

/**
 * The participant behind a referral of the caller's recruiter, and that recruiter.
 * @throws Refusal not_found for another recruiter's, a withdrawn one, or one that never existed
 */
export async function ownReferral(
  context: Context,
  consentId: string,
): Promise<{ recruiterId: number; who: ParticipantKey }> {
  const recruiter = await recruiterSeeing(context)
  const tx = tenantTx(context)
  const row = recruiter
    ? await asRecruiter(tx, recruiter.id, () => findReferral(tx, recruiter.id, consentId))
    : undefined
  if (!recruiter || !row)
    throw new Refusal('not_found', 'This referral is not in your list. The patient may have withdrawn.')
  return {
    recruiterId: recruiter.id,
    who: { locationId: row.location_id, trialId: row.trial_id, patientId: row.patient_id },
  }
}

/** Who switched what, and when: colleagues of the recruiter by name, everybody else by role. */
export const history: HandlersOf<typeof contract.referral>['history'] = async ({ consent_id }, context) => {
  const { recruiterId, who } = await ownReferral(context, consent_id)
  const tx = tenantTx(context)
  const found = await withScope(tx, [who.locationId], () => historyOf(tx, who))
  const ids = [...new Set(found.events.flatMap(({ login_id }) => (login_id === null ? [] : [login_id])))]
  const names = await colleagueNames(context.services.pools.system, recruiterId, ids)
  await recordAudit(tx, { caller: callerOf(context), action: 'referral.history', object: consent_id, detail: {} })
  return {
    events: found.events.map(({ at, event, login_id }) => ({
      at: at.toISOString(),
      event: event as Answer['events'][number]['event'],
      by: login_id === null ? null : (names.get(login_id) ?? 'Somebody who has left'),
    })),
    rebates: found.rebates.map(({ at, kind, cents, sr_cents }) => ({
      at: at.toISOString(),
      kind,
      rebate: cents / 100,
      sr_rebate: sr_cents / 100,
    })),
  }
}
