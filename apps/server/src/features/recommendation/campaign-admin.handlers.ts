import { type contract, type InputOf, Refusal } from '@pillar/contract'
import { Filters } from '@pillar/contract/campaign/cohort'
import { campaignDatesProblem, orSaved, recommendationProblems } from '@pillar/domain/campaign/campaign-rule'
import { MOST_GOAL } from '@pillar/domain/campaign/goal'
import { cohortProblems } from '@pillar/domain/cohort/cohort'
import { problemSentence } from '@pillar/domain/text/sentence'
import { type Day, formatDay, parseDay } from '@pillar/domain/time/day'
import { noteChange } from '../../api/audit.ts'
import { dayFrom } from '../../api/call/day-sent.ts'
import { companyZone, todayOf } from '../../api/call/today.ts'
import { type Context, type HandlersOf, staffTx } from '../../api/context.ts'
import { refuseStale } from '../../api/version.ts'
import { refuseUnlessRestorable } from '../../db/restore.ts'
import {
  chosenRecommended,
  findRecommendedCampaign,
  insertRecommendedCampaign,
  listRecommendedCampaigns,
  madeFromRecommended,
  type RecommendedDraft,
  type AdminCampaignRecommendationRow as Row,
  restoreRecommended,
  setRecommendedRemoved,
  updateRecommendedCampaign,
} from './campaign-admin.queries.ts'
import { refuseWithoutTemplate, withdrawnTemplates } from './recommendation-admin.queries.ts'

type Calls = typeof contract.campaignRecommendationAdmin

export const campaignRecommendationAdminHandlers: HandlersOf<Calls> = {
  async search(input, context) {
    const { rows, ...page } = await listRecommendedCampaigns(staffTx(context), input, context.services.now())
    return { results: rows.map(answerOf), ...page }
  },

  async info({ id }, context) {
    return answerOf(await findRecommendedCampaign(staffTx(context), id, context.services.now()))
  },

  async affected(chosen, context) {
    const tx = staffTx(context)
    const found = await chosenRecommended(tx, chosen, context.services.now(), { lock: false })
    const made = await madeFromRecommended(
      tx,
      found.map((one) => one.id),
    )
    return { recommended: found.length, ...made }
  },

  async create({ template_recommendations, ...input }, context) {
    const draft = draftOf({ ...input, templates: template_recommendations }, null, context)
    return { id: await insertRecommendedCampaign(staffTx(context), draft, context.services.now()) }
  },

  async edit({ campaign_ids, filter, expected_count, version, ...changes }, context) {
    const tx = staffTx(context)
    const now = context.services.now()
    const found = await chosenRecommended(tx, { campaign_ids, filter, expected_count }, now)
    if (found.length === 1 && found[0]) refuseStale(found[0], version)
    for (const before of found) {
      const draft = draftOf(merged(before, changes, found.length > 1), before, context)
      await updateRecommendedCampaign(tx, before.id, draft)
      noteChange(context, before.uuid, storedOf(before), draft)
    }
    const ids = found.map((one) => one.uuid)
    return { ids, data: { ids } }
  },

  async remove(chosen, context) {
    const tx = staffTx(context)
    const now = context.services.now()
    const found = await chosenRecommended(tx, chosen, now)
    await setRecommendedRemoved(tx, found, now)
    return { deleted: found.length, removed_at: now.toISOString() }
  },

  async restore({ id }, context) {
    const tx = staffTx(context)
    const now = context.services.now()
    const found = await findRecommendedCampaign(tx, id, now)
    refuseUnlessRestorable('campaign', found.removed_at, now)
    await refuseWithoutTemplate(tx, 'campaign', found)
    await setRecommendedRemoved(tx, [found], null)
    return { restored: true }
  },

  async restoreMany(chosen, context) {
    const tx = staffTx(context)
    const now = context.services.now()
    const found = await chosenRecommended(tx, chosen, now, { deleted: true })
    const gone = await withdrawnTemplates(
      tx,
      'campaign',
      found.map((one) => one.id),
    )
    const whole = found.filter(({ id }) => !gone.has(id))
    const back = await restoreRecommended(
      tx,
      whole.map((one) => one.id),
      now,
    )
    const without = found.flatMap(({ id, name }) =>
      gone.has(id) ? [{ name, reason: `Its template "${gone.get(id)}" was withdrawn.` }] : [],
    )
    return { ...back, not_restored: [...back.not_restored, ...without] }
  },
}

