import { parseDay } from '@pillar/domain/time/day'
import { inScope } from '../../src/db/scope.ts'
import { messagingPharmacies } from '../../src/features/location/messaging-pharmacy.queries.ts'
import { timeLineOf } from '../../src/features/sequence/admin/time-line.ts'
import { refreshSequences, tickSequences } from '../../src/features/sequence/sequence.jobs.ts'
import { insertSequence, type NewSequence } from '../../src/features/sequence/sequence.queries.ts'
import { type MessagingWorld, makeMessagingWorld, makePatients, makeTemplate, type WorldOptions } from '../messaging.ts'
import { asOwner, fresh } from '../people.ts'
import type { TestServer } from '../server.ts'

/** A molecule with one of its drugs at a pharmacy. */
export interface TestDrug {
  id: number
  moleculeId: number
}

/** A drug with its own molecule, unless it shares that of another. */
export async function makeDrug(server: TestServer, locationId: number, moleculeId?: number): Promise<TestDrug> {
  const name = fresh('Molecule')
  const molecule =
    moleculeId ??
    (
      await asOwner<{ id: number }>(
        server,
        `with kind as (insert into category (id, name) values (900, 'Tests') on conflict (id) do update set name = excluded.name returning id),
         sub as (insert into subcategory (category_id, name) select id, $1 from kind returning id)
         insert into molecule (key, name, components, drug_type_id, condition_id, molecule_id)
         select $1, $1, array[$1], id, id, id from sub returning id`,
        [name],
      )
    )[0]!.id
  const [drug] = await asOwner<{ id: number }>(
    server,
    `insert into drug (location_id, source, source_id, name, molecule_id, chronic) values ($1, 'canonical', $2, $2, $3, true) returning id`,
    [locationId, fresh('drug'), molecule],
  )
  return { id: drug!.id, moleculeId: molecule }
}

export interface TestScript {
  patientId: number
  drugId: number
  /** ISO. */
  on: string
  days?: number
  k?: number | null
  repeats?: number | null
  prescribedOn?: string | null
  ceasedOn?: string | null
  deferred?: boolean
  reversed?: boolean
  refund?: boolean
}

/** Adds lines to the dispensing record, each with a separate prescription. */
export async function dispense(server: TestServer, locationId: number, scripts: readonly TestScript[]): Promise<void> {
  const rows = scripts.map((one) => {
    if (parseDay(one.on) === null) throw new RangeError(one.on)
    const all = {
      days: 30,
      k: null,
      repeats: null,
      prescribedOn: null,
      ceasedOn: null,
      deferred: false,
      reversed: false,
      refund: false,
    }
    return { ...all, ...one, source_id: fresh('s') }
  })
  await asOwner(
    server,
    `with given as (
       select * from jsonb_to_recordset($2::jsonb) as r("patientId" bigint, "drugId" bigint, "on" date, days int, k int, repeats int,
         "prescribedOn" date, "ceasedOn" date, deferred boolean, reversed boolean, refund boolean, source_id text)),
     paper as (
       insert into prescription (location_id, source, source_id, patient_id, drug_id, prescribed_on, repeats_authorised, ceased_on)
       select $1, 'canonical', source_id, "patientId", "drugId", "prescribedOn", repeats, "ceasedOn" from given returning id, source_id)
     insert into script (location_id, source, source_id, dispensed_on, patient_id, drug_id, prescription_id, supply_number,
       repeats_authorised, days_supply, days_basis, deferred, reversed, patient_price_cents)
     select $1, 'canonical', g.source_id, g."on", g."patientId", g."drugId", p.id, g.k, null, g.days, 1, g.deferred, g.reversed, case when g.refund then -1990 else 1990 end
     from given g join paper p using (source_id)`,
    [locationId, JSON.stringify(rows)],
  )
}

/** Sets the clock of a server. */
export function setClock(server: TestServer, iso: string): void {
  server.clock.offsetMs = new Date(iso).getTime() - Date.now()
}

