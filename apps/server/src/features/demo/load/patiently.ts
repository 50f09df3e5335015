import type { Services } from '../../../api/context.ts'
import { DatabaseAway } from '../../../db/away.ts'

const WAITS_MS = [2_000, 4_000, 8_000, 16_000] as const

/**
 * Makes the demo network, and resumes it if the database was lost meanwhile, as the next start would. If Pillar is stopped meanwhile, what
 * fails because the database is closed is no failed start: the next one goes on from there.
 * @returns null if Pillar was stopped before it was done
 * @throws whatever else `make` throws, also the fifth loss of the database
 */
export async function patiently<T>(
  { stopping, log }: Pick<Services, 'stopping' | 'log'>,
  make: () => Promise<T>,
  waits: readonly number[] = WAITS_MS,
): Promise<T | null> {
  for (let tries = 0; ; tries++) {
    try {
      return await make()
    } catch (error) {
      if (stopping?.aborted) return null
      const wait = waits[tries]
      if (!(error instanceof DatabaseAway) || wait === undefined) throw error
      log.warn({ reason: error.message }, 'the demo network waits for the database')
      await new Promise((done) => setTimeout(done, wait))
    }
  }
}
