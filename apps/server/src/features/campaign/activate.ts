import { Refusal } from '@pillar/contract'
import { activationDays, campaignDatesProblem, campaignProblem } from '@pillar/domain/campaign/campaign-rule'
import { filtersSet } from '@pillar/domain/cohort/cohort'
import { startsAt } from '@pillar/domain/message/message-state'
import { type Day, day as dayOf, formatDay } from '@pillar/domain/time/day'
import { dayBounds } from '@pillar/domain/time/local-time'
import { type Country, formatNumber } from '@pillar/domain/time/locale'
import { dayFrom, startDayFrom } from '../../api/call/day-sent.ts'
import { companyZone, todayOf } from '../../api/call/today.ts'
import { type Context, callerOf } from '../../api/context.ts'
import type { Tx } from '../../db/database.ts'
import { textFrame } from '../cohort/message-text.ts'
import { refuseUnsendable } from '../cohort/sendable.ts'
import { messagingPharmacies } from '../location/messaging-pharmacy.queries.ts'
import { spendApproval } from '../run/approval.queries.ts'
import { prepareRun } from '../run/prepare-run.jobs.ts'
import { pharmaciesOfCampaign, textsOfCampaign } from '../run/run-source.queries.ts'
import { endRun } from '../run/run-state.queries.ts'
import { insertRun, liveRunOf } from '../run/run-write.queries.ts'
import { findTemplateId, setTemplateActive } from '../template/template.queries.ts'
import type { CampaignText } from '../template/text.queries.ts'
import { requireApproval } from './approval/approval-check.ts'
import { countApproved } from './approval/approved-count.ts'
import { voidApproval } from './approval/void-approval.ts'
import { affectedTemplates, type CampaignRow, setCampaignActive } from './campaign.queries.ts'

/** How much the cohort may grow between the number on the button and the activation. */
const GROWTH = 1.05

export interface Activation {
  /** Templates to activate too; null for all affected. */
  templates: readonly string[] | null
  start_date?: string | null
  end_date?: string | null
  expected: number | null
}

/**
 * Activates a locked campaign in the caller's transaction: its dates, its templates, one run, and the job that writes the run's messages. A
 * campaign with a live run is already active and returns that run, so that a double click sends once.
 */
export async function activateCampaign(tx: Tx, campaign: CampaignRow, ask: Activation, context: Context) {
  const live = await liveRunOf(tx, campaign.id)
  if (live) return { active: true, run_id: live.uuid, starts_at: live.starts_at.toISOString() }
  const { start, end, from } = activationOf(campaign, ask, context)
  const now = context.services.now()
  const { companyId, loginId, country } = callerOf(context)
  const zone = companyZone(context)
  await switchTemplates(tx, campaign.id, true, ask.templates, now)
  const texts = await textsOfCampaign(tx, campaign.id)
  if (texts.length === 0) throw new Refusal('invalid', 'Please activate at least one template of the campaign.')
  await refuseTexts(tx, campaign.id, texts, context)
  const sent = {
    start: ask.start_date ? dayText(startDayFrom(ask.start_date, zone, now)) : undefined,
    end: ask.end_date === undefined ? undefined : dayText(dayFrom(ask.end_date, zone)),
  }
  const sending = { texts, ...sent }
  const approval = await requireApproval(tx, campaign.id, sending, context)
  // An approval covers one sending, even one that needed none.
  if (!approval)
    await voidApproval(tx, campaign, context, 'The campaign was sent while the company asked for no approval.')
  if (approval || ask.expected !== null) {
    const { messages } = await countApproved(tx, campaign, { texts, from, approval }, context)
    refuseGrowth(messages, ask.expected, country)
  }
  const days = { start_day: formatDay(start), end_day: end === null ? null : formatDay(end) }
  await setCampaignActive(tx, campaign.id, { active: true, ...days, ended_early: false }, now)
  const run = await insertRun(tx, {
    companyId,
    campaignId: campaign.id,
    loginId,
    now,
    startsAt: from,
    endsAt: end === null ? null : dayBounds(zone, end).end,
  })
  if (approval) await spendApproval(tx, approval.id, run.id, now)
  await context.services.queue.send(tx, prepareRun, { run_id: run.id, company_id: companyId, country })
  return { active: true, run_id: run.uuid, starts_at: run.starts_at.toISOString() }
}

