import { countSms, optOutFor, smsCents, withOptOut } from '@pillar/domain/message/sms-text'
import { v7 as uuidv7 } from '../src/api/uuid.ts'
import type { Tx } from '../src/db/database.ts'
import { inScope, type Scope } from '../src/db/scope.ts'
import { storing, writing } from './field/contacts.ts'
import { asOwner, makeCompany, makeLocation } from './people.ts'
import type { TestServer } from './server.ts'

/** A company with pharmacies that are always open, so that tests run at night too. */
export interface MessagingWorld {
  company: { id: number; uuid: string; name: string }
  locations: { id: number; uuid: string; key: string; name: string }[]
  scope: Scope
  /** Runs in the company's scope. */
  inside: <T>(work: (tx: Tx) => Promise<T>) => Promise<T>
}

const ALL_DAY = Array.from({ length: 7 }, () => [0, 1440])

export interface WorldOptions {
  locations?: number
  cap?: { messages: number; hours: number }
  /** Seven [from, to] minutes or nulls, Monday first. Default: all day, every day. */
  week?: (readonly [number, number] | null)[]
  holdoutPercent?: number
  holidaysQuiet?: boolean
}

export async function makeMessagingWorld(server: TestServer, options: WorldOptions = {}): Promise<MessagingWorld> {
  const company = await makeCompany(server)
  const locations: MessagingWorld['locations'] = []
  for (let i = 0; i < (options.locations ?? 1); i++) locations.push(await makeLocation(server, company.id))
  await setRules(server, company.id, options)
  const scope = { companyId: company.id, locationIds: locations.map(({ id }) => id) }
  return { company, locations, scope, inside: (work) => inScope(server.services.pools.app, scope, work) }
}

/** Sets a company's sending rules. Default: 100 messages in 744 hours, all day. */
export async function setRules(server: TestServer, companyId: number, options: WorldOptions): Promise<void> {
  const cap = options.cap ?? { messages: 100, hours: 744 }
  await asOwner(
    server,
    `insert into messaging_setting (company_id, cap_messages, cap_hours, week, holidays_quiet, holdout_percent)
     values ($1, $2, $3, $4, $6, $5)
     on conflict (company_id) do update set cap_messages = excluded.cap_messages, cap_hours = excluded.cap_hours,
       week = excluded.week, holdout_percent = excluded.holdout_percent, holidays_quiet = excluded.holidays_quiet`,
    [
      companyId,
      cap.messages,
      cap.hours,
      JSON.stringify(options.week ?? ALL_DAY),
      options.holdoutPercent ?? 0,
      options.holidaysQuiet ?? false,
    ],
  )
}

/** Gives a pharmacy its own frequency limit, which applies in addition to the company's. */
export async function setOwnCap(
  server: TestServer,
  locationId: number,
  cap: { messages: number; hours: number } | null,
): Promise<void> {
  await asOwner(
    server,
    `insert into location_messaging (location_id, cap_messages, cap_hours) values ($1, $2, $3)
     on conflict (location_id) do update set cap_messages = excluded.cap_messages, cap_hours = excluded.cap_hours`,
    [locationId, cap?.messages ?? null, cap?.hours ?? null],
  )
}

let numbers = 0
/** An Australian mobile number nobody else in this process has, in E.164. */
export const freshMobile = () => `+614${String(++numbers).padStart(8, '0')}`

export interface TestPatient {
  id: number
  locationId: number
  sms_to: string | null
  email_to: string | null
}

export interface PatientColumns {
  first_name?: string | null
  last_name?: string | null
  /** As the pharmacy wrote it; sms_to and email_to are where messages go. */
  mobile?: string | null
  email?: string | null
  sms_to?: string | null
  email_to?: string | null
  facility?: boolean
  deceased_on?: string | null
  sms_opt_out?: boolean
  email_opt_out?: boolean
  fake?: boolean
}

