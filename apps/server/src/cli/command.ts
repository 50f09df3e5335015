import { readFile } from 'node:fs/promises'
import { endOnSignals, outliveReader } from '../api/ending.ts'
import { findSecret } from '../api/secret/secret.ts'
import { refuseAway, sentenceOf } from '../db/away.ts'
import { type Database, openPools, type Pools } from '../db/database.ts'
import { runningEmbedded } from '../db/embedded/embedded.ts'
import { type Env, readEnv } from '../env.ts'

export const say = (line: string): void => void process.stdout.write(`${line}\n`)

/** Runs `work` on the database: DATABASE_URL, otherwise that of the Pillar running from DATA_DIR. @param connections of each pool */
export async function withPools<T>(connections: number, work: (pools: Pools, env: Env) => Promise<T>): Promise<T> {
  const env = readEnv(process.env)
  await refuseAway({ DATABASE_URL: env.DATABASE_URL, MIGRATE: 'off' })
  const url = env.DATABASE_URL ?? (await runningEmbedded(env.DATA_DIR))
  if (!url)
    throw new Error(
      'No database found: start Pillar first ("npm start"; after a restore with ROLE=web), or set DATABASE_URL or DATA_DIR.',
    )
  const pools = openPools(url, () => {}, connections)
  try {
    return await work(pools, env)
  } finally {
    await pools.close()
  }
}

/** Runs `work` only on the sign-in side of the database. */
export const asSystem = <T>(work: (system: Database) => Promise<T>): Promise<T> =>
  withPools(1, ({ system }) => work(system))

/** The key of this installation. @throws Error if this command cannot see one */
export async function secretOf(env: Env): Promise<Buffer> {
  const secret = await findSecret(env)
  if (!secret)
    throw new Error('The key of this installation was not found: set DATA_DIR or SECRET as Pillar itself has it.')
  return secret
}

/** The text of a file named on the command line. @throws Error saying why it cannot be read */
export const textOf = (file: string): Promise<string> =>
  readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new Error(error.code === 'ENOENT' ? `There is no file ${file}.` : `${file} cannot be read: ${error.message}`)
  })

/** True of every command whose work is one transaction, or a transaction for each piece that a second run skips. */
const INTERRUPTED = 'Nothing is left half done; run the same command again to finish.'

/**
 * Runs a terminal command: a failure prints one sentence and exits with code 2. Ctrl+C, or another signal, also prints one, and exits with
 * the code that shells give it; PostgreSQL rolls back what had not committed. With --help it only prints its usage.
 * @param usage how to call it, and what it does
 * @param interrupted what a signal leaves, and what to do then
 */
export async function command(usage: string, main: () => Promise<void>, interrupted = INTERRUPTED): Promise<void> {
  outliveReader()
  endOnSignals(interrupted)
  if (process.argv.slice(2).some((word) => word === '--help' || word === '-h')) return say(usage)
  try {
    await main()
  } catch (error) {
    process.stderr.write(`${sentenceOf(error)}\n`)
    process.exit(2)
  }
}
