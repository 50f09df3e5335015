import { FEATURES, type Mutant, of } from './lines.ts'

const FACTS = `${FEATURES}/cohort/fact`
const TEST = `${FACTS}/still-true.test.ts`

/** Lines that decide whose facts a night builds again: a stale one selects somebody for a message who should get none. */
export const FACT_MUTANTS: readonly Mutant[] = [
  ...of(
    `${FACTS}/still-true.queries.ts`,
    TEST,
    ['b.upload_at = l.last_upload_at and b.data_to', 'b.data_to'],
    ['b.data_to <= ${dataTo}::date and ', ''],
    [' and b.shops = l.shops', ''],
    ['if (moved) return []', ''],
    ['(true_until >= ${dataTo}::date) is not true', 'true_until is null'],
    ['(true_until >= ${dataTo}::date)', '(true_until + 1 >= ${dataTo}::date)'],
    ['and l.id = b.location_id and b.upload_at = l.last_upload_at', 'and l.id = b.location_id'],
  ),
  ...of(
    `${FACTS}/supply-facts.queries.ts`,
    TEST,
    ['least(run_out + ${sql.lit(LAPSE_DAYS)}, ', 'least(run_out + ${sql.lit(LAPSE_DAYS + 1)}, '],
    ['${read(sql`carried_from`)}, ', ''],
    ['${read(sql`eligible_on`)}, ', ''],
    [', ends_on - 1)', ')'],
    [" + interval '12 months')::date - 1 end", " + interval '12 months')::date end"],
  ),
  ...of(
    `${FACTS}/facts.queries.ts`,
    `${FACTS}/name-units.test.ts`,
    ['|(^| )-|-( |$)', ''],
    ['[^${LETTERS}${PLAIN}]', '[0-9]'],
  ),
  ...of(`${FACTS}/facts.queries.ts`, TEST, ['[...added, ...differing]', 'differing']),
  ...of(`${FACTS}/shared.queries.ts`, TEST, ['${shared} = false', '${shared} = true']),
  ...of(
    `${FEATURES}/upload/load/merge.queries.ts`,
    TEST,
    ['[...touched, ...merged.ceased]', '[...touched]'],
    ['[...touched, ...merged.ceased]', '[...merged.ceased]'],
  ),
]
