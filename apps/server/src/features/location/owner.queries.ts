import { sql } from 'kysely'

/**
 * Joins `o`, the owner of each pharmacy `l`, if it has one, looked up for each. Without the limit PostgreSQL, which expects a company to have
 * few pharmacies, compares each of them with each.
 */
export const WITH_OWNER = sql`
  left join lateral (select * from location_owner where location_id = l.id limit 1) o on true`
