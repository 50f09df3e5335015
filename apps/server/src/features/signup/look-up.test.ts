import { afterAll, beforeAll, expect, it } from 'vitest'
import { asOwner } from '../../../test/people.ts'
import { startTestServer, type TestServer } from '../../../test/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

it('the look-up finds Australian suburbs by name and postcode, names the data’s owner, and is throttled', async () => {
  const find = (search_term: string) => server.call('/api/signup/places', { search_term })
  const { body } = await find('balla')
  expect(body).toMatchObject({ source: 'gazetteer', credit: expect.stringContaining('GeoNames') })
  expect((await find('3350')).body.data).toContainEqual({
    label: 'Ballarat VIC 3350',
    place_id: null,
    address: { street_address: '', town: 'Ballarat', region: 'VIC', postcode: '3350' },
  })
  expect((await find('x')).body.data).toEqual([])
  expect((await server.call('/api/signup/place', { place_id: 'abc' })).status).toBe(404)
  await asOwner(server, `update throttle set points = 299 where key like 'splc:%'`)
  expect([(await find('balla')).status, (await find('balla')).status]).toEqual([200, 429])
})
