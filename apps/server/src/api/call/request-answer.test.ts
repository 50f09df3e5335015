import { randomUUID } from 'node:crypto'
import { contract } from '@pillar/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type CampaignDesk, openDesk } from '../../../test/campaign-desk.ts'
import { makeMessagingWorld } from '../../../test/messaging.ts'
import { asOwner, makeLocation, stepUp } from '../../../test/people.ts'
import { makeSupport, type Support } from '../../../test/support.ts'
import { makeRecruiterLogin, makeRunningTrial, referredPatient } from '../../../test/trial.ts'

let desk: CampaignDesk
let support: Support
beforeAll(async () => {
  desk = await openDesk()
  support = await makeSupport(desk.server)
})
afterAll(() => desk.server.close())

const kept = (part: string) =>
  asOwner(desk.server, `select from request_key where answer like '%' || $1 || '%'`, [part])

describe('the stored answer to a request', () => {
  it('is stored sealed', async () => {
    const headers = { ...desk.grantless, 'idempotency-key': randomUUID() }
    const view = { name: `View ${randomUUID()}`, shared: false, state: { state: 'VIC' } }
    const saved = await desk.server.call<{ id: string }>('/api/saved-view/create', view, headers)
    const again = await desk.server.call<{ id: string }>('/api/saved-view/create', view, headers)
    expect([saved.status, again.body]).toEqual([200, saved.body])
    expect(again.headers).toMatchObject({ 'idempotency-replayed': 'true' })
    expect(await kept('{')).toEqual([])
  })

  it('is neither returned again nor stored if it is a key', async () => {
    const place = await makeLocation(desk.server, desk.world.company.id)
    const path = `/api/location/${place.uuid}/key/replace`
    const key = { 'idempotency-key': randomUUID() }
    const grant = await stepUp(desk.server, support, 'save', place.uuid)
    const made = await desk.server.call<{ key: string }>(path, {}, { ...grant, ...key })
    expect(made.status).toBe(200)
    const again = await desk.server.call<{ key?: string; message: string }>(path, {}, { ...support.tab.bearer, ...key })
    expect([again.status, again.body.key]).toEqual([409, undefined])
    expect(again.body.message).toContain('This was done already, and its answer is given only once.')
    expect(await kept(made.body.key)).toEqual([])
  })

  it('is given anew if the call only shows something: the one that was lost cannot be read elsewhere', async () => {
    const place = await makeLocation(desk.server, desk.world.company.id)
    const { body } = await support.ask(contract.locationKey.list, { id: place.uuid })
    const path = `/api/location/${place.uuid}/key/${body.data[0]!.key_id}/show`
    const key = { 'idempotency-key': randomUUID() }
    for (let time = 0; time < 2; time++) {
      const grant = await stepUp(desk.server, support, 'save', place.uuid)
      const shown = await desk.server.call<{ key: string }>(path, {}, { ...grant, ...key })
      expect([shown.status, shown.body.key]).toEqual([200, place.key])
      const without = await desk.server.call<{ key?: string }>(path, {}, { ...support.tab.bearer, ...key })
      expect([without.status, without.body.key]).toEqual([403, undefined])
    }
    expect(await kept(place.key)).toEqual([])
  })

  it('is not stored if it names a patient', async () => {
    const world = await makeMessagingWorld(desk.server)
    const trial = await makeRunningTrial(desk.server, support)
    const recruiter = await makeRecruiterLogin(desk.server, trial.recruiterId)
    await referredPatient(desk.server, world, trial.id)
    const { consent_id, version } = (await recruiter.ask(contract.referral.list, {})).body.referrals[0]!
    const done = await desk.server.call<{ last_name: string }>(
      contract.referral.edit.path.replace('{consent_id}', consent_id),
      { enrolled: true, recruiter_contacted: true, version },
      { ...recruiter.tab.bearer, 'idempotency-key': randomUUID() },
    )
    expect([done.status, done.body.last_name]).toEqual([200, 'Moran'])
    expect(await asOwner(desk.server, 'select answer from request_key order by made_at desc limit 1')).toEqual([
      { answer: null },
    ])
  })
})

describe('a call that only stops something', () => {
  it('deactivates again after an activation, under the first key; an activation is not done twice', async () => {
    const id = await desk.create()
    await desk.write(id, 'activate', 'activate', { active: true })
    await desk.prepared(id)
    const under = async (key: string, action: string, active: boolean) => {
      const headers = { ...(await desk.grant(action, id)), 'idempotency-key': key }
      const { status, headers: said } = await desk.server.call(desk.path(id, 'activate'), { active }, headers)
      return [status, said['idempotency-replayed'] ?? 'done']
    }
    const [off, on] = [randomUUID(), randomUUID()]
    expect(await under(off, 'deactivate', false)).toEqual([200, 'done'])
    expect(await under(on, 'activate', true)).toEqual([200, 'done'])
    expect(await under(off, 'deactivate', false)).toEqual([200, 'done'])
    expect((await desk.read(desk.path(id, 'info'))).body.active).toBe(false)
    expect(await under(on, 'activate', true)).toEqual([200, 'true'])
    expect((await desk.read(desk.path(id, 'info'))).body.active).toBe(false)
  })

  it('stops again after a resume, even under the first key', async () => {
    const id = await desk.create()
    await desk.write(id, 'activate', 'activate', { active: true })
    await desk.prepared(id)
    const headers = { ...desk.grantless, 'idempotency-key': randomUUID() }
    const stop = () => desk.server.call(desk.path(id, 'stop'), { id }, headers)
    expect((await stop()).status).toBe(200)
    expect((await desk.write(id, 'resume', 'activate', {})).status).toBe(200)
    expect((await stop()).status).toBe(200)
    expect((await desk.read(desk.path(id, 'run'))).body.state).toBe('stopped')
  })
})
