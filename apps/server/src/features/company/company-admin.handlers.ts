import { type contract, type Flag, Refusal } from '@pillar/contract'
import { companyProblem, companyRemovalProblem, newCompanyProblem } from '@pillar/domain/company/company'
import { isRestorable, RESTORE_DAYS } from '@pillar/domain/company/removal'
import { oneLine } from '@pillar/domain/text/plain-text'
import { COUNTRY_NAMES } from '@pillar/domain/time/locale'
import { noteChange, recordInLogs } from '../../api/audit.ts'
import { callerOf, type HandlersOf, staffTx, tenantTx } from '../../api/context.ts'
import { refuseStale } from '../../api/version.ts'
import { refuseTaken } from '../../db/taken.ts'
import { createLogin } from '../session/login.queries.ts'
import { requireGoodPassword } from '../session/password.ts'
import { uploadsOf } from '../upload/support/up-to-date.ts'
import { listUsersOf, lockUser } from '../user/user.queries.ts'
import { mailInvitation } from '../user/user-letters.ts'
import { LOGIN_TAKEN } from '../user/user-write.queries.ts'
import {
  type CompanyFeatures,
  companyOwns,
  FEATURE_FLAGS,
  findCompany,
  insertCompany,
  listCompanies,
  listCompanyNames,
  lockCompany,
  removeCompany,
  restoreCompany,
  switchFeatures,
  updateCompany,
} from './company-admin.queries.ts'
import { listCompanyLocations, listLoginLocations } from './company-rows.queries.ts'

type Company = HandlersOf<typeof contract.company>

const search: Company['search'] = async ({ name, ...input }, context) => {
  const asked = { ...input, search_term: input.search_term || name }
  const tx = staffTx(context)
  const now = context.services.now()
  const { rows, ...page } = await listCompanies(tx, asked, now)
  const uuids = rows.map(({ uuid }) => uuid)
  const uploads = await uploadsOf(tx, uuids, now)
  const none = { expected: 0, up_to_date: 0 }
  return { results: rows.map((row) => ({ ...row, uploads: uploads.get(row.uuid) ?? none })), ...page }
}

export const companyHandlers: Company = {
  search,
  getCompanies: search,

  async list(_input, context) {
    return { data: await listCompanyNames(staffTx(context)) }
  },

  info: ({ id }, context) => findCompany(staffTx(context), id),

  async users({ id }, context) {
    const tx = staffTx(context)
    await findCompany(tx, id)
    return { data: await listUsersOf(tx, id, context.services.now()) }
  },

  async locations(_input, context) {
    const rows = await listCompanyLocations(tenantTx(context))
    return {
      data: rows.map((row) => ({ ...row, country_name: COUNTRY_NAMES[row.country] })),
    }
  },

  async loginLocations({ id }, context) {
    const tx = staffTx(context)
    await findCompany(tx, id)
    return { data: await listLoginLocations(tx, id) }
  },

  async create(input, context) {
    const tx = staffTx(context)
    const { services } = context
    const features = featuresOf(input)
    const person = {
      username: input.username.trim(),
      email: input.email.trim(),
      first_name: oneLine(input.first_name),
      last_name: oneLine(input.last_name),
    }
    const name = oneLine(input.company_name)
    const problem = newCompanyProblem({ name, ...person })
    if (problem !== '') throw new Refusal('invalid', problem)
    const password = input.password || null
    if (password !== null) {
      // The lists of breached passwords are checked when the person chooses their own password, which is the first thing they do.
      const owner = { ...person, company: name }
      await requireGoodPassword(password, password, owner, { env: services.env, breaches: null })
    }
    const company = await insertCompany(tx, { name, country: input.country, ...features })
    const flags = flagsOf(features)
    const login = { ...person, companyId: company.id, flags, password, mustChangePassword: password !== null }
    const { uuid } = await refuseTaken(LOGIN_TAKEN, () => createLogin(tx, login, services.passwordCost))
    if (password === null) await mailInvitation(tx, services, await lockUser(tx, uuid))
    await recordInLogs(tx, callerOf(context), 'company.create', [{ companyId: company.id, ids: [company.uuid] }])
    const made = await findCompany(tx, company.uuid)
    return { ...made, company: made }
  },

  async edit({ uuid, name, version, ...features }, context) {
    const tx = staffTx(context)
    const found = await lockCompany(tx, uuid)
    refuseStale(found, version)
    const wanted = oneLine(name)
    const problem = companyProblem({ name: wanted })
    if (problem !== '') throw new Refusal('invalid', problem)
    const before = await findCompany(tx, uuid)
    const given = Object.entries(features).filter(([, value]) => typeof value === 'boolean')
    await updateCompany(tx, found.id, { name: wanted, ...(Object.fromEntries(given) as Partial<CompanyFeatures>) })
    const after = await findCompany(tx, uuid)
    await switchFeatures(tx, found.id, before, after)
    await recordInLogs(tx, callerOf(context), 'company.edit', [{ companyId: found.id, ids: [uuid] }])
    noteChange(context, uuid, before, after)
    return after
  },

  async remove({ uuid }, context) {
    const tx = staffTx(context)
    const caller = callerOf(context)
    const found = await lockCompany(tx, uuid)
    if (found.id === caller.companyId) {
      throw new Refusal(
        'conflict',
        `${found.name} is your own company. It can only be removed by support of another one.`,
      )
    }
    const problem = companyRemovalProblem(found.name, await companyOwns(tx, found.id))
    if (problem !== '') throw new Refusal('conflict', problem)
    await removeCompany(tx, found.id, context.services.now())
    await recordInLogs(tx, caller, 'company.remove', [{ companyId: found.id, ids: [uuid] }])
    return { removed: true }
  },

  async restore({ uuid }, context) {
    const tx = staffTx(context)
    const found = await lockCompany(tx, uuid, true)
    if (!found.removed_at || !isRestorable(new Date(found.removed_at), context.services.now())) {
      const message = `${found.name} was removed more than ${RESTORE_DAYS} days ago and cannot be restored.`
      throw new Refusal('conflict', message)
    }
    await restoreCompany(tx, found)
    await recordInLogs(tx, callerOf(context), 'company.restore', [{ companyId: found.id, ids: [uuid] }])
    return findCompany(tx, uuid)
  },
}

const featuresOf = ({ sixty_day_signup, cloud_ecdr, ad_dashboard, supplier_dashboard }: CompanyFeatures) => ({
  sixty_day_signup,
  cloud_ecdr,
  ad_dashboard,
  supplier_dashboard,
})

/** The flags of a company's first login: the head office's own pages, and the features the company has switched on. */
function flagsOf(features: CompanyFeatures): Flag[] {
  const on = (Object.keys(FEATURE_FLAGS) as (keyof CompanyFeatures)[]).filter((feature) => features[feature])
  return ['data_analytics', ...on.map((feature) => FEATURE_FLAGS[feature])]
}
