import { type contract, Refusal } from '@pillar/contract'
import { isRestorable, RESTORE_DAYS } from '@pillar/domain/company/removal'
import {
  type DashboardDraft,
  dashboardAddress,
  dashboardProblem,
  productNames,
} from '@pillar/domain/dashboard/dashboard'
import { oneLine } from '@pillar/domain/text/plain-text'
import { noteChange, recordInLogs } from '../../api/audit.ts'
import { type Context, callerOf, type HandlersOf, staffTx } from '../../api/context.ts'
import { refuseStale } from '../../api/version.ts'
import { companyIdOf } from '../location/location.queries.ts'
import {
  type DashboardFields,
  type DashboardRow,
  findDashboard,
  insertDashboard,
  listDashboards,
  lockDashboard,
  setDashboardRemoved,
  updateDashboard,
} from './dashboard-admin.queries.ts'

const hostsOf = ({ services }: Context) => services.env.DASHBOARD_HOSTS

export const dashboardHandlers: HandlersOf<typeof contract.dashboard> = {
  async search({ name, ...input }, context) {
    const asked = { ...input, search_term: input.search_term || name }
    const { rows, ...page } = await listDashboards(staffTx(context), asked, context.services.now())
    return { results: rows.map((row) => shown(row, context)), ...page }
  },

  info: async ({ id }, context) => shown(await findDashboard(staffTx(context), id), context),

  async options(_input, context) {
    const hosts = hostsOf(context)
    return { hosts, domain_url: `https://${hosts[0]}` }
  },

  async create(input, context) {
    const tx = staffTx(context)
    const { active, ...draft } = input
    const fields = { ...checked(draft, context), active }
    const companyId = await companyIdOf(tx, fields.company_id)
    const id = await insertDashboard(tx, fields, companyId, context.services.now())
    await inLog(context, 'dashboard.create', companyId, id)
    return { id }
  },

  async edit({ id, version, ...given }, context) {
    const tx = staffTx(context)
    const found = await lockDashboard(tx, id)
    refuseStale(found, version)
    const before = fieldsOf(await findDashboard(tx, id))
    const changes = withoutUndefined(given)
    const { active, ...draft } = { ...before, ...changes }
    // Only activating or deactivating it keeps what was allowed when it was saved.
    const only = Object.keys(changes).join() === 'active'
    const after = only ? { ...before, active } : { ...checked(draft, context), active }
    const companyId = await companyIdOf(tx, after.company_id)
    const next = await updateDashboard(tx, found.id, after, companyId)
    noteChange(context, id, before, after)
    if (companyId === found.company_id) await inLog(context, 'dashboard.edit', companyId, id)
    else {
      await inLog(context, 'dashboard.remove', found.company_id, id, before.name)
      await inLog(context, 'dashboard.create', companyId, id, after.name)
    }
    return { id, version: next }
  },

  async remove({ id }, context) {
    const tx = staffTx(context)
    const found = await lockDashboard(tx, id)
    await setDashboardRemoved(tx, found, context.services.now())
    await inLog(context, 'dashboard.remove', found.company_id, id)
    return { removed: true }
  },

  async restore({ id }, context) {
    const tx = staffTx(context)
    const found = await lockDashboard(tx, id, true)
    if (!found.removed_at || !isRestorable(found.removed_at, context.services.now())) {
      throw new Refusal(
        'conflict',
        `${found.name} was removed more than ${RESTORE_DAYS} days ago. Please create it again.`,
      )
    }
    await setDashboardRemoved(tx, found, null)
    await inLog(context, 'dashboard.restore', found.company_id, id)
    return { restored: true }
  },
}

/** Records the act in the log of the dashboard's company; with only the name if it goes to another company. */
const inLog = (context: Context, action: string, companyId: number, uuid: string, alone?: string) =>
  recordInLogs(staffTx(context), callerOf(context), action, [
    { companyId, ids: [uuid], ...(alone === undefined ? {} : { alone }) },
  ])

const shown = ({ created_at, removed_at, ...row }: DashboardRow, context: Context) => ({
  ...row,
  host_allowed: dashboardAddress(row.domain_url, hostsOf(context)) !== null,
  created_at: created_at.toISOString(),
  removed_at: removed_at?.toISOString() ?? null,
})

const fieldsOf = ({
  name,
  company_id,
  dashboard_id,
  dashboard_type,
  domain_url,
  active,
  production,
  products,
}: DashboardRow) => ({
  ...{ name, company_id, dashboard_id, dashboard_type, domain_url, active, production, products },
})

const withoutUndefined = <T extends object>(given: T) =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as { [K in keyof T]: T[K] }

type Draft = { [K in keyof DashboardDraft]?: DashboardDraft[K] | null | undefined }

/** @throws Refusal invalid with one sentence that names what is missing or wrong */
function checked(draft: Draft, context: Context): Omit<DashboardFields, 'active'> {
  const products = productNames((draft.products ?? []).join('\n'))
  const fields: DashboardDraft = {
    name: oneLine(draft.name ?? ''),
    company_id: draft.company_id ?? '',
    dashboard_id: (draft.dashboard_id ?? '').trim().toLowerCase(),
    dashboard_type: draft.dashboard_type ?? null,
    domain_url: draft.domain_url ?? '',
    production: draft.production ?? null,
    products,
  }
  const problem = dashboardProblem(fields, hostsOf(context))
  const domain_url = dashboardAddress(fields.domain_url, hostsOf(context))
  const { dashboard_type, production } = fields
  if (problem !== '' || dashboard_type === null || production === null || domain_url === null)
    throw new Refusal('invalid', problem)
  return { ...fields, products, dashboard_type, production, domain_url }
}
