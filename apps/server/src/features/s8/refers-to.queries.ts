import { sql } from 'kysely'

/**
 * Whether an entry refers to entry `e`: a later one about the same product, because a mistyped number must not close another script (domain:
 * open-item.ts).
 */
export const refersTo = (later: 'r' | 's') => {
  const of = (column: string) => sql.ref(`${later}.${column}`)
  return sql`(${of('source')} = e.source and ${of('refers_to')} = e.number and ${of('refers_to')} is not null
    and ${of('product_id')} = e.product_id and ${of('number')} > e.number)`
}
