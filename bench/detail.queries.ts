import pg from 'pg'

/**
 * The measured pairs of one pharmacy at day `$2`, least covered first, calculated from its scripts by one statement with window functions:
 * first supply, supply days of the trailing year, days covered with a year's carry-in and early refills queued. Omits leaked repeats,
 * cessations, switches and filters, which the call includes.
 */
const STATEMENT = `
  with line as (
    select s.patient_id, d.molecule_id, s.dispensed_on - date '1970-01-01' as day, s.days_supply::int as days
    from script s join drug d on d.location_id = s.location_id and d.id = s.drug_id and d.chronic
    join patient p on p.location_id = s.location_id and p.id = s.patient_id and not p.facility and not p.fake
    where s.location_id = $1 and not s.reversed and not s.deferred and s.dispensed_on <= date '1970-01-01' + $2::int
  ), placed as (
    select *, greatest($2::int - 364, min(day) over (partition by patient_id, molecule_id)) as from_day,
           min(day) over (partition by patient_id, molecule_id) as first_day
    from line
  ), summed as (
    select *, sum(days) over (partition by patient_id, molecule_id order by day rows unbounded preceding) as after
    from placed where day >= from_day - 365
  ), peaked as (
    select *, max(day - (after - days)) over (partition by patient_id, molecule_id order by day rows unbounded preceding) as peak from summed
  ), pair as (
    select patient_id, molecule_id, first_day, from_day, count(distinct day) filter (where day >= from_day) as made,
           max(after) as after_end, max(peak) as peak_end, coalesce(max(after) filter (where day < from_day), 0) as after_start,
           max(peak) filter (where day < from_day) as peak_start
    from peaked group by 1, 2, 3, 4
  ), counted as (
    select *, $2::int - from_day + 1 as observed,
           after_end - greatest(0, peak_end + after_end - 1 - $2::int)
             - (after_start - greatest(0, coalesce(peak_start + after_start - from_day, 0))) as covered
    from pair where first_day <= $2::int - 90 and made >= 2
  )
  select p.source_id, m.name, c.* from counted c join patient p on p.location_id = $1 and p.id = c.patient_id
  join molecule m on m.id = c.molecule_id
  where exists (select from script s where s.location_id = $1 and s.patient_id = c.patient_id
    and s.dispensed_on between date '1970-01-01' + ($2::int - 179) and date '1970-01-01' + $2::int)
  order by c.covered::float8 / c.observed, p.source_id, m.name`

/** Milliseconds of the statement for each day, after one uncounted run. */
export async function windowFunctions(databaseUrl: string, uuid: string, days: readonly number[]): Promise<number[]> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    const { rows } = await client.query<{ id: string }>('select id from location where uuid = $1', [uuid])
    const ms: number[] = []
    for (const day of [days[0] ?? 0, ...days]) {
      const began = performance.now()
      await client.query(STATEMENT, [rows[0]?.id, day])
      ms.push(performance.now() - began)
    }
    return ms.slice(1)
  } finally {
    await client.end()
  }
}

/** The given pharmacy whose number of scripts is closest to `size`, and that number. */
export async function pharmacyOf(
  databaseUrl: string,
  uuids: readonly string[],
  size: number,
): Promise<{ uuid: string; scripts: number }> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    const { rows } = await client.query<{ uuid: string; scripts: number }>(
      `select l.uuid, count(*)::int as scripts from location l join script s on s.location_id = l.id
       where l.uuid = any($1) group by 1 order by abs(count(*) - $2) limit 1`,
      [uuids, size],
    )
    if (!rows[0]) throw new Error('No pharmacy of the network has scripts.')
    return rows[0]
  } finally {
    await client.end()
  }
}
