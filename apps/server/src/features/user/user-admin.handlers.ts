import { type contract, type Flag, Refusal } from '@pillar/contract'
import { newUserProblem, userProblem } from '@pillar/domain/access/user'
import { oneLine } from '@pillar/domain/text/plain-text'
import { formatDay } from '@pillar/domain/time/day'
import { noteChange, recordInLogs } from '../../api/audit.ts'
import { todayOf } from '../../api/call/today.ts'
import { callerOf, type HandlersOf, staffTx } from '../../api/context.ts'
import { refuseStale } from '../../api/version.ts'
import { refuseTaken } from '../../db/taken.ts'
import { dropPasswordLinks } from '../session/link.queries.ts'
import { createLogin } from '../session/login.queries.ts'
import { requireGoodPassword } from '../session/password.ts'
import { findUser, listUsers, lockUser } from './user.queries.ts'
import { mailAddressChanged, mailInvitation } from './user-letters.ts'
import { userLife } from './user-life.ts'
import {
  holdCompany,
  LOGIN_TAKEN,
  type LoginChanges,
  type LoginCompany,
  recruiterIdOf,
  updateLogin,
} from './user-write.queries.ts'

type Handlers = HandlersOf<typeof contract.user>

const create: Handlers['create'] = async (input, context) => {
  const tx = staffTx(context)
  const { services } = context
  const person = personOf(input)
  const username = input.username.trim()
  const problem = newUserProblem({ ...person, username, company_id: input.company_id })
  if (problem !== '') throw new Refusal('invalid', problem)
  const company = await holdCompany(tx, { uuid: input.company_id })
  const password = input.password || null
  if (password !== null) {
    // The lists of breached passwords are checked when the person chooses their own password, which is the first thing they do.
    const owner = { ...person, username, company: company.name }
    await requireGoodPassword(password, password, owner, { env: services.env, breaches: null })
  }
  const flags = input.enterprise_login ? portalFlags(company) : []
  const login = { ...person, username, companyId: company.id, flags, password, mustChangePassword: password !== null }
  const { uuid } = await refuseTaken(LOGIN_TAKEN, () => createLogin(tx, login, services.passwordCost))
  if (input.account_creation_email) await mailInvitation(tx, services, await lockUser(tx, uuid))
  await recordInLogs(tx, callerOf(context), 'user.create', [{ companyId: company.id, ids: [uuid] }])
  const made = await findUser(tx, uuid, services.now())
  noteChange(context, uuid, {} as typeof made, made)
  return { data: made }
}

const edit: Handlers['edit'] = async ({ uuid, version, ...input }, context) => {
  const tx = staffTx(context)
  const { services } = context
  if (input.login_id != null && input.login_id.toLowerCase() !== uuid.toLowerCase())
    throw new Refusal('invalid', 'The login_id is not the user of the address. Nothing was changed.')
  const found = await lockUser(tx, uuid)
  refuseStale(found, version)
  const before = await findUser(tx, uuid, services.now())
  const given = personOf(input)
  const trials = input.clinical_trials_login ?? before.clinical_trials_login
  const recruiter = input.recruiter_id ?? before.recruiter?.recruiter_provider_id ?? ''
  const draft = { ...given, username: input.name.trim(), dob: input.dob ?? '' }
  const today = formatDay(todayOf(context))
  const problem = userProblem({ ...draft, clinical_trials_login: trials, recruiter_id: recruiter }, today)
  if (problem !== '') throw new Refusal('invalid', problem)
  const changes: LoginChanges = {
    ...given,
    username: draft.username,
    ...optional(input),
    recruiter_provider_id: trials ? await recruiterIdOf(tx, recruiter) : null,
    ...(input.enterprise_login == null || input.enterprise_login === before.enterprise_login
      ? {}
      : portalColumns(input.enterprise_login, await holdCompany(tx, { id: found.company_id }))),
  }
  await updateLogin(tx, found.id, changes)
  if (given.email !== found.email) {
    // Links mailed to the old address must no longer open the login.
    await dropPasswordLinks(tx, found.id)
    await mailAddressChanged(tx, services, found)
  }
  await recordInLogs(tx, callerOf(context), 'user.edit', [{ companyId: found.company_id, ids: [uuid] }])
  const after = await findUser(tx, uuid, services.now())
  noteChange(context, uuid, before, after)
  return after
}

export const userHandlers: Handlers = {
  async search({ name, ...input }, context) {
    const ask = { ...input, search_term: input.search_term || name }
    const { rows, ...page } = await listUsers(staffTx(context), ask, context.services.now())
    return { results: rows, ...page }
  },

  info: ({ uuid }, context) => findUser(staffTx(context), uuid, context.services.now()),

  create,
  edit,
  ...userLife,
}

const personOf = ({ first_name, last_name, email }: { first_name: string; last_name: string; email: string }) => ({
  first_name: oneLine(first_name),
  last_name: oneLine(last_name),
  email: email.trim(),
})

type EditInput = Parameters<Handlers['edit']>[0]

/** Fields of an edit that stay unchanged if omitted. */
function optional(input: Omit<EditInput, 'uuid' | 'version'>): Partial<LoginChanges> {
  const changes: Partial<LoginChanges> = {}
  if (input.middle_name !== undefined) changes.middle_name = oneLine(input.middle_name ?? '') || null
  if (input.preferred_name !== undefined) changes.preferred_name = oneLine(input.preferred_name ?? '') || null
  if (input.dob !== undefined) changes.dob = input.dob || null
  if (input.sex !== undefined) changes.sex = input.sex || null
  if (input.guild_login != null) changes.guild_login = input.guild_login
  if (input.clinical_trials_login != null) changes.clinical_trials_login = input.clinical_trials_login
  return changes
}

/** The flags of an enterprise login: the head office's own pages, and the features the company has switched on. */
function portalFlags(company: LoginCompany): Flag[] {
  const columns = portalColumns(true, company)
  return (Object.keys(columns) as (keyof typeof columns)[]).filter((flag) => columns[flag])
}

const portalColumns = (on: boolean, company: LoginCompany) => ({
  data_analytics: on,
  sixty_day_signup: on && company.sixty_day_signup,
  ecdr: on && company.cloud_ecdr,
  ad_analytics: on && company.ad_dashboard,
  supplier_analytics: on && company.supplier_dashboard,
})
