import { Writable } from 'node:stream'
import { contract } from '@pillar/contract'
import { parse } from 'csv-parse/sync'
import pino from 'pino'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import {
  freshMobile,
  type MessagingWorld,
  makeMessagingWorld,
  makePatients,
  makeRun,
  statesOf,
} from '../../../test/messaging.ts'
import { FakePhones } from '../../../test/outside/fake-gateway.ts'
import { asOwner, fresh } from '../../../test/people.ts'
import { sendAll } from '../../../test/sending.ts'
import { startTestServer, type TestServer } from '../../../test/server.ts'
import { makeSupport, type Support } from '../../../test/support.ts'
import {
  ETHICS,
  makePartner,
  makeRecruiterLogin,
  makeRunningTrial,
  referredPatient,
  SIGN_UP,
  signUp,
  trialDraft,
  trialTokenFor,
} from '../../../test/trial.ts'
import { addPeople, person } from '../../../test/world/cohort-world.ts'
import { buildApp } from '../../app.ts'
import { carryOutStatus } from './change/trial-status.jobs.ts'
import { inviteTrial } from './invite.jobs.ts'
import { countTrials } from './trial-count.jobs.ts'

const FORMULAS = [
  '=HYPERLINK("https://attacker.example")',
  '+1+cmd|calc',
  '-2+3',
  '@SUM(A1)',
  '\t=1',
  '＝1+1',
  '\r=1+1',
]
const MARKUP = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  '{{7*7}}',
  '<%= 7*7 %>',
  'a\r\nBcc: x@y.example',
]
let server: TestServer
let support: Support
let world: MessagingWorld

beforeAll(async () => {
  server = await startTestServer()
  support = await makeSupport(server)
  world = await makeMessagingWorld(server)
})
afterAll(() => server.close())
afterEach(() => asOwner(server, 'truncate throttle'))

describe('a recruiter’s addresses (T35)', () => {
  const HOSTILE = [
    ...[
      'http://127.0.0.1/x.png',
      'https://127.0.0.1/x.png',
      'https://2130706433/',
      'https://0x7f.1/',
      'https://0177.0.0.1/',
    ],
    ...[
      'https://[::1]/',
      'https://[::ffff:169.254.169.254]/',
      'https://169.254.169.254/latest/meta-data/',
      'https://localhost/',
    ],
    ...[
      'https://postgres/',
      'https://printer.local/',
      'https://metadata.google.internal/',
      'file:///etc/passwd',
      'ftp://a.example/',
    ],
    ...[
      'javascript:alert(1)',
      'data:image/svg+xml,<svg onload=alert(1)>',
      '//a.example/x.png',
      'https://u:p@a.example/',
    ],
  ]

  it.each(HOSTILE)('never hold %s', async (bad) => {
    for (const field of ['logo_url', 'website', 'privacy_policy_url']) {
      const good = {
        logo_url: 'https://a.example/l.png',
        website: 'https://a.example',
        privacy_policy_url: 'https://a.example/p',
      }
      const { status } = await support.ask(contract.recruiterProvider.create, {
        ...{ name: fresh('Partner'), description: 'Adults', recruiter_or_provider: 'recruiter', phone: '02 5550 0190' },
        ...{ email: 'hello@a.example', ...good, [field]: bad },
      })
      expect([field, status]).toEqual([field, 422])
    }
  })

  it('are never fetched: neither saving, nor inviting, nor a patient’s page, nor its sign-up makes a request', async () => {
    const asked = vi.spyOn(globalThis, 'fetch')
    try {
      await makePartner(support, 'recruiter')
      const trial = await makeRunningTrial(server, support)
      const [one] = await makePatients(server, world.locations[0]!.id, 1)
      const token = await trialTokenFor(server, world, trial.id, one!)
      const page = await server.call(`/api/consent/${token}`)
      expect(page.body.recruiter_logo).toBeNull()
      expect(JSON.stringify(page.body)).not.toContain('logo.svg')
      expect((await signUp(server, token)).status).toBe(200)
      expect(asked).not.toHaveBeenCalled()
    } finally {
      asked.mockRestore()
    }
  })

  it('are in none of the page’s policies: pictures come only from Pillar', async () => {
    const { headers } = await server.app.inject({ method: 'GET', url: `/clinicaltrial/${'A'.repeat(22)}` })
    const images = /img-src ([^;]*)/.exec(String(headers['content-security-policy']))?.[1]
    expect(images?.split(' ').sort()).toEqual(["'self'", 'data:'])
  })
})

