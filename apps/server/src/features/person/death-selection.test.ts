import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freshMobile, makeMessagingWorld, makePatients, type TestPatient } from '../../../test/messaging.ts'
import { FakePhones } from '../../../test/outside/fake-gateway.ts'
import { asOwner, makeLogin, signIn } from '../../../test/people.ts'
import { campaignOn, forecastOf, forecastOutcomes, outcomesOf, sendAll, writeCampaign } from '../../../test/sending.ts'
import { startTestServer, type TestServer } from '../../../test/server.ts'
import { makeSupport, type Support } from '../../../test/support.ts'
import { makeRunningTrial, trialTokenFor } from '../../../test/trial.ts'
import { addPeople, person } from '../../../test/world/cohort-world.ts'
import { afterUploadOf, decisionsOf, makeSequence, newMedicine, tickAt } from '../../../test/world/sequence-world.ts'
import { writeRecord } from '../../../test/world/shops.ts'
import type { Services } from '../../api/context.ts'
import { advanceRuns } from '../sending/lease.queries.ts'
import { countTrials } from '../trial/trial-count.jobs.ts'
import { followUp } from '../upload/after-upload.jobs.ts'

let server: TestServer
let services: Services
let support: Support
beforeAll(async () => {
  server = await startTestServer()
  services = { ...server.services, sms: new FakePhones().gateway() }
  support = await makeSupport(server)
})
afterAll(() => server.close())

/** A world of three pharmacies, of which two have one patient each, with a supply and a mobile. */
async function twoShops() {
  const world = await makeMessagingWorld(server, { locations: 3 })
  const ids = await addPeople(
    server,
    world,
    [0, 1].map((at) => person({ at, sms_to: freshMobile(), mobile: '0400' })),
  )
  await asOwner(server, `update location set data_to = '2026-11-01' where company_id = $1`, [world.company.id])
  const [here, there] = ids.map((id, at) => ({ id, locationId: world.locations[at]!.id }))
  const writes = (one: typeof here, died: boolean, name = 'Mary') =>
    writeRecord(server, world.company.id, one!, { name, died })
  const afterUpload = (at: number) => followUp(services, world.company.id, world.locations[at]!.id, ['facts'])
  return { world, here: here!, there: there!, writes, afterUpload }
}

