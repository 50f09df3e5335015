import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type CampaignDesk, openDesk } from '../../../test/campaign-desk.ts'
import { setRules } from '../../../test/messaging.ts'
import { asOwner } from '../../../test/people.ts'
import { sendAll } from '../../../test/sending.ts'
import { advanceRuns } from '../sending/lease.queries.ts'

/** Thursday 24 December 2026, 9 pm in Perth; in Melbourne Christmas Day has begun. */
const EVENING = '2026-12-24T13:00:00.000Z'
/** Tuesday 29 December, 9 am: Friday and Saturday are holidays, Sunday is quiet, Monday is the Boxing Day holiday. */
const OPEN_MELBOURNE = '2026-12-28T22:00:00.000Z'
const OPEN_PERTH = '2026-12-29T01:00:00.000Z'
const DAY = [540, 1200] as const
const WEEK = [DAY, DAY, DAY, DAY, DAY, [540, 1020] as const, null]

let desk: CampaignDesk
beforeAll(async () => {
  desk = await openDesk(EVENING)
  await setRules(desk.server, desk.world.company.id, { week: WEEK, holidaysQuiet: true })
  await asOwner(desk.server, `update location set region = 'WA', time_zone = 'Australia/Perth' where id = $1`, [
    desk.world.locations[1]!.id,
  ])
})
afterAll(() => desk.server.close())

const planned = async (id: string) => {
  const texts = (await desk.messages(id)).filter((message) => message.state === 'queued')
  return [...new Set(texts.map((message) => message.planned_at!.toISOString()))].sort()
}

describe('a campaign activated on the eve of Christmas', () => {
  it('waits for each pharmacy’s next open day, and shows it before and after', async () => {
    const id = await desk.create()
    const { body: forecast } = await desk.read('/api/campaign/cohort/enterprise', {
      filters: desk.filters,
      pharmacies: desk.places,
      templates: [desk.template.uuid],
    })
    expect(forecast.starts_at).toBe(OPEN_MELBOURNE)
    expect(forecast.finishes_at! >= OPEN_PERTH).toBe(true)
    await desk.write(id, 'activate', 'activate', { active: true })
    const run = await desk.prepared(id)
    expect(run.next_at).toBe(OPEN_MELBOURNE)
    expect(await planned(id)).toEqual([OPEN_MELBOURNE, OPEN_PERTH])
  })

  it('is sent at once if holidays are not quiet', async () => {
    await setRules(desk.server, desk.world.company.id, { week: Array.from({ length: 7 }, () => [0, 1440]) })
    const id = await desk.create()
    await desk.write(id, 'activate', 'activate', { active: true })
    await desk.prepared(id)
    expect((await planned(id))[0]! < '2026-12-24T13:30').toBe(true)
    await setRules(desk.server, desk.world.company.id, { week: WEEK, holidaysQuiet: true })
    // Planned for a holiday before the rule was set: the claim postpones it.
    const { services, clock } = desk.server
    const offset = clock.offsetMs
    clock.offsetMs += 15 * 60_000
    await advanceRuns(services.pools.system, services.now())
    await sendAll(services)
    expect(await planned(id)).toEqual([OPEN_MELBOURNE, OPEN_PERTH])
    clock.offsetMs = offset
    const { body: waits } = await desk.read(desk.path(id, 'info'), {})
    expect(waits).toMatchObject({ run_state: 'sending', next_at: OPEN_MELBOURNE })
  })
})
