import { findSecret } from '../api/secret.ts'
import { openPools } from '../db/database.ts'
import { runningEmbedded } from '../db/embedded.ts'
import { openKeys } from '../db/field/key-ring.ts'
import { refuseOldSchema } from '../db/migrate.ts'
import { readEnv } from '../env.ts'
import { eraseAgain } from '../features/erasure/erase.ts'
import { completeLedger } from '../features/erasure/ledger-gap.ts'
import { openFiles } from '../gateways/file/files.ts'
import { command } from './command.ts'

/**
 * npm run re-erase: does every erasure of DATA_DIR/erasure again that the database does not know of, as every start of Pillar does: for a
 * database that was restored while Pillar ran, or before it starts. What the ledger lacks of the database's erasures is added to it.
 */
await command(async () => {
  const env = readEnv(process.env)
  const secret = await findSecret(env)
  if (!secret)
    throw new Error('The key of this installation was not found: set DATA_DIR or SECRET as Pillar itself has it.')
  const url = env.DATABASE_URL ?? (await runningEmbedded(env.DATA_DIR))
  if (!url) throw new Error('No database found: start Pillar first ("npm start"), or set DATABASE_URL or DATA_DIR.')
  const pools = openPools(url, () => {}, 2)
  try {
    await refuseOldSchema(pools.system)
    const needs = { pools, env, secret }
    const { erasures, records } = await eraseAgain({
      ...needs,
      keys: await openKeys(env, pools.system),
      files: await openFiles(env),
      now: () => new Date(),
      log: { error: (about, what) => void process.stderr.write(`${what}: ${JSON.stringify(about)}\n`) },
    })
    process.stdout.write(
      erasures === 0
        ? 'The database knows every erasure of the ledger: nothing to do.\n'
        : `Erased again: ${erasures} people, ${records} records.\n`,
    )
    const told = await completeLedger(needs)
    if (told) process.stdout.write(`${told}\n`)
  } finally {
    await pools.close()
  }
})
