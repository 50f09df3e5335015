import type { AdminCampaign } from '@pillar/contract/campaign/campaign-admin'
import type { AdminCampaignRecommendation } from '@pillar/contract/campaign/campaign-recommendation-admin'
import type { Filters } from '@pillar/contract/campaign/cohort'
import {
  campaignDateProblems,
  recommendationProblems,
  supportCampaignProblems,
  unreadDates,
} from '@pillar/domain/campaign/campaign-rule'
import { GOAL_NAMES, type GoalType, type Measure, OFFERED_GOAL_TYPES } from '@pillar/domain/campaign/goal'
import { counted, type Problem } from '@pillar/domain/text/sentence'
import { type Day, parseDay } from '@pillar/domain/time/day'
import { commonOf, differSentence } from '../../../kit/form/common.ts'
import type { SelectOption } from '../../../kit/form/multi-select-model.ts'
import { NO_FILTERS } from '../../cohort/cohort-draft.ts'
import { parseGoal } from '../form/campaign-draft.ts'

/** The form values of a campaign: a company's, or a recommended one, which has no company and no pharmacies. */
export type CampaignValues = {
  name: string
  description: string
  goal_type: GoalType | ''
  measure_by: Measure | ''
  goal: string
  note: string
  /** '2026-11-21', or empty. */
  start_date: string
  end_date: string
  filters: Filters
  /** By value: `own:` or `recommended:` before the uuid. */
  templates: readonly SelectOption[]
  company_id: string
  locations: readonly string[]
  /** Whether a company's campaign uses the company's holdout; empty if several differ. */
  holdout: 'company' | 'none' | ''
  version: number | null
}

/** The initial values of a new campaign. */
export const emptyOf = (today: string): CampaignValues => ({
  ...BLANK,
  start_date: today,
  holdout: 'company',
})

const BLANK: CampaignValues = {
  ...{ name: '', description: '', goal_type: '', measure_by: '', goal: '', note: '', start_date: '', end_date: '' },
  ...{ filters: NO_FILTERS, templates: [], company_id: '', locations: [], holdout: '', version: null },
}

type Shared = Omit<AdminCampaign & AdminCampaignRecommendation, 'description'>
const shared = (
  row: Pick<
    Shared,
    'name' | 'goal_type' | 'measure_by' | 'goal' | 'note' | 'start_date' | 'end_date' | 'filters' | 'version'
  >,
) => ({
  name: row.name,
  goal_type: row.goal_type,
  measure_by: row.measure_by,
  goal: String(row.goal),
  note: row.note ?? '',
  start_date: row.start_date ?? '',
  end_date: row.end_date ?? '',
  filters: row.filters,
  version: row.version,
})

/** A company's campaign, opened for changes. */
export const valuesOf = (row: AdminCampaign): CampaignValues => ({
  ...shared(row),
  description: '',
  templates: row.templates.map(({ template_id, template_name }) => ({
    value: `own:${template_id}`,
    label: template_name,
  })),
  company_id: row.company_id,
  locations: row.locations.map(({ location_id }) => location_id),
  holdout: row.no_holdout ? 'none' : 'company',
})

/** A recommended campaign, opened for changes. */
export const valuesOfRecommended = (row: AdminCampaignRecommendation): CampaignValues => ({
  ...shared(row),
  description: row.description,
  templates: row.template_recommendations.map(({ template_id, template_name }) => ({
    value: `recommended:${template_id}`,
    label: template_name,
  })),
  company_id: '',
  locations: [],
  holdout: '',
})

const FIELD_NAMES: Readonly<Partial<Record<keyof CampaignValues, string>>> = {
  name: 'name',
  description: 'description',
  goal_type: 'goal type',
  measure_by: 'measure by',
  goal: 'goal',
  note: 'note',
  templates: 'templates',
  company_id: 'company',
  locations: 'pharmacies',
  start_date: 'start date',
  end_date: 'end date',
  filters: 'patient cohort',
  holdout: 'holdout',
}

