import type { PharmacyRecord } from '@pillar/domain/measure/record'
import { type OpenRepeat, openRepeats, type PrescriptionFacts } from '@pillar/domain/measure/repeat'
import type { Day } from '@pillar/domain/time/day'
import { sql } from 'kysely'
import type { Tx } from '../../db/database.ts'
import { integersOf } from './columns.ts'
import type { LoadedRecord } from './record.queries.ts'

/** Stands for a day that is not known. */
const NO_DAY = -(2 ** 31)

/** The repeats that a pharmacy's record leaves open. A script's own number of repeats counts before its prescription's. */
export async function readOpenRepeats(tx: Tx, locationId: number, loaded: LoadedRecord): Promise<OpenRepeat[]> {
  const { rows } = await sql<{ count: number; ids: string; repeats: string; prescribed: string; ceased: string }>`
    select count(*)::int as count, array_agg(id)::text as ids, array_agg(coalesce(repeats_authorised, -1))::text as repeats,
      array_agg(coalesce(prescribed_on - date '1970-01-01', ${sql.lit(NO_DAY)}))::text as prescribed,
      array_agg(coalesce(ceased_on - date '1970-01-01', ${sql.lit(NO_DAY)}))::text as ceased
    from prescription where location_id = ${locationId}`.execute(tx)
  const row = rows[0]
  const column = (name: 'ids' | 'repeats' | 'prescribed' | 'ceased') => integersOf(row?.[name] ?? null, row?.count ?? 0)
  const [ids, repeats, prescribed, ceased] = [column('ids'), column('repeats'), column('prescribed'), column('ceased')]
  const placeOf = new Map(Array.from(ids, (id, at) => [id, at]))
  const known = (day: number | undefined): Day | null => (day === undefined || day === NO_DAY ? null : day)
  const died = diedOf(loaded)
  const factsOf = (prescription: number): PrescriptionFacts => {
    const at = placeOf.get(loaded.prescriptions.get(prescription) ?? 0)
    const on = died.get(prescription) ?? null
    if (at === undefined) return { repeats: -1, prescribedOn: null, ceasedOn: null, died: on }
    return {
      repeats: repeats[at] as number,
      prescribedOn: known(prescribed[at]),
      ceasedOn: known(ceased[at]),
      died: on,
    }
  }
  return openRepeats(loaded.record, factsOf)
}

/** Day of death of whom a prescription is for, by its number. */
function diedOf({ record, around }: LoadedRecord): Map<number, Day> {
  const { lines }: PharmacyRecord = record
  const died = new Map<number, Day>()
  for (let at = 0; at < lines.prescription.length; at++) {
    const day = around.died[lines.person[at] as number]
    if (day != null) died.set(lines.prescription[at] as number, day)
  }
  return died
}
