import { contract } from '@pillar/contract'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { freshMobile, type MessagingWorld, makeMessagingWorld } from '../../../../test/messaging.ts'
import { asOwner, fresh, mailTo, makeLogin } from '../../../../test/people.ts'
import { startTestServer, type TestServer } from '../../../../test/server.ts'
import { makeSupport, type Support } from '../../../../test/support.ts'
import { makeTrial } from '../../../../test/trial.ts'
import { addPeople, person } from '../../../../test/world/cohort-world.ts'
import { carryOutStatus } from './trial-status.jobs.ts'

let server: TestServer
let support: Support
let world: MessagingWorld
beforeAll(async () => {
  server = await startTestServer()
  support = await makeSupport(server)
  world = await makeMessagingWorld(server, { locations: 2 })
  const old = () => person({ born: '1950-05-05', sms_to: freshMobile() })
  await addPeople(server, world, [old(), { ...old(), at: 1 }])
  await asOwner(server, `update location set data_to = '2026-11-01'`)
})
afterAll(() => server.close())

it('a pharmacy that cannot be counted holds up for an hour what the others are told of a trial, and is named in the log', async () => {
  const [broken, fine] = world.locations
  const contact = await makeLogin(server, world.company.id, { username: fresh('contact') })
  await asOwner(
    server,
    'insert into login_location (location_id, company_id, login_id) select id, company_id, $1 from location where company_id = $2',
    [contact.id, world.company.id],
  )
  const trial_id = await makeTrial(support, { filters: { age: ['65-74', '75+'] } })
  await asOwner(
    server,
    `alter table trial_location add constraint broken check (location_id <> ${broken!.id}) not valid`,
  )
  await support.ask(contract.clinicalTrial.editActiveStatus, {
    trial_id,
    active: true,
    notify_pharmacies: true,
  } as never)
  const [change] = await asOwner<{ id: number }>(server, 'select max(id) as id from trial_status_change')
  const lines: { location?: number }[] = []
  const log = { error: (line: { location?: number }) => void lines.push(line) } as unknown as typeof server.services.log
  const carryOut = () => carryOutStatus.run({ change_id: change!.id }, { ...server.services, log })
  await expect(carryOut()).rejects.toThrow('broken')
  expect(await mailTo(server, contact.email)).toEqual([])
  expect(lines.map(({ location }) => location)).toEqual([broken!.id])
  await asOwner(server, `update trial_status_change set at = at - interval '61 minutes' where id = $1`, [change!.id])
  await carryOut()
  await carryOut()
  const letters = await mailTo(server, contact.email)
  expect(letters).toHaveLength(1)
  expect(letters[0]?.text).toContain(fine!.name)
  expect(letters[0]?.text).not.toContain(broken!.name)
})
