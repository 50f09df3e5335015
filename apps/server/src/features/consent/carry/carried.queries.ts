import { sql } from 'kysely'
import type { Tx } from '../../../db/database.ts'
import { eventOf } from '../consent-log.queries.ts'

/** The source of entries that came from another record, here or at a pharmacy that was removed: they are carried no further. */
export const CARRIED = 'another record'
export const CARRIED_FROM_REMOVED = 'removed pharmacy'
const isOriginal = sql`e.source not in (${CARRIED}, ${CARRIED_FROM_REMOVED})`

/** An entry that ended messages for one record of a pharmacy, and another record, by patient id, that it also speaks for. */
export interface Carried {
  patientId: number
  uuid: string
  event: ReturnType<typeof eventOf>
  wording: string | null
}

/** An entry for a patient, as read. */
export interface EntryRow {
  patientId: number
  uuid: string
  id: number
  at: Date
  type: string
  channel: string | null
  answers: unknown
  wording: string | null
}

/** The same as it is carried. */
export const carried = ({ patientId, uuid, wording, ...row }: EntryRow): Carried => ({
  ...{ patientId, uuid, wording },
  event: eventOf(row),
})

/** Whether a record still gets messages on a channel that entry `e` speaks of, by its consent `c`. */
export const stillGets = sql`(c.patient_id is null
  or (e.type = 'stop' or e.channel = 'sms' or e.type = 'form') and (c.sms_health_outreach <> 'out' or c.sms_marketing <> 'out')
  or (e.type = 'unsubscribe' or e.channel = 'email' or e.type = 'form') and (c.email_health_outreach <> 'out' or c.email_marketing <> 'out'))`

/** The entries by which consents `c` say no, as `e`. */
export const closingEntries = (here: (table: string) => ReturnType<typeof sql>) => sql`
  cross join lateral (values (c.sms_health_outreach, c.sms_health_outreach_entry), (c.sms_marketing, c.sms_marketing_entry),
    (c.email_health_outreach, c.email_health_outreach_entry), (c.email_marketing, c.email_marketing_entry)) v(choice, entry)
  join consent_entry e on ${here('e')} and e.id = v.entry and ${isOriginal}`

/**
 * The entries by which records of a pharmacy are opted out, each with the other records it also speaks for and that still get messages on a
 * channel: for a STOP or an unsubscribed address, those with the number or address at which that record is or was reached; for any entry,
 * records of the same person, as pharmacies' records are matched (decision 050).
 * @param donor only entries of this patient; null for all
 */
export async function entriesToCarry(tx: Tx, locationId: number, donor: number | null): Promise<Carried[]> {
  const here = (table: string) => sql`${sql.ref(`${table}.location_id`)} = ${locationId}`
  const { rows } = await sql<EntryRow>`
    with closing as materialized (
      select distinct c.patient_id, e.id, e.type from consent c ${closingEntries(here)}
      where ${here('c')} and v.choice = 'out' and (${donor}::bigint is null or c.patient_id = ${donor})
    ), reached as (
      select n.id, case n.type when 'stop' then p.sms_to else p.email_to end as contact from closing n
      join patient p on ${here('p')} and p.id = n.patient_id and not p.fake where n.type in ('stop', 'unsubscribe')
      union
      select n.id, m.contact from closing n join message m on ${here('m')} and m.patient_id = n.patient_id and m.sent_at is not null
        and not m.fake and m.channel = case n.type when 'stop' then 'sms' when 'unsubscribe' then 'email' end
    ), spoken as (
      select p.id as patient_id, r.id from reached r join patient p on ${here('p')} and p.sms_to = r.contact
      union select p.id, r.id from reached r join patient p on ${here('p')} and p.email_to = r.contact
      union
      select o.patient_id, n.id from closing n join person_key k on ${here('k')} and k.patient_id = n.patient_id
      join person_key o on ${here('o')} and o.key = k.key
    )
    select s.patient_id as "patientId", e.uuid, e.id, e.at, e.type, e.channel, e.answers, e.wording
    from spoken s join consent_entry e on ${here('e')} and e.id = s.id and e.patient_id <> s.patient_id
    join patient p on ${here('p')} and p.id = s.patient_id and not p.fake and p.erased_at is null
    left join consent c on ${here('c')} and c.patient_id = s.patient_id
    where ${stillGets} order by s.patient_id, e.at, e.id`.execute(tx)
  return rows.map(carried)
}
