import { type contract, Refusal } from '@pillar/contract'
import { shutOutProblem, userRemovalProblem } from '@pillar/domain/access/user'
import { isRestorable, RESTORE_DAYS } from '@pillar/domain/company/removal'
import { noteChange, recordInLogs } from '../../api/audit.ts'
import { type Context, callerOf, type HandlersOf, staffTx } from '../../api/context.ts'
import { setPassword, shutOut } from '../session/login.queries.ts'
import { hashPassword, requireGoodPassword } from '../session/password.ts'
import { endSessionsOf } from '../session/session.queries.ts'
import { findUser, type LockedUser, lockUser } from './user.queries.ts'
import { mailInvitation, mailPasswordSet } from './user-letters.ts'
import { holdCompanyOf, lockSupport, removeLogin, restoreLogin, setDisabled, userOwns } from './user-write.queries.ts'

type Handlers = HandlersOf<typeof contract.user>
type Life = Pick<Handlers, 'resetPassword' | 'invite' | 'disable' | 'enable' | 'endSessions' | 'remove' | 'restore'>

/** The life of a login after it is created: passwords, invitations, lock-out, removal. */
export const userLife: Life = {
  async resetPassword({ uuid, password }, context) {
    const tx = staffTx(context)
    const { services } = context
    const found = await lockUser(tx, uuid)
    refuseDisabled(found)
    if (password === '')
      throw new Refusal('invalid', 'Please enter a password.', fieldError('Please enter a password.'))
    // The person replaces it at the next sign-in, when the lists of breached passwords are checked.
    await requireGoodPassword(password, password, found, { env: services.env, breaches: null })
    const hash = await hashPassword(password, services.passwordCost)
    await setPassword(tx, found.id, hash, services.now(), true)
    await mailPasswordSet(tx, services, found)
    await tell(context, 'user.resetPassword', found)
    return { message: 'Password reset Successfully.' }
  },

  async invite({ uuid }, context) {
    const tx = staffTx(context)
    const found = await lockUser(tx, uuid)
    refuseDisabled(found)
    await mailInvitation(tx, context.services, found)
    await tell(context, 'user.invite', found)
    return { message: `Invitation sent to ${found.email}.` }
  },

  async disable({ uuid }, context) {
    const tx = staffTx(context)
    const found = await holdUnprotected(context, uuid, 'disabled')
    const before = await findUser(tx, uuid, context.services.now())
    if (!found.disabled_at) {
      await setDisabled(tx, found.id, context.services.now())
      await shutOut(tx, found.id, context.services.now())
    }
    await tell(context, 'user.disable', found)
    return noted(context, uuid, before)
  },

  async enable({ uuid }, context) {
    const tx = staffTx(context)
    await holdCompanyOf(tx, uuid)
    const found = await lockUser(tx, uuid)
    const before = await findUser(tx, uuid, context.services.now())
    if (found.disabled_at) await setDisabled(tx, found.id, null)
    await tell(context, 'user.enable', found)
    return noted(context, uuid, before)
  },

  async endSessions({ uuid }, context) {
    const tx = staffTx(context)
    const found = await lockUser(tx, uuid)
    const ended = await endSessionsOf(tx, found.id, context.services.now())
    await tell(context, 'user.endSessions', found)
    return { ended }
  },

  async remove({ uuid }, context) {
    const tx = staffTx(context)
    const found = await holdUnprotected(context, uuid, 'removed')
    const problem = userRemovalProblem(found.name, await userOwns(tx, found))
    if (problem !== '') throw new Refusal('conflict', problem)
    await removeLogin(tx, found.id, context.services.now())
    await shutOut(tx, found.id, context.services.now())
    await tell(context, 'user.remove', found)
    return { removed: true }
  },

  async restore({ uuid }, context) {
    const tx = staffTx(context)
    const { services } = context
    await holdCompanyOf(tx, uuid)
    const found = await lockUser(tx, uuid, { removed: true })
    if (!found.removed_at || !isRestorable(found.removed_at, services.now()))
      throw new Refusal('conflict', `${found.name} was removed more than ${RESTORE_DAYS} days ago.`)
    await restoreLogin(tx, found.id)
    await tell(context, 'user.restore', found)
    return findUser(tx, uuid, services.now())
  },
}

const fieldError = (sentence: string) => ({ errors: { password: [sentence] } })

/** Locks the row of a user whom the caller may lock out. @throws Refusal conflict with the reason why not */
async function holdUnprotected(context: Context, uuid: string, act: 'disabled' | 'removed'): Promise<LockedUser> {
  const tx = staffTx(context)
  const caller = callerOf(context)
  // No call changes support's flag, so it may be read before the lock.
  const { sr_login } = await findUser(tx, uuid, context.services.now())
  const support = sr_login ? await lockSupport(tx) : []
  const found = await lockUser(tx, uuid)
  const lastSupport = support.length === 1 && support[0] === found.id
  const problem = shutOutProblem(found.name, act, { self: found.id === caller.loginId, lastSupport })
  if (problem !== '') throw new Refusal('conflict', problem)
  return found
}

function refuseDisabled({ name, disabled_at }: LockedUser): void {
  if (disabled_at) throw new Refusal('conflict', `${name} is disabled. Please enable the login first.`)
}

/** Records the act in the log of the user's own company. */
const tell = (context: Context, action: string, { company_id, uuid }: LockedUser) =>
  recordInLogs(staffTx(context), callerOf(context), action, [{ companyId: company_id, ids: [uuid] }])

async function noted(context: Context, uuid: string, before: Awaited<ReturnType<typeof findUser>>) {
  const after = await findUser(staffTx(context), uuid, context.services.now())
  noteChange(context, uuid, before, after)
  return after
}
