import { approvalChanges, canonicalSending } from '@pillar/domain/campaign/approval'
import { smsCents } from '@pillar/domain/message/sms-text'
import { listOf } from '@pillar/domain/text/sentence'
import type { Tx } from '../../db/database.ts'
import type { Cohort } from '../cohort/cohort-question.ts'
import type { CampaignText } from '../template/text.queries.ts'
import { type Approval, approvedAudience, approvedText, lockSpareCents, setSpareCents } from './approval.queries.ts'

/** Thrown to roll back when the run is not what was approved; its message says why. */
export class NotApproved extends Error {}

/** @throws NotApproved when what is about to be written is not what was approved: it was edited after it was activated */
export function refuseOther(
  { content }: Approval,
  { filters, no_holdout }: { filters: unknown; no_holdout: boolean },
  texts: readonly CampaignText[],
  cohort: Cohort,
): void {
  const pharmacies = cohort.pharmacies.map(({ uuid }) => uuid)
  const now = {
    texts: texts.map(approvedText),
    audience: approvedAudience(filters, pharmacies, no_holdout ? null : cohort.rules.holdoutPercent),
  }
  if (canonicalSending(now) === canonicalSending(content)) return
  const changes = approvalChanges(content, { ...now, campaign: content.campaign })
  throw new NotApproved(`The campaign was changed since it was approved: ${listOf(changes)}. Nothing was sent.`)
}

/** How many parts a text had when it was written, and has as it would be sent. */
interface PartsNow {
  readonly written: number
  readonly now: number
}

/**
 * Which texts of a run would take it past its approved cost: a sender that has changed since they were written needs another opt-out line,
 * which can make them dearer. What is kept back pays for others. All false for a run that needed no approval.
 */
export async function pastCeiling(tx: Tx, runId: number, texts: readonly PartsNow[]): Promise<boolean[]> {
  const none = texts.map(() => false)
  if (texts.every(({ written, now }) => written === now)) return none
  let spare = await lockSpareCents(tx, runId)
  if (spare === null) return none
  const past = texts.map(({ written, now }) => {
    const dearer = smsCents(now) - smsCents(written)
    const over = dearer > 0 && dearer > spare!
    spare! += over ? smsCents(written) : -dearer
    return over
  })
  await setSpareCents(tx, runId, spare)
  return past
}
