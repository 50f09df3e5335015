import { setTimeout as sleep } from 'node:timers/promises'
import { openPools } from '../../src/db/database.ts'
import { openKeys } from '../../src/db/field/key-ring.ts'
import { sweepFields } from '../../src/db/field/sweep.ts'
import { readEnv } from '../../src/env.ts'
import { fillContacts } from '../../src/features/cohort/fill-contacts.jobs.ts'

/**
 * Reseals fields, or with `fill` seals what was stored before, in a separate process, for tests that kill it. DATABASE_URL and DATA_DIR
 * give its places.
 */
const env = readEnv(process.env)
const pools = openPools(env.DATABASE_URL ?? '', () => {}, 4)
const keys = await openKeys(env, pools.system)
process.stdout.write('working\n')
// While an earlier transaction is still running, nothing is filled.
const fill = async () => {
  while (!(await fillContacts({ pools, keys }))) await sleep(20)
}
await (process.argv[2] === 'fill' ? fill() : sweepFields(pools, keys))
process.stdout.write('through\n')
await pools.close()
