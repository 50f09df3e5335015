import { Refusal } from '@pillar/contract'
import type { Filters } from '@pillar/contract/campaign/cohort'
import { type CampaignDraft as Checked, campaignDatesProblem } from '@pillar/domain/campaign/campaign-rule'
import { type GoalType, type Measure, MOST_GOAL } from '@pillar/domain/campaign/goal'
import { cohortProblems, filtersSet } from '@pillar/domain/cohort/cohort'
import { type Day, formatDay } from '@pillar/domain/time/day'
import { dayFrom, startDayFrom } from '../../api/call/day-sent.ts'
import { companyZone, todayOf } from '../../api/call/today.ts'
import { type Context, callerOf } from '../../api/context.ts'
import type { Tx } from '../../db/database.ts'
import { unknownFilters } from '../cohort/filter.queries.ts'
import { resolveLocations } from '../location/location.queries.ts'
import { ownTemplateOf } from '../template/adopt.queries.ts'
import { findTemplateId } from '../template/template.queries.ts'
import type { CampaignDraft } from './campaign.queries.ts'

export interface ChosenTemplate {
  template_id?: string | null
  template_recommendation_id?: string | null
}

/** A campaign as sent by `create` and `edit`. */
export interface CampaignInput {
  name: string
  note?: string | null
  filters: Filters
  no_holdout?: boolean | null | undefined
  start_date?: string | null
  end_date?: string | null
  goal_type?: GoalType | null
  measure_by?: Measure | null
  goal?: number | null
  templates: readonly ChosenTemplate[]
  locations: readonly string[]
}

const textOf = (day: Day | null) => (day === null ? null : formatDay(day))

const refuseWith = (message: string) => {
  if (message !== '') throw new Refusal('invalid', message)
}

/** The selected templates of the company; recommended ones are copied into it. @throws Refusal not_found */
async function chosenTemplates(tx: Tx, chosen: readonly ChosenTemplate[], context: Context): Promise<number[]> {
  const { companyId, loginId } = callerOf(context)
  const ids: number[] = []
  for (const { template_id, template_recommendation_id } of chosen) {
    if (template_id) ids.push(await findTemplateId(tx, template_id))
    else if (template_recommendation_id) {
      const by = { companyId, loginId, now: context.services.now() }
      ids.push(await ownTemplateOf(tx, template_recommendation_id, by))
    }
  }
  return [...new Set(ids)]
}

export interface Checking {
  /** Describes what is missing in a sentence; empty if nothing is. */
  problem: (draft: Checked) => string
  /** Past dates that may stay, because the edited campaign already has them. */
  startBefore: string | null
  endBefore?: string | null
}

/**
 * The input, fully checked and ready to store.
 * @throws Refusal invalid with the specification's sentence, not_found for pharmacies and templates that are not the company's
 */
export async function draftOf(
  tx: Tx,
  input: CampaignInput,
  context: Context,
  { problem, startBefore, endBefore }: Checking,
): Promise<CampaignDraft> {
  const locationIds = await resolveLocations(tx, input.locations)
  const templateIds = await chosenTemplates(tx, input.templates, context)
  const goal_type = input.goal_type ?? null
  const measure_by = input.measure_by ?? null
  const goal = input.goal ?? null
  refuseWith(
    problem({
      name: input.name,
      goal_type,
      measure_by,
      goal,
      pharmacies: locationIds.length,
      templates: templateIds.length,
      filters: filtersSet(input.filters),
    }),
  )
  refuseLargeGoal(goal!)
  await checkFilters(tx, input.filters)
  const zone = companyZone(context)
  const sent = dayFrom(input.start_date, zone)
  const start = textOf(sent) === startBefore ? sent : startDayFrom(input.start_date, zone, context.services.now())
  const end = dayFrom(input.end_date, zone)
  const kept = [textOf(start) === startBefore, endBefore !== undefined && textOf(end) === endBefore] as const
  refuseWith(campaignDatesProblem(start, end, todayOf(context), ...kept))
  return {
    name: input.name.trim(),
    note: input.note?.trim() || null,
    goal_type: goal_type!,
    measure_by: measure_by!,
    goal: goal!,
    filters: input.filters,
    no_holdout: input.no_holdout ?? false,
    start_day: textOf(start),
    end_day: textOf(end),
    locationIds,
    templateIds,
  }
}

/** @throws Refusal invalid if the amount cannot be stored */
function refuseLargeGoal(goal: number): void {
  if (goal > MOST_GOAL) refuseWith('Please enter a smaller goal.')
}

/** @throws Refusal invalid, one sentence per problem, for invalid filters */
export async function checkFilters(tx: Tx, filters: Filters): Promise<void> {
  refuseWith([...cohortProblems(filters), ...(await unknownFilters(tx, filters))].slice(0, 5).join(' '))
}
