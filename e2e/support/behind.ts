import pg from 'pg'
import type { Services } from '../../apps/server/src/api/context.ts'
import { readSecret } from '../../apps/server/src/api/secret/secret.ts'
import { openPools } from '../../apps/server/src/db/database.ts'
import { runningEmbedded } from '../../apps/server/src/db/embedded/embedded.ts'
import { openKeys } from '../../apps/server/src/db/field/key-ring.ts'
import { readLinkSecret } from '../../apps/server/src/features/consent/link/link-secret.queries.ts'
import type { TestServer } from '../../apps/server/test/server.ts'

/**
 * Runs `work` directly on the data of the server under test, with as much of a server as the builders of the server's own tests need.
 * @param dataDir the server's data folder; by default that of the tests
 */
export async function behindServer<T>(
  work: (server: TestServer, services: Services) => Promise<T>,
  dataDir = process.env.E2E_DATA_DIR,
): Promise<T> {
  if (!dataDir) throw new Error('E2E_DATA_DIR is not set: run the tests with "npm run e2e".')
  const ownerUrl = await runningEmbedded(dataDir, 'owner')
  if (!ownerUrl) throw new Error('The database of the server under test is not running.')
  const pools = openPools(ownerUrl, () => {}, 2)
  // What `work` made may ask the database after it: idle connections close by themselves.
  const ownerPool = new pg.Pool({ connectionString: ownerUrl, max: 2, idleTimeoutMillis: 1_000, allowExitOnIdle: true })
  ownerPool.on('error', () => {})
  try {
    const env = { DATA_DIR: dataDir, SECRET: process.env.SECRET }
    const secret = await readSecret(env)
    const services = {
      pools,
      ...{ secret, linkSecret: await readLinkSecret(pools.system, secret), keys: await openKeys(env, pools.system) },
      ...{ now: () => new Date(), publicUrl: () => 'http://localhost' },
      log: { error: (...what: unknown[]) => console.error(...what) },
      sms: { defaultSender: '+61491570006' },
    } as unknown as Services
    return await work({ ownerUrl, ownerPool, services } as unknown as TestServer, services)
  } finally {
    await pools.close()
  }
}
