import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { asOwner } from '../../../../test/people.ts'
import { type ApprovalDesk, openApprovalDesk } from '../../../../test/world/approval-desk.ts'

let desk: ApprovalDesk
beforeAll(async () => {
  desk = await openApprovalDesk()
})
afterAll(() => desk.server.close())
beforeEach(() => desk.require(true))

const edit = async (id: string, more: object) => {
  const { name, filters, goal_type, measure_by, goal, version } = (await desk.read(desk.path(id, 'info'))).body
  const templates = [desk.template.uuid]
  const body = { name, filters, goal_type, measure_by, goal, version, templates, locations: desk.places, ...more }
  return desk.ask(null, id, 'edit', body, 'save')
}

it('one approval is for one sending, even one made while the company required none', async () => {
  const { id } = await desk.approved()
  await desk.require(false)
  expect((await desk.activate(id)).status).toBe(200)
  await desk.prepared(id)
  await desk.ask(null, id, 'activate', { active: false }, 'deactivate')
  // Restores the approved content: deactivating set its end.
  expect((await edit(id, { start_date: null, end_date: null })).status).toBe(200)
  await desk.require(true)
  expect((await desk.activate(id)).status).toBe(409)
  expect((await desk.log(id)).map(({ action }) => action)).toContain('campaignApproval.void')
})

it('a campaign activated before the rule, whose messages are written after it, is held back', async () => {
  await desk.require(false)
  const id = await desk.create()
  // The writer is busy, as after a long run: it waits for this lock.
  const busy = asOwner(
    desk.server,
    'select pg_sleep(4) from (select count(pg_advisory_xact_lock(7312, n)) from generate_series(1, 200) n offset 0) x',
  )
  await new Promise((done) => setTimeout(done, 200))
  expect((await desk.activate(id)).status).toBe(200)
  await desk.require(true)
  await busy
  const state = async () => (await desk.read(desk.path(id, 'run'))).body.state
  await expect.poll(state, { timeout: 20_000 }).toBe('failed')
  expect(await desk.messages(id)).toEqual([])
  expect((await desk.read(desk.path(id, 'run'))).body.held_reason).toBe(
    'Nobody approved this campaign, and your company asks for it now. Nothing was sent.',
  )
})

it('a campaign sent without an approval is not extended once the company requires one', async () => {
  await desk.require(false)
  const day = (ahead: number) => new Date(Date.now() + ahead * 86_400_000).toISOString().slice(0, 10)
  const id = await desk.create({ end_date: day(5) })
  expect((await desk.activate(id)).status).toBe(200)
  await desk.prepared(id)
  expect((await edit(id, { end_date: day(6) })).status).toBe(200)
  await desk.require(true)
  for (const end_date of [null, day(7)]) {
    const { status, body } = await edit(id, { end_date })
    expect(status).toBe(409)
    expect(body.message).toMatch(
      /^This campaign ends on \d+ \w+ \d{4}, and nobody approved it\. To send for longer, deactivate it and ask for approval\.$/,
    )
  }
  expect((await edit(id, { end_date: day(3) })).status).toBe(200)
})
