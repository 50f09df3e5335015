import { randomUUID } from 'node:crypto'
import { seal } from '../../src/api/seal.ts'
import { rowName, SEALED } from '../../src/db/field/columns.ts'
import { insertMail } from '../../src/features/mail/mail.queries.ts'
import { outside } from '../database.ts'
import { storedAs } from '../field/contacts.ts'
import { asOwner } from '../people.ts'
import type { TestServer } from '../server.ts'
import { noJobLeft } from '../waiting.ts'

/** Words that name Zelda and nobody else in the test's database. */
export const NAMED = [
  'Zeldaphine',
  'Quirrenbach',
  '61477123987',
  '0477 123 987',
  'zq@quirren.example',
  '17 Numbat Row',
  '1951-03-17',
  'PT-90417',
  'Dear Zel',
  'AUTH-7734',
  'Quokkaville',
  'Nor-by-East',
  'Bilby Lane Chemist',
]

export const PATIENTS =
  'patient_id,first_name,last_name,sex,date_of_birth,address,suburb,state,postcode,mobile,email,sms_opt_out\n'
export const ZELDA =
  'PT-90417,Zeldaphine,Quirrenbach,F,1951-03-17,17 Numbat Row,Quokkaville,Nor-by-East,3121,0477 123 987,zq@quirren.example,0\n'
export const OTHERS =
  'P2,Ben,Ode,M,1960-01-02,1 High St,,,3121,0477 000 111,ben@ode.example,0\nP3,Cho,Lim,F,1970-05-06,2 High St,,,3122,0477 000 222,cho@lim.example,0\n'
export const DRUGS = 'drug_id,name,atc,pack_size\nA,Rosuvastatin 10 mg tablet,C10AA07,30\n'
export const RX =
  'prescription_id,patient_id,drug_id,repeats_authorised,authority,original_pharmacy\nR1,PT-90417,A,5,AUTH-7734,Bilby Lane Chemist\nR2,P2,A,5,,\n'
export const HEAD =
  'script_id,dispensed_on,patient_id,drug_id,prescription_id,units,supply_number,patient_type,patient_price,directions\n'
export const scripts = (who: string, rx: string, months: readonly number[]) =>
  months
    .map(
      (m) =>
        `${who}-${m},2026-0${m}-04,${who === 'z' ? 'PT-90417' : 'P2'},A,${rx},30,${m},General,7.70,Take ONE daily${who === 'z' ? ' Dear Zel' : ''}\n`,
    )
    .join('')

/** What sending, replies, emails and links leave about a person. */
export async function leaveTraces(server: TestServer, place: { id: number; companyId: number }): Promise<void> {
  const [zelda] = await asOwner<{ id: number }>(
    server,
    `select id from patient where location_id = $1 and source_id = 'PT-90417'`,
    [place.id],
  )
  const at = [place.id, zelda!.id]
  const sms = await storedAs(server, '+61477123987')
  await asOwner(server, `update patient set sms_to = $1, email_to = $2 where source_id = 'PT-90417'`, [
    ...[sms, await storedAs(server, 'zq@quirren.example')],
  ])
  await asOwner(
    server,
    `insert into message_reply (location_id, uuid, sender, received_by, body, may_stop, patient_ids, received_at)
     values ($1, gen_random_uuid(), $3, '+61400000000', 'It is Quirrenbach, which tablets?', false, array[$2::bigint], now())`,
    [...at, sms],
  )
  const uuid = randomUUID()
  const sealed = await server.services.keys.sealer(SEALED.consentContact.name)
  await asOwner(
    server,
    `insert into consent_entry (location_id, patient_id, uuid, at, type, channel, wording, source, contact_sealed)
     values ($1, $2, $3, now(), 'start', 'sms', 'Quirrenbach says yes', 'reply', $4)`,
    [...at, uuid, sealed(rowName(place.id, uuid), '+61477123987')],
  )
  await asOwner(
    server,
    `insert into consent_request (location_id, token_hash, patient_id, marketing, health_outreach, expires_at)
     values ($1, sha256('token'), $2, true, true, now() + interval '1 day')`,
    at,
  )
  await asOwner(
    server,
    `insert into trial_link (location_id, trial_id, patient_id, purpose, token_hash) values ($1, 1, $2, 'withdraw', sha256('exit'))`,
    at,
  )
  await asOwner(server, 'insert into contact_history (company_id, contact) values ($1, $2)', [place.companyId, sms])
  await asOwner(
    server,
    `insert into gateway_event (gateway, event_id, payload, done_at) values ('fake', 'e1', '{"from":"+61477123987","text":"Quirrenbach"}', now())`,
  )
  await asOwner(
    server,
    `insert into simulator_message (reference, channel, recipient, sender, body, accepted_at)
     values ('ref-1', 'sms', '+61477123987', '+61400000000', 'Dear Zel', now())`,
  )
  const { pools, keys, secret } = server.services
  for (const [recipient, subject, text] of [
    ['shop@pharmacy.example', 'A reply', 'Reply of +61477123987'],
    ['ZQ@Quirren.example', 'Your sign-up', 'Welcome'],
  ] as const)
    await pools.system
      .transaction()
      .execute((tx) =>
        insertMail(tx, keys, { recipient, subject, body: seal(secret, text, recipient, 'mail body'), now: new Date() }),
      )
}

