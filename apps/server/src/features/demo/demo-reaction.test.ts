import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isHeldOut } from '@pillar/domain/campaign/campaign-result'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { asOwner } from '../../../test/people.ts'
import { startUploadServer, type UploadServer } from '../../../test/upload.ts'
import {
  type AttributionWorld,
  DATA_TO,
  delivered,
  type Line,
  makeAttributionWorld,
  SENT_AT,
  sentCampaign,
  skipped,
} from '../../../test/world/attribution-world.ts'
import { refreshCampaigns } from '../attribution/campaign-result.queries.ts'
import { recountCampaigns } from '../attribution/campaign-stat.queries.ts'
import { refreshTouches } from '../attribution/touch.queries.ts'
import { afterUpload } from '../upload/after-upload.jobs.ts'
import { reactToCampaign } from './demo-reaction.ts'

let server: UploadServer
let world: AttributionWorld

const PEOPLE = Array.from({ length: 600 }, (_, at) => `p${at}`)
const HELD = PEOPLE.filter((id) => isHeldOut(id, 'reaction', 0.36))
const MESSAGED = PEOPLE.filter((id) => !HELD.includes(id))
/** Repeatable noise from 0 to 1. */
const noise = (at: number) => ((at * 7919) % 1009) / 1009

beforeAll(async () => {
  // The work after an upload would remove the numbers given to the patients below.
  server = await startUploadServer({ work: true, without: [afterUpload.name] })
  const lines = PEOPLE.flatMap((id, at): Line[] => [
    [id, '2025-09-01', 'A', 20 + 30 * noise(at + 3)],
    [id, '2026-08-20', 'A', 20 + 30 * noise(at)],
    // Half of them come in anyway.
    ...(noise(at + 500) < 0.5 ? [[id, '2026-09-25', 'A', 20 + 80 * noise(at + 11)] as Line] : []),
  ])
  world = await makeAttributionWorld(server, PEOPLE, lines)
}, 120_000)
afterAll(() => server.close())

it('uploads a known uplift, and the measured result finds it again', async () => {
  const { uuid } = await sentCampaign(
    server,
    world,
    { [delivered(SENT_AT)]: MESSAGED, [skipped('held_out')]: HELD },
    { filters: { molecules: ['C10AA07'] } },
  )
  // A link only works for a person who still has the number it was sent to.
  await asOwner(server, 'update patient p set sms_to = m.contact from message m where m.patient_id = p.id')
  const place = { id: world.pharmacy.id, timeZone: 'Australia/Sydney', dataTo: DATA_TO }
  const measure = async () => {
    await world.inside((tx) => refreshTouches(tx, place))
    await world.inside((tx) => recountCampaigns(tx, place.id))
    await world.inside((tx) => refreshCampaigns(tx, place))
    const { body } = await server.call<{
      total_result: { low: number; high: number; method: string }
      total_revenue: number
    }>('/api/campaign/enterprise/stats', { campaign_id: uuid }, world.bearer)
    return body
  }
  const before = await measure()
  expect(before.total_result.low).toBeLessThan(0)
  expect(before.total_result.high).toBeGreaterThan(0)

  const [campaign] = await asOwner<{ id: number }>(server, 'select id from campaign where uuid = $1', [uuid])
  const company = { id: world.company.id, login_id: null, location_ids: [...world.scope.locationIds] }
  const uplift = await reactToCampaign(server.services, company, campaign!.id, async (_pharmacy, folder) => {
    const scripts = await readFile(join(folder, 'scripts.csv'), 'utf8')
    expect((await world.pharmacy.load({ scripts })).etl_state).toBe('COMPLETED')
  })
  expect(uplift.treated).toBe(MESSAGED.length)
  expect(uplift.refills / MESSAGED.length).toBeGreaterThan(0.74)
  expect(uplift.refills / MESSAGED.length).toBeLessThan(0.86)
  await asOwner(server, 'update touch set computed_to = null where location_id = $1', [place.id])

  const after = await measure()
  expect(after.total_result.method).toBe('holdout')
  expect(after.total_result.low).toBeGreaterThan(0)
  expect(after.total_result.low).toBeLessThan(uplift.dollars)
  expect(after.total_result.high).toBeGreaterThan(uplift.dollars)
  // The reaction is all that has changed.
  expect(after.total_revenue - before.total_revenue).toBeCloseTo(uplift.dollars, 4)
  const { rows } = await sql<{ health: number; marketing: number }>`
    select count(*)::int as health, count(*) filter (where answers ->> 'marketing_sms_consent' = 'true')::int as marketing
    from consent_entry where type = 'form' and source = 'consent page'`.execute(server.owner)
  expect(rows[0]!.health).toBe(uplift.consents)
  expect(uplift.consents).toBeGreaterThan(10)
  expect(rows[0]!.marketing).toBeGreaterThan(0)
  expect(rows[0]!.marketing).toBeLessThan(uplift.consents)
})
