import { MERGE_FIELDS } from '@pillar/domain/message/merge-field'
import { counted, listOf } from '@pillar/domain/text/sentence'

/** 'SMS', 'Email', 'SMS and Email'. */
export function typeWords(template: { sms_template: boolean; email_template: boolean }): string {
  return listOf([...(template.sms_template ? ['SMS'] : []), ...(template.email_template ? ['Email'] : [])])
}

/** The fields of a preview that the pharmacy or its patient has no value for, by their wire names; empty if there are none. */
export function missingWords(fields: readonly string[]): string {
  if (fields.length === 0) return ''
  const placeholders: Readonly<Record<string, string>> = MERGE_FIELDS
  const one = fields.length === 1
  return `${listOf(fields.map((field) => placeholders[field] ?? field))} ${one ? 'is' : 'are'} not known here and ${one ? 'is' : 'are'} left blank.`
}

/** What uses a template, in the server's names. */
export interface Affected {
  campaign_names: readonly string[]
  sequence_names: readonly string[]
}

/** '2 active campaigns use it: Flu and Asthma. 1 active sequence uses it: Repeat reminder.' Null if nothing does. */
function usedBy({ campaign_names: campaigns, sequence_names: sequences }: Affected): string | null {
  const said = []
  if (campaigns.length > 0) {
    said.push(`${counted(campaigns.length, 'active campaign uses', 'active campaigns use')} it: ${listOf(campaigns)}.`)
  }
  if (sequences.length > 0) {
    said.push(`${counted(sequences.length, 'active sequence uses', 'active sequences use')} it: ${listOf(sequences)}.`)
  }
  return said.length > 0 ? said.join(' ') : null
}

/** What switching a template changes, naming the active campaigns and sequences that send it. */
export function switchWords(active: boolean, affected: Affected): string {
  const used = usedBy(affected)
  if (used === null) {
    return active
      ? 'No active campaign or sequence uses it. Campaigns can use it straight away. Nothing is sent now.'
      : 'No active campaign or sequence uses it. Campaigns and sequences can’t send it until you activate it again.'
  }
  if (active) return `${used} It will be sent again.`
  const skips = affected.sequence_names.length > 0 ? ` ${SKIPS}` : ''
  return `${used} It will no longer be sent.${skips}`
}

const SKIPS = 'Follow-ups that use it will be skipped and the reason recorded. The other follow-ups continue.'

/** What deleting a template changes, naming every campaign it is attached to and every sequence that uses it. */
export function deleteWords({ campaign_names: campaigns, sequence_names: sequences }: Affected): string {
  const said = []
  if (campaigns.length > 0) {
    said.push(`It will be removed from ${counted(campaigns.length, 'campaign', 'campaigns')}: ${listOf(campaigns)}.`)
  }
  if (sequences.length > 0) {
    said.push(`${counted(sequences.length, 'sequence uses', 'sequences use')} it: ${listOf(sequences)}. ${SKIPS}`)
  }
  if (said.length === 0) said.push('No campaign or sequence uses it.')
  return `${said.join(' ')} Messages already sent stay in the records. This can’t be undone.`
}

/** What saving a template does: which active campaigns send the new text and, if a second person approves campaigns, whose approval ends. */
export function savingWords(
  { campaigns }: { campaigns: readonly { campaign_name: string; active: boolean }[] },
  approval = false,
): string {
  const names = campaigns.filter(({ active }) => active).map(({ campaign_name }) => campaign_name)
  const off = approval ? campaigns.filter(({ active }) => !active).map(({ campaign_name }) => campaign_name) : []
  const queued = `Messages already queued won’t change.${off.length > 0 ? ` ${endedWords(off)}` : ''}`
  if (names.length === 0) return queued
  return `${counted(names.length, 'active campaign', 'active campaigns')} will send the new text: ${listOf(names)}. ${queued}`
}

const endedWords = (campaigns: readonly string[]): string =>
  campaigns.length === 1
    ? `If an approval of ${campaigns[0]} is open, it ends: the campaign needs approval again.`
    : `If approvals of ${listOf(campaigns)} are open, they end: the campaigns need approval again.`

/** The label of the button that switches a template, before and while it works. */
export function switchLabel(active: boolean, busy: boolean): string {
  if (busy) return active ? 'Inactivating...' : 'Activating...'
  return active ? 'Deactivate…' : 'Activate…'
}