function answerOf({ id: _, uuid, start_day, end_day, ...row }: Row) {
  return {
    ...row,
    campaign_recommendation_id: uuid,
    start_date: start_day,
    end_date: end_day,
    filters: Filters.parse(row.filters),
    published_at: row.published_at.toISOString(),
    removed_at: row.removed_at?.toISOString() ?? null,
  }
}

type Changes = Omit<InputOf<Calls['edit']>, 'campaign_ids' | 'filter' | 'expected_count' | 'version'>
type Whole = Omit<InputOf<Calls['create']>, 'template_recommendations'> & { templates: readonly string[] }

/** The whole campaign after a change; null means "unchanged", or "none" if a single one is edited. */
function merged(before: Row, to: Changes, several: boolean): Whole {
  return {
    name: to.name ?? before.name,
    description: to.description ?? before.description,
    goal_type: to.goal_type ?? before.goal_type,
    measure_by: to.measure_by ?? before.measure_by,
    goal: to.goal ?? before.goal,
    note: orSaved(to.note, before.note, several),
    start_date: orSaved(to.start_date, before.start_day, several),
    end_date: orSaved(to.end_date, before.end_day, several),
    filters: to.filters ?? Filters.parse(before.filters),
    templates: to.template_recommendations ?? before.template_recommendations.map(({ template_id }) => template_id),
  }
}

/** Its stored fields now. */
function storedOf({ template_recommendations: templates, ...row }: Row): RecommendedDraft {
  const { name, description, goal_type, measure_by, goal, note, start_day, end_day } = row
  const filters = Filters.parse(row.filters)
  const kept = { name, description, goal_type, measure_by, goal, note, start_day, end_day, filters }
  return { ...kept, templates: templates.map(({ template_id }) => template_id) }
}

/**
 * A recommended campaign, checked and ready to store. Unchanged dates may have passed.
 * @throws Refusal invalid with the specification's sentence
 */
function draftOf(input: Whole, before: Row | null, context: Context): RecommendedDraft {
  const goal_type = input.goal_type ?? null
  const measure_by = input.measure_by ?? null
  const goal = input.goal ?? null
  const { name, templates } = input
  refuseWith(
    problemSentence(recommendationProblems({ name, goal_type, measure_by, goal, templates: templates.length })),
  )
  if (goal! > MOST_GOAL) refuseWith('Please enter a smaller goal.')
  refuseWith(cohortProblems(input.filters).slice(0, 5).join(' '))
  const zone = companyZone(context)
  const today = todayOf(context)
  const [start_day, end_day] = [dayText(input.start_date, zone), dayText(input.end_date, zone)]
  const kept = [start_day === before?.start_day, end_day === before?.end_day] as const
  refuseWith(campaignDatesProblem(dayOrNull(start_day), dayOrNull(end_day), today, ...kept))
  return {
    name: name.trim(),
    description: input.description.trim(),
    goal_type: goal_type!,
    measure_by: measure_by!,
    goal: goal!,
    note: input.note?.trim() || null,
    start_day,
    end_day,
    filters: input.filters,
    templates,
  }
}

const refuseWith = (message: string) => {
  if (message !== '') throw new Refusal('invalid', message)
}

const dayOrNull = (text: string | null): Day | null => (text === null ? null : parseDay(text))

function dayText(text: string | null | undefined, zone: string): string | null {
  const day = dayFrom(text, zone)
  return day === null ? null : formatDay(day)
}
