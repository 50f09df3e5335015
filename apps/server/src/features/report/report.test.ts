import { day } from '@pillar/domain/time/day'
import { formatSpan } from '@pillar/domain/time/locale'
import { parse } from 'csv-parse/sync'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  freshMobile,
  type MessagingWorld,
  makeCampaign,
  makeMessagingWorld,
  makePatients,
  makeRun,
} from '../../../test/messaging.ts'
import {
  asOwner,
  dump,
  fresh,
  mailTo,
  makeCompany,
  makeLocation,
  makeLogin,
  signIn,
  type TestLogin,
} from '../../../test/people.ts'
import { startTestServer, type TestServer } from '../../../test/server.ts'
import { makeReport } from './report.jobs.ts'

const HISTORY = '/api/message-history-report'
const [DAY, LATER] = [86_400_000, 61_000]

let server: TestServer
let world: MessagingWorld
let asker: TestLogin
let owner: TestLogin
let bearer: Record<string, string>

/** Formulas a spreadsheet would run: every leading character of the domain's list, and some that hide it. */
const NASTY = [
  '=HYPERLINK("http://evil.example","x")',
  '+1+1',
  '-2+3',
  '@SUM(A1)',
  '\t=1',
  '\r=1',
  '＝1',
  '＋1',
  '－1',
  '＠1',
]

beforeAll(async () => {
  server = await startTestServer({ work: true })
})
afterAll(() => server.close())
afterEach(async () => {
  server.clock.offsetMs = 0
  await asOwner(server, 'truncate throttle')
})
beforeEach(async () => {
  world = await makeMessagingWorld(server, { locations: 2 })
  asker = await makeLogin(server, world.company.id, { flags: ['data_analytics'] })
  owner = await makeLogin(server, world.company.id)
  await asOwner(server, `update location set owner_login_id = $1, region = 'VIC' where id = $2`, [owner.id, first().id])
  bearer = (await signIn(server, asker)).bearer
})

const dayAt = (days: number) => new Date(Date.now() + days * DAY).toISOString().slice(0, 10)
const [today, monthAgo] = [dayAt(0), dayAt(-30)]
const ask = (ids: string[], more: object = {}, headers = bearer) =>
  server.call(HISTORY, { from: monthAgo, to: dayAt(1), ids, ...more }, headers)
const first = () => world.locations[0]!

/** The token of the newest email to the owner; waits until there are that many. */
async function tokenOf(count = 1): Promise<string> {
  await expect
    .poll(async () => (await mailTo(server, owner.email)).length, { timeout: 20_000, interval: 100 })
    .toBe(count)
  const [letter] = await mailTo(server, owner.email)
  expect(letter).toMatchObject({
    subject: `Message history of ${first().name}`,
    text: expect.stringContaining(`, ${world.company.name}, asked for the message history of ${first().name}, `),
  })
  return /\/download-file\/([\w-]+)/.exec(letter!.text)![1]!
}
const take = (token: string) => server.call<string>('/api/download-file', { token })
const EXPIRED = 'Invalid token or token has expired'
// The specification uses `error` in this call.
const DEAD = { status: 404, body: { message: EXPIRED, error: EXPIRED } }

async function send(): Promise<void> {
  const patients = await makePatients(server, first().id, NASTY.length, (at) => ({
    first_name: NASTY[at]!,
    last_name: '@Nasty',
    sms_to: freshMobile(),
  }))
  const campaign = await makeCampaign(server, world.company.id, { name: `=cmd ${fresh('x')}` })
  const run = await makeRun(server, world, { campaignId: campaign.id, patients, state: 'stopped' })
  const set = (at: number, columns: string) =>
    asOwner(server, `update message set ${columns} where run_id = $1 and patient_id = $2`, [run.id, patients[at]!.id])
  await asOwner(server, `update message_batch set template_name = '=Repeat due' where run_id = $1`, [run.id])
  await asOwner(server, `update patient set source_id = '-' || id where location_id = $1`, [first().id])
  await set(0, "state = 'delivered', sent_at = '2026-01-01', planned_at = now(), cents = 24, parts = 2")
  await set(1, "state = 'failed', sent_at = now(), reason = '=Gateway says no'")
  await set(2, "state = 'skipped', reason = 'opted_out', planned_at = null")
}

