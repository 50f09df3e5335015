import { CHANNELS } from '@pillar/domain/consent/consent'
import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../../db/database.ts'
import { withCompanyScope } from '../../../db/scope.ts'

/**
 * Marks the patients of a pharmacy who share a number or address with others of the company, and those others, and removes the pharmacy's
 * marks that no longer hold. @param changed whose contacts may be new, all others being marked rightly until now; null for all
 */
export function markShared(tx: Tx, locationId: number, changed: readonly number[] | null): Promise<void> {
  return eachChannel(tx, async (channel) => {
    await addMarks(tx, locationId, channel, changed)
    const [key, shared] = columnsOf(channel)
    await sql`
      update patient_fact f set ${shared} = false
      where f.location_id = ${locationId} and f.${shared} and not ${several(key, sql`f.${key}`)}`.execute(tx)
  })
}

/** As `markShared` for all, but removes no mark: while contacts change their form, those who share one may have it in two. */
export function addShared(tx: Tx, locationId: number): Promise<void> {
  return eachChannel(tx, (channel) => addMarks(tx, locationId, channel, null))
}

type Channel = (typeof CHANNELS)[number]

const columnsOf = (channel: Channel) => [sql.ref(`${channel}_key`), sql.ref(`${channel}_shared`)] as const

const several = (key: RawBuilder<unknown>, of: RawBuilder<unknown>) =>
  sql`(select count(*) from (select from patient_fact o where o.${key} = ${of} limit 2) two) > 1`

async function addMarks(
  tx: Tx,
  locationId: number,
  channel: Channel,
  changed: readonly number[] | null,
): Promise<void> {
  const [key, shared] = columnsOf(channel)
  const whose = changed === null ? sql`` : sql`and patient_id = any(${[...changed]}::bigint[])`
  // Looks up each number through the index: whatever the planner expects, few of a pharmacy's numbers are shared.
  await sql`
    update patient_fact f set ${shared} = true
    where not f.${shared} and f.${key} = any (array(
      select n.key from (
        select distinct ${key} as key from patient_fact where location_id = ${locationId} and ${key} is not null ${whose}
      ) n where ${several(key, sql`n.key`)}))`.execute(tx)
}

async function eachChannel(tx: Tx, work: (channel: Channel) => Promise<void>): Promise<void> {
  const { rows } = await sql<{ bitmaps: string }>`select current_setting('enable_bitmapscan') as bitmaps`.execute(tx)
  // Without statistics, as after the first upload, PostgreSQL would read every row of the company for each number.
  await sql`set local enable_bitmapscan = off`.execute(tx)
  await withCompanyScope(tx, async () => {
    for (const channel of CHANNELS) await work(channel)
  })
  await sql`select set_config('enable_bitmapscan', ${rows[0]?.bitmaps}, true)`.execute(tx)
}
