import { sql } from 'kysely'
import type { Tx } from '../../db/database.ts'

/**
 * Every molecule with an ATC code that the scope's pharmacies have dispensed, by name. Read from the pre-computed metrics, whose
 * financial years reach back as far as cohorts look, so no script is touched.
 */
export async function listMolecules(tx: Tx): Promise<{ molecule: string; atc_code: string }[]> {
  const { rows } = await sql<{ molecule: string; atc_code: string }>`
    with dispensed as (
      select distinct subcategory_id from metric_cell
      where category_id = (select id from category where name = 'Molecule') and period % 100 = 0
        and location_id = any ((select scope_location_ids())::bigint[])
    )
    select distinct on (m.name, m.atc) m.name as molecule, m.atc as atc_code
    from dispensed d join molecule m on m.molecule_id = d.subcategory_id
    where m.atc is not null
    order by m.name, m.atc`.execute(tx)
  return rows
}
