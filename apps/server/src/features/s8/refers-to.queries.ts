import { sql } from 'kysely'

/**
 * Whether an entry refers to entry `e` and takes effect: a later one about the same product, because a mistyped number must not close another
 * script, that no reversal undoes, unless that was itself reversed (domain: open-item.ts).
 */
export const refersTo = (later: 'r' | 's') => sql`(${names(later, 'e')}
  and not exists (select from s8_entry undo where ${reverses('undo', later)}
    and not exists (select from s8_entry redo where ${reverses('redo', 'undo')})))`

const of = (entry: string, column: string) => sql.ref(`${entry}.${column}`)

/** Whether a later entry names an earlier one of the same product. */
const names = (later: string, earlier: string) => sql`
  ${of(later, 'source')} = ${of(earlier, 'source')} and ${of(later, 'product_id')} = ${of(earlier, 'product_id')}
  and ${of(later, 'refers_to')} = ${of(earlier, 'number')} and ${of(later, 'refers_to')} is not null
  and ${of(later, 'number')} > ${of(earlier, 'number')}`

const reverses = (later: string, earlier: string) => sql`
  ${of(later, 'location_id')} = ${of(earlier, 'location_id')} and ${names(later, earlier)} and ${of(later, 'entry_type')} = 'reversal'`

/** A person other than the signer: two names, compared without case and blanks. */
export const differs = (one: string, other: string) =>
  sql`lower(trim(${sql.ref(one)})) <> lower(trim(${sql.ref(other)})) and trim(${sql.ref(other)}) <> ''`
