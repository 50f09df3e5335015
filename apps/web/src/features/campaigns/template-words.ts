import { counted, listOf } from '@pillar/domain/sentence'

/** 'SMS', 'Email', 'SMS and Email'. */
export function typeWords(template: { sms_template: boolean; email_template: boolean }): string {
  return listOf([...(template.sms_template ? ['SMS'] : []), ...(template.email_template ? ['Email'] : [])])
}

/** What switching a template changes, naming the active campaigns that send it. */
export function switchWords(active: boolean, campaigns: readonly string[]): string {
  if (campaigns.length === 0) {
    return active
      ? 'No active campaign uses it. It can be used in campaigns at once; nothing is sent by this.'
      : 'No active campaign uses it. Campaigns cannot send it until it is activated again.'
  }
  const named = `${counted(campaigns.length, 'active campaign uses', 'active campaigns use')} it: ${listOf(campaigns)}.`
  return active ? `${named} It is sent again from now on.` : `${named} It is no longer sent.`
}

/** What deleting a template changes, naming every campaign it is attached to. */
export function deleteWords(campaigns: readonly string[]): string {
  const rest = 'What was sent with it stays in the records. This cannot be undone.'
  if (campaigns.length === 0) return `No campaign uses it. ${rest}`
  return `It is taken out of ${counted(campaigns.length, 'campaign', 'campaigns')}: ${listOf(campaigns)}. ${rest}`
}

/** The button that switches a template, while it waits and while it works. */
export function switchLabel(active: boolean, busy: boolean): string {
  if (busy) return active ? 'Inactivating...' : 'Activating...'
  return active ? 'Deactivate…' : 'Activate…'
}
