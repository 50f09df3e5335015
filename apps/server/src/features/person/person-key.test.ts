import { setImmediate as breathe } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { asOwner, makeCompany, makeLocation } from '../../../test/people.ts'
import { startTestServer, type TestServer } from '../../../test/server.ts'
import type { Keys } from '../../db/field/key-ring.ts'
import { inScope } from '../../db/scope.ts'
import { AT_A_TIME, refreshKeys } from './person-key.queries.ts'

const PATIENTS = 4 * AT_A_TIME
let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

it('the keys of a large pharmacy are made in turns: requests are answered in between', async () => {
  const { id: companyId } = await makeCompany(server)
  const { id: locationId } = await makeLocation(server, companyId)
  await asOwner(
    server,
    `insert into patient (location_id, source, source_id, first_name, last_name, sex, date_of_birth, mobile_sealed)
     select $1, 'canonical', n, 'Ines', 'Moran', 'F', '1950-05-05', '\\x00' from generate_series(1, $2::int) n`,
    [locationId, PATIENTS],
  )
  let [inTurn, most, ended] = [0, 0, false]
  const openIfWhole = async () => {
    most = Math.max(most, ++inTurn)
    return '0491 570 156'
  }
  const others = async () => {
    for (; !ended; await breathe()) inTurn = 0
  }
  const waiting = others()
  const made = { secret: server.services.secret, keys: { openIfWhole } as unknown as Keys, companyId, locationId }
  const { patients } = await inScope(server.services.pools.app, { companyId, locationIds: [locationId] }, (tx) =>
    refreshKeys(tx, made),
  )
  ended = true
  await waiting
  expect(patients).toHaveLength(PATIENTS)
  expect(most).toBeLessThanOrEqual(AT_A_TIME)
})
