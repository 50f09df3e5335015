import { randomInt } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../../db/database.ts'

/** Entries read at once. */
const PAGE = 100_000
/** Bytes of a packed entry: its number, a hash of its product, and the change in quantity; of a balance: its number and what is left. */
const ENTRY_BYTES = 24
const BALANCE_BYTES = 16

/** The last place read: sources and numbers ascend. */
interface Place {
  source: string
  number: bigint
}

/**
 * Whether every balance shown for a pharmacy's register is the sum of its entries. Rows arrive packed as bytes and are added up here, in
 * hundredths, in a third of the time the database takes to sort and join them. Products are distinguished by a hash with a new seed each
 * time.
 */
export async function balancesAddUp(tx: Tx, locationId: number): Promise<boolean> {
  const seed = randomInt(2 ** 47)
  const left = new Map<bigint, number>()
  let after: Place = { source: '', number: -(2n ** 63n) }
  for (;;) {
    const entries = await page(
      tx,
      sql`select source, number, int8send(number) || int8send(hashtextextended(source, ${seed}) # hashtextextended(product_id, ${seed + 1}))
        || int8send(((quantity_in - quantity_out) * 100)::bigint) as packed from s8_entry`,
      locationId,
      after,
    )
    const balances = await page(
      tx,
      sql`select source, number, int8send(number) || int8send((balance * 100)::bigint) as packed from s8_balance`,
      locationId,
      after,
    )
    const count = entries.packed.length / ENTRY_BYTES
    if (balances.packed.length / BALANCE_BYTES !== count) return false
    for (let at = 0; at < count; at++) if (!addsUp(left, entries.packed, balances.packed, at)) return false
    if (count < PAGE) return true
    after = { source: entries.source, number: entries.packed.readBigInt64BE((count - 1) * ENTRY_BYTES) }
  }
}

/** Applies an entry to the product's quantity, and compares with the balance at the same place. */
function addsUp(left: Map<bigint, number>, entries: Buffer, balances: Buffer, at: number): boolean {
  const [entry, balance] = [at * ENTRY_BYTES, at * BALANCE_BYTES]
  const product = entries.readBigInt64BE(entry + 8)
  const now = (left.get(product) ?? 0) + Number(entries.readBigInt64BE(entry + 16))
  left.set(product, now)
  const sameNumber = entries.readBigInt64BE(entry) === balances.readBigInt64BE(balance)
  return sameNumber && Number(balances.readBigInt64BE(balance + 8)) === now
}

/** Rows after a place, packed one after another in order of source and number, and the last one's source. */
async function page(tx: Tx, rows: RawBuilder<unknown>, locationId: number, after: Place) {
  const { rows: found } = await sql<{ packed: Buffer | null; source: string | null }>`
    select string_agg(packed, ''::bytea) as packed, max(source) as source from (
      ${rows} where location_id = ${locationId} and (source, number) > (${after.source}, ${String(after.number)}::bigint)
      order by source, number limit ${sql.lit(PAGE)}
    ) p`.execute(tx)
  return { packed: found[0]?.packed ?? Buffer.alloc(0), source: found[0]?.source ?? '' }
}
