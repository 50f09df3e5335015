import { followUpProblem, SEQUENCE_EVENTS } from '@pillar/domain/campaign/sequence'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeMessagingWorld, makePatients } from '../../../test/messaging.ts'
import { asOwner, makeLogin } from '../../../test/people.ts'
import { startTestServer, type TestServer } from '../../../test/server.ts'
import { afterUploadOf, decisionsOf, dispense, makeDrug, setClock, tickAt } from '../../../test/world/sequence-world.ts'
import { ensureRecommendations } from '../recommendation/recommended.queries.ts'
import { adoptSequence, ensureSequenceRecommendations } from './recommended.queries.ts'
import { RECOMMENDED_SEQUENCES } from './recommended.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
  const { system } = server.services.pools
  await ensureRecommendations(system, 'AU', server.services.now())
  await Promise.all([1, 2].map(() => ensureSequenceRecommendations(system, server.services.now())))
})
afterAll(() => server.close())

describe('recommended sequences', () => {
  it('exist once, with valid follow-ups', async () => {
    for (const { followUps } of RECOMMENDED_SEQUENCES) {
      const days = followUps.map((one, at) => ({ follow_up_order: at + 1, days_after: one.daysAfter }))
      expect(followUpProblem(days)).toBe('')
    }
    const rows = await asOwner(
      server,
      `select r.title, e.value, array_agg(t.days_after order by t.follow_up_order) as days from sequence_recommendation r
       join sequence_event e on e.id = r.sequence_event_id
       join sequence_recommendation_template t on t.sequence_recommendation_id = r.id group by 1, 2 order by 1`,
    )
    expect(rows).toEqual([
      { title: 'Repeat reminder', value: 'refill_due', days: [0, 12] },
      { title: 'Starting a new medicine', value: 'first_script', days: [3, 23, 35] },
    ])
  })

  it('do not stop a start after support gave their event another meaning; a new one without an event is left out', async () => {
    const { pools, now } = server.services
    const means = (value: string) =>
      asOwner(server, `update sequence_event set value = $1 where name = $2`, [value, SEQUENCE_EVENTS.first_script])
    const titles = () => asOwner(server, 'select title from sequence_recommendation order by 1')
    const before = await titles()
    await means('lapsed_patient')
    await ensureSequenceRecommendations(pools.system, now())
    expect(await titles()).toEqual(before)
    await asOwner(server, 'delete from sequence_recommendation where title = $1', [RECOMMENDED_SEQUENCES[0]!.title])
    await ensureSequenceRecommendations(pools.system, now())
    expect(await titles()).toHaveLength(before.length - 1)
    await means('first_script')
    await ensureSequenceRecommendations(pools.system, now())
    expect(await titles()).toEqual(before)
  })

  it('become a pharmacy’s own, with the company’s templates, and run', async () => {
    const world = await makeMessagingWorld(server, { locations: 2 })
    const { id: loginId } = await makeLogin(server, world.company.id)
    const by = { companyId: world.company.id, loginId, now: server.services.now() }
    const [place, other] = world.locations.map(({ id }) => id) as [number, number]
    const uuid = RECOMMENDED_SEQUENCES[1]!.uuid
    const id = await world.inside((tx) => adoptSequence(tx, place, uuid, by))
    await world.inside((tx) => adoptSequence(tx, other, uuid, by))
    const templates = await asOwner(server, 'select name, active from template where company_id = $1 order by name', [
      world.company.id,
    ])
    // Two pharmacies of a company share its templates.
    expect(templates).toEqual([
      { name: 'Repeat due soon', active: true },
      { name: 'Repeat still waiting', active: true },
    ])
    const [patient] = await makePatients(server, place, 1)
    const drug = await makeDrug(server, place)
    const script = { patientId: patient!.id, drugId: drug.id, on: '2026-08-01', days: 30, k: 2, repeats: 5 }
    await dispense(server, place, [script])
    // Runs out on 31 August; the reminder is due on the 26th.
    setClock(server, '2026-08-24T20:00:00Z')
    expect(await afterUploadOf(server, world)).toBe(0)
    setClock(server, '2026-08-25T20:00:00Z')
    expect(await afterUploadOf(server, world)).toBe(1)
    expect(await tickAt(server, '2026-08-26T00:00:00Z')).toBe(1)
    expect(await tickAt(server, '2026-09-07T00:00:00Z')).toBe(1)
    expect(await decisionsOf(server, id)).toEqual(['1: sms queued', '2: sms queued'])
  })

  it('are refused when unknown', async () => {
    const world = await makeMessagingWorld(server)
    const by = { companyId: world.company.id, loginId: 1, now: server.services.now() }
    const adopt = world.inside((tx) =>
      adoptSequence(tx, world.locations[0]!.id, '0192c0de-0004-7000-8000-0000000000ff', by),
    )
    await expect(adopt).rejects.toThrow('That recommended sequence was not found.')
  })
})
