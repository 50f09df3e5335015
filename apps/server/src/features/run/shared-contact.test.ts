import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeCampaign, makeMessagingWorld, makeTemplate, setRules } from '../../../test/messaging.ts'
import { asOwner } from '../../../test/people.ts'
import { forecastAndSend } from '../../../test/sending.ts'
import { startTestServer, type TestServer } from '../../../test/server.ts'
import { addHistoryOf, addPeople, person } from '../../../test/world/cohort-world.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

const X = '+61491570156'
const Y = '+61491570157'
const patient = (at: number, first_name: string, sms_to: string | null, email_to: string | null) =>
  person({ at, first_name, sms_to, mobile: sms_to, email_to, email: email_to })

it.each([
  ['a text and an email', { sms_template: true, email_template: true }, 1],
  ['a text and an email', { sms_template: true, email_template: true }, 2],
  ['a text and an email', { sms_template: true, email_template: true }, 3],
  ['a text', { sms_template: true, email_template: false }, 1],
  ['an email', { sms_template: false, email_template: true }, 1],
])(
  'people who share a number or an address get %s as forecast (%o, at most %i messages)',
  async (_what, channels, messages) => {
    const { services } = server
    const world = await makeMessagingWorld(server, { locations: 2 })
    await setRules(server, world.company.id, { cap: { messages, hours: 48 } })
    await addPeople(server, world, [
      patient(0, 'Ann', X, 'ann@mail.example'),
      patient(0, 'Bob', X, 'bob@mail.example'),
      patient(0, 'Cat', Y, 'two@mail.example'),
      patient(1, 'Dan', '+61491570158', 'two@mail.example'),
      patient(1, 'Eve', '+61491570159', 'ann@mail.example'),
      patient(1, 'Fay', '+61491570110', 'fay@mail.example'),
    ])
    await addHistoryOf(server, world.company.id, new Map([['bob@mail.example', 1]]))
    const template = await makeTemplate(server, world.company.id, {
      body: 'Hi {First Name}',
      subject: 'Hi',
      ...channels,
    })
    const { locationIds } = world.scope
    const campaign = await makeCampaign(server, world.company.id, { locationIds, templateIds: [template.id] })
    const { ledger, run } = await forecastAndSend(server, services, world, campaign)
    const became = await asOwner<{ channel: string; reason: string; count: number }>(
      server,
      `select channel, coalesce(reason, case state when 'sent' then 'goes' else state end) as reason, count(*)::int as count from message where run_id = $1 group by 1, 2 order by 1, 2`,
      [run.id],
    )
    const forecast = ledger.channels.flatMap(({ channel, will_receive, reasons }) => [
      ...reasons.map(({ reason, count }) => ({ channel, reason, count })),
      ...(will_receive ? [{ channel, reason: 'goes', count: will_receive }] : []),
    ])
    const order = (a: { channel: string; reason: string }, b: { channel: string; reason: string }) =>
      `${a.channel} ${a.reason}` < `${b.channel} ${b.reason}` ? -1 : 1
    expect(became.toSorted(order)).toEqual(forecast.toSorted(order))
    expect(became.reduce((sum, { count }) => sum + count, 0)).toBe(6 * ledger.channels.length)
  },
)
