import { FEATURES, type Mutant, of } from './lines.ts'

const PERSON = `${FEATURES}/person`
const DEATH = `${PERSON}/death.test.ts`
const SELECTION = `${PERSON}/death-selection.test.ts`
const DIED = ' and p.deceased_on is not null'

/** Lines that keep messages from whoever another pharmacy of the company records as deceased. */
export const DEATH_MUTANTS: readonly Mutant[] = [
  ...of(
    `${PERSON}/death.queries.ts`,
    [DEATH, SELECTION],
    ["${of('person_key', sql`k.key`)} union all ", ''],
    [" union all ${of('person_link', sql`k.person`)}", ''],
    [`p.id = k.patient_id${DIED}`, 'p.id = k.patient_id'],
    ['where removed_at is not null and id = any', 'where id = any'],
    [' and s.dispensed_on > n.died_on', ''],
  ),
  ...of(`${FEATURES}/sending/claim.ts`, DEATH, [
    'deceasedElsewhere: !answer && message.deceasedElsewhere,',
    'deceasedElsewhere: false,',
  ]),
  ...of(
    `${FEATURES}/cohort/fact/fact-deaths.queries.ts`,
    SELECTION,
    ['...(await signsOf(tx, marked)), ', ''],
    [', ...(await alikeDeceasedAt(tx, locationId, here))', ''],
    ['alikeDeceasedAt(tx, locationId, here)', 'alikeDeceasedAt(tx, locationId, [])'],
    ['sql`f.barred | ${ELSEWHERE}`', 'sql`f.barred | 8`'],
  ),
  ...of(`${FEATURES}/sequence/facts.queries.ts`, SELECTION, ['and id <> all(${died}::bigint[])', '']),
  ...of(`${FEATURES}/sequence/decide.ts`, SELECTION, [
    'deceasedElsewhere: one.deceased_elsewhere,',
    'deceasedElsewhere: false,',
  ]),
  ...of(`${FEATURES}/consent/trial/trial-page.queries.ts`, SELECTION, [
    ' || (await deceasedElsewhere(tx, locationId, [patientId])).size > 0',
    '',
  ]),
  ...of(`${FEATURES}/template/preview.queries.ts`, SELECTION, ['\n    and id <> all(${died}::bigint[])', '']),
  ...of(
    `${FEATURES}/upload/load/named-note.queries.ts`,
    `${FEATURES}/upload/load/named-note.test.ts`,
    ['columns.add(column)', ''],
    ['.filter((one) => !present.has(one))', '.filter(() => false)'],
    ['death_date_unknown = true', 'death_date_unknown = false'],
    ['await takeStored(column)', ''],
  ),
]
