import { Refusal } from '@pillar/contract'
import type { Tx } from '../../db/database.ts'
import { bindScope } from '../../db/scope.ts'
import { findCompanyScope } from '../../features/company/company-scope.queries.ts'
import { detailOf, objectName, recordAudit } from '../audit.ts'
import { type Context, callerOf, type Enter } from '../context.ts'
import type { Asked } from './asked.ts'

/**
 * Lets a support call with reach 'companies' act in one company after another. Each company gets its own transaction, committed before the
 * next begins, under that company's row-level security and in the support person's name, with a row in the company's log. The company is
 * found in the call's own transaction: the console has few connections, and calls that each waited for a second one would block each other.
 */
export function entering({ name, call, input }: Asked, context: Context, staff: Tx): Enter {
  const { pools } = context.services
  return async (companyUuid, object, work) => {
    const found = await findCompanyScope(staff, companyUuid)
    if (!found) throw new Refusal('not_found', 'That company was not found.')
    const caller = { ...callerOf(context), ...found }
    const result = await pools.app.transaction().execute(async (tx) => {
      await bindScope(tx, caller.scope)
      const inside: Context = { ...context, caller, tx, staff: null, enter: null, changes: [], counts: {}, about: {} }
      const made = await work(inside)
      const changes = inside.changes.length === 0 ? {} : { changes: inside.changes }
      const detail = { ...detailOf(call, input), ...inside.counts, ...changes }
      await recordAudit(tx, { caller, action: name, object, name: objectName(inside, made, {}), detail })
      return made
    })
    context.ifFails(HALF_DONE)
    return result
  }
}

/** Once the first company's transaction has committed. */
const HALF_DONE =
  'This was done at least in part before it failed. Please look at the list before you try again: what was done stays.'
