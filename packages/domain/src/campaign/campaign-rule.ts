import { fieldsIn, trialFieldsIn, unknownFields } from '../message/merge-field.ts'
import { estimateSms, SMS_LIMIT } from '../message/sms-text.ts'
import { listOf, type Problem, pleaseSentence, problemSentence } from '../text/sentence.ts'
import { type Day, parseDay } from '../time/day.ts'
import { formatNumber } from '../time/locale.ts'
import { type GoalType, isState, type Measure, measuresFor } from './goal.ts'

/** The most letters in a campaign's name. */
export const CAMPAIGN_NAME_LIMIT = 200

const blank = (text: string | null | undefined) => !text || text.trim() === ''

export interface TemplateDraft {
  readonly name: string
  readonly body: string
  readonly subject?: string | null
  readonly sms_template: boolean
  readonly email_template: boolean
}

export const COMPANY_CHOICES = ['all', 'specific'] as const
export type CompanyChoice = (typeof COMPANY_CHOICES)[number]

type TemplateField = 'name' | 'type' | 'subject' | 'body'

/** Who sends a template: a company in campaigns and sequences, or, of a global one, clinical trials too. */
export type TemplateUse = 'company' | 'trial'

/** What a template lacks before it can be saved, of every kind (own, recommended, global), field by field. */
export function templateProblems(draft: TemplateDraft, use: TemplateUse = 'company'): Problem<TemplateField>[] {
  const found: Problem<TemplateField>[] = []
  if (blank(draft.name)) found.push({ field: 'name', words: 'enter a template name' })
  if (!draft.sms_template && !draft.email_template)
    found.push({ field: 'type', words: 'select at least one template type' })
  if (blank(draft.body)) found.push({ field: 'body', words: 'enter a message body' })
  if (!fieldsIn(draft.body).includes('pharmacy_name'))
    found.push({ field: 'body', words: 'include {Pharmacy Name} in the message body' })
  // Not in the specification: patients would see a misspelt field in its braces, and nothing where a field of trials stands.
  const wrongIn = (text: string) => [...unknownFields(text), ...(use === 'trial' ? [] : trialFieldsIn(text))]
  const inSubject = draft.email_template ? wrongIn(draft.subject ?? '') : []
  const inBody = wrongIn(draft.body)
  if (inSubject.length > 0)
    found.push({ field: 'subject', words: `replace ${listOf(inSubject)} in the subject with a field from the list` })
  if (inBody.length > 0) found.push({ field: 'body', words: `replace ${listOf(inBody)} with a field from the list` })
  if (draft.sms_template && estimateSms(draft.body).characters > SMS_LIMIT)
    found.push({
      field: 'body',
      words: `shorten the message body to ${formatNumber('AU', SMS_LIMIT)} characters or turn SMS off`,
    })
  return found
}

/** The same as one sentence; empty when nothing is missing. */
export function templateProblem(draft: TemplateDraft, use: TemplateUse = 'company'): string {
  return problemSentence(templateProblems(draft, use))
}

/** What is missing in a template that support makes for companies, field by field. */
export function companyTemplateProblems(
  draft: TemplateDraft,
  choice: CompanyChoice,
  companies: number,
): Problem<TemplateField | 'companies'>[] {
  const found: Problem<TemplateField | 'companies'>[] = templateProblems(draft)
  if (choice === 'specific' && companies < 1) found.push({ field: 'companies', words: 'select at least one company' })
  return found
}

/** The same as one sentence; empty when nothing is missing. */
export function companyTemplateProblem(draft: TemplateDraft, choice: CompanyChoice, companies: number): string {
  return problemSentence(companyTemplateProblems(draft, choice, companies))
}

export interface CampaignDraft {
  readonly name: string
  readonly goal_type: GoalType | null
  readonly measure_by: Measure | null
  readonly goal: number | null
  readonly pharmacies: number
  readonly templates: number
  /** How many cohort filters are set. */
  readonly filters: number
}

const given = (goal: number | null): goal is number => goal !== null && Number.isFinite(goal)
/** Goals are stored with two decimals: 0.001 would become 0, and made before anything is sent. */
const isZero = (goal: number) => goal < 0.005

/** A measure that the goal type does not allow counts as missing. */
function measureMissing({ goal_type, measure_by }: Pick<CampaignDraft, 'goal_type' | 'measure_by'>): boolean {
  return measure_by === null || (goal_type !== null && !measuresFor(goal_type).includes(measure_by))
}

