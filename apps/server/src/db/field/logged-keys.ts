import type { Env } from '../../env.ts'
import type { Pools } from '../database.ts'
import type { AlteredValue } from './altered.ts'
import { type Keys, openKeys } from './key-ring.ts'
import { keyStatus } from './rotation.ts'

interface Log {
  error: (value: AlteredValue, what: string) => void
  warn: (what: string) => void
}

/** The keys of sealed columns for a process that has a log: it logs values that do not open, and contacts that are still plain. */
export async function openLoggedKeys(env: Env, { system }: Pools, log: Log): Promise<Keys> {
  const keys = await openKeys(env, system, (value) => log.error(value, 'a sealed value does not open'))
  if ((await keyStatus(env, system)).contacts === 'plain')
    log.warn('numbers and email addresses of patients are not all sealed: see "npm run keys"')
  return keys
}
