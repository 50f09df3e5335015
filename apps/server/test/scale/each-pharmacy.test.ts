import { contract } from '@pillar/contract'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { companiesToInvite, invitingTrial, textsOfTrial } from '../../src/features/trial/invite.queries.ts'
import { inviteCompany, noInvitees } from '../../src/features/trial/invite.ts'
import { countTrials } from '../../src/features/trial/trial-count.jobs.ts'
import { freshMobile, makeCampaign, makeMessagingWorld, makeTemplate } from '../messaging.ts'
import { asOwner, fresh } from '../people.ts'
import { writeCampaign } from '../sending.ts'
import { startTestServer, type TestServer } from '../server.ts'
import { makeSupport } from '../support.ts'
import { makeRunningTrial } from '../trial.ts'
import { addPeople, person } from '../world/cohort-world.ts'
import { statementsOf } from './statements.ts'

const [FEW, MANY] = [2, 12]
let server: TestServer
let few: Awaited<ReturnType<typeof worldOf>>
let many: Awaited<ReturnType<typeof worldOf>>
beforeAll(async () => {
  server = await startTestServer()
  few = await worldOf(FEW)
  many = await worldOf(MANY)
  await asOwner(server, `update location set data_to = '2026-11-01'`)
})
afterAll(() => server.close())

/** A company with one patient at each of its pharmacies. */
async function worldOf(locations: number) {
  const world = await makeMessagingWorld(server, { locations })
  for (const place of world.locations)
    await addPeople(server, { ...world, locations: [place] }, [person({ born: '1950-05-05', sms_to: freshMobile() })])
  return world
}

/** How many statements each further pharmacy costs. */
async function each(work: (world: typeof few) => Promise<unknown>): Promise<number> {
  const { appPool } = server.services.pools
  const counts = []
  for (const world of [few, many]) counts.push((await statementsOf(appPool, () => work(world))).length)
  return (counts[1]! - counts[0]!) / (MANY - FEW)
}

it('invitations to a trial are forecast with three statements for each pharmacy: its scope, whether the trial may invite there today, and its people', async () => {
  const { pools } = server.services
  const support = await makeSupport(server)
  const text = { name: fresh('Invitation'), body: '{Pharmacy Name}: {Consent ID}', communication_type: 'sms' as const }
  const made = await support.ask(contract.templateAdmin.createGlobal, text)
  const draft = { filters: { age: ['65-74', '75+'] }, template_ids: [String(made.body.id)] }
  const { id } = await makeRunningTrial(server, support, draft)
  await countTrials(server.services, id, server.services.now())
  const [trial, texts] = [(await invitingTrial(pools.system, id))!, await textsOfTrial(pools.staff, id)]
  const companies = await companiesToInvite(pools.system, id)
  const counts = noInvitees()
  const forecast = ({ company }: typeof few) => {
    const one = companies.find(({ companyId }) => companyId === company.id)!
    return inviteCompany(
      server.services,
      one,
      { uuid: crypto.randomUUID(), trial, texts, loginId: null },
      counts,
      false,
    )
  }
  expect(await each(forecast)).toBe(3)
  expect(counts.sms).toBe(FEW + MANY)
})

it('a campaign is written with five statements for each pharmacy: its scope, its people, their messages, and the batch before and after', async () => {
  const text = async ({ company }: typeof few) => (await makeTemplate(server, company.id)).id
  const write = async (world: typeof few) => {
    const of = { locationIds: world.scope.locationIds, templateIds: [await text(world)] }
    return writeCampaign(server, server.services, world, await makeCampaign(server, world.company.id, of))
  }
  expect(await each(write)).toBe(5)
})