/** @throws Refusal invalid if one of the texts cannot be sent at a pharmacy of the campaign */
export async function refuseTexts(
  tx: Tx,
  campaignId: number,
  texts: readonly CampaignText[],
  context: Context,
): Promise<void> {
  const pharmacies = await messagingPharmacies(tx, await pharmaciesOfCampaign(tx, campaignId))
  refuseUnsendable(texts, pharmacies, textFrame(context.services), callerOf(context).country)
}

const dayText = (day: Day | null) => (day === null ? null : formatDay(day))

/**
 * The window in which an activation would send; also used before an activation.
 * @throws Refusal conflict if it is active and sent, invalid if it is incomplete or its dates are impossible
 */
export function activationOf(
  campaign: CampaignRow,
  ask: Pick<Activation, 'start_date' | 'end_date'>,
  context: Context,
) {
  // Another run would restart its goal today and hide the messages of the first.
  if (campaign.active && campaign.run_state === 'done')
    throw new Refusal('conflict', 'This campaign is active and has been sent. To send it again, copy it.')
  const incomplete = completenessProblem(campaign)
  if (incomplete !== '') throw new Refusal('invalid', incomplete)
  const zone = companyZone(context)
  const today = todayOf(context)
  const { start, end } = daysOf(campaign, ask, context)
  const kept = campaign.start_day !== null && dayOf(campaign.start_day) === start
  const problem = campaignDatesProblem(start, end, today, kept)
  if (problem !== '') throw new Refusal('invalid', problem)
  const now = context.services.now().getTime()
  return { start, end, from: new Date(Math.max(startsAt(now), dayBounds(zone, start).start.getTime())) }
}

/** The first and last day of an activation; if no end date is given the saved one applies, null clears it. */
function daysOf(campaign: CampaignRow, ask: Pick<Activation, 'start_date' | 'end_date'>, context: Context) {
  const zone = companyZone(context)
  const saved = (text: string | null) => (text === null ? null : dayOf(text))
  return activationDays(
    {
      start: startDayFrom(ask.start_date, zone, context.services.now()),
      end: ask.end_date === undefined ? undefined : dayFrom(ask.end_date, zone),
    },
    { start: saved(campaign.start_day), end: saved(campaign.end_day), endedEarly: campaign.ended_early },
    todayOf(context),
  )
}

/**
 * Deactivates a locked campaign: it ends today, or on its first day if that lies ahead, its templates are deactivated too, and unsent
 * messages are cancelled. Does nothing to an inactive campaign.
 */
export async function deactivateCampaign(
  tx: Tx,
  campaign: CampaignRow,
  templates: readonly string[] | null,
  context: Context,
) {
  const now = context.services.now()
  const today: Day = todayOf(context)
  const off = { active: false, run_id: null, starts_at: null }
  // When several are deactivated together, some are inactive already, and their results end on their own last day.
  if (!(await endRun(tx, campaign.id, now)) && !campaign.active) return off
  await switchTemplates(tx, campaign.id, false, templates, now)
  const end = campaign.start_day === null ? today : Math.max(today, dayOf(campaign.start_day))
  await setCampaignActive(tx, campaign.id, { active: false, end_day: formatDay(end), ended_early: true }, now)
  return off
}

/** Why a saved campaign cannot be activated, because a template or pharmacy may be gone; empty if it can. */
function completenessProblem(campaign: CampaignRow): string {
  return campaignProblem({
    name: campaign.name,
    goal_type: campaign.goal_type,
    measure_by: campaign.measure_by,
    goal: campaign.goal,
    pharmacies: campaign.locations.length,
    templates: campaign.templates.length,
    filters: filtersSet(campaign.filters),
  })
}

/** @throws Refusal conflict when far more messages would be sent than the person saw */
function refuseGrowth(messages: number, expected: number | null, country: Country): void {
  if (expected === null || messages <= expected * GROWTH) return
  const say = (count: number) => formatNumber(country, count)
  throw new Refusal(
    'conflict',
    `The cohort has grown: ${say(messages)} ${messages === 1 ? 'message' : 'messages'} would be sent now, not ${say(expected)}. Please look at it again.`,
  )
}

/** @throws Refusal not_found for a listed template that is not the company's */
async function switchTemplates(
  tx: Tx,
  campaignId: number,
  active: boolean,
  listed: readonly string[] | null,
  now: Date,
) {
  const wanted = listed === null ? null : await Promise.all(listed.map((uuid) => findTemplateId(tx, uuid)))
  for (const { id } of await affectedTemplates(tx, [campaignId], active)) {
    if (wanted === null || wanted.includes(id)) await setTemplateActive(tx, id, active, now)
  }
}
