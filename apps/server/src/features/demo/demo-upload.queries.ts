import { sql } from 'kysely'
import { v7 as uuidv7 } from '../../api/uuid.ts'
import type { Pools } from '../../db/database.ts'

/**
 * What the list of faulty uploads shows of the demo network besides its failed and missing uploads: pharmacies whose data end early have
 * been silent since, one has not answered a request that support is working on, and another has a new request. One whose upload failed is
 * left unchanged, so that its row faults can be viewed. May run again.
 */
export async function addDemoUploads({ system, staff }: Pick<Pools, 'system' | 'staff'>, now: Date): Promise<void> {
  await system.transaction().execute(async (tx) => {
    // All were loaded at the first start; a late one would have uploaded on the evening its data end.
    const late = sql`select l.id, (l.data_to + time '20:00') at time zone l.time_zone as at from location l
      join company c on c.id = l.company_id and c.demo
      where l.removed_at is null and l.last_upload_at is not null and l.data_to < (${now}::timestamptz at time zone l.time_zone)::date - 3`
    await sql`
      update upload u set created_at = d.at, location_upload_time = d.at, etl_start_time = d.at, etl_stop_time = d.at + interval '9 seconds',
        last_updated = d.at
      from (${late}) d where u.location_id = d.id and u.etl_state = 'COMPLETED'`.execute(tx)
    await sql`update location l set last_upload_at = d.at from (${late}) d where l.id = d.id`.execute(tx)
  })
  await staff.transaction().execute(async (tx) => {
    const { rows } = await sql<{ id: number; data_source: string; silent: boolean }>`
      select l.id, l.data_source, l.last_upload_at < ${now}::timestamptz - interval '3 days' as silent
      from location l join company c on c.id = l.company_id and c.demo
      where l.removed_at is null and l.data_source is not null and not exists (
          select from upload u where u.location_id = l.id and (u.support_initiated or u.etl_state = 'ERROR'))
        and (l.last_upload_at is null or l.last_upload_at < ${now}::timestamptz - interval '3 days')
      order by silent nulls last, l.id`.execute(tx)
    const { rows: people } = await sql<{ id: number }>`
      select id from login where sr_login and disabled_at is null order by id limit 1`.execute(tx)
    const by = people[0]?.id ?? null
    const [unanswered, asked] = [rows[0], rows.find((row) => row !== rows[0] && row.silent)]
    for (const [row, hours, state] of [
      [unanswered, 60, 'NOT RECEIVED'],
      [asked, 2, 'REQUESTED'],
    ] as const) {
      if (!row) continue
      await sql`
        insert into upload (uuid, location_id, etl_state, data_source, initial_upload, support_initiated, requested_at, requested_by)
        values (${uuidv7()}, ${row.id}, ${state}, ${row.data_source}, false, true, ${now}::timestamptz - make_interval(hours => ${hours}), ${by})`.execute(
        tx,
      )
    }
    if (!unanswered) return
    await sql`
      insert into upload_work (location_id, assigned_to, note, updated_at, updated_by)
      values (${unanswered.id}, ${by}, 'They replace their server this week.', ${now}, ${by})
      on conflict do nothing`.execute(tx)
  })
}
