import { contract } from '@pillar/contract'
import { weekday } from '@pillar/domain/time/day'
import { instantAt } from '@pillar/domain/time/local-time'
import { dayIn } from '@pillar/domain/time/zone'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type CampaignDesk, openDesk } from '../../../test/campaign-desk.ts'
import { setRules } from '../../../test/messaging.ts'
import { asOwner } from '../../../test/people.ts'
import { makeSupport } from '../../../test/support.ts'
import { recountQueued } from '../sending/recount.ts'

let desk: CampaignDesk
beforeAll(async () => {
  desk = await openDesk()
})
afterAll(() => desk.server.close())

describe('stopping a run', () => {
  it('works for one pharmacy or all, can be resumed, and is refused when nothing is being sent', async () => {
    const id = await desk.create()
    const idle = await desk.read(desk.path(id, 'stop'))
    expect([idle.status, idle.body.message]).toEqual([409, 'This campaign is not being sent at the moment.'])
    await desk.write(id, 'activate', 'activate', { active: true })
    await desk.prepared(id)
    const one = await desk.read(desk.path(id, 'stop'), { pharmacy_ids: [desk.places[0]] })
    expect([one.status, one.body.left]).toEqual([200, 6])
    const partly = (await desk.read(desk.path(id, 'run'))).body
    expect(partly.pharmacies.map((place) => place.stopped).sort()).toEqual([false, true])
    expect((await desk.read(desk.path(id, 'stop'))).body.left).toBe(11)
    expect((await desk.read(desk.path(id, 'run'))).body).toMatchObject({ state: 'stopped', finishes_at: null })
    const ungranted = await desk.read(desk.path(id, 'resume'))
    expect(ungranted.status).toBe(403)
    expect((await desk.write(id, 'resume', 'activate')).body.left).toBe(11)
    expect((await desk.read(desk.path(id, 'run'))).body.state).toBe('holding')
    expect(
      (await desk.read(desk.path(id, 'stop'), { pharmacy_ids: ['00000000-0000-4000-8000-000000000000'] })).status,
    ).toBe(404)
  })

  it('shows when the first queued message may leave: after the hold, or when sending hours begin', async () => {
    const id = await desk.create()
    const { starts_at } = (await desk.write(id, 'activate', 'activate', { active: true })).body
    expect(await desk.prepared(id)).toMatchObject({ state: 'holding', next_at: starts_at })
    const zone = 'Australia/Melbourne'
    const opens = dayIn(zone, desk.server.services.now()) + 2
    const week = Array.from({ length: 7 }, (_, index) => (index + 1 === weekday(opens) ? ([600, 720] as const) : null))
    await setRules(desk.server, desk.world.company.id, { week })
    const { next_at } = (await desk.read(desk.path(id, 'run'))).body
    expect(next_at).toBe(instantAt(zone, opens, 600).toISOString())
    await setRules(desk.server, desk.world.company.id, {})
    await desk.read(desk.path(id, 'stop'))
    expect((await desk.read(desk.path(id, 'run'))).body.next_at).toBeNull()
  })

  it('says that counting is in progress, until the counts match the messages', async () => {
    const id = await desk.create()
    await desk.write(id, 'activate', 'activate', { active: true })
    await desk.prepared(id)
    await recountQueued(desk.server.services)
    const run = async () => (await desk.read(desk.path(id, 'run'))).body
    expect(await run()).toMatchObject({ state: 'holding', counting: false, progress: { queued: 11, skipped: 5 } })
    await desk.write(id, 'activate', 'deactivate', { active: false })
    // Ended, but not counted yet: the screen has to ask again.
    expect(await run()).toMatchObject({ state: 'done', counting: true })
    await recountQueued(desk.server.services)
    expect(await run()).toMatchObject({ state: 'done', counting: false, progress: { queued: 0, skipped: 16 } })
  })

  it('happens when its campaign is deleted; demo campaigns are never deleted', async () => {
    const id = await desk.create()
    await asOwner(desk.server, 'update campaign set demo = true where uuid = $1', [id])
    const demo = await desk.write(id, 'delete', 'delete')
    expect([demo.status, demo.body.message]).toEqual([409, 'This is a demo campaign and cannot be deleted.'])
    await asOwner(desk.server, 'update campaign set demo = false where uuid = $1', [id])
    await desk.write(id, 'activate', 'activate', { active: true })
    await desk.prepared(id)
    expect((await desk.write(id, 'delete', 'delete')).status).toBe(200)
    expect((await desk.read(desk.path(id, 'info'))).status).toBe(404)
    expect(new Set((await desk.messages(id)).map((message) => message.state))).toEqual(new Set(['skipped']))
  })

  it('leaves an inactive campaign as it ended, and one that never began with its dates and templates', async () => {
    const [ended, planned] = [await desk.create(), await desk.create({ end_date: '2099-01-09' })]
    await desk.write(ended, 'activate', 'activate', { active: true })
    await desk.prepared(ended)
    await desk.write(ended, 'activate', 'deactivate', { active: false })
    await asOwner(desk.server, `update campaign set start_day = '2026-02-02', end_day = '2026-03-04' where uuid = $1`, [
      ended,
    ])
    await asOwner(desk.server, 'update template set active = true where uuid = $1', [desk.template.uuid])
    for (const id of [ended, planned]) {
      const { status, body } = await desk.write(id, 'activate', 'deactivate', { active: false })
      expect([status, body.active]).toEqual([200, false])
    }
    const ends = [ended, planned].map(async (id) => (await desk.read(desk.path(id, 'info'))).body.end_date)
    expect(await Promise.all(ends)).toEqual(['2026-03-04', '2099-01-09'])
    const templates = await asOwner(desk.server, 'select active from template where uuid = $1', [desk.template.uuid])
    expect(templates).toEqual([{ active: true }])
  })

  it('for a campaign that has not begun leaves one that support can edit', async () => {
    const support = await makeSupport(desk.server)
    const id = await desk.create()
    await desk.write(id, 'activate', 'activate', { active: true, start_date: '2099-01-05' })
    await desk.write(id, 'activate', 'deactivate', { active: false })
    const { version } = (await support.ask(contract.campaignAdmin.info, { id })).body
    const note = { campaign_ids: [id], note: 'Postponed by the pharmacy', version }
    const edited = await support.ask(contract.campaignAdmin.edit, note)
    expect([edited.status, edited.body.message]).toEqual([200, undefined])
  })

  it('keeps a stopped run without recipients resumable', async () => {
    const id = await desk.create({ filters: { adherence: [4] } })
    await desk.write(id, 'activate', 'activate', { active: true })
    expect((await desk.prepared(id)).progress.messages).toBe(0)
    expect((await desk.read(desk.path(id, 'stop'))).status).toBe(200)
    expect((await desk.write(id, 'resume', 'activate')).body.left).toBe(0)
    await desk.prepared(id)
  })

  it('writes no messages for a run that has already ended', async () => {
    const id = await desk.create()
    await desk.write(id, 'activate', 'activate', { active: true })
    await desk.write(id, 'activate', 'deactivate', { active: false })
    await expect.poll(async () => (await desk.read(desk.path(id, 'run'))).body.state).toBe('done')
    expect((await desk.messages(id)).filter((message) => message.state !== 'skipped')).toEqual([])
  })
})

it('the log names the campaign, and says whether it was activated, stopped or deactivated', async () => {
  const id = await desk.create({ name: `Told ${Date.now()}` })
  await desk.write(id, 'activate', 'activate', { active: true })
  await desk.prepared(id)
  await desk.read(desk.path(id, 'stop'))
  await desk.write(id, 'activate', 'deactivate', { active: false })
  await desk.write(id, 'delete', 'delete')
  const log = await asOwner(
    desk.server,
    `select action, object_name like 'Told %' as named, detail->'changes'->0->'after'->'active' as active
     from audit where object = $1 and action like 'campaign.%' and action <> 'campaign.run' order by id`,
    [id],
  )
  expect(log).toEqual([
    { action: 'campaign.create', named: true, active: null },
    { action: 'campaign.activate', named: true, active: true },
    { action: 'campaign.stop', named: true, active: null },
    { action: 'campaign.activate', named: true, active: false },
    { action: 'campaign.remove', named: true, active: null },
  ])
})
