import { sql } from 'kysely'
import type { Tx } from '../../../db/database.ts'
import type { Findings } from '../read/fault.ts'
import type { Target } from './load.queries.ts'

/** Words in a name with which people note that somebody has died: 'DECEASED', "DEC'D", '(DEC)', '*RIP*', 'Estate of the late'. */
const DIED = String.raw`\mdeceased\M|\mdec['’]?d\M|\mpassed away\M|\mestate of\M|[(*[]\s*(dec|late|r\.?i\.?p)\.?\s*[])*]`

/**
 * A staged patient whose name says that they have died counts as dead even without a day of death: from the day of the upload that first
 * said so, as where a source knows no day. A message to the dead reaches those they left. The pharmacy's next file with an empty day and
 * another name takes it back; one without days of death leaves them as they are.
 * @returns the columns that the staged patients now have
 */
export async function markNamedDeaths(
  tx: Tx,
  { locationId, source }: Target,
  present: ReadonlySet<string>,
  findings: Findings,
  today: string,
): Promise<ReadonlySet<string>> {
  const dead = sql`s.deceased_on is null and concat_ws(' ', s.first_name, s.last_name) ~* ${sql.lit(DIED)} and not s.faulty`
  const { numAffectedRows = 0n } = await sql`
    update stage_patients s set deceased_on = ${today}::date, death_date_unknown = true where ${dead}`.execute(tx)
  if (numAffectedRows === 0n) return present
  findings.notes.push(
    `Patients whose name says that they have died: ${numAffectedRows}. They count as dead from the day it was first read, and get no messages.`,
  )
  if (present.has('deceased_on')) return present
  await sql`
    update stage_patients s set deceased_on = t.deceased_on from patient t
    where t.location_id = ${locationId} and t.source = ${source} and t.source_id = s.patient_id and s.deceased_on is null`.execute(
    tx,
  )
  return new Set([...present, 'deceased_on'])
}