/** A sequence of the world's pharmacy at `at`, with follow-ups this many days after the event; active, by text. */
export async function makeSequence(
  server: TestServer,
  world: MessagingWorld,
  days: readonly number[],
  more: Partial<NewSequence> & { at?: number; template?: Parameters<typeof makeTemplate>[2] } = {},
): Promise<number> {
  const { at = 0, template, ...columns } = more
  const text = await makeTemplate(server, world.company.id, { body: 'Hi {First Name}. {Pharmacy Name}', ...template })
  const place = world.locations[at]!
  const followUps = days.map((days_after, index) => ({ follow_up_order: index + 1, days_after, templateId: text.id }))
  const sequence: NewSequence = {
    title: fresh('Sequence'),
    event: 'first_script',
    preferred: 'sms',
    active: true,
    followUps,
    ...columns,
  }
  return world.inside((tx) => insertSequence(tx, place.id, sequence, server.services.now()))
}

/** The work after an upload of the world's pharmacy at `at`. @returns how many enrolled */
export function afterUploadOf(server: TestServer, world: MessagingWorld, at = 0, timeZone = 'Australia/Melbourne') {
  const scope = { companyId: world.company.id, locationIds: [world.locations[at]!.id] }
  return inScope(server.services.pools.app, scope, (tx) =>
    refreshSequences(tx, { id: world.locations[at]!.id, timeZone }, server.services.now()),
  )
}

/** Sets the clock and looks for due follow-ups. @returns messages queued */
export function tickAt(server: TestServer, iso: string): Promise<number> {
  setClock(server, iso)
  return tickSequences(server.services)
}

/** The decisions of a sequence, in order: 'order: state or reason'. */
export async function decisionsOf(server: TestServer, sequenceId: number): Promise<string[]> {
  const rows = await asOwner<{ what: string }>(
    server,
    `select concat(u.follow_up_order, ': ', coalesce(f.reason, concat_ws(' ', m.channel, m.state, m.reason))) as what
     from follow_up_message f
     join follow_up u on u.location_id = f.location_id and u.id = f.follow_up_id
     left join message m on m.location_id = f.location_id and m.run_id = f.run_id and m.patient_id = f.patient_id and m.channel = f.channel
     where f.sequence_id = $1 order by u.follow_up_order, f.enrolment_id`,
    [sequenceId],
  )
  return rows.map((row) => row.what)
}

/** A pharmacy whose patients have been coming for years and got a new medicine on 1 August 2026, the clock's present day. */
export async function newMedicine(server: TestServer, count = 1, options: WorldOptions = {}) {
  const world = await makeMessagingWorld(server, options)
  const place = world.locations[0]!.id
  const patients = await makePatients(server, place, count)
  const old = await makeDrug(server, place)
  const medicine = await makeDrug(server, place)
  const scripts = patients.flatMap(({ id }) => [
    { patientId: id, drugId: old.id, on: '2024-02-01' },
    { patientId: id, drugId: medicine.id, on: '2026-08-01' },
  ])
  await dispense(server, place, scripts)
  setClock(server, '2026-08-01T10:00:00Z')
  return { world, place, patients, fresh: medicine }
}

/** The results of a sequence of the world's first pharmacy, as the console shows them. */
export const timeLine = (server: TestServer, world: MessagingWorld, id: number) =>
  world.inside(async (tx) => {
    const [pharmacy] = await messagingPharmacies(tx, [world.locations[0]!.id])
    return timeLineOf(tx, pharmacy!, id, server.services.now())
  })

/** The same in one row; costs in dollars. */
export async function statsOf(server: TestServer, world: MessagingWorld, id: number) {
  const { sequence_stats, message_info } = await timeLine(server, world, id)
  return { ...message_info, ...sequence_stats }
}

/** The runs of a sequence, by day. */
export const runsOf = (server: TestServer, sequenceId: number) =>
  asOwner<{ day: string; order: number; messages: number }>(
    server,
    `select r.due_day::text as day, u.follow_up_order as "order", (select count(*)::int from message m where m.run_id = r.id) as messages
     from message_run r join follow_up u on u.id = r.follow_up_id where r.sequence_id = $1 order by 1, 2`,
    [sequenceId],
  )
