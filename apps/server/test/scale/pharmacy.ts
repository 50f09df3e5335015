import { type MessagingWorld, makeMessagingWorld, makePatients } from '../messaging.ts'
import { asOwner, fresh } from '../people.ts'
import type { TestServer } from '../server.ts'
import { makeDrug, makeSequence } from '../world/sequence-world.ts'

/** Patients of the large pharmacy, its products, and the scripts of each patient, one a month. */
const PATIENTS = 300
const PRODUCTS = 100
const EACH = 12

/**
 * More rows than a statement has reason to read: half of every patient against every other, and all scripts of two months against every
 * product, are more.
 */
export const MANY = 40_000

/** The clock of every pharmacy. */
export const ZONE = 'Australia/Melbourne'

export interface LargeWorld extends MessagingWorld {
  /** The large pharmacy, first of `locations`. */
  large: number
}

/**
 * A pharmacy that has grown since PostgreSQL last analysed it, beside a small one it knows and another of the company with the same people:
 * PostgreSQL expects hardly any of its rows, as for a large pharmacy among thousands of small ones. Everybody has had a campaign's text,
 * and is part-way through a sequence.
 */
export async function makeLargePharmacy(server: TestServer): Promise<LargeWorld> {
  const world = await makeMessagingWorld(server, { locations: 3 })
  const [large, small, other] = world.locations.map(({ id }) => id) as [number, number, number]
  const molecule = (await makeDrug(server, small)).moleculeId
  await fill(server, world, small, molecule, 2)
  await asOwner(server, 'analyze')
  await fill(server, world, large, molecule, PATIENTS)
  await fill(server, world, other, molecule, PATIENTS)
  return { ...world, large }
}

async function fill(
  server: TestServer,
  world: MessagingWorld,
  locationId: number,
  molecule: number,
  patients: number,
): Promise<void> {
  const run = (text: string, values: unknown[] = []) => asOwner(server, text, [locationId, ...values])
  await makePatients(server, locationId, patients)
  await run(
    `insert into person_key (location_id, patient_id, kind, key)
     select location_id, id, kind, md5(row_number() over (partition by kind order by id) || kind)
     from patient cross join unnest(array['phone', 'postcode']) kind where location_id = $1`,
  )
  await run(
    `insert into drug (location_id, source, source_id, name, molecule_id, chronic, sixty_day, pbs_code)
     select $1, 'canonical', 'd' || n, 'Product ' || n, $2, true, true, $4 from generate_series(1, $3::int) n`,
    [molecule, Math.min(patients, PRODUCTS), SIXTY_DAY_ITEM],
  )
  await run(
    `insert into prescription (location_id, source, source_id, patient_id, drug_id, prescribed_on, repeats_authorised)
     select p.location_id, 'canonical', p.source_id || '/' || n, p.id, d.id, current_date - 30 * n, 5
     from patient p cross join generate_series(1, $2::int) n
     join (select id, row_number() over () as at, count(*) over () as all from drug where location_id = $1) d on d.at = 1 + (p.id + n) % d.all
     where p.location_id = $1`,
    [EACH],
  )
  await run(
    `insert into script (location_id, source, source_id, dispensed_on, patient_id, drug_id, prescription_id, supply_number, days_supply, days_basis, patient_price_cents)
     select location_id, source, source_id, prescribed_on, patient_id, drug_id, id, 1, 30, 1, 1990 from prescription where location_id = $1`,
  )
  await run('update location set data_from = current_date - 400, data_to = current_date - 1 where id = $1')
  await sendCampaign(server, world, locationId)
  const at = world.locations.findIndex(({ id }) => id === locationId)
  const sequence = await makeSequence(server, world, [0, 20], { at })
  await run(
    `insert into enrolment (location_id, sequence_id, patient_id, molecule_id, event_day, enrolled_at, next_at)
     select $1, $2, id, $3, current_date - 20, now() - interval '20 days', now() - interval '1 minute' from patient where location_id = $1`,
    [sequence, molecule],
  )
  await run(
    `insert into follow_up_message (location_id, enrolment_id, follow_up_id, sequence_id, patient_id, due_at, decided_at, reason)
     select e.location_id, e.id, u.id, e.sequence_id, e.patient_id, e.enrolled_at, e.enrolled_at, 'missed'
     from enrolment e join follow_up u on u.location_id = e.location_id and u.sequence_id = e.sequence_id and u.follow_up_order = 1
     where e.location_id = $1`,
  )
}

/** The item code of every product. */
export const SIXTY_DAY_ITEM = '1234A'

/** A campaign of 60 days ago that reached everybody. */
function sendCampaign(server: TestServer, { company }: MessagingWorld, locationId: number) {
  return asOwner(
    server,
    `with made as (
       insert into campaign (uuid, company_id, name, goal_type, measure_by, goal, start_day)
       values (gen_random_uuid(), $2, $3, 'adherence', 'target', 80, current_date - 60) returning id, company_id),
     place as (insert into campaign_location (campaign_id, company_id, location_id) select id, company_id, $1 from made),
     run as (
       insert into message_run (uuid, company_id, context, campaign_id, state, starts_at, ended_at)
       select gen_random_uuid(), company_id, 'campaign', id, 'done', now() - interval '60 days', now() - interval '2 days' from made
       returning id, company_id),
     batch as (
       insert into message_batch (location_id, uuid, run_id, company_id, channel, context, template_name, message_kind, body)
       select $1, gen_random_uuid(), id, company_id, 'sms', 'campaign', 'Repeat due', 'health_outreach', 'Hi' from run returning id, run_id)
     insert into message (location_id, run_id, batch_id, patient_id, channel, state, contact, body, parts, cents, created_at, planned_at, sent_at, settled_at)
     select $1, b.run_id, b.id, p.id, 'sms', 'delivered', p.sms_to, 'Hi', 1, 12, t.at, t.at, t.at, t.at
     from batch b, patient p, (select now() - interval '60 days' as at) t where p.location_id = $1`,
    [locationId, company.id, fresh('Campaign')],
  )
}
