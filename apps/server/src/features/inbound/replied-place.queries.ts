import { sql } from 'kysely'
import type { Tx } from '../../db/database.ts'

/** A pharmacy a reply is meant for. */
export interface RepliedPlace {
  locationId: number
  companyId: number
  name: string
  /** When it last texted the contact; null if never. */
  last: Date | null
  /** Nobody reads what is sent to it, unless it is restored. */
  removed: boolean
}

/** A pharmacy that texted a contact, or whose own sender a number is. */
export interface TextingPlace extends RepliedPlace {
  /** The number is its sender now: its own, otherwise its company's. */
  own: boolean
  /** It texted the contact from the number. */
  before: boolean
  /** It sends from another number or name, and nothing came to the contact from this one or the installation's, not even a confirmation. */
  elsewhere: boolean
}

/** Whether the digits of a sender are these; without digits never, because a sender may be a name. */
const isFrom = (sender: string, digits: string) =>
  sql<boolean>`(${digits}::text <> '' and coalesce(regexp_replace(${sql.ref(sender)}, '\\D', '', 'g') = ${digits}, false))`

/** The pharmacies that texted a contact (all that it may stand as), or may have, and those with this number as their own sender; newest text first. */
export async function textingPlaces(system: Tx, from: readonly string[], digits: string): Promise<TextingPlace[]> {
  const { rows } = await sql<TextingPlace>`
    with maybe as (
      select location_id, batch_id, sent_at as at from message
      where contact = any(${[...from]}::text[]) and channel = 'sms' and sent_at is not null
      union all select location_id, batch_id, planned_at from message
      where contact = any(${[...from]}::text[]) and channel = 'sms' and state in ('sending', 'unknown') and sent_at is null),
    texted as (
      select m.location_id, max(m.at) as last, bool_or(b.message_kind <> 'confirmation' and ${isFrom('b.sms_sender', digits)}) as before,
        bool_or(${isFrom('b.sms_sender', digits)} or b.sms_sender is null) as here
      from maybe m join message_batch b on b.location_id = m.location_id and b.id = m.batch_id group by m.location_id)
    select l.id as "locationId", l.company_id as "companyId", l.name, l.removed_at is not null as removed, t.last,
      coalesce(t.before, false) as before,
      not coalesce(t.here, false) and coalesce(l.sms_sender, s.sms_sender) is not null
        and not ${isFrom('l.sms_sender', digits)} and not (l.sms_sender is null and ${isFrom('s.sms_sender', digits)}) as elsewhere,
      case when l.sms_sender is null then ${isFrom('s.sms_sender', digits)} else ${isFrom('l.sms_sender', digits)} end as own
    from location l left join messaging_setting s on s.company_id = l.company_id left join texted t on t.location_id = l.id
    where t.last is not null or ${isFrom('l.sms_sender', digits)}
    order by t.last desc nulls last, l.id`.execute(system)
  return rows
}

/** A company that sends from a number, and its pharmacies without a sender of their own. */
export interface SendingCompany {
  companyId: number
  locationIds: number[]
}

/** The companies whose sender this number is. */
export async function sendingCompanies(system: Tx, digits: string): Promise<SendingCompany[]> {
  const { rows } = await sql<SendingCompany>`
    select s.company_id as "companyId", array(
      select l.id from location l where l.company_id = s.company_id and l.sms_sender is null order by l.id) as "locationIds"
    from messaging_setting s where ${isFrom('s.sms_sender', digits)} order by s.company_id`.execute(system)
  return rows.map((row) => ({ ...row, locationIds: row.locationIds.map(Number) }))
}

/** The companies and pharmacies that have no sender of their own, and so use the installation's (digits), or entered it as theirs. */
export async function senderlessCompanies(system: Tx, digits: string): Promise<SendingCompany[]> {
  const { rows } = await sql<SendingCompany>`
    select l.company_id as "companyId", array_agg(l.id order by l.id) as "locationIds"
    from location l left join messaging_setting s on s.company_id = l.company_id
    where l.sms_sender is null and (s.sms_sender is null or ${isFrom('s.sms_sender', digits)}) group by 1 order by 1`.execute(
    system,
  )
  return rows.map((row) => ({ ...row, locationIds: row.locationIds.map(Number) }))
}

/** Those of these companies that have erased somebody. */
export async function withErasures(system: Tx, companies: readonly SendingCompany[]): Promise<SendingCompany[]> {
  const ids = companies.map(({ companyId }) => companyId)
  const { rows } = await sql<{ id: number }>`
    select distinct company_id as id from erasure where company_id = any(${ids}::bigint[])`.execute(system)
  const found = new Set(rows.map(({ id }) => Number(id)))
  return companies.filter(({ companyId }) => found.has(Number(companyId)))
}

/**
 * The pharmacies in scope that have a patient with this contact (all that it may stand as).
 * @param erased only those that may have texted it in messages to somebody who was erased, which no longer say where they went: the
 *   company has texted it, and the pharmacy has erased somebody
 */
export async function knowingPlaces(
  tx: Tx,
  from: readonly string[],
  erased: boolean,
): Promise<Omit<RepliedPlace, 'last'>[]> {
  const mayHave = sql`
    and exists (select from erasure_record r where r.location_id = l.id)
    and exists (select from contact_history h
      where h.company_id = l.company_id and h.contact = any(${[...from]}::text[]) and h.sent <> '{}')`
  const { rows } = await sql<Omit<RepliedPlace, 'last'>>`
    select l.id as "locationId", l.company_id as "companyId", l.name, l.removed_at is not null as removed from location l
    where l.id = any ((select scope_location_ids())::bigint[])
      and exists (select from patient p where p.location_id = l.id and p.sms_to = any(${[...from]}::text[]))
      ${erased ? mayHave : sql``}
    order by l.id`.execute(tx)
  return rows
}
