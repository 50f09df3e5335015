import { counted, listOf, pleaseSentence } from './text/sentence.ts'

export const COMPANY_NAME_LIMIT = 200

const blank = (text: string) => text.trim() === ''

export interface CompanyDraft {
  readonly name: string
}

export interface NewCompanyDraft extends CompanyDraft {
  readonly username: string
  readonly email: string
  readonly first_name: string
  readonly last_name: string
  readonly password: string
}

const NAME = 'enter a company name'

/** What a company lacks before a change of it can be saved: one sentence, empty when nothing. */
export function companyProblem({ name }: CompanyDraft): string {
  return pleaseSentence(blank(name) ? [NAME] : [])
}

/** One @ with something on both sides and a dot after it: enough to catch slips, whatever else mail servers allow. */
const looksLikeEmail = (text: string) => /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text.trim())

/** What a new company and its first login lack: one sentence, empty when nothing. Whether the password is a good one is asked apart. */
export function newCompanyProblem(draft: NewCompanyDraft): string {
  const parts: string[] = []
  if (blank(draft.name)) parts.push(NAME)
  if (blank(draft.username)) parts.push('enter a username')
  else if (draft.username.includes('@') && draft.username.trim().toLowerCase() !== draft.email.trim().toLowerCase())
    parts.push('enter a username without @, or the email address itself')
  if (blank(draft.email)) parts.push('enter an email address')
  else if (!looksLikeEmail(draft.email)) parts.push('enter a valid email address')
  if (blank(draft.first_name)) parts.push('enter a first name')
  if (blank(draft.last_name)) parts.push('enter a last name')
  if (draft.password === '') parts.push('enter a password')
  return pleaseSentence(parts)
}

/** What a company still owns that keeps it from being removed. */
export interface CompanyOwns {
  readonly pharmacies: number
  readonly activeCampaigns: number
  /** Runs that have messages to send, or are stopped and could be resumed. */
  readonly liveRuns: number
}

/** Why a company cannot be removed yet and what to do: one sentence, empty when it can. */
export function companyRemovalProblem(name: string, owns: CompanyOwns): string {
  const left: string[] = []
  if (owns.pharmacies > 0) left.push(counted(owns.pharmacies, 'pharmacy', 'pharmacies'))
  if (owns.activeCampaigns > 0) left.push(counted(owns.activeCampaigns, 'active campaign', 'active campaigns'))
  if (owns.liveRuns > 0) left.push(counted(owns.liveRuns, 'unfinished send', 'unfinished sends'))
  if (left.length === 0) return ''
  return `${name} still has ${listOf(left)}. Please remove or deactivate them first.`
}
