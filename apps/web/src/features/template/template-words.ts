import { counted, listOf } from '@pillar/domain/text/sentence'

/** 'SMS', 'Email', 'SMS and Email'. */
export function typeWords(template: { sms_template: boolean; email_template: boolean }): string {
  return listOf([...(template.sms_template ? ['SMS'] : []), ...(template.email_template ? ['Email'] : [])])
}

/** What a template is used by, as the server names it. */
export interface Affected {
  campaign_names: readonly string[]
  sequence_names: readonly string[]
}

/** '2 active campaigns use it: Flu and Asthma. 1 active sequence uses it: Repeat reminder.' Null when nothing does. */
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
      ? 'No active campaign or sequence uses it. It can be used in campaigns at once; nothing is sent by this.'
      : 'No active campaign or sequence uses it. Campaigns and sequences cannot send it until it is activated again.'
  }
  if (active) return `${used} It is sent again from now on.`
  const skips = affected.sequence_names.length > 0 ? ` ${SKIPS}` : ''
  return `${used} It is no longer sent.${skips}`
}

const SKIPS = 'Follow-ups that use it are skipped, each with the reason; the sequences go on with their others.'

/** What deleting a template changes, naming every campaign it is attached to and every sequence that uses it. */
export function deleteWords({ campaign_names: campaigns, sequence_names: sequences }: Affected): string {
  const said = []
  if (campaigns.length > 0) {
    said.push(`It is taken out of ${counted(campaigns.length, 'campaign', 'campaigns')}: ${listOf(campaigns)}.`)
  }
  if (sequences.length > 0) {
    said.push(`${counted(sequences.length, 'sequence uses', 'sequences use')} it: ${listOf(sequences)}. ${SKIPS}`)
  }
  if (said.length === 0) said.push('No campaign or sequence uses it.')
  return `${said.join(' ')} What was sent with it stays in the records. This cannot be undone.`
}

/** The button that switches a template, while it waits and while it works. */
export function switchLabel(active: boolean, busy: boolean): string {
  if (busy) return active ? 'Inactivating...' : 'Activating...'
  return active ? 'Deactivate…' : 'Activate…'
}
