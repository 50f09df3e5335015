import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { type MessagingWorld, makeMessagingWorld } from '../../../test/messaging.ts'
import { asOwner, mailTo, makeLogin, type TestLogin } from '../../../test/people.ts'
import { startTestServer, type TestServer } from '../../../test/server.ts'
import { makeReport } from './report.jobs.ts'

let server: TestServer
let world: MessagingWorld
let [asker, owner]: TestLogin[] = []
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())
beforeEach(async () => {
  world = await makeMessagingWorld(server)
  asker = await makeLogin(server, world.company.id, { flags: ['data_analytics'] })
  owner = await makeLogin(server, world.company.id)
  await asOwner(server, 'update location set owner_login_id = $1 where id = $2', [owner.id, world.locations[0]!.id])
  await asOwner(
    server,
    `create function no_room() returns trigger language plpgsql as $$ begin raise exception 'no' using errcode = '53100'; end $$;
     create trigger no_room before insert on report_file for each row execute function no_room()`,
  )
})
const makeRoom = () => asOwner(server, 'drop function if exists no_room cascade')
afterEach(async () => {
  server.clock.offsetMs = 0
  await makeRoom()
})

/** Requests a report, and tries in vain to make it six times. @returns tries once more */
async function triedInVain(): Promise<() => Promise<void>> {
  const [row] = await asOwner<{ id: number }>(
    server,
    `insert into report_request (location_id, company_id, from_day, to_day, asked_by, asked_at)
     values ($1, $2, '2026-10-01', '2026-10-31', $3, now()) returning id`,
    [world.locations[0]!.id, world.company.id, asker!.id],
  )
  const make = () => makeReport.run({ request_id: Number(row!.id) }, server.services)
  for (let attempt = 1; attempt <= 6; attempt++) await expect(make()).rejects.toMatchObject({ code: '53100' })
  expect(await mailTo(server, asker!.email)).toEqual([])
  return make
}

it('a report for which the disk has no room waits, and is mailed afterwards', async () => {
  const make = await triedInVain()
  await makeRoom()
  await make()
  expect(await mailTo(server, owner!.email)).toHaveLength(1)
  expect(await mailTo(server, asker!.email)).toEqual([])
})

it('after a day without room the person who requested it is told that it was not made', async () => {
  const make = await triedInVain()
  server.clock.offsetMs = 25 * 3_600_000
  for (let attempt = 1; attempt <= 4; attempt++) await make().catch(() => {})
  const [letter, ...more] = await mailTo(server, asker!.email)
  expect(more).toEqual([])
  expect(letter!.subject).toContain('was not made')
  await makeRoom()
  await make()
  expect(await mailTo(server, owner!.email)).toEqual([])
})
