import { pino } from 'pino'
import { openQueue } from '../../src/api/queue.ts'
import { openPools } from '../../src/db/database.ts'
import { openKeys } from '../../src/db/field/key-ring.ts'
import { readEnv } from '../../src/env.ts'
import { jobs } from '../../src/features/index.ts'
import { recoverUploads } from '../../src/features/upload/upload.jobs.ts'
import { openBreaches } from '../../src/gateways/breaches.ts'
import { openCaptcha } from '../../src/gateways/captcha.ts'
import { disk } from '../../src/gateways/disk.ts'
import { openBulkEmail } from '../../src/gateways/email/bulk-email.ts'
import { openMailer } from '../../src/gateways/email/email.ts'
import { openErrors } from '../../src/gateways/errors.ts'
import { openFiles } from '../../src/gateways/file/files.ts'
import { openPlaces } from '../../src/gateways/places.ts'
import { openSms } from '../../src/gateways/sms/sms.ts'
import { openSuperset } from '../../src/gateways/superset.ts'

/** A worker in a separate process, for tests that kill it. DATABASE_URL and DATA_DIR give its places. */
const env = readEnv(process.env)
const url = env.DATABASE_URL ?? ''
const log = pino({ level: 'silent' })
const pools = openPools(url, () => {}, 6)
const queue = await openQueue(url, jobs, log)
const secret = Buffer.alloc(32, 7)
const services = {
  env,
  pools,
  queue,
  log,
  mail: openMailer(env),
  sms: openSms(env, pools),
  bulkEmail: openBulkEmail(env, pools),
  ai: null,
  captcha: openCaptcha(env, secret),
  breaches: openBreaches(env, log),
  places: openPlaces(env),
  superset: openSuperset(env),
  disk,
  files: await openFiles(env),
  errors: openErrors(env, pools, log),
  now: () => new Date(),
  secret,
  linkSecret: secret,
  keys: await openKeys(env, pools.system),
  publicUrl: () => 'http://localhost',
}
process.stdout.write('working\n')
await queue.work(jobs, services)
await recoverUploads(services)
