import { capital } from '@pillar/domain/text/sentence'
import { sql } from 'kysely'
import type { Tx } from '../../db/database.ts'
import { moleculeNames } from '../metrics/molecule-names.ts'
import { categoryId } from '../metrics/subcategory.queries.ts'

/**
 * Every molecule with an ATC code that the scope's pharmacies have dispensed, by name. Read from the figures of whole financial years that
 * exist for each pharmacy, so that no script is read.
 */
export async function listMolecules(tx: Tx): Promise<{ molecule: string; atc_code: string }[]> {
  const { rows } = await sql<{ molecule: string; atc_code: string }>`
    with years as materialized (select distinct location_id, period from metric_total where period % 100 = 0
                   and location_id = any ((select scope_location_ids())::bigint[])),
    dispensed as materialized (
      select distinct c.subcategory_id from years y
      join metric_cell c on c.location_id = y.location_id and c.period = y.period and c.category_id = ${categoryId('Molecule')}
    )
    select distinct m.name as molecule, m.atc as atc_code
    from dispensed d join molecule m on m.molecule_id = d.subcategory_id
    where m.atc is not null
    order by m.name, m.atc`.execute(tx)
  return rows
}

/** The reference list's molecules that are not among the dispensed ones. */
export function otherNames(dispensed: readonly { atc_code: string }[]): { molecule: string; atc_code: string }[] {
  const listed = new Set(dispensed.map(({ atc_code }) => atc_code))
  return [...moleculeNames.nameOf].flatMap(([atc_code, name]) =>
    listed.has(atc_code) ? [] : { molecule: capital(name), atc_code },
  )
}
