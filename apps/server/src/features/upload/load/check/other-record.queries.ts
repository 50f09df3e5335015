import { sql } from 'kysely'
import type { Tx } from '../../../../db/database.ts'
import { namedBy, type Target } from '../load.queries.ts'

const DAY_SECONDS = 86_400

/** Staged rows whose id is stored, and those of them that are about somebody or something else. */
export interface Compared {
  known: number
  other: number
}

const LETTERS = (name: string) => sql`nullif(lower(regexp_replace(${sql.ref(name)}, '[^[:alpha:]]', '', 'g')), '')`

/**
 * Compares staged patients with those stored under the same id, where both have names and a date of birth: another person has another date
 * of birth, another first name and another family name. A correction or a marriage changes one or two of these.
 */
export async function comparePatients(tx: Tx, target: Target): Promise<Compared> {
  const named = await namedBy(tx, 'stage_patients', 'patient_id')
  const differs = (name: string) => sql`${LETTERS(`s.${name}`)} <> ${LETTERS(`t.${name}`)}`
  const { rows } = await sql<Compared>`
    with t as materialized (
      select source_id, date_of_birth, first_name, last_name from patient
      where location_id = ${target.locationId} and source = ${target.source} and date_of_birth is not null ${named}
    )
    select count(*)::int as known, count(*) filter (where s.date_of_birth <> t.date_of_birth
      and ${differs('first_name')} and ${differs('last_name')})::int as other
    from stage_patients s join t on t.source_id = s.patient_id where not s.faulty and s.date_of_birth is not null`.execute(
    tx,
  )
  return rows[0] ?? { known: 0, other: 0 }
}

/**
 * Compares staged drugs with those stored under the same id: another one has another name, and both are known medicines without a common
 * ingredient. A change of brand, or a correction of name or molecule, is neither. Once the staged molecules are known.
 */
export async function compareDrugs(tx: Tx, target: Target): Promise<Compared> {
  const named = await namedBy(tx, 'stage_drugs', 'drug_id')
  const { rows } = await sql<Compared>`
    with t as materialized (
      select source_id, name, molecule_id from drug
      where location_id = ${target.locationId} and source = ${target.source} ${named}
    )
    select count(*)::int as known, count(*) filter (where ${LETTERS('s.name')} <> ${LETTERS('t.name')}
      and s.mol_atc is not null and m.atc is not null and not m.components && s.mol_components)::int as other
    from stage_drugs s join t on t.source_id = s.drug_id join molecule m on m.id = t.molecule_id where not s.faulty`.execute(
    tx,
  )
  return rows[0] ?? { known: 0, other: 0 }
}

/** Compares staged scripts with those stored under the same id: another script is of another patient and another day. Once they are merged. */
export async function compareScripts(tx: Tx): Promise<Compared> {
  const { rows } = await sql<Compared>`
    select (select count(*) from resolved_script)::int - count(*) filter (where is_new)::int as known,
      count(*) filter (where not is_new and patient_id <> old_patient_id and dispensed_on <> old_dispensed_on)::int as other
    from changed_script`.execute(tx)
  return rows[0] ?? { known: 0, other: 0 }
}

/** Compares the entries of a register with those stored under the same number: another one is of another product, on another day. Once they are merged. */
export async function compareEntries(tx: Tx, { locationId, source }: Target): Promise<Compared> {
  const { rows } = await sql<Compared>`
    select count(*)::int as known, count(*) filter (where e.product_id <> s.product_id
      and abs(extract(epoch from e.occurred_at - s.occurred_at)) > ${sql.lit(DAY_SECONDS)})::int as other
    from s8_sent s join s8_entry e on e.location_id = ${locationId} and e.source = ${source} and e.number = s.number
    left join s8_fresh f on f.line = s.line where f.line is null`.execute(tx)
  return rows[0] ?? { known: 0, other: 0 }
}
