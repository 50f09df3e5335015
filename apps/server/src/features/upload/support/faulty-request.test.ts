import { contract } from '@pillar/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Faulty, HOUR, makeFaulty } from '../../../../test/etl/faulty.ts'
import { asOwner } from '../../../../test/people.ts'
import { startTestServer, type TestServer } from '../../../../test/server.ts'
import { makeSupport, type Support } from '../../../../test/support.ts'

const { faulty, work, request } = contract.etl
let server: TestServer
let support: Support
let company: Faulty['company']
let make: Faulty['make']
let empty: Faulty['empty']

beforeAll(async () => {
  server = await startTestServer()
  support = await makeSupport(server)
  ;({ company, make, empty } = await makeFaulty(server))
})
afterAll(() => server.close())

describe('requesting uploads from all that the filters match', () => {
  it('asks each once, over all pages, and gives the outcome of each', async () => {
    await empty()
    const failed = []
    for (let number = 0; number < 12; number++)
      failed.push(await make(`asked ${number}`, { success: 5, uploads: [['ERROR', 2]] }))
    const [silent, resting, elsewhere] = [
      await make('quiet', { success: 24 * 30 }),
      await make('asked and resting', { success: 5, uploads: [['ERROR', 2]] }),
      await make('other', { success: 5, uploads: [['ERROR', 2]] }),
    ]
    await asOwner(server, `update location set data_source = 'z' where company_id = $1`, [company.id])
    await asOwner(server, 'update location set data_source = null where id = $1', [failed[3]!.id])
    await support.ask(work, { id: resting.uuid, snoozed_until: new Date(Date.now() + HOUR).toISOString() })
    const filter = { search_term: 'asked', filters: { show_no_uploads: false } }
    const shown = (await support.ask(faulty, filter)).body.total
    expect(shown).toBe(12)

    const wrong = await support.ask(request, { filter, expected_count: 11 })
    expect([wrong.status, wrong.body.message]).toEqual([
      409,
      '12 pharmacies match by now, not 11. Please look at the list again. Nothing was requested.',
    ])
    const { body } = await support.ask(request, { filter, expected_count: shown })
    expect(body.not_requested).toEqual([
      { pharmacy: failed[3]!.uuid, name: failed[3]!.name, reason: 'Please select a data source.' },
    ])
    expect(body.requested.map(({ name }) => name).sort()).toEqual(
      failed
        .filter((_, number) => number !== 3)
        .map(({ name }) => name)
        .sort(),
    )
    const asked = await asOwner<{ location_id: string }>(
      server,
      `select location_id from upload where etl_state = 'REQUESTED' and location_id = any ($1)`,
      [[silent.id, resting.id, elsewhere.id, ...failed.map(({ id }) => id)]],
    )
    expect(asked).toHaveLength(11)
    // The second time each is already waiting.
    const again = (await support.ask(request, { filter })).body
    expect([again.requested.length, again.not_requested.length]).toEqual([0, 12])
    expect((await support.ask(request, { filter: { ...filter, status: 'ERROR' } })).body.not_requested).toHaveLength(1)
  })

  it('takes pharmacies or a filter, not both and not neither', async () => {
    const place = await make('either', {})
    expect((await support.ask(request, {})).status).toBe(422)
    expect((await support.ask(request, { id: place.uuid, filter: {} })).status).toBe(422)
  })
})
