import { fileNameOf } from '@pillar/domain/upload/upload-file'
import type { UploadSet } from '@pillar/domain/upload/upload-format'
import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../../../db/database.ts'
import type { Findings } from '../../read/fault.ts'
import { placeOf } from '../../read/sources.ts'
import { namedBy, type Target } from '../load.queries.ts'
import { stageTable } from '../stage.ts'

/** Two values of a row that cannot both be right, in words that follow "3 rows of scripts.csv have". */
interface Contradiction {
  readonly words: string
  /** When a staged row `s` has it. */
  readonly when: RawBuilder<unknown>
}

/** Nobody alive is this old, but many systems write 1900-01-01 for an unknown date of birth. */
const MAX_AGE = 120
/** More supplies in a year than one person gets: five medicines collected daily are 1,825. */
const MANY_SUPPLIES = 2000
/** A medicine may be supplied before its prescription arrives; afterwards the record no longer says that it was owed. */
const MAX_OWED_DAYS = 30

const OF_PATIENTS: readonly Contradiction[] = [
  {
    words: 'a date of death before the date of birth: the patient counts as dead, and gets no messages',
    when: sql`p.deceased_on < p.date_of_birth`,
  },
]

const OF_PRESCRIPTIONS: readonly Contradiction[] = [
  {
    words: 'a date of cessation before the date of prescribing: the medicine counts as ceased from that date on',
    when: sql`x.ceased_on < x.prescribed_on`,
  },
]

const repeats = sql`coalesce(s.repeats_authorised, x.repeats_authorised)`
const isSupply = sql`s.reversed is not true and s.deferred is not true`

const OF_SCRIPTS: readonly Contradiction[] = [
  {
    words: 'a supply number above the repeats authorised plus one: the number is not used',
    when: sql`s.supply_number > ${repeats} + 1`,
  },
  {
    words: 'repeats left that do not fit the supply number: the supply number counts',
    when: sql`s.supply_number between 1 and ${repeats} + 1 and s.repeats_left <> ${repeats} + 1 - s.supply_number`,
  },
  {
    words: 'more repeats left than authorised: the supply number stays unknown',
    when: sql`coalesce(s.supply_number, 0) = 0 and s.repeats_left > ${repeats}`,
  },
  {
    words: `a date more than ${MAX_OWED_DAYS} days before the prescription: both dates are kept`,
    when: sql`s.dispensed_on < x.prescribed_on - ${sql.lit(MAX_OWED_DAYS)} and ${isSupply}`,
  },
  {
    words: 'a date before the patient’s birth: both dates are kept',
    when: sql`s.dispensed_on < p.date_of_birth and ${isSupply}`,
  },
  {
    words: 'a date after the patient’s death: the script counts, but covers no days, and the patient gets no messages',
    when: sql`s.dispensed_on > p.deceased_on and ${isSupply}`,
  },
  {
    words: 'a cost and a price of opposite signs: both count as sent',
    when: sql`s.cost::bigint * (coalesce(s.patient_price, 0)::bigint + coalesce(s.government_amount, 0)) < 0`,
  },
  {
    words: 'another patient than the prescription: the script’s own counts',
    when: sql`x.patient_id <> p.id`,
  },
  {
    words: 'another medicine than the prescription: the script’s own counts',
    when: sql`m.molecule_id <> d.molecule_id`,
  },
]

/** Notes staged patients whose dates contradict each other, also if one of them was stored before. Needs the id map of patients. */
export const notePatients = (tx: Tx, target: Target, findings: Findings): Promise<void> =>
  note(tx, target, findings, {
    set: 'patients',
    joins: sql`join map_patient p on p.source_id = s.patient_id`,
    contradictions: OF_PATIENTS,
  })

/**
 * Takes the date of birth from staged patients who would be older than anybody alive: a campaign for those from 65 must not find them.
 * Before they are stored.
 * @param today at the pharmacy, ISO
 */
