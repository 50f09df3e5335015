import { type Database, openPools } from '../db/database.ts'
import { runningEmbedded } from '../db/embedded.ts'
import { readEnv } from '../env.ts'

/** Runs `work` on the sign-in side of the database: DATABASE_URL, else the one of the Pillar running from DATA_DIR. */
export async function asSystem<T>(work: (system: Database) => Promise<T>): Promise<T> {
  const env = readEnv(process.env)
  const url = env.DATABASE_URL ?? (await runningEmbedded(env.DATA_DIR))
  if (!url) throw new Error('No database found: start Pillar first ("npm start"), or set DATABASE_URL or DATA_DIR.')
  const pools = openPools(url, () => {}, 1)
  try {
    return await work(pools.system)
  } finally {
    await pools.close()
  }
}

/** Whether the database refused a row because one of that name is there already. */
export const isTaken = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === '23505'

/** Runs a command of the terminal: a failure prints one sentence and exits with code 2. */
export async function command(main: () => Promise<void>): Promise<void> {
  try {
    await main()
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`)
    process.exit(2)
  }
}
