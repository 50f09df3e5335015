import { type contract, Refusal } from '@pillar/contract'
import { Filters } from '@pillar/contract/campaign/cohort'
import { supportCampaignProblems } from '@pillar/domain/campaign/campaign-rule'
import { type Problem, problemSentence } from '@pillar/domain/text/sentence'
import { noteChange } from '../../api/audit.ts'
import { callerOf, enterOf, type HandlersOf, staffTx, tenantTx } from '../../api/context.ts'
import type { Tx } from '../../db/database.ts'
import { refuseUnlessRestorable } from '../../db/restore.ts'
import { goalRows } from '../attribution/campaign-stat.queries.ts'
import { endRun } from '../run/run-state.queries.ts'
import { activateCampaign, deactivateCampaign } from './activate.ts'
import { REMOVED, voidApproval } from './approval/void-approval.ts'
import { affectedTemplates, insertCampaign, lockCampaign, removeCampaign } from './campaign.queries.ts'
import {
  type AdminCampaignRow,
  chosenCampaigns,
  findAdminCampaign,
  listAdminCampaigns,
  restoreCampaign,
} from './campaign-admin.queries.ts'
import { editByStaff } from './campaign-admin-edit.ts'
import { eachCampaign } from './campaign-each.ts'
import { forecastFor } from './campaign-forecast.ts'
import { madeIt } from './campaign-goal.ts'
import { draftOf } from './campaign-input.ts'

/** Each activation starts sending, so a person should see only a few at a time. */
const MOST_ACTIVATED = 20

export const campaignAdminHandlers: HandlersOf<typeof contract.campaignAdmin> = {
  async search(input, context) {
    const tx = staffTx(context)
    const { rows, ...page } = await listAdminCampaigns(tx, input)
    return { results: await answersOf(tx, rows), ...page }
  },

  async info({ id }, context) {
    const tx = staffTx(context)
    const row = await findAdminCampaign(tx, id)
    return (await answersOf(tx, [row]))[0]!
  },

  async affected({ active, ...chosen }, context) {
    const tx = staffTx(context)
    const found = await chosenCampaigns(tx, chosen)
    const switched = found.filter((one) => one.active !== active).map((one) => one.id)
    const names = (await affectedTemplates(tx, switched, active)).map(({ name }) => name)
    return { template_names: [...new Set(names)], campaigns: found.length }
  },

  forecast: ({ campaign_id }, context) => forecastFor(campaign_id, context),

  async create({ company_id: _, active, ...input }, context) {
    const tx = tenantTx(context)
    const { companyId, loginId } = callerOf(context)
    const draft = await draftOf(tx, input, context, { problem: problemOf, startBefore: null })
    const by = { companyId, loginId, now: context.services.now(), recommendationId: null, description: null }
    const { uuid } = await insertCampaign(tx, draft, by)
    const ask = { templates: null, start_date: input.start_date, end_date: input.end_date, expected: null }
    if (active) await activateCampaign(tx, await lockCampaign(tx, uuid), ask, context)
    return { id: uuid }
  },

  async edit({ campaign_ids, filter, expected_count, ...changes }, context) {
    const found = await chosenCampaigns(staffTx(context), { campaign_ids, filter, expected_count })
    const outcomes = await eachCampaign(context, found, (uuid, inside) =>
      editByStaff(uuid, changes, inside, found.length > 1),
    )
    return { updated: doneIn(outcomes), outcomes }
  },

  async editActiveStatus({ active, expected_messages, expected, ...chosen }, context) {
    const found = await chosenCampaigns(staffTx(context), chosen)
    if (active && found.length > MOST_ACTIVATED)
      throw new Refusal('invalid', `Please activate at most ${MOST_ACTIVATED} campaigns at a time.`)
    const asked = (uuid: string) => expected?.find(({ campaign_id }) => campaign_id.toLowerCase() === uuid)?.messages
    const outcomes = await eachCampaign(context, found, async (uuid, inside) => {
      const tx = tenantTx(inside)
      const campaign = await lockCampaign(tx, uuid)
      // The confirmed number of messages and cost covered only the inactive ones: an active campaign is not sent again.
      if (active && campaign.active && found.length > 1) return
      if (active && !campaign.active && expected && asked(uuid) === undefined)
        throw new Refusal(
          'conflict',
          'This campaign was active when you were asked, and is not any more. Please look at it again.',
        )
      const messages = asked(uuid) ?? (found.length === 1 ? (expected_messages ?? null) : null)
      noteChange(inside, uuid, { active: campaign.active }, { active })
      if (active) await activateCampaign(tx, campaign, { templates: null, expected: messages }, inside)
      else await deactivateCampaign(tx, campaign, null, inside)
    })
    return { updated: doneIn(outcomes), outcomes }
  },

  async remove(chosen, context) {
    const found = await chosenCampaigns(staffTx(context), chosen)
    // One instant for all of them, by which they can be restored together.
    const now = context.services.now()
    const outcomes = await eachCampaign(context, found, async (uuid, inside) => {
      const tx = tenantTx(inside)
      const campaign = await lockCampaign(tx, uuid)
      if (campaign.demo) throw new Refusal('conflict', 'This is a demo campaign and cannot be deleted.')
      await endRun(tx, campaign.id, now)
      await voidApproval(tx, campaign, inside, REMOVED)
      await removeCampaign(tx, campaign.id, now)
    })
    return { deleted: doneIn(outcomes), removed_at: now.toISOString(), outcomes }
  },

  async restore({ id }, context) {
    const campaign = await findAdminCampaign(staffTx(context), id)
    const now = context.services.now()
    refuseUnlessRestorable('campaign', campaign.removed_at, now)
    await enterOf(context)(campaign.company_id, id, (inside) => restoreCampaign(tenantTx(inside), campaign, now))
    return { restored: true }
  },

  async restoreMany(chosen, context) {
    const tx = staffTx(context)
    const now = context.services.now()
    const found = await chosenCampaigns(tx, chosen, true)
    const outcomes = await eachCampaign(context, found, async (uuid, inside) => {
      const campaign = await findAdminCampaign(tx, uuid)
      refuseUnlessRestorable('campaign', campaign.removed_at, now)
      await restoreCampaign(tenantTx(inside), campaign, now)
    })
    const left = outcomes.flatMap(({ done, name, message }) => (done ? [] : [{ name, reason: message ?? '' }]))
    return { restored: doneIn(outcomes), not_restored: left }
  },
}

const doneIn = (outcomes: readonly { done: boolean }[]) => outcomes.filter(({ done }) => done).length

type Draft = Omit<Parameters<typeof supportCampaignProblems>[0], 'company'>
const problemOf = (draft: Draft): string =>
  problemSentence(supportCampaignProblems({ ...draft, company: true }) as Problem[])

/** Campaigns as on the wire, each with the number of its pharmacies that have reached its goal. */
async function answersOf(tx: Tx, rows: readonly AdminCampaignRow[]) {
  const sums = await goalRows(
    tx,
    rows.map((row) => row.id),
  )
  return rows.map((row) => {
    const { id, uuid, start_day, end_day, filters, created_at, removed_at, ...rest } = row
    const own = sums.filter((one) => one.campaign_id === id)
    return {
      ...rest,
      campaign_id: uuid,
      start_date: start_day,
      end_date: end_day,
      filters: Filters.parse(filters),
      num_made_goal: own.filter((one) => madeIt([one], row)).length,
      created_at: created_at.toISOString(),
      removed_at: removed_at?.toISOString() ?? null,
    }
  })
}
