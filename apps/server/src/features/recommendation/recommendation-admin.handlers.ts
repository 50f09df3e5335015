import { type contract, Refusal } from '@pillar/contract'
import { communicationType } from '@pillar/domain/campaign/campaign-rule'
import { listOf } from '@pillar/domain/text/sentence'
import { type HandlersOf, staffTx } from '../../api/context.ts'
import { refuseStale } from '../../api/version.ts'
import { refuseUnlessRestorable } from '../../db/restore.ts'
import { changesOf, checkedText, given } from '../template/template-text.ts'
import {
  type AdminRecommendationRow,
  findAdminRecommendation,
  findUsed,
  insertRecommendation,
  listAdminRecommendations,
  lockDeletedRecommendations,
  lockRecommendations,
  madeFromTemplates,
  removeRecommendations,
  restoreRecommendation,
  restoreRecommendations,
  updateRecommendations,
} from './recommendation-admin.queries.ts'

type Recommendation = HandlersOf<typeof contract.templateRecommendation>

const search: Recommendation['search'] = async (input, context) => {
  const { rows, ...page } = await listAdminRecommendations(staffTx(context), input)
  return { templates: rows.map(recommendationOf), ...page }
}

export const templateRecommendationAdminHandlers: Recommendation = {
  search,
  // Asking for one channel includes templates for both; asking for both, or none, returns all.
  list({ sms_template, email_template, ...input }, context) {
    const type = communicationType(sms_template === true, email_template === true)
    const channel = type === 'both' ? {} : { [`${type}_template`]: true }
    return search({ ...input, ...channel, paginate: true }, context)
  },

  async info({ id }, context) {
    return recommendationOf(await findAdminRecommendation(staffTx(context), id))
  },

  async affected(chosen, context) {
    const found = await madeFromTemplates(staffTx(context), chosen)
    const wanted = new Set(chosen.template_ids?.map((id) => id.toLowerCase())).size
    if (!chosen.filter && found.recommended !== wanted) throw new Refusal('not_found', 'That template was not found.')
    return found
  },

  async create({ description, ...draft }, context) {
    const recommended = { ...checkedText(draft), description: description.trim() }
    const id = await insertRecommendation(staffTx(context), recommended, context.services.now())
    return { id, data: { id } }
  },

  async edit({ template_ids, filter, expected_count, version, description, ...draft }, context) {
    const tx = staffTx(context)
    const found = await lockRecommendations(tx, { template_ids, filter, expected_count })
    if (found.length === 1 && found[0]) refuseStale(found[0], version)
    const changes = changesOf(draft, found.length > 1)
    for (const { id: _, version: __, ...template } of found) checkedText({ ...template, ...given(changes) })
    const ids = found.map((one) => one.id)
    await updateRecommendations(tx, ids, { ...changes, description: description?.trim() ?? null })
    return { updated: ids.length }
  },

  async remove(chosen, context) {
    const tx = staffTx(context)
    const found = await lockRecommendations(tx, chosen)
    const ids = found.map((one) => one.id)
    const used = await findUsed(tx, ids)
    if (used) {
      throw new Refusal(
        'conflict',
        `"${used.name}" is used by ${listOf(used.used_by)}. Please choose another template there first.`,
      )
    }
    const now = context.services.now()
    await removeRecommendations(tx, ids, now)
    return { deleted: ids.length, removed_at: now.toISOString() }
  },

  async restore({ id }, context) {
    const found = await findAdminRecommendation(staffTx(context), id, true)
    refuseUnlessRestorable('template', found.removed_at, context.services.now())
    await restoreRecommendation(staffTx(context), id, found.name)
    return { restored: true }
  },

  async restoreMany(chosen, context) {
    const tx = staffTx(context)
    const found = await lockDeletedRecommendations(tx, chosen)
    const ids = found.map((one) => one.id)
    return restoreRecommendations(tx, ids, context.services.now())
  },
}

const recommendationOf = (row: AdminRecommendationRow) => ({
  ...row,
  published_at: row.published_at.toISOString(),
  removed_at: row.removed_at?.toISOString() ?? null,
})
