import { type contract, Refusal } from '@pillar/contract'
import { refuseSame } from '@pillar/domain/access/password'
import { recordAudit } from '../../api/audit.ts'
import { callerOf, type HandlersOf } from '../../api/context.ts'
import { answerFor } from './answer.ts'
import { signalChange } from './changed-letter.ts'
import { enter } from './enter.ts'
import { holdLogin, loginOwner, setPassword } from './login.queries.ts'
import { hashPassword, PASSWORD_COST, requireGoodPassword } from './password.ts'
import { openSession } from './session.queries.ts'

type Handlers = HandlersOf<typeof contract.session>

// Has no sign-out code, which would send the browser to the sign-in page before the user reads this sentence.
const CHANGED_ELSEWHERE =
  'The password was changed elsewhere in the meantime. Nothing was changed. Please sign in again.'

/**
 * Lets a signed-in person set their own password. This ends everything opened with the old one: sessions, step-ups, mailed reset links.
 * This browser continues in a new session.
 */
export const changePassword: Handlers['changePassword'] = async (input, context) => {
  const { services } = context
  const caller = callerOf(context)
  const found = await enter(context, caller.username, input.current_password, {
    self: caller,
    failed: 'session.change-password-failed',
    wrong: 'The current password is not right.',
  })
  const owner = await loginOwner(services.pools.system, found.id)
  if (!owner) throw new Refusal('conflict', CHANGED_ELSEWHERE)
  const same = refuseSame(input.password, input.current_password)
  if (same) throw new Refusal('invalid', same, { errors: { password: [same] } })
  await requireGoodPassword(input.password, input.password_confirmation, owner, services)
  // Before the transaction, because it is slow.
  const hash = await hashPassword(input.password, services.passwordCost ?? PASSWORD_COST)
  const now = services.now()
  const { answer, secret } = await services.pools.system.transaction().execute(async (tx) => {
    if (!(await holdLogin(tx, found))) throw new Refusal('conflict', CHANGED_ELSEWHERE)
    await setPassword(tx, found.id, hash, now)
    const session = await openSession(tx, found.id, now, caller.factor.shown)
    await signalChange(tx, services, owner)
    const detail = { forced: caller.mustChangePassword, new_session: session.id }
    await recordAudit(tx, { caller, action: 'session.change-password', object: null, detail })
    return { answer: await answerFor(services, tx, { id: session.id, loginId: found.id }, now), secret: session.secret }
  })
  context.setCookie(secret)
  return answer
}
