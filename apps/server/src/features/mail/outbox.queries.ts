import type { Services } from '../../api/context.ts'
import { hasDemo } from '../session/portal.queries.ts'

/** Whether kept emails are shown: as OUTBOX says, otherwise with the demo network; never with a mail server. */
export async function hasOutbox({ env, mail, pools }: Services): Promise<boolean> {
  if (!mail.kept) return false
  if (env.OUTBOX) return env.OUTBOX === 'on'
  return env.DEMO !== 'none' && (await hasDemo(pools.system))
}
