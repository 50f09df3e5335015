import { readFileSync } from 'node:fs'
import { addMonths, day, formatDay } from '@pillar/domain/time/day'
import { sql } from 'kysely'
import pg from 'pg'
import { openPools, type Tx } from '../../apps/server/src/db/database.ts'
import { inScope } from '../../apps/server/src/db/scope.ts'
import { type MetricLocation, recomputeMetrics } from '../../apps/server/src/features/metrics/metrics.queries.ts'
import { beginLoad } from '../../apps/server/src/features/upload/load/load.queries.ts'
import {
  createTouched,
  earliestTouched,
  touchedPatients,
} from '../../apps/server/src/features/upload/load/touched.queries.ts'

/** Scripts of a pharmacy, and those that arrive in one night. */
export const STORED_SCRIPTS = 310_000
export const NIGHT_SCRIPTS = 300
const NIGHTS = 5
/** Nights before them: until then V8 compiles what is new to it, which a server that counts one pharmacy after another has behind it. */
const FIRST_NIGHTS = 5

/** Milliseconds of the clock, and of processor time of this process and its PostgreSQL connection together. */
export interface Spent {
  wall: number
  processor: number
}

/** What counting a pharmacy's figures takes, night by night. */
export interface RecomputeTimes {
  scripts: number
  whole: Spent[]
  increment: Spent[]
}

interface Largest extends MetricLocation {
  companyId: number
  dataTo: string
}

class TakenBack extends Error {}

/**
 * Times all figures of a pharmacy and those affected by one night's scripts, in turn, and compares what they store. The pharmacy with the
 * most scripts is enlarged as needed by copying patients with all their records. In one transaction that is rolled back.
 * @throws Error if a night's figures differ from those of a whole recompute
 */
export async function timeRecompute(databaseUrl: string): Promise<RecomputeTimes> {
  const pools = openPools(databaseUrl, () => {}, 2)
  const times: RecomputeTimes = { scripts: 0, whole: [], increment: [] }
  try {
    const largest = await largestOf(databaseUrl)
    const { companyId, ...location } = largest
    await inScope(pools.app, { companyId, locationIds: [location.id] }, async (tx) => {
      await beginLoad(tx)
      await createTouched(tx)
      times.scripts = await grow(tx, location.id)
      await recomputeMetrics(tx, location, { dataTo: location.dataTo, changedFrom: null })
      const pid = await backendOf(tx)
      for (let night = 1; night <= FIRST_NIGHTS + NIGHTS; night++) await timeNight(tx, pid, largest, night, times)
      for (const spent of [times.whole, times.increment]) spent.splice(0, FIRST_NIGHTS)
      throw new TakenBack()
    }).catch((error) => {
      if (!(error instanceof TakenBack)) throw error
    })
  } finally {
    await pools.close()
  }
  return times
}

async function timeNight(
  tx: Tx,
  pid: number,
  { dataTo: before, ...location }: Largest,
  night: number,
  times: RecomputeTimes,
): Promise<void> {
  const dataTo = formatDay(day(before) + night)
  await addNight(tx, location.id, dataTo)
  const touched = await touchedPatients(tx)
  const changedFrom = (await earliestTouched(tx, location.id, touched)) ?? dataTo
  times.increment.push(await spentOn(pid, () => recomputeMetrics(tx, location, { dataTo, changedFrom, touched })))
  const stored = await fingerprint(tx, location.id)
  times.whole.push(await spentOn(pid, () => recomputeMetrics(tx, location, { dataTo, changedFrom: null })))
  if (stored !== (await fingerprint(tx, location.id)))
    throw new Error(`The figures after night ${night} are not those of a whole recompute.`)
}

async function spentOn(pid: number, work: () => Promise<unknown>): Promise<Spent> {
  const [began, own, database] = [performance.now(), process.cpuUsage(), processorOf(pid)]
  await work()
  const { user, system } = process.cpuUsage(own)
  return { wall: performance.now() - began, processor: (user + system) / 1000 + processorOf(pid) - database }
}

async function backendOf(tx: Tx): Promise<number> {
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx)
  return rows[0]?.pid ?? 0
}

/** Milliseconds of processor time of a process; only Linux tells, elsewhere 0. */
function processorOf(pid: number): number {
  try {
    return Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6
  } catch {
    return 0
  }
}

/** The pharmacy with the most scripts, and its company. */
async function largestOf(databaseUrl: string): Promise<Largest> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    const { rows } = await client.query<Largest>(
      `select l.id::float8 as id, l.country, l.time_zone as "timeZone", l.company_id::float8 as "companyId", l.data_to::text as "dataTo"
       from location l join metric_total t on t.location_id = l.id and t.period % 100 = 0
       group by l.id order by sum(t.scripts) desc limit 1`,
    )
    if (!rows[0])
      throw new Error('The network is not loaded: no pharmacy in it has figures. Run the bench without --keep.')
    return rows[0]
  } finally {
    await client.end()
  }
}

