import * as z from 'zod/mini'

const KEY = 'pillar_account'

/** What is selected in the wizard and not sent yet: users and locations to link, notifications to send. */
export type DraftPart = 'users' | 'locations' | 'notifications'
/** The person and company a draft belongs to. */
export interface DraftOwner {
  username: string
  company: string
}

const kept = z.array(z.string().check(z.maxLength(200)))
const keyOf = ({ username, company }: DraftOwner, part: DraftPart) => `${KEY} ${username} ${company} ${part}`

/** The ids kept in this tab; null if there are none. */
export function readDraft(owner: DraftOwner, part: DraftPart): string[] | null {
  try {
    return kept.parse(JSON.parse(sessionStorage.getItem(keyOf(owner, part)) ?? 'null'))
  } catch {
    // Nothing stored, storage blocked, or unreadable data: nothing is selected.
    return null
  }
}

/** Keeps ids in this tab for after a reload; null removes them. */
export function keepDraft(owner: DraftOwner, part: DraftPart, ids: readonly string[] | null): void {
  try {
    if (ids === null) sessionStorage.removeItem(keyOf(owner, part))
    else sessionStorage.setItem(keyOf(owner, part), JSON.stringify(ids))
  } catch {
    // Storage is blocked or full: the selection lasts until the page is reloaded.
  }
}

/** Removes everything kept for a company. */
export function forgetDraft(owner: DraftOwner): void {
  for (const part of ['users', 'locations', 'notifications'] as const) keepDraft(owner, part, null)
}
