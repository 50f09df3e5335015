import { contract } from '@pillar/contract'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  freshMobile,
  makeCampaign,
  makeMessagingWorld,
  makePatients,
  makeRun,
  makeTemplate,
} from '../../../test/messaging.ts'
import { asOwner } from '../../../test/people.ts'
import { startTestServer, type TestServer } from '../../../test/server.ts'
import { codeOf } from '../../../test/staff-contact.ts'
import { makeSupport } from '../../../test/support.ts'
import { untilWaiting } from '../../../test/waiting.ts'

const { add, test: testCall, askCode, confirmCode } = contract.fakePatient
let server: TestServer

beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

it('two tests that start at the same moment stay within the pharmacy’s 50 messages', async () => {
  const support = await makeSupport(server)
  const world = await makeMessagingWorld(server)
  const [place] = world.locations
  const template = await makeTemplate(server, world.company.id)
  const campaign = await makeCampaign(server, world.company.id, {
    locationIds: [place!.id],
    templateIds: [template.id],
  })
  const mobile = freshMobile()
  const { contact_id } = (await support.ask(askCode, { channel: 'sms', contact: mobile })).body
  await support.ask(confirmCode, { contact_id, code: await codeOf(server, mobile) })
  const patient = { id: -1, first_name: 'Testa', last_name: 'Person', mobile, email: '', adherence_level: 3 }
  await support.ask(add, { id: place!.uuid, patient: patient as never })
  // 49 tests were sent before.
  const { id } = await makeRun(server, world, { patients: await makePatients(server, place!.id, 49), state: 'done' })
  await asOwner(server, 'update message set fake = true where run_id = $1', [id])
  const owner = new pg.Client({ connectionString: server.ownerUrl })
  await owner.connect()
  await owner.query('begin')
  // Both have counted, and neither has written.
  await owner.query('lock table message in share row exclusive mode')
  const send = () => support.ask(testCall, { id: place!.uuid, campaign_id: campaign.uuid })
  const both = [send(), send()]
  await untilWaiting(server, 2)
  await owner.query('commit')
  await owner.end()
  expect((await Promise.all(both)).map(({ status }) => status).sort()).toEqual([200, 429])
})
