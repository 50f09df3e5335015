import { contract } from '@pillar/contract'
import { parse } from 'csv-parse/sync'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type MessagingWorld, makeMessagingWorld, makePatients, makeRun } from '../../../test/messaging.ts'
import { asOwner, fresh, mailTo, makeCompany, makeLogin, signIn, type TestLogin } from '../../../test/people.ts'
import { startTestServer, type TestServer } from '../../../test/server.ts'
import { makeSupport, type Support } from '../../../test/support.ts'

const { recipients, messageHistory, doubleDispensing } = contract.reportAdmin
let server: TestServer
let support: Support
let world: MessagingWorld
let person: TestLogin

beforeAll(async () => {
  server = await startTestServer({ work: true })
  support = await makeSupport(server)
})
afterAll(() => server.close())
beforeEach(async () => {
  world = await makeMessagingWorld(server, { locations: 2 })
  person = await makeLogin(server, world.company.id)
})

const first = () => world.locations[0]!
const days = { from: '2026-01-01', to: '2099-12-31' }

/** The newest email to a person, once there are that many. */
async function letterTo(email: string, count = 1) {
  await expect.poll(async () => (await mailTo(server, email)).length, { timeout: 20_000, interval: 100 }).toBe(count)
  return (await mailTo(server, email))[0]!
}
const tokenIn = (text: string) => /\/download-file\/([\w-]+)/.exec(text)![1]!
const take = (token: string) => server.call<string>('/api/download-file', { token })

describe('the recipient of a report', () => {
  it('is somebody at the pharmacy’s own company who can sign in, its owner first', async () => {
    const owner = await makeLogin(server, world.company.id)
    const gone = await makeLogin(server, world.company.id)
    await asOwner(server, 'update login set disabled_at = now() where id = $1', [gone.id])
    await asOwner(server, 'update location set owner_login_id = $1 where id = $2', [owner.id, first().id])
    const { body } = await support.ask(recipients, { id: first().uuid })
    expect(body.recipients.map(({ email, contact }) => [email, contact])).toEqual([
      [owner.email, true],
      [person.email, false],
    ])
  })

  it('cannot be anybody else: the request is refused and nothing is queued', async () => {
    const stranger = await makeLogin(server, (await makeCompany(server)).id)
    const gone = await makeLogin(server, world.company.id)
    await asOwner(server, 'update login set disabled_at = now() where id = $1', [gone.id])
    for (const email of [stranger.email, gone.email, support.login.email, 'someone@mail.example', 'x']) {
      for (const ask of [
        () => support.ask(messageHistory, { ...days, id: first().uuid, email }),
        () => support.ask(doubleDispensing, { ids: [first().uuid], email }),
      ]) {
        const reply = await ask()
        expect([email, reply.status, reply.body.message]).toEqual([
          email,
          422,
          'Please choose somebody of the pharmacy’s own company. A report goes to nobody else.',
        ])
      }
    }
    expect(await asOwner(server, 'select 1 from report_request where company_id = $1', [world.company.id])).toEqual([])
  })

  it('is checked again when the report is made', async () => {
    await asOwner(
      server,
      `insert into report_request (location_id, company_id, from_day, to_day, asked_by, asked_at, to_email)
       values ($1, $2, '2026-01-01', '2026-12-31', $3, now(), $4)`,
      [first().id, world.company.id, support.login.id, 'left@mail.example'],
    )
    const [row] = await asOwner<{ id: number }>(server, 'select max(id) as id from report_request')
    const { makeReport } = await import('./report.jobs.ts')
    await makeReport.run({ request_id: Number(row!.id) }, server.services)
    const letter = (await mailTo(server, support.login.email))[0]!
    expect(letter.text).toContain('left@mail.example is no longer the address of somebody at the company.')
    expect(await mailTo(server, 'left@mail.example')).toEqual([])
  })
})

