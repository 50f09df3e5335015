import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeRun } from '../../../test/messaging.ts'
import { asOwner } from '../../../test/people.ts'
import { startUploadServer, type UploadServer } from '../../../test/upload.ts'
import {
  type AttributionWorld,
  DATA_TO,
  delivered,
  makeAttributionWorld,
  SENT_AT,
  sentCampaign,
  skipped,
} from '../../../test/world/attribution-world.ts'
import { refreshCampaigns } from './campaign-result.queries.ts'
import { refreshTouches } from './touch.queries.ts'

const FAILED = `state = 'failed', reason = 'The gateway knows no such number', sent_at = '2026-09-15T00:00:00Z', cents = 0`

let server: UploadServer
let world: AttributionWorld
beforeAll(async () => {
  server = await startUploadServer({ work: true })
  world = await makeAttributionWorld(server, ['1', '2', '3', '4'], [['1', '2025-09-11', 'A', 20]])
})
afterAll(() => server.close())

async function count(): Promise<void> {
  const place = { id: world.pharmacy.id, timeZone: 'Australia/Sydney', dataTo: DATA_TO }
  await world.inside((tx) => refreshTouches(tx, place))
  await world.inside((tx) => refreshCampaigns(tx, place))
}

const touchesOf = (runId: number, columns: string) =>
  asOwner(server, `select ${columns} from touch where run_id = $1 order by patient_id`, [runId])

describe('what a message earned', () => {
  it('has a whole year before it only if the data reach back a year before the run began, not just before it arrived', async () => {
    const { run } = await sentCampaign(server, world, { [delivered('2026-09-11T00:00:00Z')]: ['1'] })
    await count()
    expect(await touchesOf(run.id, 'whole_year')).toEqual([{ whole_year: false }])
    await asOwner(server, `update location set data_from = '2025-09-10' where id = $1`, [world.pharmacy.id])
    await count()
    expect(await touchesOf(run.id, 'whole_year')).toEqual([{ whole_year: true }])
  })

  it('counts for 30 days although a later message to the same person failed', async () => {
    const { run } = await sentCampaign(server, world, { [delivered(SENT_AT)]: ['2'] })
    await sentCampaign(server, world, { [FAILED]: ['2'] })
    await count()
    expect(await touchesOf(run.id, 'part, from_day::text, to_day::text')).toEqual([
      { part: 'messaged', from_day: '2026-09-10', to_day: '2026-10-09' },
    ])
  })

  it('is nothing for a message to a test patient', async () => {
    const { run } = await sentCampaign(server, world, { [delivered(SENT_AT)]: ['2', '3'] })
    const fake = [run.id, world.patients.get('3')]
    await asOwner(server, 'update message set fake = true where run_id = $1 and patient_id = $2', fake)
    await count()
    expect(await touchesOf(run.id, 'patient_id::int')).toEqual([{ patient_id: world.patients.get('2') }])
  })

  it('counts people as messaged if a later run of the campaign messaged those it had held out', async () => {
    const { uuid } = await sentCampaign(server, world, { [skipped('held_out')]: ['4'] })
    const [campaign] = await asOwner<{ id: number }>(server, 'select id from campaign where uuid = $1', [uuid])
    const patient = {
      id: world.patients.get('4')!,
      locationId: world.pharmacy.id,
      sms_to: '+61400000001',
      email_to: null,
    }
    const again = await makeRun(server, world, {
      ...{ campaignId: campaign!.id, patients: [patient], startsAt: new Date(SENT_AT), state: 'done' },
    })
    await asOwner(server, `update message set ${delivered('2026-09-20T00:00:00Z')} where run_id = $1`, [again.id])
    await count()
    const groups = await asOwner(server, 'select part, n::int from campaign_group where campaign_id = $1', [
      campaign!.id,
    ])
    expect(groups).toEqual([{ part: 'treated', n: 1 }])
  })
})