/** The highest goal for adherence and loyalty, in percent or points: nobody can reach 800, typed for 80. */
const MOST_SHARE = 100
const overShare = (draft: Pick<CampaignDraft, 'goal_type' | 'measure_by' | 'goal'>) =>
  draft.goal_type !== null && isState(draft.goal_type) && !measureMissing(draft) && (draft.goal ?? 0) > MOST_SHARE

/** What is missing before a head office's own campaign can be saved; empty when nothing. A goal must be above 0. */
export function campaignProblem(draft: CampaignDraft): string {
  const parts: string[] = []
  if (blank(draft.name)) parts.push('enter a campaign name')
  if (draft.pharmacies < 1) parts.push('select at least one pharmacy')
  if (draft.goal_type === null) parts.push('select a goal type')
  if (measureMissing(draft)) parts.push('select a measure by')
  if (!given(draft.goal) || isZero(draft.goal)) parts.push('enter a goal')
  else if (overShare(draft)) parts.push(`enter a goal of at most ${MOST_SHARE}%`)
  if (draft.templates < 1) parts.push('select at least one template')
  if (draft.filters < 1) parts.push('select at least one patient filter')
  return pleaseSentence(parts)
}

export type CampaignField = 'name' | 'locations' | 'goal_type' | 'measure_by' | 'goal' | 'templates' | 'filters'

/**
 * What a head office's form finds missing in a campaign, its own or a recommended one, field by field. It finds the same as `campaignProblem`
 * and `recommendedCampaignProblem`, whose words are the specification's; these are the screen's.
 */
export function campaignProblems(draft: CampaignDraft): Problem<CampaignField>[] {
  const found: Problem<CampaignField>[] = []
  if (blank(draft.name)) found.push({ field: 'name', words: 'enter a campaign name' })
  if (draft.pharmacies < 1) found.push({ field: 'locations', words: 'select at least one pharmacy' })
  if (draft.goal_type === null) found.push({ field: 'goal_type', words: 'select a goal type' })
  if (measureMissing(draft)) found.push({ field: 'measure_by', words: 'choose how to measure it' })
  if (!given(draft.goal)) found.push({ field: 'goal', words: 'enter a goal' })
  else if (isZero(draft.goal)) found.push({ field: 'goal', words: 'enter a goal greater than 0' })
  else if (overShare(draft)) found.push({ field: 'goal', words: `enter a goal of at most ${MOST_SHARE}%` })
  if (draft.templates < 1) found.push({ field: 'templates', words: 'select at least one template' })
  if (draft.filters < 1) found.push({ field: 'filters', words: 'select at least one patient filter' })
  return found
}

type GoalField = 'name' | 'goal_type' | 'measure_by' | 'goal'
type GoalDraft = Pick<CampaignDraft, GoalField>

/** What recommended campaigns and those in the console lack in name and goal, in the specification's words. */
function goalProblems(draft: GoalDraft): Problem<GoalField>[] {
  const found: Problem<GoalField>[] = []
  if (blank(draft.name)) found.push({ field: 'name', words: 'enter a campaign name' })
  if (draft.goal_type === null) found.push({ field: 'goal_type', words: 'select a goal type' })
  if (measureMissing(draft)) found.push({ field: 'measure_by', words: 'select a measurement type' })
  if (!given(draft.goal)) found.push({ field: 'goal', words: 'enter a goal amount' })
  else if (isZero(draft.goal)) found.push({ field: 'goal', words: 'enter a goal amount greater than 0' })
  else if (overShare(draft)) found.push({ field: 'goal', words: `enter a goal amount of at most ${MOST_SHARE}%` })
  return found
}

/** What is missing before a head office can activate a recommended campaign; empty when nothing. Spelled as in the specification. */
export function recommendedCampaignProblem(draft: CampaignDraft): string {
  const parts = goalProblems(draft).map(({ words }) => words)
  if (draft.pharmacies < 1) parts.push('select atleast one pharmacy')
  if (draft.templates < 1) parts.push('select atleast one template')
  if (draft.filters < 1) parts.push('select atleast one patient cohort')
  return pleaseSentence(parts)
}

const NO_TEMPLATE = { field: 'templates', words: 'select atleast one template' } as const