describe('a message history that support requests', () => {
  it('is mailed as a link that works once, and the company’s log names who requested it', async () => {
    const patients = await makePatients(server, first().id, 2, (at) => ({ first_name: at === 0 ? 'Ines' : '=cmd' }))
    const [fake] = await makePatients(server, first().id, 1, () => ({ first_name: 'Testa', fake: true }))
    const run = await makeRun(server, world, { patients: [...patients, fake!], state: 'stopped' })
    await asOwner(server, "update message set state = 'sent', sent_at = now() where run_id = $1", [run.id])
    await asOwner(server, 'update message set fake = true where patient_id = $1', [fake!.id])
    const reply = await support.ask(messageHistory, { ...days, id: first().uuid, email: person.email.toUpperCase() })
    expect([reply.status, reply.body]).toEqual([200, { message: 'Report Successfully Generated.' }])
    const letter = await letterTo(person.email)
    expect(letter.subject).toBe(`Message history of ${first().name}`)
    const file = await take(tokenIn(letter.text))
    const rows = parse(file.body, { columns: true }) as Record<string, string>[]
    // No report contains fake patients.
    expect(rows.map((row) => row['First name'])).toEqual(['Ines', "'=cmd"])
    expect((await take(tokenIn(letter.text))).status).toBe(404)
    const log = await asOwner(
      server,
      `select action, login_id from audit where company_id = $1 and action like 'report%' order by id`,
      [world.company.id],
    )
    expect(log).toEqual([
      { action: 'reportAdmin.messageHistory', login_id: support.login.id },
      { action: 'report.mailed', login_id: support.login.id },
      { action: 'report.downloaded', login_id: null },
    ])
  })

  it('is mailed once if it is requested twice at a time, and again if it is requested later', async () => {
    const ask = { ...days, id: first().uuid, email: person.email }
    const both = await Promise.all([support.ask(messageHistory, ask), support.ask(messageHistory, ask)])
    expect(both.map(({ status }) => status)).toEqual([200, 200])
    await letterTo(person.email)
    const requests = 'select 1 from report_request where company_id = $1'
    expect(await asOwner(server, requests, [world.company.id])).toHaveLength(1)
    server.clock.offsetMs = 61_000
    await support.ask(messageHistory, ask)
    await letterTo(person.email, 2)
    server.clock.offsetMs = 0
  })

  it('is sent to each of two people who are to get it at once, and for each of two pharmacies', async () => {
    const other = await makeLogin(server, world.company.id)
    for (const { email } of [person, other]) await support.ask(messageHistory, { ...days, id: first().uuid, email })
    await support.ask(messageHistory, { ...days, id: world.locations[1]!.uuid, email: person.email })
    await letterTo(person.email, 2)
    await letterTo(other.email)
  })

  it('that could not be made is made when it is requested again at once', async () => {
    const ask = () => support.ask(messageHistory, { ...days, id: first().uuid, email: person.email })
    await ask()
    await letterTo(person.email)
    await asOwner(server, `update report_request set state = 'failed' where company_id = $1`, [world.company.id])
    await ask()
    await letterTo(person.email, 2)
  })

  it('reports wrong days', async () => {
    const wrong = { from: '2026-03-02', to: '2026-03-01', id: first().uuid, email: person.email }
    const reply = await support.ask(messageHistory, wrong)
    expect([reply.status, reply.body.message]).toEqual([422, 'Please choose a start that is not after the end.'])
  })

  it('can be requested by support only', async () => {
    const { bearer } = await signIn(server, await makeLogin(server, world.company.id, { flags: ['data_analytics'] }))
    const reply = await server.call(messageHistory.path, { ...days, id: first().uuid, email: person.email }, bearer)
    expect(reply.status).toBe(403)
  })
})

