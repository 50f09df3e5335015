import { setTimeout as sleep } from 'node:timers/promises'
import { openPools } from '../../src/db/database.ts'
import { openKeys } from '../../src/db/field/key-ring.ts'
import { sweepFields } from '../../src/db/field/sweep.ts'
import { readEnv } from '../../src/env.ts'
import { fillContacts } from '../../src/features/cohort/fill-contacts.jobs.ts'

/** Seals fields again, or with `fill` what was stored before, in a process of its own, for tests that kill it. DATABASE_URL and DATA_DIR say where. */
const env = readEnv(process.env)
const pools = openPools(env.DATABASE_URL ?? '', () => {}, 4)
const keys = await openKeys(env, pools.system)
process.stdout.write('working\n')
// As long as somebody is at work who began before, it is not filled.
const fill = async () => {
  while (!(await fillContacts({ pools, keys }))) await sleep(20)
}
await (process.argv[2] === 'fill' ? fill() : sweepFields(pools, keys))
process.stdout.write('through\n')
await pools.close()
