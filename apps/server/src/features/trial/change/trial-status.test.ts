import { contract } from '@pillar/contract'
import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  freshMobile,
  type MessagingWorld,
  makeMessagingWorld,
  makePatients,
  makeRun,
} from '../../../../test/messaging.ts'
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

it('a pharmacy that cannot be counted delays the others’ letters by an hour at most, and the log names it', async () => {
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
  await asOwner(server, 'alter table trial_location drop constraint broken')
})

it('pharmacies get their letters even if one company’s invitations cannot be cancelled, and the trial names it until they are', async () => {
  const two = await makeMessagingWorld(server, { locations: 2 })
  const contact = await makeLogin(server, two.company.id, { username: fresh('contact') })
  await asOwner(
    server,
    'insert into login_location (location_id, company_id, login_id) select id, company_id, $1 from location where company_id = $2',
    [contact.id, two.company.id],
  )
  const trial_id = await makeTrial(support)
  const asked = (active: boolean) =>
    support.ask(contract.clinicalTrial.editActiveStatus, {
      ...{ trial_id, active, notify_pharmacies: !active },
      ...(active ? {} : { cancel_messages: true }),
    } as never)
  await asked(true)
  const patients = await makePatients(server, two.locations[0]!.id, 1)
  const run = await makeRun(server, two, { patients, context: 'trial', startsAt: new Date(Date.now() + 3_600_000) })
  const [trial] = await asOwner<{ id: number }>(server, 'select id from trial where uuid = $1', [trial_id])
  await asOwner(
    server,
    `update message_run set trial_id = $1, created_at = now() - interval '1 minute' where id = $2`,
    [trial!.id, run.id],
  )
  await asOwner(
    server,
    'insert into trial_location (location_id, trial_id, total_eligible) select id, $1, 1 from location where company_id = $2',
    [trial!.id, two.company.id],
  )
  await asked(false)
  const [change] = await asOwner<{ id: number }>(server, 'select max(id) as id from trial_status_change')
  const lines: { company?: number }[] = []
  const log = { error: (line: { company?: number }) => void lines.push(line) } as unknown as typeof server.services.log
  const carryOut = () => carryOutStatus.run({ change_id: change!.id }, { ...server.services, log })
  const named = async () => (await support.ask(contract.clinicalTrial.info, { trial_id })).body.not_cancelled
  const broken = `alter table message add constraint broken check (run_id <> ${run.id} or state <> 'skipped') not valid`
  await asOwner(server, broken)
  await expect(carryOut()).rejects.toThrow('broken')
  expect(lines).toMatchObject([{ company: two.company.id }])
  expect(await mailTo(server, contact.email)).toHaveLength(1)
  expect(await named()).toEqual([two.company.name])
  await asOwner(server, 'alter table message drop constraint broken')
  await carryOut()
  await carryOut()
  expect(await mailTo(server, contact.email)).toHaveLength(1)
  expect(await named()).toEqual([])
  const [done] = await asOwner(server, 'select cancelled from trial_status_change where id = $1', [change!.id])
  expect(done).toEqual({ cancelled: 1 })
})
