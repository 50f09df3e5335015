import { sql } from 'kysely'
import type { Tx } from '../../../db/database.ts'
import { withCompanyScope } from '../../../db/scope.ts'
import { type Carried, carried, closingEntries, type EntryRow, stillGets } from './carried.queries.ts'

/** An entry of a removed pharmacy, with what it is recognised by elsewhere. */
interface RemovedEntry extends Omit<EntryRow, 'patientId'> {
  contacts: string[]
  keys: string[]
}

/**
 * The same for entries of the company's removed pharmacies: nobody is asked there any more, and their patients go on at another one, or at the
 * same one, added again.
 */
export async function entriesOfRemoved(tx: Tx, locationId: number): Promise<Carried[]> {
  const removed = await withCompanyScope(tx, () => removedEntries(tx, locationId))
  if (removed.length === 0) return []
  const pairs = (of: (one: RemovedEntry) => readonly string[]) => {
    const all = removed.flatMap((one, at) => of(one).map((sign) => ({ at, sign })))
    return sql`unnest(${all.map(({ at }) => at)}::int[], ${all.map(({ sign }) => sign)}::text[])`
  }
  const here = (table: string) => sql`${sql.ref(`${table}.location_id`)} = ${locationId}`
  const { rows } = await sql<{ patientId: number; at: number }>`
    with spoken as (
      select p.id as patient_id, r.at from ${pairs((one) => one.contacts)} r(at, contact) join patient p on ${here('p')} and p.sms_to = r.contact
      union select p.id, r.at from ${pairs((one) => one.contacts)} r(at, contact) join patient p on ${here('p')} and p.email_to = r.contact
      union select k.patient_id, r.at from ${pairs((one) => one.keys)} r(at, key) join person_key k on ${here('k')} and k.key = r.key
    ), e as (
      select * from unnest(${removed.map((_, at) => at)}::int[], ${removed.map(({ type }) => type)}::text[],
        ${removed.map(({ channel }) => channel)}::text[]) as e(at, type, channel)
    )
    select s.patient_id as "patientId", s.at from spoken s join e on e.at = s.at
    join patient p on ${here('p')} and p.id = s.patient_id and not p.fake and p.erased_at is null
    left join consent c on ${here('c')} and c.patient_id = s.patient_id
    where ${stillGets} order by s.patient_id, s.at`.execute(tx)
  return rows.map(({ patientId, at }) => carried({ ...(removed[at] as RemovedEntry), patientId }))
}

/** The entries by which records of removed pharmacies are opted out, in order of time. Needs the company in the scope. */
async function removedEntries(tx: Tx, locationId: number): Promise<RemovedEntry[]> {
  const { rows: places } = await sql<{ id: number }>`
    select o.id from location l join location o on o.company_id = l.company_id and o.removed_at is not null and o.id <> l.id
    where l.id = ${locationId} order by o.id`.execute(tx)
  const found: RemovedEntry[] = []
  for (const { id } of places) {
    const here = (table: string) => sql`${sql.ref(`${table}.location_id`)} = ${id}`
    const { rows } = await sql<RemovedEntry>`
      with closing as materialized (
        select distinct c.patient_id, e.id from consent c ${closingEntries(here)} where ${here('c')} and v.choice = 'out'
      )
      select e.uuid, e.id, e.at, e.type, e.channel, e.answers, e.wording,
        array(select k.key from person_key k where ${here('k')} and k.patient_id = n.patient_id) as keys,
        array(select case e.type when 'stop' then p.sms_to else p.email_to end from patient p
            where ${here('p')} and p.id = n.patient_id and not p.fake and e.type in ('stop', 'unsubscribe')
          union select m.contact from message m
            where ${here('m')} and m.patient_id = n.patient_id and m.sent_at is not null and m.contact is not null and not m.fake
              and m.channel = case e.type when 'stop' then 'sms' when 'unsubscribe' then 'email' end) as contacts
      from closing n join consent_entry e on ${here('e')} and e.id = n.id`.execute(tx)
    found.push(...rows.map((row) => ({ ...row, contacts: row.contacts.filter((contact) => contact !== null) })))
  }
  return found.sort((a, b) => a.at.getTime() - b.at.getTime())
}
