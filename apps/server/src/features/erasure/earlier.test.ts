import { contract } from '@pillar/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { storedAs } from '../../../test/field/contacts.ts'
import { eventsOf } from '../../../test/field/opened.ts'
import { asOwner, dump, makeLogin, signIn, stepUp } from '../../../test/people.ts'
import { askAs, makeSupport } from '../../../test/support.ts'
import { startUploadServer, type UploadServer } from '../../../test/upload.ts'
import { insertGatewayEvents } from '../../gateways/gateway-event.queries.ts'
import { MISSES } from '../consent/look-up-throttle.ts'
import { everyLetter } from '../mail/mail.queries.ts'
import { followUp } from '../upload/after-upload.jobs.ts'

let server: UploadServer
beforeAll(async () => {
  server = await startUploadServer()
}, 120_000)
afterAll(() => server.close())

const HEAD = 'patient_id,first_name,last_name,date_of_birth,address,mobile,email\n'
const BEFORE = 'PT-7,Zeldaphine,Oldbrook,1951-03-17,17 Numbat Row,0477 123 001,old@quirren.example\n'
const AFTER = 'PT-7,Zeldaphine,Quirrenbach,1951-03-17,17 Numbat Row,0477 123 002,new@quirren.example\n'
const BEN = 'P2,Ben,Ode,1960-01-02,1 High St,0477 000 111,ben@ode.example\n'

