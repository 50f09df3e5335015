import { type LoginDraft, loginProblems } from '../access/user.ts'
import { counted, listOf, type Problem, problemSentence } from '../text/sentence.ts'

export const COMPANY_NAME_LIMIT = 200

const blank = (text: string) => text.trim() === ''

export interface CompanyDraft {
  readonly name: string
}

export interface NewCompanyDraft extends CompanyDraft, LoginDraft {}

const NAME: Problem<'name'> = { field: 'name', words: 'enter a company name' }

/** What is missing before a company change can be saved, field by field. */
export function companyProblems({ name }: CompanyDraft): Problem<'name'>[] {
  return blank(name) ? [NAME] : []
}

/** The same as one sentence; empty when nothing is missing. */
export function companyProblem(draft: CompanyDraft): string {
  return problemSentence(companyProblems(draft))
}

/** What a new company and its first login are missing, field by field. Password strength is checked separately. */
export function newCompanyProblems(draft: NewCompanyDraft): Problem<keyof NewCompanyDraft>[] {
  return [...companyProblems(draft), ...loginProblems(draft)]
}

/** The same as one sentence; empty when nothing is missing. */
export function newCompanyProblem(draft: NewCompanyDraft): string {
  return problemSentence(newCompanyProblems(draft))
}

/** What a company still has that blocks its removal. */
export interface CompanyOwns {
  readonly pharmacies: number
  readonly activeCampaigns: number
  /** Runs with messages still to send, or stopped runs that can be resumed. */
  readonly liveRuns: number
}

/** Why a company cannot be removed yet and what to do, as one sentence; empty when it can be removed. */
export function companyRemovalProblem(name: string, owns: CompanyOwns): string {
  const left: string[] = []
  if (owns.pharmacies > 0) left.push(counted(owns.pharmacies, 'pharmacy', 'pharmacies'))
  if (owns.activeCampaigns > 0) left.push(counted(owns.activeCampaigns, 'active campaign', 'active campaigns'))
  if (owns.liveRuns > 0) left.push(counted(owns.liveRuns, 'unfinished send', 'unfinished sends'))
  if (left.length === 0) return ''
  const first: string[] = []
  if (owns.pharmacies > 0) first.push('remove its pharmacies')
  if (owns.activeCampaigns > 0 || owns.liveRuns > 0) first.push('deactivate its campaigns')
  return `${name} still has ${listOf(left)}. Please ${listOf(first)} first.`
}