describe('texts of trials and patients (T36)', () => {
  it('are text in a recruiter’s file, in any column', async () => {
    const trial = await makeRunningTrial(server, support, { name: `${FORMULAS[0]} ${fresh('x')}` })
    const recruiter = await makeRecruiterLogin(server, trial.recruiterId)
    const people = []
    for (const formula of FORMULAS) {
      const one = await referredPatient(server, world, trial.id)
      people.push(one)
      await asOwner(
        server,
        `update trial_referral set first_name = $2, last_name = $2, email = $2, phone_number = $2, postcode = $2, trial_name = $2
         where patient_id = $1`,
        [one.patient.id, formula],
      )
    }
    const reply = await server.call<string>(contract.referral.export.path, {}, recruiter.tab.bearer)
    const [, ...rows] = parse(reply.body, { bom: true }) as string[][]
    expect(rows).toHaveLength(people.length)
    const cells = rows.flatMap((row) => row.slice(1, 7))
    expect(cells.filter((cell) => /^[=+\-@\t\r\n\0＝＋－＠]/.test(cell))).toEqual([])
    for (const formula of FORMULAS) expect(cells.filter((cell) => cell === `'${formula}`)).toHaveLength(6)
  })

  it('come back from every call as written, without additional fields', async () => {
    const draft = { ...(await trialDraft(support)), name: fresh(MARKUP[1]!) }
    const { body: made } = await support.ask(contract.clinicalTrial.create, draft)
    const trial_id = String(made.id)
    const fields = ['form_title', 'intro', 'purpose_heading', 'purpose', 'criteria_heading', 'criteria']
    const texts = Object.fromEntries(fields.map((field, at) => [field, MARKUP[at % 4]]))
    expect(
      (await support.ask(contract.trialConsentForm.create, { ...texts, trial_id, ...{ html: '<b>' } })).status,
    ).toBe(200)
    await support.ask(contract.trialEthics.record, { ...ETHICS, trial_id })
    await support.ask(contract.clinicalTrial.editActiveStatus, { trial_id, active: true })
    const [{ id }] = (await asOwner<{ id: number }>(server, 'select id from trial where uuid = $1', [trial_id])) as [
      { id: number },
    ]
    const [one] = await makePatients(server, world.locations[0]!.id, 1)
    const token = await trialTokenFor(server, world, id, one!)
    const { body } = await server.call(`/api/consent/${token}`)
    expect(body).toMatchObject({ trial: draft.name, consent_form: { ...texts, version: 1 } })
    expect(Object.keys(body.consent_form as object).sort()).toEqual([...fields, 'version'].sort())
  })

  it('never add a header line to an invitation', async () => {
    const phones = new FakePhones()
    const sms_to = freshMobile()
    await addPeople(server, world, [
      person({ born: '1950-05-05', sms_to, first_name: MARKUP[4]!, last_name: MARKUP[0]! }),
    ])
    await asOwner(server, `update location set data_to = '2026-11-01'`)
    await invite(fresh('Heart'), { ...server.services, sms: phones.gateway() })
    const sent = [...phones.accepted.values()].find(({ to }) => to === sms_to)
    expect(sent!.text).not.toMatch(/[\r\n]Bcc:/)
    expect(sent!.text).toContain('/clinicaltrial/')
  })
})

/** Counts, invites and sends as a day does. */
async function invite(name: string, services: TestServer['services']) {
  const { body } = await support.ask(contract.templateAdmin.createGlobal, {
    name: fresh('Invitation'),
    body: 'Hi {First Name}, {Pharmacy Name} asks about {Trial Name}: {Consent ID}',
    communication_type: 'sms',
  })
  const filters = { age: ['65-74', '75+'] }
  const trial = await makeRunningTrial(server, support, { name, filters, template_ids: [String(body.id)] })
  await countTrials(services, trial.id, services.now())
  await inviteTrial.run({ uuid: crypto.randomUUID(), trial_id: trial.id, login_id: null }, services)
  server.clock.offsetMs += 3 * 60_000
  await sendAll(services)
  return trial
}