/** Patients, each with a mobile number and an address; `columns` changes single fields. */
export async function makePatients(
  server: TestServer,
  locationId: number,
  count: number,
  columns: (index: number) => PatientColumns = () => ({}),
): Promise<TestPatient[]> {
  const rows = Array.from({ length: count }, (_, index) => {
    const sms_to = freshMobile()
    const email_to = `p${sms_to.slice(1)}@mail.example`
    const given = columns(index)
    const row = { first_name: 'Ines', last_name: 'Moran', sms_to, email_to, ...given }
    return {
      location_id: locationId,
      source_id: `t${locationId}-${sms_to}`,
      facility: false,
      deceased_on: null,
      sms_opt_out: false,
      email_opt_out: false,
      fake: false,
      ...row,
      mobile: given.mobile === undefined ? row.sms_to : given.mobile,
      email: given.email === undefined ? row.email_to : given.email,
    }
  })
  const store = await storing(
    server,
    rows.flatMap((row) => [row.sms_to, row.email_to]),
  )
  const written = await writing(server, rows)
  const made = await asOwner<{ id: number }>(
    server,
    `insert into patient (location_id, source, source_id, first_name, last_name, mobile, email, mobile_sealed, email_sealed, sms_to,
       email_to, facility, deceased_on, sms_opt_out, email_opt_out, fake)
     select $1, 'canonical', r.source_id, r.first_name, r.last_name, r.mobile, r.email, r.mobile_sealed, r.email_sealed, r.sms_to,
       r.email_to, r.facility, r.deceased_on, r.sms_opt_out, r.email_opt_out, r.fake
     from rows from (jsonb_to_recordset($2::jsonb) as (source_id text, first_name text, last_name text, mobile text, email text,
       mobile_sealed bytea, email_sealed bytea, sms_to text, email_to text, facility boolean, deceased_on date, sms_opt_out boolean,
       email_opt_out boolean, fake boolean))
       with ordinality as r(source_id, first_name, last_name, mobile, email, mobile_sealed, email_sealed, sms_to, email_to, facility,
       deceased_on, sms_opt_out, email_opt_out, fake, n)
     order by r.n
     returning id`,
    [
      locationId,
      JSON.stringify(written.map((row) => ({ ...row, sms_to: store(row.sms_to), email_to: store(row.email_to) }))),
    ],
  )
  return made.map(({ id }, at) => ({ id, locationId, sms_to: rows[at]!.sms_to, email_to: rows[at]!.email_to }))
}

/** A company's own template, active. */
export async function makeTemplate(
  server: TestServer,
  companyId: number,
  columns: { name?: string; body?: string; subject?: string | null; email?: boolean; marketing?: boolean } = {},
): Promise<{ id: number; uuid: string }> {
  const uuid = uuidv7()
  const email = columns.email ?? false
  const [row] = await asOwner<{ id: number }>(
    server,
    `insert into template (uuid, company_id, name, body, subject, sms_template, email_template, message_kind, active)
     values ($1, $2, $3, $4, $5, $6, $7, $8, true) returning id`,
    [
      uuid,
      companyId,
      columns.name ?? `Template ${uuid}`,
      columns.body ?? TEXT,
      columns.subject ?? (email ? 'Your medicines' : null),
      !email,
      email,
      columns.marketing ? 'marketing' : 'health_outreach',
    ],
  )
  return { id: row!.id, uuid }
}

const TEXT = 'Hi {First Name}, your next repeat is due at {Pharmacy Name}.'

/** A company's campaign with its pharmacies and templates, not active. */
export async function makeCampaign(
  server: TestServer,
  companyId: number,
  parts: { locationIds?: readonly number[]; templateIds?: readonly number[]; name?: string } = {},
): Promise<{ id: number; uuid: string }> {
  const uuid = uuidv7()
  const [row] = await asOwner<{ id: number }>(
    server,
    `with made as (
       insert into campaign (uuid, company_id, name, goal_type, measure_by, goal)
       values ($1, $2, $3, 'visits', 'value', 10) returning id),
     places as (insert into campaign_location select made.id, $2, unnest($4::bigint[]) from made),
     texts as (insert into campaign_template select made.id, $2, unnest($5::bigint[]) from made)
     select id from made`,
    [uuid, companyId, parts.name ?? `Campaign ${uuid}`, parts.locationIds ?? [], parts.templateIds ?? []],
  )
  return { id: row!.id, uuid }
}

