import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { asOwner, mailTo } from '../../../../test/people.ts'
import { type ApprovalDesk, CEILING, openApprovalDesk } from '../../../../test/world/approval-desk.ts'

let desk: ApprovalDesk
beforeAll(async () => {
  desk = await openApprovalDesk()
})
afterAll(() => desk.server.close())

const edit = async (id: string, more: object) => {
  const found = (await desk.read(desk.path(id, 'info'))).body
  const { name, filters, goal_type, measure_by, goal, note, version } = found
  const templates = found.templates.map(({ template_id }) => template_id)
  const body = { name, filters, goal_type, measure_by, goal, note, version, templates, locations: desk.places, ...more }
  return desk.ask(null, id, 'edit', body, 'save')
}

/** Adds one person to every campaign: the one whose adherence was too good becomes worse. */
const grow = () => asOwner(desk.server, 'update patient_fact set adherence_level = 1 where adherence_level = 5')

/** Holds back the writing of the next run's messages during `work`. */
async function beforeWriting<T>(work: () => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: desk.server.ownerUrl })
  await client.connect()
  const { rows } = await client.query(
    `select pg_advisory_lock(7312, (case when is_called then last_value + 1 else last_value end)::int) from message_run_id_seq`,
  )
  expect(rows).toHaveLength(1)
  try {
    return await work()
  } finally {
    await client.end()
  }
}

const held = async (id: string) => {
  await expect.poll(async () => (await desk.read(desk.path(id, 'run'))).body.state, { timeout: 20_000 }).toBe('failed')
  return desk.state(id)
}

/** A last day in the future, whenever the tests run. */
const IN_A_YEAR = new Date(Date.now() + 365 * 86_400_000).toISOString().slice(0, 10)

describe('an approval is void', () => {
  it.each([
    ['the goal', { goal: 6 }],
    ['the note', { note: 'Ring them first' }],
    ['who is selected', { filters: { adherence: [1] } }],
    ['the dates', { end_date: IN_A_YEAR }],
    ['the holdout', { no_holdout: true }],
  ])('once %s of the campaign changes', async (what, more) => {
    const { id, hash } = await desk.approved()
    expect((await edit(id, more)).status).toBe(200)
    expect(await desk.state(id)).toMatchObject({ state: 'changed', changes: [what], hash })
    const { status, body } = await desk.activate(id)
    expect([status, body.message]).toEqual([
      409,
      `This campaign was changed since approval was asked for (${what}), so it needs approval again. Robin Vale can approve it.`,
    ])
    expect((await desk.ask(desk.second, id, 'approval-approve', { hash }, 'activate')).status).toBe(409)
    const log = await desk.log(id)
    expect(log.find(({ action }) => action === 'campaignApproval.void')!.detail).toEqual({
      was: 'approved',
      reason: `Changed: ${what}.`,
    })
  })

  it('but not when the same is saved again', async () => {
    const { id } = await desk.approved()
    expect((await edit(id, {})).status).toBe(200)
    expect((await desk.state(id)).state).toBe('approved')
  })

  it('once a template is edited, but not if its text comes back', async () => {
    const text = await desk.text('{Pharmacy Name}: Your repeat is ready.')
    const id = await desk.create({ templates: [text.id] })
    const { body } = await desk.ask(null, id, 'approval-request', CEILING)
    expect(await text.edit('{Pharmacy Name}: Your repeat is ready')).toBe(200)
    const late = await desk.ask(desk.second, id, 'approval-approve', { hash: body.hash }, 'activate')
    expect(late.status).toBe(409)
    const again = await desk.ask(null, id, 'approval-request', CEILING)
    await desk.ask(desk.second, id, 'approval-approve', { hash: again.body.hash }, 'activate')
    expect((await desk.state(id)).state).toBe('approved')
    await text.edit('{Pharmacy Name}: Your repeat is ready!')
    const after = await desk.state(id)
    expect(after.state).toBe('changed')
    expect(after.changes).toEqual([expect.stringMatching(/^the text of “Text-/)])
    await text.edit('{Pharmacy Name}: Your repeat is ready')
    expect((await desk.activate(id)).status).toBe(409)
    expect((await desk.log(id)).filter(({ action }) => action === 'campaignApproval.void')).toHaveLength(2)
  })

  it('once the holdout or a pharmacy changes', async () => {
    const { id } = await desk.approved()
    await asOwner(desk.server, 'update messaging_setting set holdout_percent = 5 where company_id = $1', [
      desk.world.company.id,
    ])
    expect(await desk.state(id)).toMatchObject({ state: 'changed', changes: ['the holdout'] })
    expect((await desk.activate(id)).status).toBe(409)
    await asOwner(desk.server, 'update messaging_setting set holdout_percent = 0 where company_id = $1', [
      desk.world.company.id,
    ])
    expect((await edit(id, { locations: desk.places.slice(0, 1) })).status).toBe(200)
    expect((await desk.state(id)).changes).toEqual(['the pharmacies'])
  })

  it('once one of its pharmacies is removed', async () => {
    const { id } = await desk.approved()
    const remove = (when: string | null) =>
      asOwner(desk.server, 'update location set removed_at = $2 where uuid = $1', [desk.places[1], when])
    await remove('2026-01-01')
    expect(await desk.state(id)).toMatchObject({ state: 'changed', changes: ['the pharmacies'] })
    await remove(null)
  })

  it('but not by another holdout if the campaign holds nobody out', async () => {
    const keepBack = (percent: number) =>
      asOwner(desk.server, 'update messaging_setting set holdout_percent = $2 where company_id = $1', [
        ...[desk.world.company.id, percent],
      ])
    const id = await desk.create({ no_holdout: true })
    const { hash, content } = (await desk.ask(null, id, 'approval-request', CEILING)).body
    expect(content).toMatchObject({ holdout_percent: null })
    expect((await desk.ask(desk.second, id, 'approval-approve', { hash }, 'activate')).status).toBe(200)
    await keepBack(50)
    expect((await desk.state(id)).state).toBe('approved')
    expect((await desk.activate(id)).status).toBe(200)
    const { progress, skipped } = await desk.prepared(id)
    await keepBack(0)
    expect(progress.queued).toBe(11)
    expect(skipped.map(({ reason }) => reason)).not.toContain('held_out')
  })

  it('for other dates or fewer templates than were approved', async () => {
    const other = await desk.text('{Pharmacy Name}: A second text.')
    const id = await desk.create({ templates: [desk.template.uuid, other.id] })
    const { body } = await desk.ask(null, id, 'approval-request', CEILING)
    await desk.ask(desk.second, id, 'approval-approve', { hash: body.hash }, 'activate')
    expect((await desk.activate(id, { end_date: IN_A_YEAR })).body.message).toContain('(the dates)')
    await asOwner(desk.server, 'update template set active = false where uuid = $1', [other.id])
    expect((await desk.activate(id, { templates: [] })).body.message).toBe(
      'All templates of this campaign were approved together. Please activate all of them.',
    )
    expect((await desk.activate(id, { templates: [other.id] })).status).toBe(200)
    await desk.prepared(id)
  })
})