describe('the 60 Day Dispensing Report', () => {
  const DATA_TO = '2026-10-31'

  /** A pharmacy's data: an eligible medicine, another one, and supplies on the given days. */
  async function dispense(lines: { patient: number; atc: string; on: string; days: number; more?: string }[]) {
    await asOwner(server, 'update location set data_to = $1 where id = $2', [DATA_TO, first().id])
    await asOwner(server, `insert into category (id, name) values (1, 'Drug Type') on conflict do nothing`)
    const drugs = new Map<string, number>()
    for (const atc of new Set(lines.map((line) => line.atc))) {
      const [sub] = await asOwner<{ id: number }>(
        server,
        `insert into subcategory (category_id, name) select min(id), $1 from category returning id`,
        [fresh('sub')],
      )
      const [molecule] = await asOwner<{ id: number }>(
        server,
        `insert into molecule (key, name, atc, components, drug_type_id, condition_id, molecule_id)
         values ($1, $2, $3, '{}', $4, $4, $4) returning id`,
        [fresh('m'), atc === 'C10AA05' ? '=atorvastatin' : `medicine ${atc}`, atc, sub!.id],
      )
      const [drug] = await asOwner<{ id: number }>(
        server,
        `insert into drug (location_id, source, source_id, name, molecule_id, chronic) values ($1, 't', $2, $2, $3, true) returning id`,
        [first().id, fresh('d'), molecule!.id],
      )
      drugs.set(atc, drug!.id)
    }
    for (const { patient, atc, on, days: supply, more } of lines) {
      await asOwner(
        server,
        `insert into script (location_id, source, source_id, dispensed_on, patient_id, drug_id, days_supply, days_basis)
         values ($1, 't', $2, $3, $4, $5, $6, 1)`,
        [first().id, fresh('s'), on, patient, drugs.get(atc), supply],
      )
      if (more)
        await asOwner(server, `update script set ${more} where location_id = $1 and dispensed_on = $2`, [
          first().id,
          on,
        ])
    }
  }

  it('counts each eligible medicine: all scripts, still at 30 days, already 60', async () => {
    const people = await makePatients(server, first().id, 3)
    const [fake] = await makePatients(server, first().id, 1, () => ({ fake: true }))
    const [a, b, c] = people.map(({ id }) => id) as [number, number, number]
    await dispense([
      { patient: a, atc: 'C10AA05', on: '2026-10-31', days: 30 },
      { patient: a, atc: 'C10AA05', on: '2026-08-01', days: 60 },
      { patient: b, atc: 'C10AA05', on: '2025-11-01', days: 45 },
      { patient: c, atc: 'C10AA05', on: '2026-05-01', days: 46 },
      // Not counted: too early, too late, reversed, not eligible, not real.
      { patient: b, atc: 'C10AA05', on: '2025-10-31', days: 30 },
      { patient: b, atc: 'C10AA05', on: '2026-11-01', days: 30 },
      { patient: b, atc: 'C10AA05', on: '2026-04-04', days: 30, more: 'reversed = true' },
      { patient: b, atc: 'N02AA01', on: '2026-05-05', days: 30 },
      { patient: fake!.id, atc: 'C10AA05', on: '2026-05-06', days: 30 },
    ])
    const reply = await support.ask(doubleDispensing, { ids: [first().uuid], email: person.email })
    expect([reply.status, reply.body]).toEqual([200, { message: 'Report Successfully Generated.' }])
    const letter = await letterTo(person.email)
    expect(letter.subject).toBe(`60 Day Dispensing Report of ${first().name}`)
    expect(letter.text).toContain('1 Nov 2025 – 31 Oct 2026: 1 medicine that may be dispensed for 60 days.')
    const file = await take(tokenIn(letter.text))
    expect(parse(file.body, { columns: true })).toEqual([
      {
        Medicine: "'=atorvastatin",
        'ATC code': 'C10AA05',
        'Scripts in 12 months': '4',
        'Still at 30 days': '2',
        'Already 60 days': '2',
        '60 day share': '50.00%',
        Patients: '3',
        'Patients still at 30 days': '2',
      },
      expect.objectContaining({ Medicine: 'TOTAL', 'Scripts in 12 months': '4', 'Still at 30 days': '2' }),
    ])
    expect(file.body).not.toContain('Moran')
  })

  it('also has a medicine listed only by its item code, without an ATC code', async () => {
    const [patient] = await makePatients(server, first().id, 1)
    await dispense([{ patient: patient!.id, atc: 'none', on: '2026-10-01', days: 30 }])
    await asOwner(server, `update molecule set atc = null where atc = 'none'`)
    await asOwner(server, `update drug set pbs_code = '8511Y' where location_id = $1`, [first().id])
    await support.ask(doubleDispensing, { ids: [first().uuid], email: person.email })
    const file = await take(tokenIn((await letterTo(person.email)).text))
    expect(parse(file.body, { columns: true })).toMatchObject([
      { Medicine: 'medicine none', 'ATC code': '', 'Scripts in 12 months': '1', Patients: '1' },
      { Medicine: 'TOTAL', 'Scripts in 12 months': '1' },
    ])
  })

  it('keeps two medicines of one name apart by their ATC codes', async () => {
    const [a, b] = (await makePatients(server, first().id, 2)).map(({ id }) => id) as [number, number]
    await dispense([
      { patient: a, atc: 'C10AA05', on: '2026-10-01', days: 30 },
      { patient: b, atc: 'A02BC02', on: '2026-10-01', days: 30 },
    ])
    await asOwner(
      server,
      `update molecule set name = 'One name' where id in (select molecule_id from drug where location_id = $1)`,
      [first().id],
    )
    await support.ask(doubleDispensing, { ids: [first().uuid], email: person.email })
    const { body } = await take(tokenIn((await letterTo(person.email)).text))
    const rows = parse(body, { columns: true }) as Record<string, string>[]
    expect(rows.map((row) => [row['ATC code'], row['Scripts in 12 months']]).toSorted()).toEqual([
      ['', '2'],
      ['A02BC02', '1'],
      ['C10AA05', '1'],
    ])
  })

  it('is independent of a message history: neither link ends the other', async () => {
    await asOwner(server, 'update location set data_to = $1 where id = $2', [DATA_TO, first().id])
    await support.ask(messageHistory, { ...days, id: first().uuid, email: person.email })
    const history = await letterTo(person.email)
    await support.ask(doubleDispensing, { ids: [first().uuid], email: person.email })
    const sixty = await letterTo(person.email, 2)
    expect((await take(tokenIn(history.text))).body).toContain('Patient number')
    expect((await take(tokenIn(sixty.text))).body).toContain('Still at 30 days')
  })

  it('is for Australia only, and refuses an unknown pharmacy', async () => {
    await asOwner(server, `update location set country = 'GB' where id = $1`, [world.locations[1]!.id])
    const abroad = await support.ask(doubleDispensing, { ids: [world.locations[1]!.uuid], email: person.email })
    expect([abroad.status, abroad.body.message]).toEqual([
      422,
      `Please leave out pharmacies outside Australia: ${world.locations[1]!.name}.`,
    ])
    const unknown = await support.ask(doubleDispensing, { ids: [first().uuid, person.uuid], email: person.email })
    expect([unknown.status, unknown.body.message]).toEqual([404, 'That pharmacy was not found.'])
  })
})