describe('contacts', () => {
  it('are the owners of the company’s pharmacies; null if none is set', async () => {
    const { body, status } = await server.call(`${HISTORY}/pharmacies`, {}, bearer)
    expect(status).toBe(200)
    const rows = (body as { pharmacies: object[] }).pharmacies
    expect(rows).toHaveLength(2)
    expect(rows).toEqual(
      expect.arrayContaining([
        {
          pharmacy_id: first().uuid,
          pharmacy_name: first().name,
          state: 'VIC',
          contact: { name: 'Robin Vale', email: owner.email },
        },
        { pharmacy_id: world.locations[1]!.uuid, pharmacy_name: world.locations[1]!.name, state: 'VIC', contact: null },
      ]),
    )
  })
})

describe('a message history', () => {
  it('is mailed to the contact as a link that works once, and no cell is a formula', async () => {
    await send()
    const { body, status } = await ask([first().uuid])
    expect({ status, body }).toEqual({ status: 200, body: { message: 'Report Successfully Generated.' } })
    const token = await tokenOf()
    const stolen = await dump(server)
    expect(stolen).not.toContain(token)
    const replies = await Promise.all(Array.from({ length: 20 }, () => take(token)))
    const given = replies.filter(({ status: code }) => code === 200)
    expect(given).toHaveLength(1)
    for (const reply of replies) if (reply.status !== 200) expect(reply).toMatchObject(DEAD)
    expect(String(given[0]!.headers['content-disposition'])).toContain(`patient%20list%20${monthAgo}`)
    expect(given[0]!.headers['content-type']).toContain('text/csv')
    const rows = parse(given[0]!.body, { columns: true }) as Record<string, string>[]
    // The delivered one was sent on 1 January: outside these days.
    expect(rows).toHaveLength(NASTY.length - 1)
    for (const row of rows) {
      for (const [name, cell] of Object.entries(row)) expect(cell, name).not.toMatch(/^[=+\-@\t\r\n\0＝＋－＠]/u)
    }
    expect(rows.map((row) => row['First name'])).toEqual(
      expect.arrayContaining(NASTY.slice(1).map((name) => `'${name}`)),
    )
    expect(rows).toContainEqual(
      expect.objectContaining({
        Status: 'FAILED',
        Reason: "'=Gateway says no",
        Channel: 'SMS',
        Template: "'=Repeat due",
        'Last name': "'@Nasty",
        'Patient number': expect.stringMatching(/^'-\d+$/),
      }),
    )
    expect(rows.find((row) => row['First name'] === "'-2+3")).toMatchObject({
      Reason: expect.stringMatching(/\w+/),
      'SMS parts': '1',
      'Cost, AUD': '0.00',
    })
    expect(rows[0]!['Sent by']).toMatch(/^'=cmd/)
    expect(rows[0]!.Date).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d$/)
  })

  it('is encrypted in the database, with a record of who asked, the recipient and the download', async () => {
    await send()
    await ask([first().uuid])
    const token = await tokenOf()
    const kept = 'select content from report_file where location_id = $1'
    const [file] = await asOwner<{ content: Buffer }>(server, kept, [first().id])
    expect(file!.content.toString('latin1')).not.toContain('Nasty')
    await take(token)
    expect(await asOwner(server, 'select 1 from report_file where location_id = $1', [first().id])).toEqual([])
    const asked = `select action, detail, login_id from audit where company_id = $1 and action like 'report.%' order by id`
    const trace = await asOwner(server, asked, [world.company.id])
    expect(trace).toMatchObject([
      { action: 'report.messageHistory', login_id: asker.id },
      { action: 'report.mailed', login_id: asker.id, detail: { messages: NASTY.length - 1, to_email: owner.email } },
      { action: 'report.downloaded', login_id: null },
    ])
  })

  it('is available only by the newest link of a pharmacy, for a day', async () => {
    await ask([first().uuid])
    const older = await tokenOf(1)
    server.clock.offsetMs = LATER
    await ask([first().uuid])
    const newer = await tokenOf(2)
    expect(await take(older)).toMatchObject(DEAD)
    server.clock.offsetMs = LATER + DAY
    expect(await take(newer)).toMatchObject(DEAD)
    server.clock.offsetMs = LATER + DAY - 60_000
    expect((await take(newer)).status).toBe(200)
    expect(await take(newer)).toMatchObject(DEAD)
  })

  it('counts days in the pharmacy’s time zone, both ends included', async () => {
    const [patient] = await makePatients(server, first().id, 1)
    const run = await makeRun(server, world, { patients: [patient!], state: 'stopped', context: 'communication' })
    // Half past midnight of 5 March in Melbourne.
    await asOwner(server, "update message set state = 'sent', sent_at = '2026-03-04T13:30:00Z' where run_id = $1", [
      run.id,
    ])
    const lines = async (from: string, to: string, letters: number) => {
      expect((await ask([first().uuid], { from, to })).status).toBe(200)
      return (parse((await take(await tokenOf(letters))).body, { columns: true }) as Record<string, string>[]).map(
        (row) => [row.Date, row['Sent by']],
      )
    }
    expect(await lines('2026-03-04', '2026-03-04', 1)).toEqual([])
    expect(await lines('2026-03-05', '2026-03-05', 2)).toEqual([['2026-03-05 00:30', 'Communication']])
    server.clock.offsetMs = LATER
    expect(await lines('2026-03-04T13:00:00.000Z', '2026-03-05T12:59:59.000Z', 3)).toHaveLength(1)
    const [last, , earliest] = await mailTo(server, owner.email)
    expect(earliest!.text).toContain(`the message history of ${first().name}, 4 Mar 2026: 0 messages.`)
    expect(last!.text).toContain(', 5 Mar 2026: 1 message.')
  })
})

describe('a report fault', () => {
  it('is refused with a sentence, and nothing is made', async () => {
    const [, silent] = world.locations
    const refused = await ask([first().uuid, silent!.uuid])
    expect(refused).toMatchObject({
      status: 422,
      body: { message: `Please leave out pharmacies without a contact: ${silent!.name}.` },
    })
    expect(await ask([first().uuid], { from: today, to: monthAgo })).toMatchObject({
      status: 422,
      body: { message: 'Please choose a start that is not after the end.' },
    })
    expect((await ask([first().uuid], { from: '2999-01-01', to: '2999-01-02' })).status).toBe(422)
    expect(JSON.stringify((await ask([])).body)).toContain('Please select at least one pharmacy.')
    expect((await ask([first().uuid], { from: 'yesterday' })).status).toBe(422)
    expect((await ask([first().uuid], {}, {})).status).toBe(401)
    expect(await asOwner(server, 'select 1 from report_request where company_id = $1', [world.company.id])).toEqual([])
  })

  it('reveals nothing about another company’s pharmacy', async () => {
    const stranger = await makeLocation(server, (await makeCompany(server)).id)
    const theirs = await ask([stranger.uuid])
    expect(theirs.status).toBe(404)
    expect(theirs.body).toEqual((await ask(['019aa000-0000-7000-8000-000000000001'])).body)
  })

  const request = async () => {
    const [row] = await asOwner<{ id: number }>(
      server,
      `insert into report_request (location_id, company_id, from_day, to_day, asked_by, asked_at) values ($1, $2, $3, $4, $5, now()) returning id`,
      [first().id, world.company.id, monthAgo, today, asker.id],
    )
    return Number(row!.id)
  }

  it('is mailed to the person who asked, such as a contact removed in the meantime', async () => {
    const request_id = await request()
    await asOwner(server, 'update location set owner_login_id = null where id = $1', [first().id])
    await makeReport.run({ request_id }, server.services)
    const letters = await mailTo(server, asker.email)
    expect(letters).toHaveLength(1)
    expect(letters[0]!.subject).toBe(`Message history of ${first().name} was not made`)
    expect(letters[0]!.text).toContain(`, ${formatSpan('AU', day(monthAgo), day(today))}, was not made.`)
    expect(letters[0]!.text).toContain('The pharmacy no longer has a contact. Please set one, then ask again.')
    await makeReport.run({ request_id }, server.services)
    expect(await mailTo(server, asker.email)).toHaveLength(1)
  })

  it('is retried, then mailed; a failed attempt leaves no file and no link', async () => {
    const request_id = await request()
    const broken = {
      ...server.services,
      publicUrl: () => {
        throw new Error('no address')
      },
    }
    for (let attempt = 1; attempt <= 3; attempt++) {
      await expect(makeReport.run({ request_id }, broken)).rejects.toThrow('no address')
      expect(await mailTo(server, asker.email)).toEqual([])
    }
    await makeReport.run({ request_id }, broken)
    expect(await mailTo(server, asker.email)).toHaveLength(1)
    expect(await mailTo(server, owner.email)).toEqual([])
    expect(await asOwner(server, 'select 1 from report_file where location_id = $1', [first().id])).toEqual([])
    const [row] = await asOwner(server, 'select state from report_request where id = $1', [request_id])
    expect(row).toEqual({ state: 'failed' })
  })

  it('is mailed once by two workers at once', async () => {
    const request_id = await request()
    await Promise.all([1, 2, 3].map(() => makeReport.run({ request_id }, server.services)))
    expect(await mailTo(server, owner.email)).toHaveLength(1)
    await take(await tokenOf())
  })
})