describe('an audience that grows past the ceiling', () => {
  it('is not sent to, either at activation or if it grows before the messages are written', async () => {
    const exact = (
      await desk.read('/api/campaign/cohort/enterprise', {
        ...{ filters: desk.filters, pharmacies: desk.places, templates: [desk.template.uuid] },
      })
    ).body
    const ceiling = { max_people: exact.will_receive, max_cents: exact.cents }
    const [early, late] = [await desk.approved(ceiling), await desk.approved(ceiling)]
    await beforeWriting(async () => {
      expect((await desk.activate(late.id)).status).toBe(200)
      await grow()
    })
    const words = `The approval is for up to ${exact.will_receive} people and $${(exact.cents / 100).toFixed(2)}, but ${exact.will_receive + 1} people would be messaged`
    expect(await held(late.id)).toMatchObject({ state: 'held', reason: expect.stringContaining(words) })
    expect(await desk.messages(late.id)).toEqual([])
    expect((await desk.read(desk.path(late.id, 'info'))).body).toMatchObject({
      active: false,
      run_state: 'failed',
      run_held: true,
    })
    expect((await desk.read(desk.path(late.id, 'run'))).body.held_reason).toContain(words)
    const hold = (await desk.log(late.id)).find(({ action }) => action === 'campaignApproval.hold')
    expect(hold).toMatchObject({ login_id: null, detail: { reason: expect.stringContaining(words) } })
    const { status, body } = await desk.activate(early.id)
    expect([status, body.message]).toEqual([409, expect.stringContaining(words)])
    expect(await desk.messages(early.id)).toEqual([])
    // Whoever asked for its approval hears of it: they activated it minutes ago.
    const [asker] = await asOwner<{ email: string }>(
      desk.server,
      'select l.email from login l where l.id = (select asked_by from campaign_approval order by id desc limit 1)',
    )
    const letters = async () =>
      (await mailTo(desk.server, asker!.email)).flatMap(({ subject, text }) =>
        subject.startsWith('Your campaign was not sent') ? text : [],
      )
    await expect.poll(letters, { timeout: 20_000 }).toEqual([expect.stringContaining(words)])
    expect((await letters())[0]).toContain(`/campaigns/${late.id}`)
    // Approval can be requested again, for more.
    const wider = await desk.ask(null, late.id, 'approval-request', { max_people: 20, max_cents: 5000 })
    expect(wider.body).toMatchObject({ state: 'waiting', max_people: 20 })
  })
})

describe('an edit at the time of an activation', () => {
  it('between activation and writing holds the campaign back', async () => {
    const text = await desk.text('{Pharmacy Name}: As approved.')
    const id = await desk.create({ templates: [text.id] })
    const { body } = await desk.ask(null, id, 'approval-request', { max_people: 50, max_cents: 50_000 })
    await desk.ask(desk.second, id, 'approval-approve', { hash: body.hash }, 'activate')
    await beforeWriting(async () => {
      expect((await desk.activate(id)).status).toBe(200)
      expect(await text.edit('{Pharmacy Name}: Not as approved.')).toBe(200)
    })
    expect((await held(id)).reason).toMatch(
      /^The campaign was changed since it was approved: the text of “Text-.*”. Nothing was sent.$/,
    )
    expect(await desk.messages(id)).toEqual([])
  })

  it('at the same moment: only the approved content is sent, or nothing', async () => {
    for (let round = 0; round < 6; round++) {
      const text = await desk.text('{Pharmacy Name}: As approved.')
      const id = await desk.create({ templates: [text.id] })
      const { body } = await desk.ask(null, id, 'approval-request', { max_people: 50, max_cents: 50_000 })
      await desk.ask(desk.second, id, 'approval-approve', { hash: body.hash }, 'activate')
      const [activated] = await Promise.all([desk.activate(id), text.edit('{Pharmacy Name}: Not as approved.')])
      expect([200, 409]).toContain(activated.status)
      if (activated.status === 200) {
        const done = async () => (await desk.read(desk.path(id, 'run'))).body.state
        await expect.poll(done, { timeout: 20_000 }).toMatch(/holding|failed/)
      }
      const bodies = (await desk.messages(id)).flatMap((message) => message.body ?? [])
      expect(bodies.filter((one) => !one.includes(': As approved.'))).toEqual([])
      expect(['used', 'held', 'changed']).toContain((await desk.state(id)).state)
    }
  })
})
