import { type contract, Refusal } from '@pillar/contract'
import { recordAudit } from '../../api/audit.ts'
import { type Context, callerOf, type HandlersOf, tenantTx } from '../../api/context.ts'
import { asRecruiter, atOtherPharmacy, withScope } from '../../db/scope.ts'
import { companyOfPharmacy } from '../location/location.queries.ts'
import { moveParticipant, type ParticipantKey, switchRecruiterContacted } from '../trial/participant.queries.ts'
import { type ReferralRow, readReferral } from './referral.queries.ts'
import { referralAnswer } from './referral-answer.ts'
import { lockParticipant } from './referral-history.queries.ts'
import { ownReferral } from './referral-history.ts'

interface Wanted {
  enrolled: boolean
  recruiter_contacted: boolean | null
}

const same = (row: Wanted, wanted: Wanted) =>
  row.enrolled === wanted.enrolled && row.recruiter_contacted === wanted.recruiter_contacted

/** Sets both switches, with rows in the history, the ledger and the log of the pharmacy's company, in the transaction of the call. */
export const editReferral: HandlersOf<typeof contract.referral>['edit'] = async (input, context) => {
  const { consent_id, version, enrolled, recruiter_contacted } = input
  const { recruiterId, who } = await ownReferral(context, consent_id)
  const tx = tenantTx(context)
  const read = () => asRecruiter(tx, recruiterId, () => readReferral(tx, recruiterId, consent_id))
  await withScope(tx, [who.locationId], () => lockParticipant(tx, who))
  // Read again: a colleague, or the patient, may have been faster.
  const before = await read()
  if (!before) throw new Refusal('not_found', 'The patient has just withdrawn. Nothing was changed.')
  const wanted = { enrolled, recruiter_contacted }
  if (same(before, wanted)) return referralAnswer(before)
  refuseStale(before, version)
  await withScope(tx, [who.locationId], () => change(tx, who, before, wanted, context))
  const after = await read()
  if (!after || !same(after, wanted)) throw new Refusal('conflict', 'The switch could not be set. Nothing was changed.')
  context.changes.push(changeOf(before, after))
  await noteAtPharmacy(context, who, consent_id, changeOf(before, after))
  return referralAnswer(after)
}

async function change(
  tx: ReturnType<typeof tenantTx>,
  who: ParticipantKey,
  before: ReferralRow,
  wanted: Wanted,
  context: Context,
) {
  const by = { loginId: callerOf(context).loginId, now: context.services.now() }
  if (before.enrolled !== wanted.enrolled)
    await moveParticipant(tx, who, wanted.enrolled ? 'enrolled' : 'unenrolled', by)
  if (before.recruiter_contacted === wanted.recruiter_contacted) return
  if (wanted.recruiter_contacted === null) {
    throw new Refusal('invalid', 'Contacted can be switched on or off; it cannot be left open again.')
  }
  await switchRecruiterContacted(tx, who, wanted.recruiter_contacted, by)
}

/** @throws Refusal conflict with the present state, if a colleague has switched meanwhile */
function refuseStale(row: ReferralRow, version: number | null | undefined): void {
  if (version === null || version === undefined || version === row.version) return
  const contacted = row.recruiter_contacted === true ? 'contacted' : 'not contacted'
  const stands = `${row.enrolled ? 'enrolled' : 'not enrolled'} and ${contacted}`
  throw new Refusal(
    'conflict',
    `Somebody else has changed this referral meanwhile: it is ${stands}. Nothing of yours was saved.`,
  )
}

function changeOf(before: ReferralRow, after: ReferralRow) {
  const of = ({ enrolled, recruiter_contacted }: ReferralRow) => ({ enrolled, recruiter_contacted })
  return { object: null, before: of(before), after: of(after) }
}

/** Records in the pharmacy's company's own log what became of its patient, without a name. */
async function noteAtPharmacy(
  context: Context,
  who: ParticipantKey,
  consentId: string,
  made: ReturnType<typeof changeOf>,
): Promise<void> {
  const { loginId, sessionId, from, companyId: own } = callerOf(context)
  const companyId = await companyOfPharmacy(context.services.pools.system, who.locationId)
  if (companyId === undefined || companyId === own) return
  const tx = tenantTx(context)
  const caller = { companyId, loginId, sessionId, ...(from ? { from } : {}) }
  const row = { caller, action: 'referral.edit', object: consentId, detail: { changes: [made] }, copy: true as const }
  await atOtherPharmacy(tx, { companyId, locationIds: [who.locationId] }, () => recordAudit(tx, row))
}
