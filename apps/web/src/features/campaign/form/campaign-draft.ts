import type { Campaign } from '@pillar/contract/campaign/campaign'
import type { Filters } from '@pillar/contract/campaign/cohort'
import type { CampaignRecommendation } from '@pillar/contract/campaign/recommendation'
import {
  CAMPAIGN_NAME_LIMIT,
  type CampaignDraft as CheckedDraft,
  campaignDateProblems,
  campaignProblems,
  unreadDates,
} from '@pillar/domain/campaign/campaign-rule'
import { type GoalType, keptMeasure, type Measure } from '@pillar/domain/campaign/goal'
import { filtersSet } from '@pillar/domain/cohort/cohort'
import type { Problem } from '@pillar/domain/text/sentence'
import { type Day, formatDay, parseDay } from '@pillar/domain/time/day'
import { NO_FILTERS } from '../../cohort/cohort-draft.ts'
import { chosenOf, type PickedTemplate } from '../../template/template-pick.ts'

/** A campaign being written. Typed text stays as typed until it is sent. */
export type CampaignDraft = {
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
  /** Nobody is held out at random, whatever the company's holdout. */
  readonly no_holdout: boolean
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
  no_holdout: false,
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
    templates: campaign.templates.map(({ template_id, template_name, sms_template, email_template, active }) => ({
      template_id,
      template_recommendation_id: null,
      template_name,
      sms_template,
      email_template,
      active,
    })),
    filters: campaign.filters,
    no_holdout: campaign.no_holdout,
  }
}

/** A date that has not passed, else empty. */
const ahead = (date: string | null, today: Day) => (date !== null && date >= formatDay(today) ? date : '')

/** A new campaign filled in from another: everything but dates that have passed, and an end set by deactivating. */
export function draftOfCopy(campaign: Campaign, today: Day): CampaignDraft {
  return {
    ...draftOfCampaign(campaign),
    name: `${campaign.name.slice(0, CAMPAIGN_NAME_LIMIT - COPY.length)}${COPY}`,
    start_date: ahead(campaign.start_date, today),
    end_date: campaign.ended_early ? '' : ahead(campaign.end_date, today),
  }
}
const COPY = ' (copy)'

/** A new campaign filled in from a recommended one: everything except the pharmacies and dates that have passed. */
export function draftOfRecommendation(recommended: CampaignRecommendation, today: Day): CampaignDraft {
  return {
    ...EMPTY_DRAFT,
    name: recommended.name,
    goal_type: recommended.goal_type,
    measure_by: recommended.measure_by,
    goal: String(recommended.goal),
    note: recommended.note ?? '',
    start_date: ahead(recommended.start_date, today),
    end_date: ahead(recommended.end_date, today),
    filters: recommended.filters,
    templates: recommended.template_recommendations.map((template) => ({
      ...template,
      template_id: null,
      active: true,
    })),
  }
}

/** The changes made here, merged into what somebody else has saved since. Fields unchanged here take the other's value; `both` changed. */
export function draftWithLatest(mine: CampaignDraft, before: CampaignDraft, latest: CampaignDraft) {
  const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)
  const fields = Object.keys(before) as DraftField[]
  const changed = fields.filter((field) => !same(mine[field], before[field]))
  return {
    draft: { ...latest, ...Object.fromEntries(changed.map((field) => [field, mine[field]])) } as CampaignDraft,
    both: changed.filter((field) => !same(latest[field], before[field]) && !same(latest[field], mine[field])),
  }
}

/** The fields in words, for use in a sentence. */
export const FIELD_WORDS: Readonly<Record<DraftField, string>> = {
  ...{ name: 'the name', locations: 'the pharmacies', goal_type: 'the goal type', measure_by: 'how it is measured' },
  ...{ goal: 'the goal', note: 'the note', start_date: 'the start date', end_date: 'the end date' },
  ...{ templates: 'the templates', filters: 'the patient cohort', no_holdout: 'who is kept back' },
}

/** The goal as a number. Digits may be grouped and have a currency or percent sign. Null if empty or anything else. */
export function parseGoal(typed: string): number | null {
  const plain = typed
    .trim()
    .replace(/^[$£]\s*/, '')
    .replace(/\s*%$/, '')
  const grouped = /^\d{1,3}(,\d{3})+(\.\d+)?$/.test(plain) ? plain.replaceAll(',', '') : plain
  return /^(\d+(\.\d*)?|\.\d+)$/.test(grouped) ? Number(grouped) : null
}

/** Changes the goal type: the measure stays if it still fits, else it is cleared (value, for adherence and loyalty). */
export function withGoalType(draft: CampaignDraft, goal_type: GoalType): CampaignDraft {
  return { ...draft, goal_type, measure_by: keptMeasure(goal_type, draft.measure_by) }
}

/** The input of create and edit. */
export function wireOf(draft: CampaignDraft) {
  return {
    name: draft.name.trim(),
    filters: draft.filters,
    no_holdout: draft.no_holdout,
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

const checked = (draft: CampaignDraft): CheckedDraft => ({
  name: draft.name,
  goal_type: draft.goal_type,
  measure_by: draft.measure_by,
  goal: parseGoal(draft.goal),
  pharmacies: draft.locations.length,
  templates: draft.templates.length,
  filters: filtersSet(draft.filters),
})

export type DraftField = keyof CampaignDraft

export interface DraftContext {
  readonly today: Day
  /** The campaign's saved start, which may be in the past. */
  readonly savedStart?: string
}

/** What prevents sending the draft, field by field. */
export function draftProblems(draft: CampaignDraft, { today, savedStart }: DraftContext): Problem<DraftField>[] {
  const unchanged = draft.start_date === (savedStart ?? null)
  return [
    ...campaignProblems(checked(draft)),
    ...unreadDates(draft),
    ...campaignDateProblems(parseDay(draft.start_date), parseDay(draft.end_date), today, unchanged),
  ]
}

/** How the form opens: empty or with the pharmacy it was started from, with a recommendation to adopt, or with a saved campaign, to edit or copy. */
export type CampaignStart =
  | { kind: 'new'; pharmacy?: string | undefined }
  | { kind: 'recommended'; recommendation: CampaignRecommendation }
  | { kind: 'copy'; campaign: Campaign }
  | { kind: 'edit'; campaign: Campaign }

/** The draft the form opens with. */
export function draftOfStart(start: CampaignStart, today: Day): CampaignDraft {
  if (start.kind === 'edit') return draftOfCampaign(start.campaign)
  if (start.kind === 'copy') return draftOfCopy(start.campaign, today)
  if (start.kind === 'recommended') return draftOfRecommendation(start.recommendation, today)
  return start.pharmacy === undefined ? EMPTY_DRAFT : { ...EMPTY_DRAFT, locations: [start.pharmacy] }
}
