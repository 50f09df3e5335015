import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../../db/database.ts'
import { withCompanyScope, withNestedLoops } from '../../../db/scope.ts'
import {
  alikeDeceasedAt,
  deceasedElsewhere,
  type SignedRecord,
  signsOf,
  withDeathElsewhere,
} from '../../person/death.queries.ts'
import { BARRED } from './fact-consent.queries.ts'

type Place = Pick<SignedRecord, 'location_id' | 'patient_id'>
const nameOf = ({ location_id, patient_id }: Place) => `${location_id}:${patient_id}`

/** Servers of the previous version know only the first of these, and hold the patient back as well. */
const ELSEWHERE = sql.lit(BARRED.deceased | BARRED.deceased_elsewhere)

/**
 * Marks in the company's facts whom another pharmacy records as deceased: this pharmacy's patients, and others' patients whom it records as
 * deceased or joins to a third pharmacy's record of a death. Clears every mark of the company that no longer holds. Requires lockFacts.
 * Claims read the records themselves (`deceasedElsewhere`).
 */
export function markDeaths(tx: Tx, locationId: number): Promise<void> {
  return withNestedLoops(tx, () => withCompanyScope(tx, () => markIn(tx, locationId)))
}

async function markIn(tx: Tx, locationId: number): Promise<void> {
  const here = [...(await deceasedElsewhere(tx, locationId, null))]
  const { rows: marked } = await sql<Place>`
    select location_id, patient_id from patient_fact where barred >= ${sql.lit(BARRED.deceased_elsewhere)}`.execute(tx)
  const others = [...(await signsOf(tx, marked)), ...(await alikeDeceasedAt(tx, locationId, here))]
  const died = [
    ...here.map((patient_id) => ({ location_id: locationId, patient_id })),
    ...(await withDeathElsewhere(tx, others)),
  ]
  const [known, before] = [new Set(died.map(nameOf)), new Set(marked.map(nameOf))]
  const fresh = died.filter((one) => !before.has(nameOf(one)))
  // The pharmacy's own record of the death says enough.
  await setBarred(tx, fresh, sql`f.barred | ${ELSEWHERE}`, sql`f.barred & ${sql.lit(BARRED.deceased)} = 0`)
  const over = marked.filter((one) => !known.has(nameOf(one)))
  await setBarred(tx, over, sql`f.barred & ~${ELSEWHERE}`, sql`true`)
}

async function setBarred(
  tx: Tx,
  records: readonly Place[],
  bits: RawBuilder<number>,
  where: RawBuilder<boolean>,
): Promise<void> {
  if (records.length === 0) return
  await sql`
    update patient_fact f set barred = (${bits})::smallint from unnest(
      ${records.map((one) => one.location_id)}::bigint[], ${records.map((one) => one.patient_id)}::bigint[]) as n(location_id, patient_id)
    where f.location_id = n.location_id and f.patient_id = n.patient_id and ${where}`.execute(tx)
}
