import { renewFacts } from '../../src/features/cohort/fact/facts.queries.ts'
import { NO_SIXTY_DAY } from '../../src/features/sixty-day/list.queries.ts'
import { storing, writing } from '../field/contacts.ts'
import type { MessagingWorld } from '../messaging.ts'
import { asOwner, fresh } from '../people.ts'
import type { TestServer } from '../server.ts'

type Choice = 'unknown' | 'in' | 'out'

/** A patient with everything that cohorts and the held-back rules read. */
export interface CohortPerson {
  /** Which of the world's pharmacies. */
  at: number
  first_name: string | null
  last_name: string | null
  /** As written and as resolved. */
  mobile: string | null
  sms_to: string | null
  email: string | null
  email_to: string | null
  /** Said not to exist. */
  sms_gone: boolean
  email_gone: boolean
  sms_opt_out: boolean
  email_opt_out: boolean
  deceased: boolean
  /** As the facts say after an upload of another pharmacy that records it. */
  deceased_elsewhere: boolean
  facility: boolean
  fake: boolean
  born: string | null
  sex: 'F' | 'M' | null
  /** 0 unknown, then by the order of PATIENT_TYPES. */
  patient_type: number
  adherence_level: number | null
  loyalty_level: number | null
  molecules: number
  distance_km: number | null
  double_dispensing: boolean
  drug_types: string[]
  atc: string[]
  /** Null: no row. */
  consent: Record<'sms_health_outreach' | 'sms_marketing' | 'email_health_outreach' | 'email_marketing', Choice> | null
}

/** A person with nothing that holds messages back. */
export const person = (more: Partial<CohortPerson> = {}): CohortPerson => ({
  at: 0,
  first_name: 'Ines',
  last_name: 'Moran',
  mobile: null,
  sms_to: null,
  email: null,
  email_to: null,
  sms_gone: false,
  email_gone: false,
  sms_opt_out: false,
  email_opt_out: false,
  deceased: false,
  deceased_elsewhere: false,
  facility: false,
  fake: false,
  born: '1950-05-05',
  sex: 'F',
  patient_type: 1,
  adherence_level: 3,
  loyalty_level: 3,
  molecules: 3,
  distance_km: 2,
  double_dispensing: false,
  drug_types: [],
  atc: [],
  consent: null,
  ...more,
})

const DATA_TO = '2026-11-01'

/**
 * Adds people to a world: patients with one supply each, their facts as after an upload, then the facts about adherence, distance and the
 * like set to each person's given values. @returns their patient ids, in the given order; ids ascend with it
 */
export async function addPeople(
  server: TestServer,
  world: MessagingWorld,
  people: readonly CohortPerson[],
): Promise<number[]> {
  const rows = people.map((one, n) => ({ ...one, location_id: world.locations[one.at]!.id, source_id: fresh('c'), n }))
  const store = await storing(
    server,
    rows.flatMap((row) => [row.sms_to, row.email_to]),
  )
  const written = await writing(server, rows)
  const json = JSON.stringify(
    written.map((row) => ({ ...row, sms_to: store(row.sms_to), email_to: store(row.email_to) })),
  )
  const made = await asOwner<{ id: number; source_id: string }>(
    server,
    `insert into patient (location_id, source, source_id, first_name, last_name, mobile, mobile_sealed, sms_to, email, email_sealed, email_to,
       sms_gone_at, email_gone_at, sms_opt_out, email_opt_out, deceased_on, facility, fake, date_of_birth, sex, patient_type)
     select r.location_id, 'canonical', r.source_id, r.first_name, r.last_name, r.mobile, r.mobile_sealed, r.sms_to, r.email,
       r.email_sealed, r.email_to, case when r.sms_gone then now() end, case when r.email_gone then now() end, r.sms_opt_out, r.email_opt_out, case when r.deceased then date '2026-10-01' end, r.facility, r.fake, r.born, r.sex, nullif(r.patient_type, 0)
     from jsonb_to_recordset($1::jsonb) as r(location_id bigint, source_id text, first_name text, last_name text, mobile text,
       mobile_sealed bytea, sms_to text, email text, email_sealed bytea, email_to text, sms_gone boolean, email_gone boolean, sms_opt_out boolean, email_opt_out boolean, deceased boolean, facility boolean, fake boolean, born date,
       sex char(1), patient_type smallint, n int)
     order by r.n returning id, source_id`,
    [json],
  )
  const idOf = new Map(made.map((row) => [row.source_id, Number(row.id)]))
  const ids = rows.map((row) => idOf.get(row.source_id)!)
  await supplyAll(server, world)
  await asOwner(
    server,
    `insert into consent (location_id, patient_id, sms_health_outreach, sms_marketing, email_health_outreach, email_marketing)
     select r.location_id, r.id, r.consent->>'sms_health_outreach', r.consent->>'sms_marketing', r.consent->>'email_health_outreach',
       r.consent->>'email_marketing'
     from jsonb_to_recordset($1::jsonb) as r(location_id bigint, id bigint, consent jsonb) where jsonb_typeof(r.consent) = 'object'`,
    [JSON.stringify(rows.map((row, at) => ({ ...row, id: ids[at] })))],
  )
  for (const location of world.locations) {
    await world.inside((tx) =>
      renewFacts(tx, {
        locationId: location.id,
        dataTo: DATA_TO,
        sixtyDay: NO_SIXTY_DAY,
        thirtyDayMost: 45,
        distances: [],
      }),
    )
  }
  await asOwner(
    server,
    `update patient_fact f set adherence_level = r.adherence_level, loyalty_level = r.loyalty_level, patient_type = r.patient_type,
       molecules = r.molecules, distance_km = r.distance_km, double_dispensing = r.double_dispensing,
       drug_type_ids = array(select s.id from subcategory s where s.category_id = 1 and s.name = any (r.drug_types)),
       molecule_ids = array(select m.id from molecule m where m.atc = any (r.atc)),
       barred = case when r.deceased_elsewhere and not r.deceased then f.barred | 9 else f.barred end
     from jsonb_to_recordset($1::jsonb) as r(id bigint, adherence_level int, loyalty_level int, patient_type int, molecules int,
       distance_km real, double_dispensing boolean, drug_types text[], atc text[], deceased boolean, deceased_elsewhere boolean)
     where f.patient_id = r.id`,
    [JSON.stringify(rows.map((row, at) => ({ ...row, id: ids[at] })))],
  )
  return ids
}