export async function forgetImpossibleBirths(tx: Tx, target: Target, findings: Findings, today: string): Promise<void> {
  const stored = sql`patient t on t.location_id = ${target.locationId} and t.source = ${target.source} and t.source_id = s.patient_id`
  const impossible = sql`s.date_of_birth < ${today}::date - make_interval(years => ${sql.lit(MAX_AGE)})
    and coalesce(s.deceased_on, t.deceased_on) is null`
  const words = `a date of birth more than ${MAX_AGE} years ago and no date of death: the age counts as unknown`
  const contradictions = [{ words, when: impossible }]
  await note(tx, target, findings, { set: 'patients', joins: sql`left join ${stored}`, contradictions })
  await sql`
    update stage_patients o set date_of_birth = null from stage_patients s left join ${stored}
    where o.line = s.line and ${impossible}`.execute(tx)
}

/** The same for prescriptions. */
export async function notePrescriptions(tx: Tx, target: Target, findings: Findings): Promise<void> {
  const named = await namedBy(tx, stageTable('prescriptions'), 'prescription_id')
  const stored = sql`with x as materialized (
    select source_id, prescribed_on, ceased_on from prescription
    where location_id = ${target.locationId} and source = ${target.source} ${named}
  )`
  const joins = sql`join x on x.source_id = s.prescription_id`
  await note(tx, target, findings, { set: 'prescriptions', stored, joins, contradictions: OF_PRESCRIPTIONS })
}

/** The same for scripts, beside their patients, drugs and prescriptions. Needs all id maps. */
export const noteScripts = (tx: Tx, target: Target, findings: Findings): Promise<void> =>
  note(tx, target, findings, {
    set: 'scripts',
    joins: sql`join map_patient p on p.source_id = s.patient_id join map_drug d on d.source_id = s.drug_id
      left join map_prescription x on x.source_id = s.prescription_id left join map_drug m on m.id = x.drug_id`,
    contradictions: OF_SCRIPTS,
  })

/** Notes the staged patient with most supplies in the newest year, if they are too many for one person's adherence. */
export async function noteAccount(tx: Tx, { locationId, source }: Target, findings: Findings): Promise<void> {
  const { rows } = await sql<{ patient_id: string; supplies: number; day: string }>`
    with newest as (select max(dispensed_on) as day from stage_scripts where not faulty)
    select s.patient_id, count(*)::int as supplies, n.day::text as day from stage_scripts s cross join newest n
    where not s.faulty and ${isSupply} and s.dispensed_on > n.day - 365
      and not exists (select from patient t where t.location_id = ${locationId} and t.source = ${source} and t.source_id = s.patient_id and t.facility)
    group by 1, 3 having count(*) > ${sql.lit(MANY_SUPPLIES)} order by 2 desc limit 1`.execute(tx)
  for (const { patient_id, supplies, day } of rows)
    findings.notes.push(
      `Patient ${patient_id} has ${supplies} supplies in the year to ${day}, more than one person can have, and adherence counts them as one person’s. If they are for many people, send facility = 1 for this patient.`,
    )
}

interface Looked {
  set: UploadSet
  /** What is joined from the stored rows, as the beginning of the statement. */
  stored?: RawBuilder<unknown>
  joins: RawBuilder<unknown>
  contradictions: readonly Contradiction[]
}

async function note(
  tx: Tx,
  target: Target,
  findings: Findings,
  { set, stored = sql``, joins, contradictions }: Looked,
): Promise<void> {
  const found = contradictions.map(
    ({ when }) => sql`array[count(*) filter (where ${when}), min(s.line) filter (where ${when})]`,
  )
  const { rows } = await sql<{ found: (number | null)[][] }>`
    ${stored} select array[${sql.join(found)}]::int[] as found from ${sql.table(stageTable(set))} s ${joins} where not s.faulty`.execute(
    tx,
  )
  const file = fileNameOf(placeOf(target.source, set, '').file)
  for (const [at, { words }] of contradictions.entries()) {
    const [count, line] = rows[0]?.found[at] ?? []
    if (!count) continue
    const which =
      count === 1 ? `1 row of ${file} (line ${line}) has` : `${count} rows of ${file} (the first is line ${line}) have`
    findings.notes.push(`${which} ${words}.`)
  }
}
