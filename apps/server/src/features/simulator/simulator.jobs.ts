import type { Services } from '../../api/context.ts'
import { reasonOf } from '../../api/log.ts'
import { removeOldTexts, signalDue } from './simulator.queries.ts'

const EVERY_MS = 500
const AT_ONCE = 5_000
const FORGET_EVERY_MS = 3_600_000
/** Longer than a message stays unknown, so that a look-up finds it. */
const KEPT_MS = 7 * 86_400_000

/**
 * Lets the simulated phones speak: turns receipts and replies that are due into gateway events until it is stopped. Runs in
 * every worker process; a failed round is logged and tried again. @returns stops it, once what is in hand is done
 */
export function startSimulator(services: Pick<Services, 'sms' | 'bulkEmail' | 'pools' | 'log'>): () => Promise<void> {
  if (!services.sms.simulated && !services.bulkEmail.simulated) return async () => {}
  let stopping = false
  let timer: NodeJS.Timeout | undefined
  let forgotten = 0
  let round: Promise<void> = Promise.resolve()
  const tell = async () => {
    let told = 0
    try {
      told = await signalDue(services.pools.system, new Date(), AT_ONCE)
      if (Date.now() - forgotten > FORGET_EVERY_MS) {
        await removeOldTexts(services.pools.system, new Date(Date.now() - KEPT_MS))
        forgotten = Date.now()
      }
    } catch (error) {
      if (!stopping)
        services.log.error({ reason: reasonOf(error) }, 'the simulated gateway could not tell its receipts')
    }
    if (!stopping) timer = setTimeout(next, told >= AT_ONCE ? 0 : EVERY_MS)
  }
  const next = () => {
    round = tell()
  }
  next()
  return async () => {
    stopping = true
    clearTimeout(timer)
    await round
  }
}
