import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { asOwner } from '../../../test/people.ts'
import { startUploadServer, type UploadServer } from '../../../test/upload.ts'
import {
  type AttributionWorld,
  delivered,
  makeAttributionWorld,
  sentCampaign,
} from '../../../test/world/attribution-world.ts'
import { recordConsent } from '../consent/consent-log.queries.ts'
import { recountQueued, recountQueuedStats } from '../sending/recount.ts'

let server: UploadServer
let world: AttributionWorld

beforeAll(async () => {
  server = await startUploadServer({ work: true })
  world = await makeAttributionWorld(server, ['1', '2', '3', '4'], [['1', '2026-09-01', 'A', 20]])
})
afterAll(() => server.close())

const optOut = (patient: string, type: 'stop' | 'unsubscribe', at: string) =>
  world.inside((tx) =>
    recordConsent(
      tx,
      {
        ...{ locationId: world.pharmacy.id, patientId: world.patients.get(patient)!, at: new Date(at) },
        ...{ event: { type }, wording: 'STOP', source: 'reply' },
      },
      new Date(at),
    ),
  )

/** Texts of STOP from patients, one of whom may send several. */
async function stopsAt(...stops: readonly (readonly [patient: string, at: string])[]): Promise<void> {
  await asOwner(
    server,
    `insert into consent_entry (location_id, uuid, patient_id, at, type, source)
     select $1, gen_random_uuid(), p, t::timestamptz, 'stop', 'reply' from unnest($2::bigint[], $3::text[]) s(p, t)`,
    [world.pharmacy.id, stops.map(([patient]) => world.patients.get(patient)), stops.map(([, at]) => at)],
  )
  await asOwner(
    server,
    'insert into stat_recount_queue (location_id, company_id) select id, company_id from location where id = $1',
    [world.pharmacy.id],
  )
}

/** What the screen shows once the queues have been processed. */
async function optOuts(campaign_id: string): Promise<unknown> {
  await recountQueued(server.services)
  await asOwner(server, `update stat_recount_queue set since = now() - interval '1 minute'`, [])
  await recountQueuedStats(server.services)
  return (await server.call('/api/campaign/enterprise/stats', { campaign_id }, world.bearer)).body.total_opt_outs
}

describe('opt-outs of a campaign', () => {
  it('are people whose last message in the 30 days before was the campaign’s, by channel', async () => {
    const first = await sentCampaign(server, world, { [delivered('2026-09-10T00:00:00Z')]: ['1', '2', '3', '4'] })
    expect(await optOuts(first.uuid)).toBe(0)
    await optOut('1', 'stop', '2026-09-10T00:05:00Z')
    expect(await optOuts(first.uuid)).toBe(1)
    // The campaign had no email.
    await optOut('2', 'unsubscribe', '2026-09-11T00:00:00Z')
    expect(await optOuts(first.uuid)).toBe(1)
    const second = await sentCampaign(server, world, { [delivered('2026-09-12T00:00:00Z')]: ['3'] })
    await optOut('3', 'stop', '2026-09-13T00:00:00Z')
    expect([await optOuts(first.uuid), await optOuts(second.uuid)]).toEqual([1, 1])
    await optOut('4', 'stop', '2026-10-10T00:00:01Z')
    expect(await optOuts(first.uuid)).toBe(1)
  })

  it('of emails are those who unsubscribe, counted anew at once', async () => {
    const settled = `${delivered('2026-09-20T00:00:00Z')}, channel = 'email'`
    const emailed = await sentCampaign(server, world, { [settled]: ['3'] })
    expect(await optOuts(emailed.uuid)).toBe(0)
    await optOut('3', 'unsubscribe', '2026-09-21T00:00:00Z')
    expect(await optOuts(emailed.uuid)).toBe(1)
  })

  it('do not belong to a later message that never arrived', async () => {
    const read = await sentCampaign(server, world, { [delivered('2026-10-12T00:00:00Z')]: ['2'] })
    const lost = await sentCampaign(server, world, {
      "state = 'failed', reason = 'The phone was off or out of reach', sent_at = '2026-10-13T00:00:00Z', cents = 12": [
        '2',
      ],
    })
    await optOut('2', 'stop', '2026-10-14T00:00:00Z')
    expect([await optOuts(read.uuid), await optOuts(lost.uuid)]).toEqual([1, 0])
  })

  it('count a person once, before and after messages that are not the campaign’s', async () => {
    const again = await sentCampaign(server, world, { [delivered('2026-10-20T00:00:00Z')]: ['4'] })
    expect(await optOuts(again.uuid)).toBe(0)
    await stopsAt(['4', '2026-10-20T00:00:00Z'], ['4', '2026-10-21T00:00:00Z'])
    expect(await optOuts(again.uuid)).toBe(1)
  })

  it('do not belong to a message sent after them, nor to one to a test patient', async () => {
    const later = await sentCampaign(server, world, { [delivered('2026-10-25T00:00:00Z')]: ['1', '2', '3'] })
    await asOwner(server, 'update message set fake = true where run_id = $1 and patient_id = $2', [
      later.run.id,
      world.patients.get('3'),
    ])
    await stopsAt(['1', '2026-10-24T23:59:59Z'], ['2', '2026-10-26T00:00:00Z'], ['3', '2026-10-26T00:00:00Z'])
    expect(await optOuts(later.uuid)).toBe(1)
  })
})
