import type { Tx } from '../../../db/database.ts'
import { addStatus, keepContradictions } from './evidence.queries.ts'
import { addUpBalances, refreshAttention, refreshProducts, refreshSummary } from './register-derive.queries.ts'
import {
  appendEntries,
  beginRegister,
  countStored,
  mergeProducts,
  type RegisterTarget,
  readSent,
  unknownProducts,
} from './register-merge.queries.ts'

/** From this many new entries on, the table's statistics are updated. */
const BULK = 10_000

/** The result of a register's upload. */
export interface RegisterLoaded {
  added: number
  /** Entries sent again with different content: stored beside the first. */
  contradicted: number
  /** Entries of unknown products, which are faulty. */
  unknown: { count: number; first: { line: number; value: string }[] }
}

/**
 * Merges the staged sets of a pharmacy's register: products, entries at the end of its chain, counts; then derives everything that follows.
 * In whatever order and pieces entries arrive, the result is that of all of them.
 * @param staged the columns of each staged set
 */
export async function mergeRegister(
  tx: Tx,
  target: RegisterTarget,
  staged: ReadonlyMap<string, ReadonlySet<string>>,
): Promise<RegisterLoaded> {
  await beginRegister(tx)
  const products = staged.get('s8_products')
  if (products) await mergeProducts(tx, target, products)
  const loaded: RegisterLoaded = { added: 0, contradicted: 0, unknown: { count: 0, first: [] } }
  if (staged.has('s8_transactions')) {
    loaded.unknown = await unknownProducts(tx, target)
    await readSent(tx, target)
    loaded.added = await appendEntries(tx, target)
    loaded.contradicted = await keepContradictions(tx, target)
    await addUpBalances(tx, target)
    if (loaded.added >= BULK) await countStored(tx)
    await refreshProducts(tx, target)
  }
  if (staged.has('s8_status')) await addStatus(tx, target)
  await refreshAttention(tx, target)
  await refreshSummary(tx, target)
  return loaded
}