describe('erasing a patient who previously had another number and name', () => {
  it('leaves nothing that was sent to the old number, and nothing of unreadable lines and forwarded replies', async () => {
    const { services } = server
    const { pools, keys } = services
    const place = await server.pharmacy()
    const load = async (patients: string) => {
      expect((await place.load({ patients: HEAD + patients + BEN })).etl_state).toBe('COMPLETED')
      await followUp(services, place.companyId, place.id)
    }
    await load(BEFORE)
    const [zelda] = await asOwner<{ id: number; company: string; place: string }>(
      server,
      `select p.id, c.uuid as company, l.uuid as place from patient p join location l on l.id = p.location_id join company c on c.id = l.company_id
       where p.source_id = 'PT-7'`,
    )
    await load(AFTER)
    // What the simulator, a gateway and audit lines of earlier versions hold of the patient's number and name.
    const old = await storedAs(server, '+61477123001')
    const reply = '00000000-0000-4000-8000-00000000000a'
    await asOwner(
      server,
      `insert into message_reply (location_id, uuid, sender, received_by, body, may_stop, patient_ids, received_at)
       values ($1, $4, $3, '+61400000000', 'Zeldaphine here, which tablets?', false, array[$2::bigint], now())`,
      [place.id, zelda!.id, old, reply],
    )
    await asOwner(server, 'insert into contact_history (company_id, contact) values ($1, $2)', [place.companyId, old])
    await asOwner(
      server,
      `insert into simulator_message (reference, channel, recipient, sender, body, accepted_at)
       values ('r1', 'sms', '+61477123001', '+61400000000', 'Hi Zeldaphine', now()), ('r2', 'sms', '+61477000111', '+61400000000', 'Hi Ben', now())`,
    )
    const told = { at: '2026-11-20T01:00:00Z', kind: 'reply', to: '+61400000000', text: 'Hello' } as const
    await insertGatewayEvents(pools.system, keys, 'fake', [
      { ...told, id: 'e1', from: '+61477123001' },
      { ...told, id: 'e2', from: '+61477000111' },
      { ...told, id: 'e3', from: '+61477000222', text: 'Please ring 61477123001 instead' },
    ])
    await asOwner(
      server,
      `insert into upload_fault (upload_id, location_id, file_type, line, column_name, value, reason)
       select max(id), $1, f.* from upload, (values ('patients', 2, '', 'PT-7, Zeldaphine,Oldbrook,1951-03-17,17 Numbat Row,0477 123 001,old@quir…', 'x'),
         ('patients', 3, '', 'P2,Ben,Ode,1960-01-02,1 High St', 'x'),
         ('patients', 4, 'date_of_birth', '17/03/1951', 'is not a date such as 2026-07-31')) f group by f.column1, f.column2, f.column3, f.column4, f.column5`,
      [place.id],
    )
    const head = await makeLogin(server, place.companyId, { flags: ['data_analytics'] })
    await asOwner(server, 'update location set owner_login_id = $1 where id = $2', [head.id, place.id])
    const ask = askAs(server, { login: head, tab: await signIn(server, head) })
    expect((await ask(contract.inbound.forwardReply, { id: reply })).status).toBe(200)

    const support = await makeSupport(server)
    const { status } = await support.ask(contract.erasure.erasePatient, {
      ...{ id: zelda!.company, location_id: zelda!.place, number: 'PT-7', last_name: 'Quirrenbach' },
      reason: 'Asked in writing',
    })
    expect(status).toBe(200)

    const text = await dump(server)
    for (const word of ['Zeldaphine', 'Oldbrook', 'Quirrenbach', 'PT-7', '17 Numbat Row', '1951-03-17', '477123001'])
      expect([word, text.split('\n').filter((line) => line.includes(word))]).toEqual([word, []])
    expect(await asOwner(server, 'select recipient from simulator_message')).toEqual([{ recipient: '+61477000111' }])
    expect((await eventsOf(server)).map(({ payload }) => payload.from)).toEqual(['+61477000111'])
    expect(await asOwner(server, `select value from upload_fault order by line`)).toEqual([
      { value: '(erased)' },
      { value: 'P2,Ben,Ode,1960-01-02,1 High St' },
      { value: '(erased)' },
    ])
    expect(await asOwner(server, 'select from contact_history')).toEqual([])
    const { letters } = await pools.system.transaction().execute((tx) => everyLetter(tx, keys))
    expect(letters.filter(({ subject }) => subject.includes('replied')).map(({ body }) => body)).toEqual([null])
  })

  it('leaves what was sent to a number or an address that now belongs to somebody else', async () => {
    const place = await server.pharmacy()
    const having = async (anna: string, ben: string) => {
      const patients = `${HEAD}P-A,Anna,Vale,1951-03-17,1 Low St,${anna}\nP-B,Ben,Ode,1960-01-02,1 High St,${ben}\n`
      expect((await place.load({ patients })).etl_state).toBe('COMPLETED')
      await followUp(server.services, place.companyId, place.id)
    }
    await having('0477 222 001,first@vale.example', '0477 222 009,third@vale.example')
    const old = [await storedAs(server, '+61477222001'), await storedAs(server, 'first@vale.example')]
    await asOwner(
      server,
      `insert into message_reply (location_id, uuid, sender, received_by, body, may_stop, patient_ids, received_at)
       select $1, gen_random_uuid(), s, '+61400000000', 'Thanks', false, array[id], now() from patient, unnest($2::text[]) s where source_id = 'P-A'`,
      [place.id, old],
    )
    await having('0477 222 002,second@vale.example', '0477 222 001,first@vale.example')
    await asOwner(
      server,
      `insert into simulator_message (reference, channel, recipient, sender, body, accepted_at)
       select recipient, channel, recipient, '+61400000000', body, now() from (values ('sms', '+61477222001', 'Hi Ben'),
         ('sms', '+61477222002', 'Hi Anna'), ('email', 'first@vale.example', 'Dear Ben'), ('email', 'second@vale.example', 'Dear Anna')) v(channel, recipient, body)`,
    )
    const [ids] = await asOwner<{ company: string; place: string }>(
      server,
      'select c.uuid as company, l.uuid as place from location l join company c on c.id = l.company_id where l.id = $1',
      [place.id],
    )
    const { status } = await (await makeSupport(server)).ask(contract.erasure.erasePatient, {
      ...{ id: ids!.company, location_id: ids!.place, number: 'P-A', last_name: 'Vale', reason: 'Asked in writing' },
    })
    expect(status).toBe(200)
    const left = `select body from simulator_message where recipient ~ '^.61477222|vale' order by channel`
    expect(await asOwner(server, left)).toEqual([{ body: 'Dear Ben' }, { body: 'Hi Ben' }])
  })
})

