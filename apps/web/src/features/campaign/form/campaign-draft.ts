import type { Campaign } from '@pillar/contract/campaign'
import type { Filters } from '@pillar/contract/cohort'
import type { CampaignRecommendation } from '@pillar/contract/recommendation'
import {
  type CampaignDraft as CheckedDraft,
  campaignDatesProblem,
  campaignProblem,
  recommendedCampaignProblem,
} from '@pillar/domain/campaign/campaign-rule'
import { type GoalType, keptMeasure, type Measure } from '@pillar/domain/campaign/goal'
import { filtersSet } from '@pillar/domain/cohort/cohort'
import { type Day, parseDay } from '@pillar/domain/time/day'
import type { PickedTemplate } from '../../template/template-pick.ts'

/** A campaign as it is being written. What is typed stays as typed until it is sent. */
export interface CampaignDraft {
  readonly name: string
  /** Pharmacy ids. */
  readonly locations: readonly string[]
  readonly goal_type: GoalType | null
  readonly measure_by: Measure | null
  readonly goal: string
  readonly note: string
  /** '2026-11-21', or empty. */
  readonly start_date: string
  readonly end_date: string
  readonly templates: readonly PickedTemplate[]
  readonly filters: Filters
}

export const NO_FILTERS: Filters = {
  adherence: [],
  loyalty: [],
  patient_type: [],
  age: [],
  patient_sex: [],
  polypharmacy: [],
  drug_type: [],
  distance_from_store: [],
  double_dispensing: null,
  molecules: [],
}

export const EMPTY_DRAFT: CampaignDraft = {
  name: '',
  locations: [],
  goal_type: null,
  measure_by: null,
  goal: '',
  note: '',
  start_date: '',
  end_date: '',
  templates: [],
  filters: NO_FILTERS,
}

/** A saved campaign, opened for changes. */
export function draftOfCampaign(campaign: Campaign): CampaignDraft {
  return {
    name: campaign.name,
    locations: campaign.pharmacies,
    goal_type: campaign.goal_type,
    measure_by: campaign.measure_by,
    goal: campaign.goal === null ? '' : String(campaign.goal),
    note: campaign.note ?? '',
    start_date: campaign.start_date ?? '',
    end_date: campaign.end_date ?? '',
    templates: campaign.templates.map(({ template_id, template_name, sms_template, email_template }) => ({
      template_id,
      template_recommendation_id: null,
      template_name,
      sms_template,
      email_template,
    })),
    filters: campaign.filters,
  }
}

/** A new campaign filled in from a recommended one: everything but the pharmacies and the dates. */
export function draftOfRecommendation(recommended: CampaignRecommendation): CampaignDraft {
  return {
    ...EMPTY_DRAFT,
    name: recommended.name,
    goal_type: recommended.goal_type,
    measure_by: recommended.measure_by,
    goal: String(recommended.goal),
    note: recommended.note ?? '',
    filters: recommended.filters,
    templates: recommended.template_recommendations.map((template) => ({ ...template, template_id: null })),
  }
}

/** The goal as a number: digits may be grouped and carry a currency or percent sign. Null for empty and for anything else. */
export function parseGoal(typed: string): number | null {
  const plain = typed
    .trim()
    .replace(/^[$£]\s*/, '')
    .replace(/\s*%$/, '')
  const grouped = /^\d{1,3}(,\d{3})+(\.\d+)?$/.test(plain) ? plain.replaceAll(',', '') : plain
  return /^(\d+(\.\d*)?|\.\d+)$/.test(grouped) ? Number(grouped) : null
}

/** Another goal type: the measure stays when it still fits, otherwise it is cleared (value, for adherence and loyalty). */
export function withGoalType(draft: CampaignDraft, goal_type: GoalType): CampaignDraft {
  return { ...draft, goal_type, measure_by: keptMeasure(goal_type, draft.measure_by) }
}

/** What create and edit are sent. */
export function wireOf(draft: CampaignDraft) {
  return {
    name: draft.name.trim(),
    filters: draft.filters,
    note: draft.note.trim() || null,
    start_date: draft.start_date || null,
    end_date: draft.end_date || null,
    goal_type: draft.goal_type,
    measure_by: draft.measure_by,
    goal: parseGoal(draft.goal),
    templates: chosenOf(draft.templates),
    locations: [...draft.locations],
  }
}

/** The chosen templates as every call takes them. */
export function chosenOf(templates: readonly PickedTemplate[]) {
  return templates.map(({ template_id, template_recommendation_id }) => ({ template_id, template_recommendation_id }))
}

const checked = (draft: CampaignDraft): CheckedDraft => ({
  name: draft.name,
  goal_type: draft.goal_type,
  measure_by: draft.measure_by,
  goal: parseGoal(draft.goal),
  pharmacies: draft.locations.length,
  templates: draft.templates.length,
  filters: filtersSet(draft.filters),
})

export interface DraftContext {
  readonly recommended: boolean
  readonly today: Day
  /** The start the campaign was saved with; it may lie in the past. */
  readonly savedStart?: string
}

function datesProblem(draft: CampaignDraft, { today, savedStart }: DraftContext): string {
  const start = parseDay(draft.start_date)
  return campaignDatesProblem(start, parseDay(draft.end_date), today, draft.start_date === (savedStart ?? null))
}

/** What the draft lacks, in one or two sentences; empty when it can be sent. */
export function draftProblem(draft: CampaignDraft, context: DraftContext): string {
  const lacks = (context.recommended ? recommendedCampaignProblem : campaignProblem)(checked(draft))
  return [lacks, datesProblem(draft, context)].filter(Boolean).join(' ')
}

export const DRAFT_FIELDS = [
  'name',
  'locations',
  'goal_type',
  'measure_by',
  'goal',
  'dates',
  'templates',
  'filters',
] as const
export type DraftField = (typeof DRAFT_FIELDS)[number]

const FINE: CheckedDraft = {
  name: 'A name',
  goal_type: 'revenue',
  measure_by: 'target',
  goal: 1,
  pharmacies: 1,
  templates: 1,
  filters: 1,
}

/** What is wrong with each field, in the order of the form: the domain's sentence for a draft in which all else is right. */
export function fieldProblems(draft: CampaignDraft, context: DraftContext): Partial<Record<DraftField, string>> {
  const rule = context.recommended ? recommendedCampaignProblem : campaignProblem
  const { name, goal_type, measure_by, goal, pharmacies, templates, filters } = checked(draft)
  const said: Record<DraftField, string> = {
    name: rule({ ...FINE, name }),
    locations: rule({ ...FINE, pharmacies }),
    goal_type: rule({ ...FINE, goal_type }),
    measure_by: rule({ ...FINE, goal_type: goal_type ?? 'revenue', measure_by }),
    goal: rule({ ...FINE, goal }),
    dates: datesProblem(draft, context),
    templates: rule({ ...FINE, templates }),
    filters: rule({ ...FINE, filters }),
  }
  return Object.fromEntries(DRAFT_FIELDS.filter((field) => said[field] !== '').map((field) => [field, said[field]]))
}

/** Whether anything differs from what the form opened with. */
export function changed(draft: CampaignDraft, from: CampaignDraft): boolean {
  return JSON.stringify(draft) !== JSON.stringify(from)
}
