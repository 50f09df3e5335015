import type { PossibleNames } from '@pillar/domain/text/identifier'
import { sql } from 'kysely'
import type { Tx } from '../../db/database.ts'

/**
 * The first of the possible names that a patient of the scope's pharmacies has: a first and a last name together, or a last name after a
 * title. Names of several words match by each of their words. Lower case; null if none matches.
 */
export async function findPatientName(tx: Tx, { pairs, titled }: PossibleNames): Promise<string | null> {
  if (pairs.length === 0 && titled.length === 0) return null
  const firsts = pairs.map(([first]) => first)
  const lasts = pairs.map(([, last]) => last)
  const { rows } = await sql<{ name: string }>`
    with patients as materialized (
      select lower(first_name) as first, lower(last_name) as last from patient
      where not fake and (lower(last_name) = any (${[...lasts, ...titled]}::text[]) or last_name ~ '[ -]')
        and (lower(first_name) = any (${firsts}::text[]) or first_name ~ '[ -]' or lower(last_name) = any (${[...titled]}::text[]))
    )
    select g.first || ' ' || g.last as name
    from patients p join unnest(${firsts}::text[], ${lasts}::text[]) as g(first, last)
      on (p.first = g.first or g.first = any (string_to_array(translate(p.first, '-', ' '), ' ')))
     and (p.last = g.last or g.last = any (string_to_array(translate(p.last, '-', ' '), ' ')))
    union all
    select t.last from patients p join unnest(${[...titled]}::text[]) as t(last) on p.last = t.last
    limit 1`.execute(tx)
  return rows[0]?.name ?? null
}
