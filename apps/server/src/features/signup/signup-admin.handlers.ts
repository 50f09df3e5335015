import { type contract, Refusal } from '@pillar/contract'
import type { Signup } from '@pillar/contract/company/signup-admin'
import { newCompanyProblem } from '@pillar/domain/company/company'
import { decideProblem, startsWithoutGuild, tellProblem } from '@pillar/domain/signup/signup'
import { oneLine } from '@pillar/domain/text/plain-text'
import { formatDay } from '@pillar/domain/time/day'
import { recordInLogs } from '../../api/audit.ts'
import { todayOf } from '../../api/call/today.ts'
import { type Context, callerOf, type HandlersOf, type Services, staffTx } from '../../api/context.ts'
import type { Tx } from '../../db/database.ts'
import { refuseTaken } from '../../db/taken.ts'
import { insertCompany } from '../company/company-admin.queries.ts'
import { insertPharmacy, linkOwner } from '../location/location-admin.queries.ts'
import { addKey } from '../location/location-key.queries.ts'
import { watchUploads } from '../location/module.queries.ts'
import { checkedPharmacy, nothingYet } from '../location/pharmacy-draft.ts'
import { createLogin, setPassword } from '../session/login.queries.ts'
import { LOGIN_TAKEN } from '../user/user-write.queries.ts'
import { approveSignup, findSignup, listSignups, lockSignup, noteTold, rejectSignup } from './signup-admin.queries.ts'
import { mailReady, mailRejected, mailSupported } from './signup-letters.ts'

/** A new company's only feature: more are switched on in its row under Companies. */
const FEATURES = { sixty_day_signup: true, cloud_ecdr: false, ad_dashboard: false, supplier_dashboard: false }

const reader = (context: Context) => ({ tx: staffTx(context), keys: context.services.keys })

export const signupAdminHandlers: HandlersOf<typeof contract.signupAdmin> = {
  async search({ state, ...input }, context) {
    const { rows, ...page } = await listSignups(reader(context), state ?? null, input)
    return { results: rows, ...page }
  },

  info: ({ uuid }, context) => findSignup(reader(context), uuid),

  async approve({ uuid, company_name, username, no_guild_consent }, context) {
    const tx = staffTx(context)
    const caller = callerOf(context)
    const { services } = context
    const { id, state } = await lockSignup(tx, uuid)
    const late = decideProblem(state, 'approve')
    if (late !== '') throw new Refusal('conflict', late)
    const signup = await findSignup(reader(context), uuid)
    const now = services.now()
    const asked = {
      name: oneLine(company_name) || signup.pharmacy_name,
      username: oneLine(username) || signup.username,
      ...{ email: signup.email, first_name: signup.first_name, last_name: signup.last_name },
    }
    const problem = newCompanyProblem(asked)
    if (problem !== '') throw new Refusal('invalid', problem)
    const { name, ...person } = asked
    const company = await insertCompany(tx, { name, country: 'AU', ...FEATURES })
    const login = { ...person, companyId: company.id, flags: ['sixty_day_signup' as const], password: null }
    const made = await refuseTaken(LOGIN_TAKEN, () => createLogin(tx, login, services.passwordCost))
    const hash = await approveSignup(tx, { id, companyId: company.id, decidedBy: caller.loginId }, now)
    if (hash === null) throw new Error('a sign-up that waits has a password')
    await setPassword(tx, made.id, hash, now)
    const withoutGuild = no_guild_consent ?? startsWithoutGuild(formatDay(todayOf(context)))
    const pharmacy = await addPharmacy(tx, services, { signup, companyId: company.id, ownerId: made.id, withoutGuild })
    await mailReady(tx, services, { ...signup, username: person.username })
    await recordInLogs(tx, caller, 'signupAdmin.approve', [
      { companyId: company.id, ids: [uuid, company.uuid, pharmacy.uuid, made.uuid] },
    ])
    return findSignup(reader(context), uuid)
  },

  async tellSupported({ uuid }, context) {
    const tx = staffTx(context)
    const { id } = await lockSignup(tx, uuid)
    const signup = await findSignup(reader(context), uuid)
    const problem = tellProblem(signup)
    if (problem !== '') throw new Refusal('conflict', problem)
    await noteTold(tx, id, context.services.now())
    await mailSupported(tx, context.services, signup)
    return findSignup(reader(context), uuid)
  },

  async reject({ uuid, reason: given }, context) {
    const tx = staffTx(context)
    const { id, state } = await lockSignup(tx, uuid)
    const late = decideProblem(state, 'reject')
    if (late !== '') throw new Refusal('conflict', late)
    const reason = oneLine(given)
    if (reason === '') throw new Refusal('invalid', 'Please enter a reason.')
    const signup = await findSignup(reader(context), uuid)
    await rejectSignup(tx, { id, decidedBy: callerOf(context).loginId, reason }, context.services.now())
    // An unconfirmed address gets no email containing words that another person may have typed.
    if (state === 'waiting') await mailRejected(tx, context.services, signup, reason)
    return findSignup(reader(context), uuid)
  },
}

interface NewPharmacy {
  signup: Signup
  companyId: number
  ownerId: number
  withoutGuild: boolean
}

/** The pharmacy of a sign-up, with its upload key and its owner. */
async function addPharmacy(tx: Tx, services: Services, { signup, companyId, ownerId, withoutGuild }: NewPharmacy) {
  const { columns } = await checkedPharmacy(
    tx,
    {
      ...{ name: signup.pharmacy_name, phone_number: signup.pharmacy_phone, street_address: signup.street_address },
      ...{ town: signup.town, region: signup.region, postcode: signup.postcode, data_source: signup.sources[0] },
      no_guild_consent: withoutGuild,
    },
    nothingYet('AU'),
    'AU',
  )
  const made = await insertPharmacy(tx, companyId, { ...columns, owner_login_id: ownerId })
  await addKey(tx, made, services.secret, services.now())
  await linkOwner(tx, made.id, companyId, ownerId)
  await watchUploads(tx, { id: made.id, company_id: companyId })
  return made
}
