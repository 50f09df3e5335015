import type { Services } from '../../api/context.ts'
import { repeat } from '../../api/repeat.ts'
import { removeOldTexts, signalDue } from './simulator.queries.ts'

const EVERY_MS = 500
const AT_ONCE = 5_000
const FORGET_EVERY_MS = 3_600_000
/** Longer than a message stays unknown, so that a look-up finds it. */
const KEPT_MS = 7 * 86_400_000

/**
 * Runs the simulated phones: turns due receipts and replies into gateway events until it is stopped. Runs in every worker process; a failed
 * round is logged and tried again. @returns stops it, once the current work is done
 */
export function startSimulator(
  services: Pick<Services, 'sms' | 'bulkEmail' | 'pools' | 'log' | 'now'>,
): () => Promise<void> {
  if (!services.sms.simulated && !services.bulkEmail.simulated) return async () => {}
  let forgotten = 0
  return repeat(services, 'the simulated gateway could not tell its receipts', EVERY_MS, async () => {
    const reported = await signalDue(services.pools.system, services.now(), AT_ONCE)
    if (Date.now() - forgotten > FORGET_EVERY_MS) {
      await removeOldTexts(services.pools.system, new Date(services.now().getTime() - KEPT_MS))
      forgotten = Date.now()
    }
    return reported >= AT_ONCE
  })
}