it('people who share a number and an address with an erased patient keep them when they are uploaded again, and stay under the frequency limit', async () => {
  const place = await server.pharmacy()
  const contacts = '0477 333 001,both@vale.example'
  const ben = (address: string) => `P-B,Ben,Vale,1960-01-02,${address},${contacts}\n`
  const load = async (patients: string) => {
    expect((await place.load({ patients: HEAD + patients })).etl_state).toBe('COMPLETED')
    await followUp(server.services, place.companyId, place.id)
  }
  await load(`P-A,Anna,Vale,1951-03-17,1 Low St,${contacts}\n${ben('1 Low St')}`)
  const texted = [await storedAs(server, '+61477333001'), await storedAs(server, 'both@vale.example')]
  await asOwner(
    server,
    'insert into contact_history (company_id, contact, sent) select $1, c, array[now()] from unnest($2::text[]) c',
    [place.companyId, texted],
  )
  const [ids] = await asOwner<{ company: string; place: string }>(
    server,
    'select c.uuid as company, l.uuid as place from location l join company c on c.id = l.company_id where l.id = $1',
    [place.id],
  )
  const { status } = await (await makeSupport(server)).ask(contract.erasure.erasePatient, {
    ...{ id: ids!.company, location_id: ids!.place, number: 'P-A', last_name: 'Vale', reason: 'Asked in writing' },
  })
  expect(status).toBe(200)
  expect(await asOwner(server, 'select contact from contact_history where company_id = $1', [place.companyId])).toEqual(
    texted.map((contact) => ({ contact })),
  )
  await load(ben('2 High St'))
  const left = `select source_id, sms_to, email_to from patient where location_id = $1 and erased_at is null`
  expect(await asOwner(server, left, [place.id])).toEqual([
    {
      source_id: 'P-B',
      sms_to: await storedAs(server, '+61477333001'),
      email_to: await storedAs(server, 'both@vale.example'),
    },
  ])
})

it('a record of the person at a pharmacy of the company that was removed is erased too: it may be restored', async () => {
  const [place, removed] = [await server.pharmacy(), await server.pharmacy()]
  for (const [at, number] of [
    [place, 'P-C'],
    [removed, 'R-C'],
  ] as const) {
    const patients = `patient_id,first_name,last_name,date_of_birth,sex,mobile\n${number},Cara,Wicklow,1961-04-18,F,0477 444 001\n`
    expect((await at.load({ patients })).etl_state).toBe('COMPLETED')
    await followUp(server.services, at.companyId, at.id)
  }
  await asOwner(server, 'update location set removed_at = now() where id = $1', [removed.id])
  const [ids] = await asOwner<{ company: string; place: string }>(
    server,
    'select c.uuid as company, l.uuid as place from location l join company c on c.id = l.company_id where l.id = $1',
    [place.id],
  )
  const { status, body } = await (await makeSupport(server)).ask(contract.erasure.erasePatient, {
    ...{ id: ids!.company, location_id: ids!.place, number: 'P-C', last_name: 'Wicklow', reason: 'Asked in writing' },
  })
  expect([status, body.records]).toEqual([200, 2])
  expect(await asOwner(server, `select location_id from patient where last_name = 'Wicklow'`)).toEqual([])
})

it('wrong names are stopped after a few, however long the step-up lasts', async () => {
  const place = await server.pharmacy()
  const [ids] = await asOwner<{ company: string; place: string }>(
    server,
    'select c.uuid as company, l.uuid as place from location l join company c on c.id = l.company_id where l.id = $1',
    [place.id],
  )
  const support = await makeSupport(server)
  const grant = await stepUp(server, support, 'delete', ids!.company)
  const guess = (last_name: string) =>
    server.call(
      `/api/company/${ids!.company}/erase-patient`,
      { location_id: ids!.place, number: 'P-A', last_name, reason: 'Asked in writing' },
      grant,
    )
  for (let n = 0; n < MISSES; n++) expect((await guess(`Name ${n}`)).status).toBe(404)
  expect(await guess('Vale')).toMatchObject({ status: 429, body: { code: 'too_many' } })
})
