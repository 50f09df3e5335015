import type { Call } from '@pillar/contract'
import { DEEP } from '../deep.ts'
import type { TestServer } from '../server.ts'

/** Restores what support's calls have just removed or ended, so that later calls find their objects. */
export async function bringBack(server: TestServer, call: Call): Promise<void> {
  if (call.kind === 'read' || call.reach === undefined) return
  const { system } = server.services.pools
  await system.updateTable('location').set({ removed_at: null }).where('removed_at', 'is not', null).execute()
  await system
    .updateTable('location_key')
    .set({ ends_at: new Date('2999-01-01') })
    .where('ends_at', 'is not', null)
    .execute()
}

/** At the deep size a test takes about an hour, so it reports its progress. */
export function tell(test: string, name: string): void {
  if (DEEP) process.stderr.write(`${new Date().toISOString()} ${test} ${name}\n`)
}
