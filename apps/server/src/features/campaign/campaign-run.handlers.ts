import { type contract, Refusal } from '@pillar/contract'
import { noteChange, recordAudit } from '../../api/audit.ts'
import { companyZone } from '../../api/call/today.ts'
import { type Context, callerOf, type HandlersOf, tenantTx } from '../../api/context.ts'
import type { Tx } from '../../db/database.ts'
import { resolveLocations } from '../location/location.queries.ts'
import { prepareRun } from '../run/prepare-run.jobs.ts'
import { newestRun } from '../run/run.queries.ts'
import { runAnswer, runCsv, runCsvName } from '../run/run-answer.ts'
import { endRun, resumeRun, stopRun } from '../run/run-state.queries.ts'
import { readRules } from '../sending/rule/rules.queries.ts'
import { activateCampaign, deactivateCampaign } from './activate.ts'
import { REMOVED, voidApproval } from './approval/void-approval.ts'
import { findCampaign, lockCampaign, removeCampaign } from './campaign.queries.ts'

type RunHandlers = Pick<
  HandlersOf<typeof contract.campaign>,
  'activate' | 'remove' | 'run' | 'runCsv' | 'stop' | 'resume'
>

/** Everything about sending a campaign: starting, watching, stopping. */
export const runHandlers: RunHandlers = {
  async activate({ id, active, templates, start_date, end_date, expected_messages }, context) {
    const tx = tenantTx(context)
    const campaign = await lockCampaign(tx, id)
    context.about.name = campaign.name
    noteChange(context, null, { active: campaign.active }, { active })
    if (!active) return deactivateCampaign(tx, campaign, templates ?? null, context)
    const ask = { templates: templates ?? null, start_date, end_date, expected: expected_messages ?? null }
    return activateCampaign(tx, campaign, ask, context)
  },

  async remove({ id }, context) {
    const tx = tenantTx(context)
    const campaign = await lockCampaign(tx, id)
    context.about.name = campaign.name
    if (campaign.demo) throw new Refusal('conflict', 'This is a demo campaign and cannot be deleted.')
    const now = context.services.now()
    await endRun(tx, campaign.id, now)
    await voidApproval(tx, campaign, context, REMOVED)
    await removeCampaign(tx, campaign.id, now)
    return { deleted: true }
  },

  async run({ id }, context) {
    const tx = tenantTx(context)
    const campaign = await findCampaign(tx, id)
    const rules = await readRules(tx, callerOf(context).country)
    return runAnswer(tx, context.services, await newestRun(tx, campaign.id), rules)
  },

  async runCsv({ id }, context) {
    const tx = tenantTx(context)
    const campaign = await findCampaign(tx, id)
    const run = await newestRun(tx, campaign.id)
    if (!run) throw new Refusal('not_found', 'This campaign has not been sent yet.')
    await recordAudit(tx, {
      caller: callerOf(context),
      action: 'campaign.runCsv',
      object: id,
      detail: { run: run.uuid },
    })
    const file = await context.spool(runCsv(tx, run, callerOf(context).country, context.gone))
    return { filename: runCsvName(run, companyZone(context)), file }
  },

  async stop({ id, pharmacy_ids }, context) {
    const { left } = await onLiveRun(stopRun, id, pharmacy_ids, context)
    return { stopped: true, left }
  },

  async resume({ id, pharmacy_ids }, context) {
    const { runId, left, unwritten } = await onLiveRun(resumeRun, id, pharmacy_ids, context)
    if (unwritten) {
      const { companyId, country } = callerOf(context)
      const payload = { run_id: runId, company_id: companyId, country }
      await context.services.queue.send(tenantTx(context), prepareRun, payload)
    }
    return { resumed: true, left }
  },
}

/** @throws Refusal conflict if the campaign is not being sent */
async function onLiveRun<T>(
  act: (tx: Tx, campaignId: number, locationIds: readonly number[] | null, now: Date) => Promise<T | null>,
  id: string,
  pharmacies: readonly string[] | null | undefined,
  context: Context,
): Promise<T> {
  const tx = tenantTx(context)
  const campaign = await findCampaign(tx, id)
  context.about.name = campaign.name
  const locationIds = pharmacies?.length ? await resolveLocations(tx, pharmacies) : null
  const done = await act(tx, campaign.id, locationIds, context.services.now())
  if (!done) throw new Refusal('conflict', 'This campaign is not being sent at the moment.')
  return done
}
