import { EXPIRY_MONTHS } from '@pillar/domain/dispensing/loyalty'
import { type OpenRepeat, openRepeats, type PrescriptionFacts } from '@pillar/domain/measure/repeat'
import { addMonths, type Day, formatDay } from '@pillar/domain/time/day'
import type { Span } from '@pillar/domain/time/period'
import { sql } from 'kysely'
import type { Tx } from '../../db/database.ts'
import { integersOf } from './columns.ts'
import type { LoadedRecord } from './record.queries.ts'

/** Stands for an unknown day. */
const NO_DAY = -(2 ** 31)

/**
 * The repeats a pharmacy's record leaves open on some day of a span. A script's own number of repeats takes precedence over its
 * prescription's. Prescriptions that expired before the span are not read.
 */
export async function readOpenRepeats(
  tx: Tx,
  locationId: number,
  loaded: LoadedRecord,
  asked: Span,
): Promise<Iterable<OpenRepeat>> {
  const oldest = formatDay(addMonths(asked.from, -EXPIRY_MONTHS))
  const { rows } = await sql<{ count: number; ids: string; repeats: string; prescribed: string }>`
    select count(*)::int as count, array_agg(id)::text as ids, array_agg(coalesce(repeats_authorised, -1))::text as repeats,
      array_agg(coalesce(prescribed_on - date '1970-01-01', ${sql.lit(NO_DAY)}))::text as prescribed
    from prescription where location_id = ${locationId} and (prescribed_on is null or prescribed_on >= ${oldest}::date)`.execute(
    tx,
  )
  const row = rows[0]
  const column = (name: 'ids' | 'repeats' | 'prescribed') => integersOf(row?.[name] ?? null, row?.count ?? 0)
  const [ids, repeats, prescribed] = [column('ids'), column('repeats'), column('prescribed')]
  const rowOf = new Int32Array(loaded.prescriptions.count).fill(-1)
  for (let at = 0; at < ids.length; at++) {
    const number = loaded.prescriptions.find(ids[at] as number)
    if (number >= 0) rowOf[number] = at
  }
  const factsOf = (prescription: number): PrescriptionFacts | null => {
    const at = rowOf[prescription] as number
    if (at < 0) return null
    return {
      repeats: repeats[at] as number,
      prescribedOn: prescribed[at] === NO_DAY ? null : (prescribed[at] as Day),
      ceasedOn: loaded.ceasedOn.get(ids[at] as number) ?? null,
    }
  }
  return openRepeats(loaded.record, factsOf, loaded.around.died, asked)
}