export interface RunOptions {
  campaignId?: number | null
  context?: 'campaign' | 'trial' | 'sequence' | 'communication'
  channel?: 'sms' | 'email'
  kind?: 'health_outreach' | 'marketing' | 'trial'
  /** Default: holding, started a second ago. */
  state?: string
  startsAt?: Date
  endsAt?: Date | null
  body?: string
  smsSender?: string | null
  /** To these patients; each pharmacy gets a separate batch. */
  patients: readonly TestPatient[]
}

export interface TestRun {
  id: number
  uuid: string
  /** By location id. */
  batches: ReadonlyMap<number, number>
}

type OfCompany = { company: { id: number } }

/** The result of an activation: a run, a batch for each pharmacy, and one queued message for each patient. */
export async function makeRun(server: TestServer, world: OfCompany, options: RunOptions): Promise<TestRun> {
  const uuid = uuidv7()
  const channel = options.channel ?? 'sms'
  const context = options.context ?? 'campaign'
  const startsAt = options.startsAt ?? new Date(server.services.now().getTime() - 1000)
  const body = options.body ?? 'Hi Ines, your next repeat is due.'
  const text = channel === 'sms' ? withOptOut(body, optOutFor(options.smsSender ?? '+61400000000')) : body
  const parts = channel === 'sms' ? countSms(text).parts : 0
  const [run] = await asOwner<{ id: number }>(
    server,
    `insert into message_run (uuid, company_id, context, campaign_id, state, starts_at, ends_at)
     values ($1, $2, $3, $4, $5, $6, $7) returning id`,
    [
      uuid,
      world.company.id,
      context,
      options.campaignId ?? null,
      options.state ?? 'holding',
      startsAt,
      options.endsAt ?? null,
    ],
  )
  const batches = new Map<number, number>()
  for (const locationId of new Set(options.patients.map((patient) => patient.locationId))) {
    const [batch] = await asOwner<{ id: number }>(
      server,
      `insert into message_batch (location_id, uuid, run_id, company_id, channel, context, template_name, message_kind, subject, body,
         sms_sender, next_at)
       values ($1, $2, $3, $4, $5, $6, 'Repeat due', $7, $8, $9, $10, $11) returning id`,
      [
        locationId,
        uuidv7(),
        run!.id,
        world.company.id,
        channel,
        context,
        options.kind ?? 'health_outreach',
        channel === 'email' ? 'Your medicines' : null,
        body,
        options.smsSender ?? null,
        startsAt,
      ],
    )
    batches.set(locationId, batch!.id)
    const own = options.patients.filter((patient) => patient.locationId === locationId)
    const contacts = own.map((patient) => (channel === 'sms' ? patient.sms_to : patient.email_to))
    const store = await storing(server, contacts)
    await asOwner(
      server,
      `insert into message (location_id, run_id, batch_id, patient_id, channel, state, contact, body, parts, cents, planned_at, rule)
       select $1, $2, $3, p.id, $4, 'queued', p.contact, $5, $6, $7, $8, 'health outreach'
       from unnest($9::bigint[], $10::text[]) with ordinality as p(id, contact, n) order by p.n`,
      [
        locationId,
        run!.id,
        batch!.id,
        channel,
        text,
        parts,
        smsCents(parts),
        startsAt,
        own.map((patient) => patient.id),
        contacts.map(store),
      ],
    )
  }
  return { id: run!.id, uuid, batches }
}

/** The number of a run's messages by state and reason, such as { 'sent': 3, 'skipped opted_out': 1 }. */
export async function statesOf(server: TestServer, runId: number): Promise<Record<string, number>> {
  const rows = await asOwner<{ what: string; n: number }>(
    server,
    `select concat_ws(' ', state, case when state = 'skipped' then reason end) as what, count(*) as n
     from message where run_id = $1 group by 1 order by 1`,
    [runId],
  )
  return Object.fromEntries(rows.map((row) => [row.what, Number(row.n)]))
}
