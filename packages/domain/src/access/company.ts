import { counted, listOf, type Problem, problemSentence } from '../text/sentence.ts'

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

const NAME: Problem<'name'> = { field: 'name', words: 'enter a company name' }

/** What is missing before a company change can be saved, field by field. */
export function companyProblems({ name }: CompanyDraft): Problem<'name'>[] {
  return blank(name) ? [NAME] : []
}

/** The same as one sentence; empty when nothing is missing. */
export function companyProblem(draft: CompanyDraft): string {
  return problemSentence(companyProblems(draft))
}

/** One @ with text on both sides and a dot after it: catches typing slips and nothing stricter. */
const looksLikeEmail = (text: string) => /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text.trim())

/** What a new company and its first login are missing, field by field. Password strength is checked separately. */
export function newCompanyProblems(draft: NewCompanyDraft): Problem<keyof NewCompanyDraft>[] {
  const found: Problem<keyof NewCompanyDraft>[] = [...companyProblems(draft)]
  const wrong = (field: keyof NewCompanyDraft, words: string) => found.push({ field, words })
  if (blank(draft.username)) wrong('username', 'enter a username')
  else if (draft.username.includes('@') && draft.username.trim().toLowerCase() !== draft.email.trim().toLowerCase())
    wrong('username', 'enter a username without @, or the email address itself')
  if (blank(draft.email)) wrong('email', 'enter an email address')
  else if (!looksLikeEmail(draft.email)) wrong('email', 'enter a valid email address')
  if (blank(draft.first_name)) wrong('first_name', 'enter a first name')
  if (blank(draft.last_name)) wrong('last_name', 'enter a last name')
  if (draft.password === '') wrong('password', 'enter a password')
  return found
}

/** The same as one sentence; empty when nothing is missing. */
export function newCompanyProblem(draft: NewCompanyDraft): string {
  return problemSentence(newCompanyProblems(draft))
}

/** What a company still has that blocks its removal. */
export interface CompanyOwns {
  readonly pharmacies: number
  readonly activeCampaigns: number
  /** Runs that have messages to send, or are stopped and can be resumed. */
  readonly liveRuns: number
}

/** Why a company cannot be removed yet and what to do, as one sentence; empty when it can be removed. */
export function companyRemovalProblem(name: string, owns: CompanyOwns): string {
  const left: string[] = []
  if (owns.pharmacies > 0) left.push(counted(owns.pharmacies, 'pharmacy', 'pharmacies'))
  if (owns.activeCampaigns > 0) left.push(counted(owns.activeCampaigns, 'active campaign', 'active campaigns'))
  if (owns.liveRuns > 0) left.push(counted(owns.liveRuns, 'unfinished send', 'unfinished sends'))
  if (left.length === 0) return ''
  return `${name} still has ${listOf(left)}. Please remove or deactivate them first.`
}
