import { afterAll, beforeAll, expect, it } from 'vitest'
import { type CampaignDesk, openDesk } from '../../../test/campaign-desk.ts'
import { setRules } from '../../../test/messaging.ts'
import { asOwner } from '../../../test/people.ts'

/** Wednesday, 11 am in Melbourne. */
const WEDNESDAY = '2026-11-25T00:00:00.000Z'
/** Monday, 9 am: the next hour of the company. */
const MONDAY = '2026-11-29T22:00:00.000Z'
const MONDAYS = [[540, 1020] as const, null, null, null, null, null, null]
const ALL_DAY = Array.from({ length: 7 }, () => [0, 1440])

let desk: CampaignDesk
beforeAll(async () => {
  desk = await openDesk(WEDNESDAY)
  await setRules(desk.server, desk.world.company.id, { week: MONDAYS })
  // The first pharmacy sends every day.
  await asOwner(
    desk.server,
    'insert into location_messaging (location_id, week, holidays_quiet) values ($1, $2, false)',
    [desk.world.locations[0]!.id, JSON.stringify(ALL_DAY)],
  )
})
afterAll(() => desk.server.close())

const ask = (more: object = {}) =>
  desk.read('/api/campaign/cohort/enterprise', {
    filters: desk.filters,
    pharmacies: desk.places,
    templates: [desk.template.uuid],
    ...more,
  })

it('a forecast begins with the first pharmacy open by its own hours, and ends with the last', async () => {
  const { body } = await ask()
  expect(body.starts_at < '2026-11-25T00:30').toBe(true)
  expect(body.finishes_at! >= MONDAY).toBe(true)
  const [first, second] = desk.places
  const alone = (await ask({ pharmacies: [first] })).body
  expect(alone.finishes_at! < '2026-11-25T00:30').toBe(true)
  expect((await ask({ pharmacies: [second] })).body.starts_at).toBe(MONDAY)
})

it('only pharmacies without an hour between the dates are counted as such', async () => {
  const until = { start_date: '2026-11-25', end_date: '2026-11-27' }
  const [both, first] = [(await ask(until)).body, (await ask({ ...until, pharmacies: [desk.places[0]] })).body]
  expect(first).toMatchObject({ no_hour: 0 })
  expect(both.no_hour).toBe(both.will_receive - first.will_receive)
})

it('the run is planned by the same hours, and matches the forecast', async () => {
  const id = await desk.create({ start_date: '2026-11-25', end_date: '2026-11-27' })
  await desk.write(id, 'activate', 'activate', { active: true })
  const run = await desk.prepared(id)
  expect(run.next_at! < '2026-11-25T00:30').toBe(true)
  expect(run.finishes_at! < '2026-11-25T00:30').toBe(true)
  const messages = await asOwner<{ location_id: string; state: string; reason: string | null }>(
    desk.server,
    `select distinct m.location_id, m.state, m.reason from message m join message_run r on r.id = m.run_id
     join campaign c on c.id = r.campaign_id
     where c.uuid = $1 and (m.state = 'queued' or m.reason = 'quiet_hours')`,
    [id],
  )
  const [first, second] = desk.world.locations
  expect(messages.sort((a, b) => Number(a.location_id) - Number(b.location_id))).toEqual([
    { location_id: first!.id, state: 'queued', reason: null },
    { location_id: second!.id, state: 'skipped', reason: 'quiet_hours' },
  ])
})
