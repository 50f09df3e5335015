import { afterAll, beforeAll, expect, it } from 'vitest'
import { asOwner, makeCompany, makeLogin } from '../../../test/people.ts'
import { startTestServer, type TestServer } from '../../../test/server.ts'
import { removeOld } from './retention.jobs.ts'

const MANY = 11_000
let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

it('keys of requests, texts of letters and letters go in bites: what a week without a worker left is more than one statement may take', async () => {
  const login = await makeLogin(server, (await makeCompany(server)).id)
  await asOwner(
    server,
    `insert into request_key (login_id, key_hash, body_hash, made_at)
     select $1, int4send(n), 'x', now() - interval '3 days' from generate_series(1, $2::int) n`,
    [login.id, MANY],
  )
  await asOwner(
    server,
    `insert into mail (uuid, recipient, subject, body, created_at)
     select gen_random_uuid(), 'robin@mail.example', 'Hello', case when n % 2 = 0 then 'x'::bytea end, now() - interval '10 years'
     from generate_series(1, 2 * $1::int) n`,
    [MANY],
  )
  await removeOld.run({}, server.services)
  const bites = await asOwner<{ what: string; bites: number[] }>(
    server,
    `select detail->>'what' as what, array_agg((detail->>'removed')::int order by id) as bites from audit
     where action = 'retention' group by 1 order by (detail->>'what') collate "C"`,
  )
  expect(bites).toEqual([
    { what: 'letter texts', bites: [5000, 5000, 1000] },
    { what: 'letters', bites: [5000, 5000, 5000, 5000, 2000] },
    { what: 'request keys', bites: [5000, 5000, 1000] },
  ])
  expect(await asOwner(server, 'select from request_key')).toEqual([])
  expect(await asOwner(server, 'select from mail')).toEqual([])
})
