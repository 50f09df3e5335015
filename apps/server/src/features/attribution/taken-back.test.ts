import { afterAll, beforeAll, expect, it } from 'vitest'
import { asOwner } from '../../../test/people.ts'
import { startUploadServer, type UploadServer } from '../../../test/upload.ts'
import { DATA_TO, delivered, makeAttributionWorld, sentCampaign } from '../../../test/world/attribution-world.ts'
import { refreshCampaigns } from './campaign-result.queries.ts'
import { refreshTouches } from './touch.queries.ts'

let server: UploadServer
beforeAll(async () => {
  server = await startUploadServer({ work: true })
})
afterAll(() => server.close())

it('what was reversed or deferred earns a campaign nothing, neither in its revenue nor towards its goal', async () => {
  const world = await makeAttributionWorld(
    server,
    ['1'],
    [
      ['1', '2025-09-01', 'A', 10],
      ['1', '2026-09-12', 'A', 20],
      ['1', '2026-09-14', 'A', 30],
      ['1', '2026-09-16', 'A', 40],
    ],
  )
  const { run } = await sentCampaign(server, world, { [delivered('2026-09-10T02:00:00Z')]: ['1'] })
  const place = { id: world.pharmacy.id, timeZone: 'Australia/Sydney', dataTo: DATA_TO }
  const earned = async () => {
    await world.inside((tx) => refreshTouches(tx, place))
    await world.inside((tx) => refreshCampaigns(tx, place))
    const sums = 'cents::int, scripts::int, visits::int'
    return [
      ...(await asOwner(server, `select ${sums} from touch where run_id = $1`, [run.id])),
      ...(await asOwner(server, `select ${sums} from campaign_result where location_id = $1`, [place.id])),
    ]
  }
  const change = (column: 'deferred' | 'reversed', day: string) =>
    asOwner(server, `update script set ${column} = true where location_id = $1 and dispensed_on = $2`, [place.id, day])
  const both = (cents: number, count: number) => [
    { cents, scripts: count, visits: count },
    { cents, scripts: count, visits: count },
  ]
  expect(await earned()).toEqual(both(9000, 3))
  await change('deferred', '2026-09-14')
  expect(await earned()).toEqual(both(6000, 2))
  await change('reversed', '2026-09-16')
  expect(await earned()).toEqual(both(2000, 1))
})
