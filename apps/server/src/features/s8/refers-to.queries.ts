import { sql } from 'kysely'

/**
 * Whether an entry refers to entry `e` and takes effect: a later one about the same product, because a mistyped number must not close another
 * script, that no reversal refers to (domain: open-item.ts).
 */
export const refersTo = (later: 'r' | 's') => {
  const of = (column: string) => sql.ref(`${later}.${column}`)
  return sql`(${of('source')} = e.source and ${of('refers_to')} = e.number and ${of('refers_to')} is not null
    and ${of('product_id')} = e.product_id and ${of('number')} > e.number
    and not exists (select from s8_entry undo where undo.location_id = ${of('location_id')} and undo.source = ${of('source')}
      and undo.refers_to = ${of('number')} and undo.refers_to is not null and undo.product_id = ${of('product_id')}
      and undo.number > ${of('number')} and undo.entry_type = 'reversal'))`
}
