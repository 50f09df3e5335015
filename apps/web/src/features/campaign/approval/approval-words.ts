import type { CampaignApproval } from '@pillar/contract/campaign/campaign-approval'
import { approversWords, ceilingWords } from '@pillar/domain/campaign/approval'
import { listOf } from '@pillar/domain/text/sentence'
import type { Country } from '@pillar/domain/time/locale'
import { dayOf } from '../../../kit/display/dates.ts'
import type { StatusWord } from '../../../kit/display/status.tsx'

/** The status word of an approval. */
const STATUS: Record<CampaignApproval['state'], StatusWord> = {
  none: 'Needs approval',
  changed: 'Needs approval',
  voided: 'Needs approval',
  waiting: 'Waiting for approval',
  approved: 'Approved',
  used: 'Approved',
  declined: 'Declined',
  held: 'Held back',
}
export const approvalStatus = ({ state }: CampaignApproval): StatusWord => STATUS[state]

/** 'up to 1,200 people and $148.00', as requested. */
export const limitWords = ({ max_people, max_cents }: CampaignApproval, country: Country): string =>
  ceilingWords({ people: max_people ?? 0, cents: max_cents ?? 0 }, country)

/** '10% at random', for a campaign that may hold people out; empty if it would hold out nobody. */
export function keptBackWords(percent: number | null): string {
  if (percent === null) return 'Nobody, whatever share your company keeps back'
  return percent > 0 ? `${percent}% at random` : ''
}

/** The state of a campaign's approval and the next step, in sentences. */
export function approvalWords(approval: CampaignApproval, country: Country): string {
  const { state, changes, asked_by, asked_at, decided_by, decided_at, reason, approvers, approver_problem } = approval
  const asked = `${asked_by ?? 'Somebody'} asked on ${dayOf(country, asked_at)}`
  const decided = `${decided_by ?? 'somebody'} on ${dayOf(country, decided_at)}`
  const who = approversWords(approvers)
  const yours = approver_problem === '' ? 'You can approve it.' : who
  switch (state) {
    case 'none':
      return `It is sent only once a second person has approved it. ${who}`
    case 'waiting':
      return `Waiting for approval by a second person. ${asked}, for ${limitWords(approval, country)}. ${yours}`
    case 'approved':
      return `Approved by ${decided} for ${limitWords(approval, country)}. Any change ends the approval.`
    case 'used':
      return `Approved by ${decided} for ${limitWords(approval, country)}. Sending it again needs another approval.`
    case 'declined':
      return `Declined by ${decided}: ${reason ?? ''}`
    case 'held':
      return `${reason ?? ''} Ask for approval again.`
    default: {
      const since = decided_at ? 'it was approved' : 'approval was asked for'
      return `Changed since ${since}${changes.length > 0 ? `: ${listOf(changes)}` : ''}. It needs approval again.`
    }
  }
}

/** Why a campaign cannot be activated yet, in a few words beside its button; empty if it can. */
export function notYetWords(approval: CampaignApproval | undefined): string {
  if (!approval?.required || approval.state === 'approved') return ''
  return approval.state === 'waiting'
    ? 'Waiting for approval by a second person.'
    : 'Needs approval by a second person.'
}

/** What saving a change does to an approval; empty if there is none it could end. */
export function endsWords(approval: CampaignApproval | undefined): string {
  if (!approval?.required) return ''
  if (approval.state === 'waiting') return 'Any change ends the request for approval. Ask again after saving.'
  if (approval.state !== 'approved') return ''
  return `Any change ends the approval by ${approval.decided_by ?? 'a second person'}. It needs approval again before it is sent.`
}

/** Whether approval can be requested: no request is open and unchanged. */
export const mayAsk = ({ state }: CampaignApproval): boolean => state !== 'waiting' && state !== 'approved'
