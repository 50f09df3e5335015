import { Filters } from '@pillar/contract/campaign/cohort'
import { cohortProblems } from '@pillar/domain/cohort/cohort'
import type { Country } from '@pillar/domain/time/locale'
import { dayIn } from '@pillar/domain/time/zone'
import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../db/database.ts'
import { filterIds, matches, type Question, recipients } from '../cohort/selection.queries.ts'

/** A pharmacy whose patients are counted. */
interface Place {
  id: number
  country: Country
  timeZone: string
}

/**
 * Counts for every recommended campaign how many patients of a pharmacy its filters select, held back or not: the cohort's own question,
 * for all of them in one pass over the pharmacy's patients. Run it after the facts. Filters that make no sense are recorded as not
 * countable.
 */
export async function recountRecommendations(tx: Tx, place: Place, now: Date): Promise<void> {
  const { rows } = await sql<{ id: number; md5: string; filters: unknown }>`
    select id, md5(filters::text) as md5, filters from campaign_recommendation where removed_at is null order by id`.execute(
    tx,
  )
  const conditions: RawBuilder<unknown>[] = []
  for (const { filters } of rows) conditions.push(await conditionOf(tx, place, filters, now))
  await sql`delete from recommendation_count where location_id = ${place.id}`.execute(tx)
  if (rows.length === 0) return
  await sql`
    with counted as (
      select array[${sql.join(conditions.map((one) => sql`${one}::int`))}] as patients
      from ${recipients(questionOf(place, Filters.parse({}), now))}
    )
    insert into recommendation_count (location_id, campaign_recommendation_id, filters_md5, patients, counted_at)
    select ${place.id}, r.id, r.md5, c.patients[r.at], ${now}
    from counted c, unnest(${rows.map((one) => one.id)}::bigint[], ${rows.map((one) => one.md5)}::text[]) with ordinality as r(id, md5, at)`.execute(
    tx,
  )
}

async function conditionOf(tx: Tx, place: Place, stored: unknown, now: Date): Promise<RawBuilder<unknown>> {
  const filters = Filters.safeParse(stored)
  if (!filters.success || cohortProblems(filters.data).length > 0) return sql`null`
  const question = questionOf(place, filters.data, now)
  return sql`count(*) filter (where ${matches(question, await filterIds(tx, filters.data))})`
}

/** Only the selection matters: nothing is sent, so nothing is held back. */
function questionOf({ id, country, timeZone }: Place, filters: Filters, now: Date): Question {
  const locations = [{ id, today: dayIn(timeZone, now) }]
  const nothing = { sms: null, email: null, seed: 0n, campaignId: null, limits: [], waiting: [], elsewhere: [] }
  return { locations, country, filters, now, ...nothing }
}

/**
 * Patients of the scope's pharmacies that each of these recommended campaigns selects, as last counted, by the campaign's id; null if
 * unknown, or before any pharmacy has data. `missing`: a pharmacy with data has not counted one of them in its present form.
 */
export async function recommendedPatients(
  tx: Tx,
  uuids: readonly string[],
): Promise<{ patients: Map<string, number | null>; missing: boolean }> {
  const { rows } = await sql<{ uuid: string; patients: number | null; missing: boolean }>`
    with place as materialized (
      select id from location where removed_at is null and data_to is not null
    )
    select r.uuid, case when bool_and(c.patients is not null) then sum(c.patients)::int end as patients,
           count(*) filter (where c.location_id is null and p.id is not null) > 0 as missing
    from campaign_recommendation r left join place p on true
    left join recommendation_count c on c.location_id = p.id and c.campaign_recommendation_id = r.id
      and c.filters_md5 = md5(r.filters::text)
    where r.uuid = any(${[...uuids]}::uuid[]) group by r.id, r.uuid`.execute(tx)
  return {
    patients: new Map(rows.map(({ uuid, patients }) => [uuid, patients])),
    missing: rows.some((row) => row.missing),
  }
}

/** Pharmacies of the scope that have data and have not counted every recommended campaign in its present form. */
export async function uncountedPlaces(tx: Tx): Promise<Place[]> {
  const { rows } = await sql<Place>`
    select l.id, l.country, l.time_zone as "timeZone" from location l
    where l.removed_at is null and l.data_to is not null
      and exists (
        select from campaign_recommendation r where r.removed_at is null and not exists (
          select from recommendation_count c
          where c.location_id = l.id and c.campaign_recommendation_id = r.id and c.filters_md5 = md5(r.filters::text)))
    order by l.id`.execute(tx)
  return rows
}

/** Internal ids of all pharmacies of the scope's company, whichever the scope contains. */
export async function companyLocationIds(tx: Tx): Promise<number[]> {
  const { rows } = await sql<{ ids: number[] }>`select company_location_ids() as ids`.execute(tx)
  return rows[0]!.ids
}