/** Form values for one campaign or several: what they have in common, and where they differ. */
export function batchOf(all: readonly CampaignValues[], rows: readonly { active?: boolean }[] = []) {
  const { values, differ } = commonOf(all, BLANK)
  const names = differ.flatMap((name) => FIELD_NAMES[name as keyof CampaignValues] ?? [])
  const active = new Set(rows.map((row) => row.active)).size > 1 ? ['active status'] : []
  return {
    values: { ...values, version: all.length === 1 ? values.version : null },
    differ: differ.filter((name) => name !== 'version'),
    note: differSentence('campaigns', [...names, ...active]),
  }
}

interface Checking {
  recommended: boolean
  today: Day
  /** The initial values. */
  before: CampaignValues
  /** Whether they are those of saved campaigns, whose unchanged dates may have passed. */
  saved: boolean
  /** Fields that differ between the campaigns and may stay blank. */
  differ?: readonly string[]
}

type Field = keyof CampaignValues & string

/** What is wrong with the values, by the console's rules for campaigns. */
export function problemsOf(
  values: CampaignValues,
  { recommended, today, before, saved, differ = [] }: Checking,
): Problem<Field>[] {
  const { name, goal_type, measure_by, goal, templates, locations, company_id } = values
  const draft = {
    ...{ name, goal_type: goal_type || null, measure_by: measure_by || null, goal: parseGoal(goal) },
    ...{ templates: templates.length, pharmacies: locations.length },
  }
  const found: Problem<Field>[] = recommended
    ? recommendationProblems(draft)
    : supportCampaignProblems({ ...draft, company: company_id !== '' })
  const left = ({ field }: Problem<Field>) => differ.includes(field) && isBlank(values[field])
  const kept = (field: 'start_date' | 'end_date') => saved && values[field] === before[field]
  return [
    ...found.filter((problem) => !left(problem)),
    ...unreadDates(values),
    ...campaignDateProblems(
      ...([parseDay(values.start_date), parseDay(values.end_date), today] as const),
      ...([
        kept('start_date') || differ.includes('start_date'),
        kept('end_date') || differ.includes('end_date'),
      ] as const),
    ),
  ]
}

const isBlank = (value: unknown) => value === '' || value === null || (Array.isArray(value) && value.length === 0)

/** The values in the format of the calls: days from their first to their last second, templates by kind. */
export function wireOf(values: CampaignValues) {
  return {
    name: values.name.trim(),
    description: values.description.trim(),
    goal_type: values.goal_type || null,
    measure_by: values.measure_by || null,
    goal: parseGoal(values.goal),
    note: values.note.trim() || null,
    start_date: values.start_date ? `${values.start_date}T00:00:00` : null,
    end_date: values.end_date ? `${values.end_date}T23:59:59` : null,
    filters: values.filters,
    templates: values.templates.map(({ value }) => {
      const [kind, id = ''] = value.split(':')
      return kind === 'own' ? { template_id: id } : { template_recommendation_id: id }
    }),
    locations: [...values.locations],
    no_holdout: values.holdout === '' ? null : values.holdout === 'none',
  }
}

const DATES = ['start_date', 'end_date']

/** What an edit sends: for several campaigns only the changed fields, for a single one everything but unchanged dates. */
export function changesOf(
  values: CampaignValues,
  before: CampaignValues,
  several: boolean,
): Partial<ReturnType<typeof wireOf>> {
  // In the format of the calls, where the holdout has another name.
  const was: Readonly<Record<string, unknown>> = wireOf(before)
  return Object.fromEntries(
    Object.entries(wireOf(values)).filter(
      ([name, value]) => JSON.stringify(value) !== JSON.stringify(was[name]) || (!several && !DATES.includes(name)),
    ),
  )
}

/** The targets of a bulk call, in its format. */
export interface Chosen {
  campaign_ids?: string[] | null | undefined
  filter?: object | null | undefined
  expected_count?: number | null | undefined
}

/** '1 campaign', '23 campaigns': the targets of a bulk call. */
export function campaigns({ campaign_ids, expected_count }: Chosen): string {
  return counted(campaign_ids?.length ?? expected_count ?? 0, 'campaign', 'campaigns')
}

export const GOALS = OFFERED_GOAL_TYPES.map((value) => ({ value, label: GOAL_NAMES[value] }))
export const MEASURE_NAMES: readonly { value: Measure; label: string }[] = [
  { value: 'target', label: 'Target' },
  { value: 'percentage', label: 'Percentage' },
  { value: 'value', label: 'Value' },
]
