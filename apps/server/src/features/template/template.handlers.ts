import { type contract, Refusal } from '@pillar/contract'
import { pagesOf, windowOf } from '@pillar/contract/wire/paging'
import { communicationType } from '@pillar/domain/campaign/campaign-rule'
import { CATEGORIES, type Category, subcategoriesOf } from '@pillar/domain/dispensing/category'
import { PATIENT_TYPES_OF } from '@pillar/domain/dispensing/patient-type'
import { noteChange } from '../../api/audit.ts'
import { callerOf, type HandlersOf, tenantTx } from '../../api/context.ts'
import { refuseStale } from '../../api/version.ts'
import { findTemplateRecommendation } from './adopt.queries.ts'
import { refuseUnapproved, voidApprovals } from './approval.ts'
import { draftHandlers } from './draft/draft.handlers.ts'
import { listMolecules, otherNames } from './molecule-list.queries.ts'
import { previewHandlers } from './preview.handlers.ts'
import {
  campaignNamesOf,
  findTemplate,
  findTemplateId,
  insertTemplate,
  listTemplates,
  lockTemplate,
  removeTemplate,
  setTemplateActive,
  type TemplateRow,
  updateTemplate,
} from './template.queries.ts'
import { checkedText } from './template-text.ts'
import { sequenceTitlesOf } from './template-use.queries.ts'

type Template = Omit<HandlersOf<typeof contract.template>, 'recommendations'>

export const templateHandlers: Template = {
  ...previewHandlers,
  ...draftHandlers,

  async list({ page, search_term, sms_template, email_template, active }, context) {
    const { rows, total } = await listTemplates(tenantTx(context), {
      search: search_term,
      type: communicationType(sms_template === true, email_template === true),
      active: active ?? null,
      ...windowOf(page),
    })
    return {
      templates: rows.map(templateOf),
      ...pagesOf(page, total),
    }
  },

  async info({ id }, context) {
    return templateOf(await findTemplate(tenantTx(context), id))
  },

  async create({ active, template_recommendation_id, ...draft }, context) {
    const tx = tenantTx(context)
    const { companyId, loginId } = callerOf(context)
    const recommended = template_recommendation_id
      ? await findTemplateRecommendation(tx, template_recommendation_id)
      : null
    const made = await insertTemplate(tx, {
      ...checkedText({ ...draft, message_kind: draft.message_kind ?? recommended?.message_kind ?? 'health_outreach' }),
      companyId,
      active,
      recommendationId: recommended?.id ?? null,
      loginId,
      now: context.services.now(),
    })
    return { id: made.uuid }
  },

  async edit({ id, template_id, version, active, template_recommendation_id, ...draft }, context) {
    const tx = tenantTx(context)
    const found = await lockTemplate(tx, id)
    if (template_id && template_id.toLowerCase() !== found.uuid) {
      throw new Refusal('invalid', 'The template in the address is not the one in the request.')
    }
    if (found.demo) throw new Refusal('conflict', 'This is a demo template and cannot be edited.')
    refuseStale(found, version)
    const recommended = template_recommendation_id
      ? await findTemplateRecommendation(tx, template_recommendation_id)
      : null
    const text = checkedText({ ...draft, message_kind: draft.message_kind ?? found.message_kind })
    await refuseUnapproved(tx, id, text)
    const changes = {
      ...text,
      ...(active == null ? {} : { active }),
      ...(recommended ? { template_recommendation_id: recommended.id } : {}),
    }
    const saved = await updateTemplate(tx, found.id, changes, {
      loginId: callerOf(context).loginId,
      now: context.services.now(),
    })
    await voidApprovals(tx, [found.uuid], context)
    return { id: found.uuid, version: saved }
  },

  async activate({ id, active }, context) {
    const tx = tenantTx(context)
    const found = await lockTemplate(tx, id)
    context.about.name = found.name
    noteChange(context, null, { active: found.active }, { active })
    if (found.active !== active) await setTemplateActive(tx, found.id, active, context.services.now())
    return { active }
  },

  async remove({ id }, context) {
    const tx = tenantTx(context)
    const found = await lockTemplate(tx, id)
    context.about.name = found.name
    if (found.demo) throw new Refusal('conflict', 'This is a demo template and cannot be deleted.')
    await removeTemplate(tx, found.id, context.services.now())
    await voidApprovals(tx, [found.uuid], context)
    return { deleted: true }
  },

  async affected({ id, active }, context) {
    const tx = tenantTx(context)
    const templateId = await findTemplateId(tx, id)
    // Switching a template affects only what active campaigns and sequences send; deleting removes it from every one.
    return {
      campaign_names: await campaignNamesOf(tx, templateId, active != null),
      sequence_names: await sequenceTitlesOf(tx, templateId, active != null),
    }
  },

  async molecules(_input, context) {
    const dispensed = await listMolecules(tenantTx(context))
    return { molecule_atc_codes: dispensed, other_names: otherNames(dispensed) }
  },

  async groups(_input, context) {
    const { country } = callerOf(context)
    const offered = (category: Category) =>
      category === 'Patient Type' ? PATIENT_TYPES_OF[country] : subcategoriesOf(category)
    const molecules = await listMolecules(tenantTx(context))
    return {
      groups: CATEGORIES.map((category) => ({
        category,
        subcategories: category === 'Molecule' ? molecules.map(({ molecule }) => molecule) : [...offered(category)],
      })),
      ai: context.services.ai !== null,
    }
  },
}

const templateOf = ({ id: _, uuid, recommendation_uuid, ...row }: TemplateRow) => ({
  ...row,
  template_id: uuid,
  template_recommendation_id: recommendation_uuid,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
})
