import { type RawBuilder, sql } from 'kysely'
import type { Database, Tx } from '../../../db/database.ts'
import type { ClaimedUpload } from '../claim.queries.ts'
import { counted } from './load.queries.ts'
import { touchedDays } from './touched.queries.ts'

/**
 * Records the pharmacy's data range: from its first stored script to the newest one, or to the last day its uploads stated (no later than
 * the day each was loaded), whichever is later. An initial upload of the whole record discards earlier stated days; one of a range (`from`)
 * does not. Without a script or a stated day, the range ends today.
 * @param touched ids of the patients of every script added, changed or deleted; null for all
 * @returns the first stored script's day, null without scripts, and the last day of its data, ISO
 */
export async function recordLoad(
  tx: Tx,
  claim: ClaimedUpload,
  today: string,
  touched: readonly number[] | null,
): Promise<{ dataFrom: string | null; dataTo: string }> {
  const given = claim.coversTo !== null && claim.coversTo > today ? today : claim.coversTo
  const whole = claim.initial && claim.coversFrom === null
  const range =
    (!whole && touched ? await movedRange(tx, claim.locationId, touched) : null) ??
    (await storedRange(tx, claim.locationId))
  const stated = sql`greatest(${given}::date, ${whole ? null : sql`stated_to`})`
  const { rows } = await sql<{ data_to: string }>`
    update location set data_source = coalesce(data_source, ${claim.source}), last_upload_at = now(),
      data_from = ${range?.from ?? null}::date, stated_to = ${stated},
      data_to = coalesce(greatest(${range?.to ?? null}::date, ${stated}), ${today}::date)
    where id = ${claim.locationId} returning data_to`.execute(tx)
  if (!rows[0]) throw new Error('The pharmacy of the upload is not in scope.')
  return { dataFrom: range?.from ?? null, dataTo: rows[0].data_to }
}

interface Range {
  from: string
  to: string
}

/** First and last day of a pharmacy's scripts that count, ISO; null if there are none. */
async function storedRange(tx: Tx, locationId: number): Promise<Range | null> {
  const { rows } = await sql<Range>`
    select min(dispensed_on)::text as from, max(dispensed_on)::text as to from script where location_id = ${locationId} and ${counted}
    having count(*) > 0`.execute(tx)
  return rows[0] ?? null
}

/**
 * The recorded range, moved by the touched lines: all other scripts lie within it. Null if that does not tell, because a touched line lay at
 * one of its ends and may have been the last one there. A stated last day stays, although no script may be that new.
 */
async function movedRange(tx: Tx, locationId: number, touched: readonly number[]): Promise<Range | null> {
  const days = await touchedDays(tx)
  const { rows } = await sql<{ from: string | null; to: string | null }>`
    select data_from::text as from, data_to::text as to from location where id = ${locationId}`.execute(tx)
  const { from = null, to = null } = rows[0] ?? {}
  if (from === null || to === null || (days.from !== null && days.from <= from)) return null
  if (days.to === null || days.to < to) return { from, to }
  const newest = await sql<{ day: string | null }>`
    select max(dispensed_on)::text as day from script
    where location_id = ${locationId} and patient_id = any(${[...touched]}::bigint[]) and dispensed_on >= ${to}::date and ${counted}`.execute(
    tx,
  )
  const day = newest.rows[0]?.day ?? null
  return day === null ? null : { from, to: day }
}

/** No time of a finished upload is further ahead than this, unless the database's clock was wrong and has been set back. */
const AHEAD_SECONDS = 60
const isAhead = (time: RawBuilder<unknown>) =>
  sql<boolean>`${time} > now() + make_interval(secs => ${sql.lit(AHEAD_SECONDS)})`

/**
 * Sets back the times that uploads were given while the database's clock was ahead, at the pharmacies whose last success lies in the future:
 * until then they would not count as silent, and failures would count as earlier. The newest time becomes now, the others keep their
 * distance from it. The order of uploads (`created_at`) stays. A pharmacy that is being loaded gets its turn later.
 * @returns how many pharmacies
 */
export async function setBackTimes(system: Database): Promise<number> {
  const { rows } = await sql<{ id: number; seconds: number }>`
    select l.id, extract(epoch from greatest(l.last_upload_at, max(u.last_updated), max(u.etl_stop_time)) - now())::float8 as seconds
    from location l left join upload u on u.location_id = l.id
    where ${isAhead(sql`l.last_upload_at`)} group by l.id, l.last_upload_at
    having bool_or(u.etl_state = 'PROCESSING') is not true order by l.id`.execute(system)
  for (const { id, seconds } of rows) await system.transaction().execute((tx) => setBack(tx, id, seconds))
  return rows.length
}

async function setBack(tx: Tx, locationId: number, seconds: number): Promise<void> {
  const back = (name: string) =>
    sql`${sql.ref(name)} = case when ${isAhead(sql.ref(name))} then ${sql.ref(name)} - make_interval(secs => ${seconds}) else ${sql.ref(name)} end`
  await sql`
    update upload set ${sql.join(['location_upload_time', 'etl_start_time', 'etl_stop_time', 'last_updated'].map(back))}
    where location_id = ${locationId} and ${isAhead(sql.ref('last_updated'))}`.execute(tx)
  await sql`update location set ${back('last_upload_at')} where id = ${locationId}`.execute(tx)
}