describe('whoever another pharmacy records as deceased', () => {
  it('is forecast and written as held back, and selected again once the death is withdrawn', async () => {
    const { world, here, there, writes, afterUpload } = await twoShops()
    await writes(here, false)
    await writes(there, true)
    await afterUpload(1)
    const campaign = await campaignOn(server, world, ['sms'])
    const seen = async () => {
      const forecast = forecastOutcomes(await forecastOf(services, world, campaign))
      const run = await writeCampaign(server, services, world, campaign)
      await advanceRuns(services.pools.system, services.now())
      await sendAll(services)
      expect(await outcomesOf(server, run.id)).toEqual(forecast)
      return Object.fromEntries(forecast.map(({ reason, count }) => [reason, count]))
    }
    expect(await seen()).toEqual({ deceased: 1, deceased_elsewhere: 1 })
    // A server of the previous version knows the first bit alone.
    const bits = 'select barred & 1 as deceased from patient_fact where location_id = any($1)'
    expect(await asOwner(server, bits, [world.scope.locationIds])).toEqual([{ deceased: 1 }, { deceased: 1 }])
    await writes(there, false)
    await afterUpload(1)
    expect(await seen()).toEqual({ goes: 2 })
  })

  it('stays marked when the own pharmacy or a third one uploads, and no longer once the record turns out to be of somebody else', async () => {
    const { world, here, there, writes, afterUpload } = await twoShops()
    const marks = async () =>
      (
        await asOwner<{ barred: number }>(
          server,
          'select barred from patient_fact where location_id = any($1) order by location_id',
          [world.scope.locationIds],
        )
      ).map(({ barred }) => barred)
    await writes(here, false)
    await writes(there, true)
    await afterUpload(0)
    expect(await marks()).toEqual([9, 0])
    await afterUpload(1)
    expect(await marks()).toEqual([9, 1])
    await afterUpload(2)
    expect(await marks()).toEqual([9, 1])
    await writes(there, true, 'Maud')
    await afterUpload(1)
    expect(await marks()).toEqual([0, 1])
    await writes(there, true)
    await writes(here, true)
    await afterUpload(0)
    expect(await marks()).toEqual([1, 1])
  })

  it('is marked as soon as a third pharmacy’s record connects the two', async () => {
    const { world, here, there, writes, afterUpload } = await twoShops()
    await writes(here, false)
    await writes(there, true, 'Maud')
    const [third] = await makePatients(server, world.locations[2]!.id, 1)
    const join = "insert into person_link select location_id, id, 'one person' from patient where id = any($1)"
    await asOwner(server, join, [[here.id, there.id, third!.id]])
    await afterUpload(2)
    const marked = 'select patient_id::int as id from patient_fact where location_id = any($1) and barred = 9'
    expect(await asOwner(server, marked, [world.scope.locationIds])).toEqual([{ id: here.id }])
  })

  it('is not counted as eligible for a trial, and the link of an invitation opens nothing', async () => {
    const { world, here, there, writes, afterUpload } = await twoShops()
    await writes(here, false)
    await writes(there, true)
    await afterUpload(1)
    const trial = await makeRunningTrial(server, support)
    await countTrials(server.services, trial.id, server.services.now())
    const eligible = 'select from trial_participant where trial_id = $1 and location_id = any($2)'
    expect(await asOwner(server, eligible, [trial.id, world.scope.locationIds])).toEqual([])
    const [invited] = (await makePatients(server, here.locationId, 1)) as [TestPatient]
    const token = await trialTokenFor(server, world, trial.id, invited)
    const open = async () => (await server.call(`/api/consent/${token}`)).status
    expect(await open()).toBe(200)
    await writes(invited, false)
    expect(await open()).toBe(404)
    await writes(there, false)
    expect(await open()).toBe(200)
  })

  it('is not shown in a preview', async () => {
    const { world, here, there, writes } = await twoShops()
    const { bearer } = await signIn(server, await makeLogin(server, world.company.id, { flags: ['data_analytics'] }))
    const { uuid } = world.locations[0]!
    const patients = async () => {
      const asked = { pharmacy_id: uuid, body: 'Hi {First Name}' }
      return (await server.call<{ patients: number }>('/api/template/preview/enterprise', asked, bearer)).body.patients
    }
    await writes(here, false)
    expect(await patients()).toBe(1)
    await writes(there, true)
    expect(await patients()).toBe(0)
  })

  it('is neither enrolled in a sequence nor sent its follow-ups', async () => {
    const { world, patients } = await newMedicine(server, 3, { locations: 2 })
    const [late, early] = patients as [TestPatient, TestPatient]
    const [lateThere, earlyThere] = await makePatients(server, world.locations[1]!.id, 2)
    const writes = (one: TestPatient, name: string, died: boolean) =>
      writeRecord(server, world.company.id, one, { name, died })
    await writes(late, 'Late', false)
    await writes(early, 'Early', false)
    await writes(earlyThere!, 'Early', true)
    const sequence = await makeSequence(server, world, [3])
    await afterUploadOf(server, world)
    const enrolled = await asOwner<{ id: number }>(
      server,
      'select patient_id as id from enrolment where sequence_id = $1 order by 1',
      [sequence],
    )
    expect(enrolled.map(({ id }) => Number(id))).toEqual([late.id, patients[2]!.id])
    await writes(lateThere!, 'Late', true)
    await tickAt(server, '2026-08-04T00:10:00Z')
    expect(await decisionsOf(server, sequence)).toEqual(['1: deceased_elsewhere', '1: sms queued'])
  })
})