describe('the logs (T37)', () => {
  it('contain no patient, no link and no search, from the invitation to the withdrawal', async () => {
    const lines: string[] = []
    const kept = new Writable({
      write(line, _encoding, done) {
        lines.push(String(line))
        done()
      },
    })
    const phones = new FakePhones()
    const services = { ...server.services, sms: phones.gateway(), log: pino({ level: 'trace' }, kept) }
    const logged: TestServer = { ...server, services, app: await buildApp(services) }
    const call = (async (path: string, body = {}, headers = {}, method = 'POST') => {
      const reply = await logged.app.inject({ method, url: path, payload: body as object, headers })
      const json = String(reply.headers['content-type']).includes('json')
      return {
        status: reply.statusCode,
        body: json ? reply.json() : reply.body,
        headers: reply.headers,
        cookies: reply.cookies,
      }
    }) as TestServer['call']
    logged.call = call
    const sms_to = freshMobile()
    const names = { first_name: 'Zzquentina', last_name: 'Zzarkwright', email: 'zz.canary@mail.example' }
    await addPeople(server, world, [person({ born: '1950-05-05', sms_to, ...names, email_to: names.email })])
    const trial = await invite(fresh('Heart'), services)
    const text = [...phones.accepted.values()].find(({ to }) => to === sms_to)!.text
    const token = /\/clinicaltrial\/([\w-]{22})/.exec(text)![1]!
    expect(text).toContain(names.first_name)
    const recruiter = await makeRecruiterLogin(server, trial.recruiterId)
    expect((await call(`/api/consent/${token}`)).status).toBe(200)
    const mine = { ...SIGN_UP, phone_number: '0491 570 006', postcode: '9731' }
    const { body, status } = await signUp(logged, token, mine)
    expect(status).toBe(200)
    const ask = async (path: string, input: object) => (await call(path, input, recruiter.tab.bearer)).status
    const { list, summary, export: file } = contract.referral
    for (const path of [list.path, summary.path, file.path])
      expect([path, await ask(path, { search_term: names.first_name })]).toEqual([path, 200])
    const [row] = await asOwner<{ uuid: string }>(
      server,
      'select uuid from trial_participant where trial_id = $1 and referred_at is not null',
      [trial.id],
    )
    const one = { consent_id: row!.uuid, enrolled: true, recruiter_contacted: true }
    for (const end of ['edit', 'history']) expect(await ask(`${list.path}/${row!.uuid}/${end}`, one)).toBe(200)
    // Errors quote what they were given.
    await ask(list.path, { search_term: names.first_name, sort_field: names.last_name })
    await call(`/api/consent/${token}/submit`, { ...names, captcha: names.first_name })
    await call(`/api/consent/${body.withdraw_id}/withdrawal`)
    expect((await call(`/api/consent/${body.withdraw_id}/withdraw`)).status).toBe(200)
    await logged.app.close()
    expect(lines.length).toBeGreaterThan(8)
    const books = await asOwner(server, 'select * from audit')
    const reports = await asOwner(server, 'select * from error_report')
    const canaries = [...Object.values(names), sms_to, sms_to.slice(3), mine.phone_number, token, body.withdraw_id]
    const all = `${lines.join('')}${JSON.stringify([books, reports])}`
    expect(canaries.filter((canary) => all.toLowerCase().includes(canary.toLowerCase()))).toEqual([])
    // Four digits may by chance be part of a time, a hash or an id.
    expect(all).not.toMatch(new RegExp(`(?<![\\w.:-])${mine.postcode}(?![\\w-])`))
  })
})

it('a company whose invitations cannot be cancelled keeps none of another’s waiting, and is named in the log', async () => {
  const { trial_id, id } = await makeRunningTrial(server, support)
  const places = [await makeMessagingWorld(server), await makeMessagingWorld(server)]
  const runs: number[] = []
  for (const place of places) {
    const patients = await makePatients(server, place.locations[0]!.id, 1)
    const run = await makeRun(server, place, { patients, kind: 'trial', context: 'trial' })
    const at = server.services.now()
    await asOwner(server, 'update message_run set trial_id = $2, created_at = $3 where id = $1', [run.id, id, at])
    runs.push(run.id)
  }
  await support.ask(contract.clinicalTrial.editActiveStatus, { trial_id, active: false, cancel_messages: true })
  const changes = 'select id from trial_status_change where trial_id = $1 order by id desc limit 1'
  const [change] = await asOwner<{ id: number }>(server, changes, [id])
  const broken = `check (id <> ${runs[0]} or state <> 'done') not valid`
  await asOwner(server, `alter table message_run add constraint broken ${broken}`)
  const log = { ...server.services.log, error: vi.fn() }
  const cancel = () => carryOutStatus.run({ change_id: Number(change!.id) }, { ...server.services, log: log as never })
  try {
    await expect(cancel()).rejects.toThrow('broken')
    expect(log.error.mock.calls[0]![0]).toEqual({ company: places[0]!.company.id, reason: '23514 message_run broken' })
    expect(await statesOf(server, runs[0]!)).toEqual({ queued: 1 })
    expect(await statesOf(server, runs[1]!)).toEqual({ 'skipped stopped': 1 })
  } finally {
    await asOwner(server, 'alter table message_run drop constraint broken')
  }
  await cancel()
  expect(await statesOf(server, runs[0]!)).toEqual({ 'skipped stopped': 1 })
})
