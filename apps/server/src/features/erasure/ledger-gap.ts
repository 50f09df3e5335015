import type { Services } from '../../api/context.ts'
import { inScope } from '../../db/scope.ts'
import { companyScope } from './erase.queries.ts'
import { addToLedger, ledgerFile, readLedger } from './erasure-ledger.ts'
import { everyErasure, type KnownErasure, keysOfErasure, lockLedger } from './ledger-gap.queries.ts'

type Needs = Pick<Services, 'pools' | 'secret'> & { env: Pick<Services['env'], 'DATA_DIR'> }

/**
 * Erasures the database knows but this DATA_DIR's ledger lacks: restoring an older backup would bring these people back unnoticed.
 * @throws Error if the ledger was altered; the database's errors
 */
export async function missingInLedger({ pools, secret, env }: Needs): Promise<KnownErasure[]> {
  const known = new Set((await readLedger(env.DATA_DIR, secret)).map(({ uuid }) => uuid))
  return (await everyErasure(pools.system)).filter(({ uuid }) => !known.has(uuid))
}

/**
 * Adds the database's erasures that the ledger lacks. @returns a sentence about it; null if the ledger was complete
 * @throws Error if the ledger was altered, or cannot be written
 */
export async function completeLedger(needs: Needs): Promise<string | null> {
  const { pools, secret, env } = needs
  if ((await missingInLedger(needs)).length === 0) return null
  const added = await pools.system.transaction().execute(async (tx) => {
    await lockLedger(tx)
    const missing = await missingInLedger(needs)
    for (const { uuid, at, company, reason } of missing) {
      const scope = await companyScope(tx, company)
      if (!scope) throw new Error(`The company ${company} went while its erasures were added to the ledger. Try again.`)
      const keys = await inScope(pools.app, scope, (own) => keysOfErasure(own, uuid))
      await addToLedger(env.DATA_DIR, secret, { uuid, at: at.toISOString(), company, reason, ...keys })
    }
    return missing.length
  })
  if (added === 0) return null
  return (
    `${ledgerFile(env.DATA_DIR)} lacked ${added} of the erasures that the database knows. They were added from it. If no other machine ` +
    'erases with a DATA_DIR of its own, an older file was put in its place or lines were lost: see docs/operations.md, Erasing a person.'
  )
}
