import type { Services } from './api/context.ts'
import { collationChange, collationWarning } from './api/health/collation.queries.ts'
import { connectionWarning, roomOf } from './api/health/room.queries.ts'
import { openQueue } from './api/queue.ts'
import { Replica } from './api/replica/replica.ts'
import { readSecret } from './api/secret/secret.ts'
import type { Clock } from './db/clock.ts'
import type { Pools } from './db/database.ts'
import type { EmbeddedDatabase } from './db/embedded/embedded.ts'
import { openLoggedKeys } from './db/field/logged-keys.ts'
import type { Env } from './env.ts'
import { readLinkSecret } from './features/consent/link/link-secret.queries.ts'
import { jobs } from './features/index.ts'
import { openAi } from './gateways/ai-service.ts'
import { openBreaches } from './gateways/breaches.ts'
import { openCaptcha } from './gateways/captcha.ts'
import { disk } from './gateways/disk.ts'
import { openBulkEmail } from './gateways/email/bulk-email.ts'
import { openMailer } from './gateways/email/email.ts'
import { openErrors } from './gateways/errors.ts'
import { openFiles } from './gateways/file/files.ts'
import { openPlaces } from './gateways/places.ts'
import { reporting } from './gateways/report.ts'
import { openSms } from './gateways/sms/sms.ts'
import { openSuperset } from './gateways/superset.ts'

interface Opened {
  env: Env
  log: Services['log']
  database: EmbeddedDatabase
  pools: Pools
  clock: Clock
  /** Where people reach Pillar: known for good once it listens. */
  address: { readonly public: string }
  stopping: AbortSignal
}

/** Opens whatever requests and jobs use: keys, the queue, the replica, and the gateways to the outside. */
export async function openServices({ env, log, database, pools, clock, address, stopping }: Opened): Promise<Services> {
  const queue = await openQueue(database.url, jobs, log, env.ROLE !== 'web')
  const tight = connectionWarning(pools, await roomOf(pools.system))
  if (tight) log.warn(tight)
  const sorted = collationWarning(await collationChange(pools.system))
  if (sorted) log.error(sorted)
  const secret = await readSecret(env)
  const keys = await openLoggedKeys(env, pools, log)
  return {
    env,
    pools,
    replica: await Replica.open(env, pools, log),
    queue,
    log,
    errors: openErrors(env, pools, log),
    mail: openMailer(env),
    sms: reporting(openSms(env, pools, clock.now), log),
    bulkEmail: reporting(openBulkEmail(env, pools, clock.now), log),
    ai: openAi(env),
    captcha: openCaptcha(env, secret),
    breaches: openBreaches(env, log),
    places: openPlaces(env),
    superset: openSuperset(env),
    disk,
    files: await openFiles(env),
    now: clock.now,
    clockSkew: clock.skew,
    readClock: clock.read,
    steadyFor: clock.steadyFor,
    secret,
    linkSecret: await readLinkSecret(pools.system, secret),
    keys,
    publicUrl: () => address.public,
    stopping,
    databaseTrouble: database.trouble,
  }
}
