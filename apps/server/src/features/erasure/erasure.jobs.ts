import type { Services } from '../../api/context.ts'
import { repeat } from '../../api/repeat.ts'
import { eraseAgain } from './erase.ts'
import { completeLedger } from './ledger-gap.ts'

const LOOK_EVERY_MS = 600_000

/**
 * Before anything is served or sent, erases again the people a restored backup brought back. Then, and every ten minutes, completes
 * erasures whose commit failed after their line was written, and adds to DATA_DIR's ledger any of the database's erasures it lacks, with a
 * log line.
 * @returns stops the latter
 * @throws Error if the ledger was altered
 */
export async function startErasures(services: Services, say: (line: string) => void): Promise<() => Promise<void>> {
  const again = await eraseAgain(services)
  if (again.erasures > 0) say(`Erased again after a restore: ${again.erasures} people, ${again.records} records`)
  return repeat(services, 'the erasure ledger could not be held against the database', LOOK_EVERY_MS, () =>
    lookAgain(services),
  )
}

/** One round: see `startErasures`. */
export async function lookAgain(services: Services): Promise<void> {
  const late = await eraseAgain(services)
  if (late.erasures > 0) services.log.warn(late, 'erasures that stood in the ledger alone are completed')
  const problem = await completeLedger(services)
  if (problem) services.log.error(problem)
}
