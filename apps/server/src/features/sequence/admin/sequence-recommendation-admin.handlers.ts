import { type contract, Refusal } from '@pillar/contract'
import { daysFor, recommendedSequenceProblem } from '@pillar/domain/campaign/sequence-draft'
import { isRestorable, RESTORE_DAYS } from '@pillar/domain/company/removal'
import { oneLine } from '@pillar/domain/text/plain-text'
import { noteChange } from '../../../api/audit.ts'
import { type HandlersOf, staffTx } from '../../../api/context.ts'
import { refuseStale } from '../../../api/version.ts'
import { refuseWithoutTemplate } from '../../recommendation/recommendation-admin.queries.ts'
import {
  demandTemplates,
  findSequenceRecommendation,
  insertSequenceRecommendation,
  listSequenceRecommendations,
  lockSequenceRecommendation,
  type RecommendedFollowUp,
  type SequenceRecommendationFields,
  type SequenceRecommendationRow,
  setSequenceRecommendationRemoved,
  updateSequenceRecommendation,
} from './sequence-recommendation-admin.queries.ts'

export const sequenceRecommendationHandlers: HandlersOf<typeof contract.sequenceRecommendation> = {
  async list(input, context) {
    const { rows, ...page } = await listSequenceRecommendations(staffTx(context), input, context.services.now())
    return { sequence_recommendations: rows.map(shown), ...page }
  },

  info: async ({ id }, context) => shown(await findSequenceRecommendation(staffTx(context), id)),

  async create(draft, context) {
    // A missing template gets the same answer, whatever else is wrong.
    await demandTemplates(staffTx(context), draft.template_ids)
    return { id: await insertSequenceRecommendation(staffTx(context), checked(draft, []), context.services.now()) }
  },

  async edit({ id, version, ...draft }, context) {
    const tx = staffTx(context)
    const found = await lockSequenceRecommendation(tx, id)
    refuseStale(found, version)
    const before = await findSequenceRecommendation(tx, id)
    const fields = checked(draft, before.templates)
    const next = await updateSequenceRecommendation(tx, found.id, fields)
    noteChange(context, id, noted(before), noted(await findSequenceRecommendation(tx, id)))
    return { id, version: next }
  },

  async remove({ id }, context) {
    const tx = staffTx(context)
    const found = await lockSequenceRecommendation(tx, id)
    const { sequences } = await findSequenceRecommendation(tx, id)
    await setSequenceRecommendationRemoved(tx, found, context.services.now())
    return { removed: true, sequences }
  },

  async restore({ id }, context) {
    const tx = staffTx(context)
    const found = await lockSequenceRecommendation(tx, id, true)
    if (!found.removed_at || !isRestorable(found.removed_at, context.services.now())) {
      throw new Refusal(
        'conflict',
        `${found.name} was withdrawn more than ${RESTORE_DAYS} days ago. Please create it again.`,
      )
    }
    await refuseWithoutTemplate(tx, 'sequence', found)
    await setSequenceRecommendationRemoved(tx, found, null)
    return { restored: true }
  },
}

const shown = ({ published_at, removed_at, ...row }: SequenceRecommendationRow) => ({
  ...row,
  template_ids: row.templates.map((one) => one.template_id),
  published_at: published_at.toISOString(),
  removed_at: removed_at?.toISOString() ?? null,
})

/** What the audit keeps of a recommended sequence. */
const noted = ({ title, description, sequence_event, templates, ...row }: SequenceRecommendationRow) => ({
  ...{ title, description, sequence_event },
  follow_ups: templates.map((one) => `day ${one.days_after}: ${one.template_name}`),
  marketing_consent: row.marketing_consent,
  health_outreach_consent: row.health_outreach_consent,
})

interface Draft {
  title: string
  description: string
  sequence_event_id?: string | null | undefined
  template_ids: string[]
  days_after?: number[] | null | undefined
  marketing_consent: boolean
  health_outreach_consent: boolean
}

/** @throws Refusal invalid with one sentence that names what is missing or wrong */
function checked(draft: Draft, before: readonly RecommendedFollowUp[]): SequenceRecommendationFields {
  const { template_ids, days_after } = draft
  const known = new Map(before.map((one) => [one.template_id, one.days_after]))
  const days = days_after ?? daysFor(template_ids, known)
  const fields = {
    title: oneLine(draft.title),
    description: draft.description.trim(),
    sequence_event_id: draft.sequence_event_id ?? '',
    // NaN fails the check for whole numbers, as a missing day should.
    follow_ups: template_ids.map((template_id, index) => ({ template_id, days_after: days[index] ?? Number.NaN })),
    marketing_consent: draft.marketing_consent,
    health_outreach_consent: draft.health_outreach_consent,
  }
  const problem = recommendedSequenceProblem(fields)
  if (problem !== '') throw new Refusal('invalid', problem)
  return fields
}
