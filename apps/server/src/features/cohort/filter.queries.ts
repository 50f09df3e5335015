import type { CohortFilters } from '@pillar/domain/cohort/cohort'
import { subcategoriesOf, UNCLASSIFIED } from '@pillar/domain/dispensing/category'
import { sql } from 'kysely'
import type { Tx } from '../../db/database.ts'

/** A code of the fifth level of the Anatomical Therapeutic Chemical classification. */
export const ATC = /^[A-Z]\d{2}[A-Z]{2}\d{2}$/

/**
 * What is wrong with the drug types and molecules of filters, one sentence each. Something that looks like an ATC code is accepted although
 * nobody has dispensed it yet: recommended campaigns are written for every company.
 */
export async function unknownFilters(tx: Tx, filters: CohortFilters): Promise<string[]> {
  const types = new Set([...subcategoriesOf('Drug Type'), UNCLASSIFIED])
  const problems = (filters.drug_type ?? [])
    .filter((name) => !types.has(name))
    .map((name) => `There is no drug type "${name}".`)
  const odd = (filters.molecules ?? []).filter((code) => !ATC.test(code))
  if (odd.length === 0) return problems
  const { rows } = await sql<{ key: string }>`select key from molecule where key = any(${odd}::text[])`.execute(tx)
  const known = new Set(rows.map((row) => row.key))
  return [...problems, ...odd.filter((code) => !known.has(code)).map((code) => `There is no molecule "${code}".`)]
}