/** One supply of one drug for everybody of the world who has none yet. */
async function supplyAll(server: TestServer, world: MessagingWorld): Promise<void> {
  await asOwner(
    server,
    `with c as (insert into category (id, name) values (1, 'Drug Type'), (2, 'Condition'), (6, 'Molecule') on conflict do nothing),
     s as (insert into subcategory (category_id, name) values (1, 'Unclassified'), (2, 'Unclassified'), (6, 'Unclassified') on conflict do nothing)
     select 1`,
  )
  // Of one that the reference list lacks, the key is more than the ATC code.
  await asOwner(
    server,
    `insert into molecule (key, name, atc, components, drug_type_id, condition_id, molecule_id)
     select case k when 'A10BA02' then k || ' metformin' else k end, k, k, array[k], (select id from subcategory where category_id = 1 and name = 'Unclassified'),
       (select id from subcategory where category_id = 2 and name = 'Unclassified'), (select id from subcategory where category_id = 6 and name = 'Unclassified')
     from unnest($1::text[]) k on conflict do nothing`,
    [['C10AA05', 'A10BA02', 'R03AC02']],
  )
  await asOwner(
    server,
    `insert into drug (location_id, source, source_id, name, molecule_id, chronic)
     select l, 'canonical', 'd', 'Metformin', (select id from molecule where key = 'A10BA02 metformin'), true from unnest($1::bigint[]) l
     on conflict do nothing`,
    [world.scope.locationIds],
  )
  await asOwner(
    server,
    `insert into script (location_id, source, source_id, dispensed_on, patient_id, drug_id, days_supply, days_basis)
     select p.location_id, 'canonical', p.source_id, $2, p.id, d.id, 30, 1
     from patient p join drug d on d.location_id = p.location_id where p.location_id = any ($1::bigint[]) on conflict do nothing`,
    [world.scope.locationIds, DATA_TO],
  )
}

/** This many messages to each number or address, one hour or some hours ago. */
export async function addHistoryOf(
  server: TestServer,
  companyId: number,
  contacts: ReadonlyMap<string, number>,
  hours = 1,
): Promise<void> {
  const store = await storing(server, contacts.keys())
  await asOwner(
    server,
    `insert into contact_history (company_id, contact, sent)
     select $1, c, array_fill(now() - make_interval(hours => $4, secs => 1), array[n]) from unnest($2::text[], $3::int[]) as t(c, n)
     on conflict (company_id, contact) do update set sent = excluded.sent`,
    [companyId, [...contacts.keys()].map(store), [...contacts.values()], hours],
  )
}
