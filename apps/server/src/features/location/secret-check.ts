import type { Services } from '../../api/context.ts'
import { unseal } from '../../api/seal.ts'
import { newestSealedKey } from './location-key.queries.ts'

/**
 * Logs an error if the newest upload key does not open with this process's secret: the secret does not belong to this database, or other
 * processes use a different one.
 */
export async function warnOfSecret({ pools, secret, log }: Pick<Services, 'pools' | 'secret' | 'log'>): Promise<void> {
  const newest = await newestSealedKey(pools.system)
  if (!newest) return
  try {
    unseal(secret, newest.sealed, newest.location, 'upload key')
  } catch {
    log.error(
      'SECRET is not the one that this database was last used with: links in messages that are out, authenticator apps, letters and reports ' +
        'sealed with that one do not work here. Put it back, the same for every process. See docs/operations.md, Keys.',
    )
  }
}