/** Copies patients with their prescriptions and scripts until there are enough scripts, at most twice the original number. */
async function grow(tx: Tx, id: number): Promise<number> {
  const count = async () => {
    const { rows } = await sql<{ n: number }>`select count(*)::int as n from script where location_id = ${id}`.execute(
      tx,
    )
    return rows[0]?.n ?? 0
  }
  const missing = STORED_SCRIPTS - (await count())
  if (missing <= 0) return count()
  await sql`
    create temp table copied on commit drop as
    select patient_id from (
      select patient_id, sum(count(*)) over (order by patient_id) as sum from script where location_id = ${id} group by 1
    ) p where sum <= ${missing}`.execute(tx)
  await sql`
    insert into patient (location_id, source, source_id, sex, date_of_birth, facility, deceased_on)
    select location_id, source, source_id || '+', sex, date_of_birth, facility, deceased_on from patient
    where location_id = ${id} and id in (select patient_id from copied)`.execute(tx)
  await sql`
    create temp table twin on commit drop as
    select o.id as old, n.id as new from patient o join patient n on n.location_id = o.location_id and n.source_id = o.source_id || '+'
    where o.location_id = ${id}`.execute(tx)
  await sql`
    insert into prescription (location_id, source, source_id, patient_id, drug_id, prescribed_on, repeats_authorised, ceased_on)
    select r.location_id, r.source, r.source_id || '+', t.new, r.drug_id, r.prescribed_on, r.repeats_authorised, r.ceased_on
    from prescription r join twin t on t.old = r.patient_id where r.location_id = ${id}`.execute(tx)
  await sql`
    insert into script (location_id, source, source_id, patient_id, prescription_id, ${COPIED})
    select s.location_id, s.source, s.source_id || '+', t.new, n.id, ${COPIED_OF_SCRIPT} from script s
    join twin t on t.old = s.patient_id
    left join prescription o on o.location_id = s.location_id and o.id = s.prescription_id
    left join prescription n on n.location_id = o.location_id and n.source = o.source and n.source_id = o.source_id || '+'
    where s.location_id = ${id}`.execute(tx)
  return count()
}

const NAMES = [
  'drug_id',
  'repeats_authorised',
  'days_supply',
  'days_basis',
  'patient_type',
  'deferred',
  'owing',
  'reversed',
]
const MONEY = ['patient_price_cents', 'government_cents', 'cost_cents', 'units']
const COPIED = sql.join([...NAMES, ...MONEY, 'supply_number', 'dispensed_on'].map((name) => sql.ref(name)))
const COPIED_OF_SCRIPT = sql.join(
  [...NAMES, ...MONEY, 'supply_number', 'dispensed_on'].map((name) => sql.ref(`s.${name}`)),
)

/** Adds a night's scripts: the next supply of prescriptions last supplied a month before. */
async function addNight(tx: Tx, id: number, today: string): Promise<void> {
  const before = formatDay(addMonths(day(today), -1))
  await sql`truncate touched_line`.execute(tx)
  await sql`
    with added as (
      insert into script (location_id, source, source_id, patient_id, prescription_id, ${sql.join([...NAMES, ...MONEY].map((name) => sql.ref(name)))},
        supply_number, dispensed_on)
      select location_id, source, source_id || '+' || ${today}::text, patient_id, prescription_id,
        ${sql.join([...NAMES, ...MONEY].map((name) => sql.ref(name)))}, supply_number + 1, ${today}::date
      from script where location_id = ${id} and dispensed_on <= ${before}::date order by dispensed_on desc, source_id limit ${sql.lit(NIGHT_SCRIPTS)}
      returning patient_id, prescription_id, dispensed_on, supply_number, days_supply
    )
    insert into touched_line select * from added`.execute(tx)
  await sql`update location set data_to = ${today}::date where id = ${id}`.execute(tx)
}

/** A fingerprint of all stored figures of a pharmacy. */
async function fingerprint(tx: Tx, id: number): Promise<string> {
  const tables = ['metric_total', 'metric_cell', 'metric_figure', 'metric_persistence', 'patient_measure']
  const prints = tables.map(
    (table) => sql`(select md5(string_agg(to_jsonb(t)::text, ',' order by to_jsonb(t)::text))
      from ${sql.table(table)} t where location_id = ${id})`,
  )
  const { rows } = await sql<{ print: string }>`select concat_ws(' ', ${sql.join(prints)}) as print`.execute(tx)
  return rows[0]?.print ?? ''
}
