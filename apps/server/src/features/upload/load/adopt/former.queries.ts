import { type RawBuilder, sql } from 'kysely'

/** The numbers that patients of today had in a source, for reading rows that still name them so; `more` columns of `patient`. */
export const formerNumbers = (
  { locationId, source }: { locationId: number; source: string },
  more: RawBuilder<unknown>,
): RawBuilder<unknown> => sql`
  union all select o.source_id, p.id ${more} from patient_former o join patient p on p.location_id = ${locationId} and p.id = o.patient_id
  where o.location_id = ${locationId} and o.source = ${source}`