/** Every stored figure of the company, as one text. */
export async function figuresOf(server: TestServer): Promise<string> {
  await noJobLeft(server, 'after-upload')
  const tables = [
    'metric_cell',
    'metric_figure',
    'metric_total',
    'metric_persistence',
    'person_cell',
    'person_figure',
    'patient_measure',
    'script_lines',
  ]
  const texts: string[] = []
  for (const name of [...tables, 'board_fact', 'sixty_day_cell', 'touch', 'message_stat']) {
    const rows = await asOwner<{ row: string }>(server, `select row_to_json(t)::text as row from ${name} t order by 1`)
    texts.push(`${name}\n${rows.map(({ row }) => row).join('\n')}`)
  }
  const [counted] = await asOwner<{ row: string }>(
    server,
    `select json_build_array(count(*), count(distinct (location_id, patient_id)), sum(patient_price_cents), sum(days_supply))::text as row from script`,
  )
  return [...texts, counted!.row].join('\n')
}

export const databaseOf = (server: TestServer) => new URL(server.ownerUrl).pathname.slice(1)
/** A statement that copies a database, for its owner. */
export const copyDatabase = (server: TestServer, from: string, to: string) =>
  `create database ${to} template ${from} owner ${new URL(server.ownerUrl).username}`
/** Runs statements from outside, on every node of a cluster, while nobody is connected; pools open new connections afterwards. */
export async function alone(server: TestServer, ...statements: string[]): Promise<void> {
  const name = databaseOf(server)
  const ask = await outside(server.ownerUrl)
  try {
    await ask(`alter database ${name} with allow_connections false`)
    await ask(`do $$ begin
      loop
        perform pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}';
        exit when not found;
        perform pg_sleep(0.02), pg_stat_clear_snapshot();
      end loop;
    end $$`)
    for (const statement of statements) await ask(statement)
  } finally {
    await ask(`alter database ${name} with allow_connections true`)
  }
}

/** Adds a gateway event and two emails that do not open: one by its recipient, one by its text. @returns the emails' ids */
export async function leaveClosed(server: TestServer): Promise<{ letters: number[]; remove: () => Promise<void> }> {
  await asOwner(
    server,
    `insert into gateway_event (gateway, event_id, payload, payload_sealed, done_at, failure) values ('fake', 'altered', '{}', '\\x00', now(), 'x')`,
  )
  const letters = await asOwner<{ id: number }>(
    server,
    `insert into mail (uuid, recipient, recipient_sealed, subject, body) values
       (gen_random_uuid(), null, '\\x00', 'altered', '\\x00'), (gen_random_uuid(), 'ada@ours.example', null, 'altered', '\\x00') returning id`,
  )
  return {
    letters: letters.map(({ id }) => id),
    async remove() {
      await asOwner(server, `delete from gateway_event where event_id = 'altered'`)
      await asOwner(server, `delete from mail where subject = 'altered'`)
    },
  }
}
