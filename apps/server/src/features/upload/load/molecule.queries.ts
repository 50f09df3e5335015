import { sql } from 'kysely'
import type { Database, Tx } from '../../../db/database.ts'
import { categoryId, ensureSubcategories } from '../../metrics/subcategory.queries.ts'
import { UploadFault } from '../read/fault.ts'
import { moleculeOf } from '../read/molecule.ts'
import type { Target } from './load.queries.ts'

const BATCH = 2000
/** More unknown molecules than this in one upload is not a pharmacy's drug list. */
const MAX_NEW = 20_000

interface NewMolecule {
  key: string
  name: string
  atc: string | null
  components: string[]
  chronic: boolean
  drug_type: string
  condition: string
}

/**
 * Redetermines the molecule of staged drugs if the file lacks a deciding column that the stored drug has: uses the stored value, as for any
 * column a file lacks.
 * @param present columns of the file
 */
export async function completeMolecules(tx: Tx, target: Target, present: ReadonlySet<string>): Promise<void> {
  const lacks = { molecule: !present.has('molecule'), atc: !present.has('atc') }
  if (!lacks.molecule && !lacks.atc) return
  const { rows } = await sql<{ id: string; name: string; molecule: string | null; atc: string | null }>`
    select s.drug_id as id, s.name, ${sql.ref(lacks.molecule ? 't.ingredients' : 's.molecule')} as molecule,
           ${sql.ref(lacks.atc ? 't.atc' : 's.atc')} as atc
    from stage_drugs s join drug t on t.location_id = ${target.locationId} and t.source = ${target.source} and t.source_id = s.drug_id
    where not s.faulty and (${lacks.molecule} and t.ingredients is not null or ${lacks.atc} and t.atc is not null)`.execute(
    tx,
  )
  for (let at = 0; at < rows.length; at += BATCH) {
    const found = rows.slice(at, at + BATCH).map(({ id, name, molecule, atc }) => ({
      id,
      ...moleculeOf({ name, molecule: molecule ?? '', atc: atc ?? '' }),
    }))
    await sql`
      update stage_drugs s set mol_key = g.key, mol_name = g.name, mol_atc = g.atc, mol_components = g.components,
        mol_chronic = g.chronic, mol_drug_type = g."drugType", mol_condition = g.condition
      from jsonb_to_recordset(${JSON.stringify(found)}::jsonb)
        as g(id text, key text, name text, atc text, components text[], chronic boolean, "drugType" text, condition text)
      where s.drug_id = g.id`.execute(tx)
  }
}

/**
 * Makes sure every molecule of the staged drugs exists, with its subcategories. All pharmacies share them, so they are committed at once on
 * a separate connection: two loads never wait for each other here. Molecules of a load that is rolled back stay, unused.
 * @throws UploadFault for more than 20,000 unknown molecules
 */
export async function ensureMolecules(tx: Tx, shared: Database): Promise<void> {
  await ensureSubcategories(shared)
  for (let added = 0; ; added += BATCH) {
    const { rows } = await sql<NewMolecule>`
      select distinct on (s.mol_key) s.mol_key as key, s.mol_name as name, s.mol_atc as atc, s.mol_components as components,
             s.mol_chronic as chronic, s.mol_drug_type as drug_type, s.mol_condition as condition
      from stage_drugs s left join molecule m on m.key = s.mol_key
      where not s.faulty and m.key is null order by s.mol_key, s.line limit ${BATCH}`.execute(tx)
    if (rows.length === 0) return
    if (added >= MAX_NEW)
      throw new UploadFault(
        `drugs.csv names more than ${MAX_NEW} molecules that are not known: is this a list of drugs?`,
      )
    await insertMolecules(shared, rows)
  }
}

async function insertMolecules(shared: Database, molecules: readonly NewMolecule[]): Promise<void> {
  const [type, condition, molecule] = (['Drug Type', 'Condition', 'Molecule'] as const).map(categoryId)
  const json = JSON.stringify(molecules)
  await shared.transaction().execute(async (tx) => {
    await sql`
      with given as (select * from jsonb_to_recordset(${json}::jsonb) as g(name text, drug_type text, condition text))
      insert into subcategory (category_id, name)
      select ${sql.lit(type)}, drug_type from given union select ${sql.lit(condition)}, condition from given
      union select ${sql.lit(molecule)}, name from given order by 1, 2
      on conflict do nothing`.execute(tx)
    await sql`
      insert into molecule (key, name, atc, components, chronic, drug_type_id, condition_id, molecule_id)
      select g.key, g.name, g.atc, g.components, g.chronic, t.id, c.id, m.id
      from jsonb_to_recordset(${json}::jsonb)
        as g(key text, name text, atc text, components text[], chronic boolean, drug_type text, condition text)
      join subcategory t on t.category_id = ${sql.lit(type)} and t.name = g.drug_type
      join subcategory c on c.category_id = ${sql.lit(condition)} and c.name = g.condition
      join subcategory m on m.category_id = ${sql.lit(molecule)} and m.name = g.name
      order by g.key on conflict do nothing`.execute(tx)
  })
}
