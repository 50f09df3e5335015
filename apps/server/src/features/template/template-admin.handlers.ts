import { type contract, Refusal } from '@pillar/contract'
import { type CommunicationType, companyTemplateProblem, togglesOf } from '@pillar/domain/campaign/campaign-rule'
import { noteChange, recordInLogs } from '../../api/audit.ts'
import { type Context, callerOf, type HandlersOf, staffTx } from '../../api/context.ts'
import { refuseStale } from '../../api/version.ts'
import { refuseUnlessRestorable } from '../../db/restore.ts'
import { voidApprovals } from './approval.ts'
import {
  type AdminTemplateRow,
  companyIds,
  findAdminTemplate,
  insertTemplates,
  type LockedTemplate,
  listAdminTemplates,
  lockDeletedTemplates,
  lockTemplates,
  lockTemplateTexts,
  removeTemplates,
  restoreTemplate,
  restoreTemplates,
  setTemplatesActive,
  updateTemplates,
  usersOfTemplates,
} from './template-admin.queries.ts'
import { changesOf, checkedText, given } from './template-text.ts'

export const templateAdminHandlers: HandlersOf<typeof contract.templateAdmin> = {
  async search(input, context) {
    const { rows, ...page } = await listAdminTemplates(staffTx(context), input)
    return { results: rows.map(templateOf), ...page }
  },

  async info({ id }, context) {
    return templateOf(await findAdminTemplate(staffTx(context), id))
  },

  async affected({ active, ...chosen }, context) {
    const found = await usersOfTemplates(staffTx(context), chosen, active ?? null)
    const wanted = new Set(chosen.template_ids?.map((id) => id.toLowerCase())).size
    if (!chosen.filter && found.templates !== wanted) throw new Refusal('not_found', 'That template was not found.')
    return found
  },

  async create({ active, enterprise_template, company_choice, companies, communication_type, ...draft }, context) {
    const tx = staffTx(context)
    const text = { ...draft, ...togglesOf(communication_type ?? null) }
    const problem = companyTemplateProblem(text, company_choice, companies.length)
    if (problem !== '') throw new Refusal('invalid', problem)
    const owners = await companyIds(tx, company_choice === 'all' ? 'all' : companies)
    const ids = await insertTemplates(tx, owners, {
      ...checkedText(text),
      active: active ?? enterprise_template,
      enterprise_template,
      loginId: callerOf(context).loginId,
      now: context.services.now(),
    })
    const logs = owners.map((companyId, index) => ({ companyId, ids: ids.slice(index, index + 1) }))
    await recordInLogs(tx, callerOf(context), 'templateAdmin.create', logs)
    return { ids, data: { ids } }
  },

  async createGlobal({ active, communication_type, ...draft }, context) {
    const made = await insertTemplates(staffTx(context), [null], {
      ...checkedText({ ...draft, ...togglesOf(communication_type ?? null) }, 'trial'),
      active,
      enterprise_template: false,
      loginId: callerOf(context).loginId,
      now: context.services.now(),
    })
    const id = made[0] ?? ''
    return { id, data: { id } }
  },

  async edit({ template_ids, filter, expected_count, version, communication_type, ...draft }, context) {
    const tx = staffTx(context)
    const found = await lockTemplateTexts(tx, { template_ids, filter, expected_count })
    refuseDemo(found, 'edited')
    if (found.length === 1 && found[0]) refuseStale(found[0], version)
    const changes = changesOf({ ...draft, ...togglesGiven(communication_type) }, found.length > 1)
    for (const { id: _, uuid: __, ...template } of found)
      checkedText({ ...template, ...given(changes) }, template.company_id === null ? 'trial' : 'company')
    const ids = found.map((one) => one.id)
    await updateTemplates(tx, ids, changes, context.services.now())
    await voidApprovals(tx, uuidsOf(found), context)
    // The text itself stays out of the audit.
    const { body: _, subject: __, ...audited } = given(changes)
    for (const one of found.slice(0, MOST_AUDITED)) noteChange(context, one.uuid, valuesIn(one, audited), audited)
    await tellCompanies(context, 'templateAdmin.edit', found)
    return { updated: ids.length }
  },

  async editActiveStatus({ active, ...chosen }, context) {
    const tx = staffTx(context)
    const found = await lockTemplates(tx, chosen)
    const other = found.find((one) => one.company_id !== null && !one.enterprise_template)
    if (other) {
      throw new Refusal(
        'conflict',
        `"${other.name}" is a pharmacy template. Only enterprise and global templates are activated or deactivated here.`,
      )
    }
    await setTemplatesActive(
      tx,
      found.map((one) => one.id),
      active,
      context.services.now(),
    )
    for (const one of found.slice(0, MOST_AUDITED)) noteChange(context, one.uuid, { active: one.active }, { active })
    await tellCompanies(context, active ? 'templateAdmin.activate' : 'templateAdmin.deactivate', found)
    return { updated: found.length }
  },

  async remove(chosen, context) {
    const tx = staffTx(context)
    const found = await lockTemplates(tx, chosen)
    refuseDemo(found, 'deleted')
    const now = context.services.now()
    await removeTemplates(
      tx,
      found.map((one) => one.id),
      now,
    )
    await voidApprovals(tx, uuidsOf(found), context)
    await tellCompanies(context, 'templateAdmin.remove', found)
    return { deleted: found.length, removed_at: now.toISOString() }
  },

  async restore({ id }, context) {
    const tx = staffTx(context)
    const found = await findAdminTemplate(tx, id, true)
    const now = context.services.now()
    refuseUnlessRestorable('template', found.removed_at, now)
    await restoreTemplate(tx, found, now)
    await tellCompanies(context, 'templateAdmin.restore', await lockTemplates(tx, { template_ids: [id] }))
    return { restored: true }
  },

  async restoreMany(chosen, context) {
    const tx = staffTx(context)
    const found = await lockDeletedTemplates(tx, chosen)
    const ids = found.map((one) => one.id)
    const answer = await restoreTemplates(tx, ids, context.services.now())
    await tellCompanies(context, 'templateAdmin.restoreMany', found)
    return answer
  },
}

const uuidsOf = (found: readonly LockedTemplate[]) => found.map(({ uuid }) => uuid)

/** For more templates than this the audit keeps the acts and their filter, not each one's fields. */
const MOST_AUDITED = 100

const valuesIn = <T extends object>(row: LockedTemplate, fields: T) =>
  Object.fromEntries(Object.keys(fields).map((field) => [field, row[field as keyof LockedTemplate]])) as T

const templateOf = (row: AdminTemplateRow) => ({
  ...row,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
  removed_at: row.removed_at?.toISOString() ?? null,
})

const togglesGiven = (type: CommunicationType | null | undefined) => (type ? togglesOf(type) : {})

function refuseDemo(found: readonly LockedTemplate[], act: string): void {
  const demo = found.find((one) => one.demo)
  if (demo)
    throw new Refusal('conflict', `"${demo.name}" is a demo template and cannot be ${act}. Please leave it out.`)
}

/** Records an act in the log of each company whose templates were affected. */
async function tellCompanies(context: Context, action: string, found: readonly LockedTemplate[]): Promise<void> {
  const logs = Map.groupBy(found, ({ company_id }) => company_id)
  const rows = [...logs].flatMap(([companyId, own]) => (companyId === null ? [] : [{ companyId, ids: uuidsOf(own) }]))
  await recordInLogs(staffTx(context), callerOf(context), action, rows)
}
