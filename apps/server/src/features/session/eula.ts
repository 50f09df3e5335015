import type { contract } from '@pillar/contract'
import { EULA_VERSION } from '@pillar/domain/access/eula'
import { recordAudit } from '../../api/audit.ts'
import { callerOf, type HandlersOf } from '../../api/context.ts'
import { agree } from './eula.queries.ts'

/** Records a signed-in person's agreement to the End User License Agreement: version, person and time, once per version. */
export const confirmEula: HandlersOf<typeof contract.session>['confirmEula'] = async (_input, context) => {
  const { services } = context
  const caller = callerOf(context)
  return services.pools.system.transaction().execute(async (tx) => {
    const { at, fresh } = await agree(tx, caller.loginId, EULA_VERSION, services.now())
    const detail = { version: EULA_VERSION }
    if (fresh) await recordAudit(tx, { caller, action: 'session.confirmEula', object: null, detail })
    return { portal_eula: true, version: EULA_VERSION, agreed_at: at.toISOString() }
  })
}
