import { sql } from 'kysely'
import type { Database } from '../apps/server/src/db/database.ts'

/** The size of the invented company. */
export interface Size {
  pharmacies: number
  patients: number
}

const MOLECULES = 300

/**
 * Fills a company's pharmacies with invented patients, set-based: names of usual lengths (one in 200 outside GSM), a mobile for 9 in 10
 * (one in 20 shared), an address for 6 in 10, consent on record for a third, one current supply of one to six medicines. Runs as the
 * database's owner.
 */
export async function fillCompany(owner: Database, companyId: number, size: Size): Promise<void> {
  await sql`insert into category (id, name) values (1, 'Drug Type'), (2, 'Condition'), (6, 'Molecule') on conflict do nothing`.execute(
    owner,
  )
  await sql`insert into subcategory (category_id, name) select c, 'Unclassified' from unnest(array[1, 2, 6]) c on conflict do nothing`.execute(
    owner,
  )
  await sql`
    insert into molecule (key, name, atc, components, drug_type_id, condition_id, molecule_id)
    select k, k, k, array[k], (select min(id) + n % 12 from subcategory where category_id = 1 and name <> 'Unclassified'),
      (select id from subcategory where category_id = 2 and name = 'Unclassified'), (select id from subcategory where category_id = 6 and name = 'Unclassified')
    from (select n, 'Z' || to_char(n / 100, 'FM00') || 'AA' || to_char(n % 100, 'FM00') as k from generate_series(1, ${MOLECULES}) n) m
    on conflict do nothing`.execute(owner)
  await sql`
    insert into drug (location_id, source, source_id, name, molecule_id, chronic)
    select l.id, 'canonical', m.id::text, m.name, m.id, true from location l cross join molecule m where l.company_id = ${companyId}`.execute(
    owner,
  )
  await sql`
    insert into patient (location_id, source, source_id, first_name, last_name, mobile, sms_to, email, email_to, contact_source, date_of_birth, sex, postcode,
      patient_type, deceased_on, facility)
    select l.id, 'canonical', 'b' || n, case when n % 200 = 0 then 'Łukasz' else left('Margaretanne', 3 + n % 9) end, left('Featherstonehaugh', 3 + n % 11),
      m.number, '+614' || m.number, e.address, e.address, '', date '1930-01-01' + (n::bigint * 7919 % 33000)::int, case n % 2 when 0 then 'F' else 'M' end,
      '3350', 1 + n % 6, case when n % 90 = 0 then date '2026-01-01' end, n % 70 = 0
    from (select id, row_number() over (order by id) - 1 as at, count(*) over () as places from location where company_id = ${companyId}) l
    join generate_series(1, ${size.patients}) n on n % l.places = l.at
    cross join lateral (select case when n % 10 > 0 then to_char(case when n % 20 = 1 then n - n % 400 + 1 else n end, 'FM00000000') end as number) m
    cross join lateral (select case when n % 10 < 6 then 'p' || n || '@mail.example' end as address) e`.execute(owner)
  await sql`
    insert into consent (location_id, patient_id, sms_health_outreach, sms_marketing)
    select location_id, id, case when id % 30 = 0 then 'out' else 'in' end, case when id % 2 = 0 then 'in' else 'unknown' end
    from patient where id % 3 = 0`.execute(owner)
  await sql`
    insert into script (location_id, source, source_id, dispensed_on, patient_id, drug_id, days_supply, days_basis)
    select p.location_id, 'canonical', p.id || '-' || k, date '2026-11-01' - (p.id % 20)::int, p.id, d.id, 30, 1
    from patient p cross join lateral generate_series(0, p.id % 6) k
    join drug d on d.location_id = p.location_id and d.source_id = (1 + (p.id * 31 + k * 17) % ${MOLECULES})::text`.execute(
    owner,
  )
  await sql`
    insert into patient_measure (location_id, patient_id, observed_days, covered_days, here_slots, leaked_slots)
    select location_id, id, 365, (id * 37) % 366, 5, id % 5 from patient`.execute(owner)
  await sql`
    insert into contact_history (company_id, contact, sent)
    select ${companyId}, sms_to, array_fill(now() - interval '1 day', array[1 + (id % 3)::int]) from patient
    where sms_to is not null and id % 6 = 0 on conflict do nothing`.execute(owner)
  await sql`update location set data_to = '2026-11-01' where company_id = ${companyId}`.execute(owner)
  await sql`vacuum analyze patient, consent, script, drug, patient_measure, contact_history`.execute(owner)
}

/** Gives one pharmacy a long history: this many scripts of its own patients over two years. @returns its internal id */
export async function addHistory(owner: Database, companyId: number, scripts: number): Promise<number> {
  const { rows } = await sql<{
    id: number
  }>`select min(id) as id from location where company_id = ${companyId}`.execute(owner)
  const { id } = rows[0]!
  await sql`
    insert into script (location_id, source, source_id, dispensed_on, patient_id, drug_id, days_supply, days_basis)
    select p.location_id, 'canonical', 'h' || n, date '2026-11-01' - (n % 730), p.id, d.id, 30, 1
    from generate_series(1, ${scripts}) n
    join (select id, location_id, row_number() over (order by id) - 1 as at, count(*) over () as many from patient where location_id = ${id}) p on n % p.many = p.at
    join drug d on d.location_id = ${id} and d.source_id = (1 + (p.id * 31 + n % 4) % ${MOLECULES})::text`.execute(
    owner,
  )
  await sql`analyze script`.execute(owner)
  return id
}

/** Prepares the written fact tables for reading, as autovacuum would. */
export async function settleFacts(owner: Database): Promise<void> {
  await sql`vacuum analyze patient_fact`.execute(owner)
}
