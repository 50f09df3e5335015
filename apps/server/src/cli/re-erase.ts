import { parseArgs } from 'node:util'
import { openKeys } from '../db/field/key-ring.ts'
import { refuseOldSchema } from '../db/migrate.ts'
import { eraseAgain } from '../features/erasure/erase.ts'
import { completeLedger } from '../features/erasure/ledger-gap.ts'
import { openFiles } from '../gateways/file/files.ts'
import { command, say, secretOf, withPools } from './command.ts'

const USAGE = `npm run re-erase
Does every erasure of DATA_DIR/erasure again that the database does not know of, as every start of Pillar does: for a database that was
restored while Pillar ran, or before it starts. What the ledger lacks of the database's erasures is added to it.
The database is DATABASE_URL, else the one of the Pillar running from DATA_DIR.`

await command(USAGE, () => {
  parseArgs({ options: {} })
  return withPools(2, async (pools, env) => {
    const secret = await secretOf(env)
    await refuseOldSchema(pools.system)
    const needs = { pools, env, secret }
    const { erasures, records } = await eraseAgain({
      ...needs,
      keys: await openKeys(env, pools.system),
      files: await openFiles(env),
      now: () => new Date(),
      log: { error: (about, what) => void process.stderr.write(`${what}: ${JSON.stringify(about)}\n`) },
    })
    say(
      erasures === 0
        ? 'The database knows every erasure of the ledger: nothing to do.'
        : `Erased again: ${erasures} people, ${records} records.`,
    )
    const problem = await completeLedger(needs)
    if (problem) say(problem)
  })
})
