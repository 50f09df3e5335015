import { contract } from '@pillar/contract'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type CampaignDesk, openDesk } from '../../../test/campaign-desk.ts'
import { setRules } from '../../../test/messaging.ts'
import { asOwner, fresh } from '../../../test/people.ts'
import { makeSupport, type Support } from '../../../test/support.ts'

let desk: CampaignDesk
let support: Support
beforeAll(async () => {
  desk = await openDesk()
  support = await makeSupport(desk.server)
})
afterAll(() => desk.server.close())

const info = async (id: string) => (await desk.read(desk.path(id, 'info'))).body
const forecast = async (more: object) =>
  (
    await desk.read('/api/campaign/cohort/enterprise', {
      ...{ filters: desk.filters, pharmacies: desk.places, templates: [desk.template.uuid] },
      ...more,
    })
  ).body

/** The campaign as sent back by a client that does not know this field. */
async function known(id: string) {
  const { name, filters, goal_type, measure_by, goal } = await info(id)
  return { name, filters, goal_type, measure_by, goal, templates: [desk.template.uuid], locations: desk.places }
}

it('holds nobody out if the campaign says so, whatever the company’s holdout', async () => {
  await setRules(desk.server, desk.world.company.id, { holdoutPercent: 50 })
  const id = await desk.create({ no_holdout: true })
  // For the saved campaign, and for an unsaved one.
  expect(await forecast({ campaign_id: id })).toMatchObject({ will_receive: 11, expected_held_out: 0 })
  expect(await forecast({ no_holdout: true })).toMatchObject({ will_receive: 11, expected_held_out: 0 })
  expect(await forecast({ campaign_id: id, no_holdout: false })).toMatchObject({ expected_held_out: 6 })
  expect((await desk.write(id, 'edit', 'save', await known(id))).status).toBe(200)
  expect((await info(id)).no_holdout).toBe(true)
  await desk.write(id, 'activate', 'activate', { active: true })
  const run = await desk.prepared(id)
  await setRules(desk.server, desk.world.company.id, {})
  expect(run.progress.queued).toBe(11)
  expect(run.skipped.map(({ reason }) => reason)).not.toContain('held_out')
})

it('an edit by head office is logged with its changes, like support’s', async () => {
  const id = await desk.create({ no_holdout: true })
  const goal = { goal: 7, no_holdout: false }
  expect((await desk.write(id, 'edit', 'save', { ...(await known(id)), ...goal })).status).toBe(200)
  const { edit } = contract.campaignAdmin
  expect((await support.ask(edit, { campaign_ids: [id], version: 2, no_holdout: true })).status).toBe(200)
  const log = await asOwner(
    desk.server,
    `select action, detail -> 'changes' as changes from audit where company_id = $1 and object = $2 and action like '%edit' order by id`,
    [desk.world.company.id, id],
  )
  const change = { object: id, before: { goal: 5, no_holdout: true }, after: goal }
  const back = { object: id, before: { no_holdout: false }, after: { no_holdout: true } }
  expect(log).toEqual([
    { action: 'campaign.edit', changes: [change] },
    { action: 'campaignAdmin.edit', changes: [back] },
  ])
})

it('support creates a campaign that holds nobody out, and an edit that leaves the field out keeps it', async () => {
  const { create, edit, info: found } = contract.campaignAdmin
  const made = await support.ask(create, {
    ...{ name: fresh('Recall'), goal_type: 'scripts', measure_by: 'value', goal: 5, filters: desk.filters },
    ...{
      company_id: desk.world.company.uuid,
      locations: desk.places,
      templates: [{ template_id: desk.template.uuid }],
    },
    no_holdout: true,
  })
  const id = String(made.body.id)
  await support.ask(edit, { campaign_ids: [id], version: 1, note: 'Urgent' })
  expect((await support.ask(found, { id })).body).toMatchObject({ no_holdout: true, note: 'Urgent' })
  await support.ask(edit, { campaign_ids: [id], version: 2, no_holdout: false })
  expect((await support.ask(found, { id })).body).toMatchObject({ no_holdout: false, note: 'Urgent' })
})
