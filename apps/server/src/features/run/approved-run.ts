import { approvalChanges, canonicalSending } from '@pillar/domain/campaign/approval'
import { listOf } from '@pillar/domain/text/sentence'
import type { Cohort } from '../cohort/cohort-question.ts'
import type { CampaignText } from '../template/text.queries.ts'
import { type Approval, approvedAudience, approvedText } from './approval.queries.ts'

/** Thrown to roll back a run that differs from what was approved; its message says why. */
export class NotApproved extends Error {}

/** @throws NotApproved if what is about to be written differs from what was approved: it was edited after it was activated */
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