/** What a recommended campaign lacks before support can save it, field by field. No company has chosen pharmacies for it yet. */
export function recommendationProblems(
  draft: GoalDraft & Pick<CampaignDraft, 'templates'>,
): Problem<GoalField | 'templates'>[] {
  return draft.templates < 1 ? [...goalProblems(draft), NO_TEMPLATE] : goalProblems(draft)
}

export interface SupportCampaignDraft extends Omit<CampaignDraft, 'filters'> {
  /** Whether a company is selected for it. */
  readonly company: boolean
}

/**
 * What a company's campaign lacks before support can save it, field by field. Patient filters may come later; until they are set, it cannot be
 * activated.
 */
export function supportCampaignProblems(
  draft: SupportCampaignDraft,
): Problem<GoalField | 'company_id' | 'locations' | 'templates'>[] {
  const found: Problem<GoalField | 'company_id' | 'locations' | 'templates'>[] = goalProblems(draft)
  if (!draft.company) found.push({ field: 'company_id', words: 'select a company' })
  else if (draft.pharmacies < 1) found.push({ field: 'locations', words: 'select atleast one pharmacy' })
  if (draft.templates < 1) found.push(NO_TEMPLATE)
  return found
}

/** What is wrong with a campaign's dates, by the calendar of its zone: a new date must not be before today, nor the end before the start. */
export function campaignDateProblems(
  start: Day | null,
  end: Day | null,
  today: Day,
  startUnchanged = false,
  endUnchanged = false,
): Problem<'start_date' | 'end_date'>[] {
  const found: Problem<'start_date' | 'end_date'>[] = []
  if (start !== null && start < today && !startUnchanged)
    found.push({ field: 'start_date', words: 'select a start date from today on' })
  if (end !== null && end < today && !endUnchanged)
    found.push({ field: 'end_date', words: 'select an end date from today on' })
  else if (start !== null && end !== null && end < start)
    found.push({ field: 'end_date', words: 'select an end date on or after the start date' })
  return found
}

/** Typed dates that are not valid. */
export function unreadDates(draft: {
  readonly start_date: string
  readonly end_date: string
}): Problem<'start_date' | 'end_date'>[] {
  const unread = (typed: string) => typed !== '' && parseDay(typed) === null
  const found: Problem<'start_date' | 'end_date'>[] = []
  if (unread(draft.start_date)) found.push({ field: 'start_date', words: 'enter a start date' })
  if (unread(draft.end_date)) found.push({ field: 'end_date', words: 'enter an end date' })
  return found
}

/** The same as one sentence, empty when nothing. */
export function campaignDatesProblem(...given: Parameters<typeof campaignDateProblems>): string {
  return problemSentence(campaignDateProblems(...given))
}

/** First and last day of a campaign; null when not set. */
export interface CampaignDays {
  readonly start: Day | null
  readonly end: Day | null
}

/**
 * The dates an activation sets: those sent, else saved dates still ahead, else from today with no end. A start in the past becomes today; an end
 * in the past, or one set by deactivating (`endedEarly`), is dropped.
 */
export function activationDays(
  asked: { readonly start: Day | null; readonly end: Day | null | undefined },
  saved: CampaignDays & { readonly endedEarly: boolean },
  today: Day,
): { readonly start: Day; readonly end: Day | null } {
  const start = asked.start ?? (saved.start !== null && saved.start > today ? saved.start : today)
  if (asked.end !== undefined) return { start, end: asked.end }
  return { start, end: saved.end !== null && saved.end >= start && !saved.endedEarly ? saved.end : null }
}

export const COMMUNICATION_TYPES = ['sms', 'email', 'both'] as const
export type CommunicationType = (typeof COMMUNICATION_TYPES)[number]

/** The communication type of a template's toggles: both when both or neither are on. */
export function communicationType(sms: boolean, email: boolean): CommunicationType {
  return sms === email ? 'both' : sms ? 'sms' : 'email'
}

/** The toggles of a communication type; neither is on without one. */
export function togglesOf(type: CommunicationType | null) {
  return { sms_template: type === 'sms' || type === 'both', email_template: type === 'email' || type === 'both' }
}

/** The given value of an edit, or else the saved one. Null empties the field of a single campaign, and leaves those of several as they are. */
export const orSaved = <T>(given: T | null | undefined, saved: T | null, several: boolean): T | null =>
  given === undefined || (several && given === null) ? saved : given
