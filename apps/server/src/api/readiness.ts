import { sql } from 'kysely'
import type { Database } from '../db/database.ts'
import { schemaIsOurs } from '../db/migrate.ts'
import type { Services } from './context.ts'

/** Callers of /readyz wait no longer than a few seconds themselves. */
const ANSWER_MS = 3_000

/**
 * Lists in sentences what this process lacks to do its work; empty when it is ready. Concurrent callers share one check, so asking often
 * costs nothing.
 */
export function readinessOf(services: Services): () => Promise<string[]> {
  let looking: Promise<string[]> | null = null
  return () => {
    looking ??= look(services).finally(() => {
      looking = null
    })
    return looking
  }
}

async function look(services: Services): Promise<string[]> {
  const trouble = services.databaseTrouble?.()
  if (trouble) return [trouble]
  const found = await Promise.all([
    inTime(schemaIsOurs(services.pools.system)).then(
      (ours) => (ours ? null : 'The database lacks migrations of this version: restart it.'),
      silenceOf('The database does not answer.'),
    ),
    inTime(canOnlyBeRead(services.pools.system)).then(
      (only) => (only ? 'The database can only be read: it is a standby, or was set so.' : null),
      () => null,
    ),
    inTime(services.queue.check()).then(() => null, silenceOf('The job queue does not answer.')),
  ])
  return [...new Set(found.filter((sentence) => sentence !== null))]
}

/** The sentence for a service that did not answer. A process out of file handles could not even ask it. */
function silenceOf(sentence: string): (error: unknown) => string {
  return (error) => {
    const { code, cause } = error as NodeJS.ErrnoException
    const full = [code, (cause as NodeJS.ErrnoException | undefined)?.code].some((one) => /^E[MN]FILE$/.test(one ?? ''))
    return full
      ? 'This process has as many files and connections open as it may: raise its limit (ulimit -n).'
      : sentence
  }
}

async function canOnlyBeRead(system: Database): Promise<boolean> {
  const { rows } = await sql<{ only: boolean }>`select current_setting('transaction_read_only')::bool as only`.execute(
    system,
  )
  return rows[0]?.only === true
}

async function inTime<T>(answer: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, failed) => {
    timer = setTimeout(() => failed(new Error('no answer in time')), ANSWER_MS)
  })
  try {
    return await Promise.race([answer, late])
  } finally {
    clearTimeout(timer)
  }
}
