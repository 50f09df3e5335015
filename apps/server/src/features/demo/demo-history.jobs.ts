import type { Services } from '../../api/context.ts'
import { inScope } from '../../db/scope.ts'
import { openEmailSimulator, openSmsSimulator } from '../../gateways/simulator.ts'
import { setCampaignActive } from '../campaign/campaign.queries.ts'
import { sendDue } from '../messaging.jobs.ts'
import { prepareRun } from '../run/prepare-run.jobs.ts'
import { insertRun } from '../run/run-write.queries.ts'
import { hasDue } from '../sending/lease.queries.ts'
import { readRules, saveRules } from '../sending/rule/rules.queries.ts'
import { signalDue } from '../simulator/simulator.queries.ts'
import { afterUpload } from '../upload/after-upload.jobs.ts'
import { findDemoCampaign, type findDemoCompany } from './demo-messaging.queries.ts'
import { DEMO_CAMPAIGN_IDS } from './demo-messaging.ts'
import { reactToCampaign, type SendFolder, type Uplift } from './demo-reaction.ts'
import { replayDemoSequences } from './demo-sequences.jobs.ts'

type DemoCompany = NonNullable<Awaited<ReturnType<typeof findDemoCompany>>>

/** Which demo campaigns have been running for how many days. The one left out is there to be activated. */
const RUNNING = [
  // A third kept back at random, so that what the messages did can be told from what would have happened anyway.
  { uuid: DEMO_CAMPAIGN_IDS[2]!, days: 48, holdout: 36 },
  { uuid: DEMO_CAMPAIGN_IDS[0]!, days: 13, holdout: 0 },
] as const
const HOUR = 3_600_000
/** In steps of an hour: longer than any quiet stretch of days and the last reply after it. */
const STEPS = 96

/**
 * Gives the demo company a past: two campaigns and two sequences that were activated weeks ago. Nothing is written behind the engine's back: its own
 * functions prepare, send, take receipts and replies, on a clock moved back and against a simulated gateway on the same clock. Must run
 * before the sender's loops start. Then patients react to the one with a holdout, and each pharmacy's results are calculated as after an upload.
 * @returns what that reaction put in, for the measured result to find again
 */
export async function replayDemoHistory(
  services: Services,
  company: DemoCompany,
  send: SendFolder,
): Promise<Uplift | null> {
  const afterUploads = async () => {
    for (const location_id of company.location_ids)
      await afterUpload.run({ location_id, company_id: company.id }, services)
  }
  // Cohorts ask for what follows an upload; the jobs for it may still be waiting, and may well run again.
  await afterUploads()
  let uplift: Uplift | null = null
  for (const { uuid, days, holdout } of RUNNING) {
    const campaignId = await withHoldout(services, company, holdout, () => liveCampaign(services, company, uuid, days))
    if (holdout > 0 && campaignId !== null) uplift = await reactToCampaign(services, company, campaignId, send)
  }
  await afterUploads()
  await replayDemoSequences(services, company)
  return uplift
}

/** The company's share kept back at random, for as long as a campaign is prepared and sent. */
async function withHoldout<T>(
  services: Services,
  company: DemoCompany,
  percent: number,
  work: () => Promise<T>,
): Promise<T> {
  if (percent === 0) return work()
  const scope = { companyId: company.id, locationIds: [] }
  const save = (holdoutPercent: number) =>
    inScope(services.pools.app, scope, async (tx) =>
      saveRules(tx, company.id, { ...(await readRules(tx, 'AU')), holdoutPercent }, services.now()),
    )
  await save(percent)
  try {
    return await work()
  } finally {
    await save(0)
  }
}

async function liveCampaign(
  services: Services,
  company: DemoCompany,
  uuid: string,
  days: number,
): Promise<number | null> {
  let now = new Date(services.now().getTime() - days * 24 * HOUR)
  const clock = () => now
  const { system, app } = services.pools
  const past: Services = {
    ...services,
    now: clock,
    sms: openSmsSimulator(system, Number.POSITIVE_INFINITY, services.env.SMS_SENDER, clock),
    bulkEmail: openEmailSimulator(system, Number.POSITIVE_INFINITY, clock),
  }
  const scope = { companyId: company.id, locationIds: company.location_ids }
  const run = await inScope(app, scope, async (tx) => {
    const campaign = await findDemoCampaign(tx, uuid)
    if (!campaign || campaign.active || company.login_id === null) return null
    const start_day = now.toISOString().slice(0, 10)
    await setCampaignActive(tx, campaign.id, { active: true, ended_early: false, start_day, end_day: null }, now)
    const by = { companyId: company.id, campaignId: campaign.id, loginId: company.login_id }
    return { ...(await insertRun(tx, { ...by, now, startsAt: now, endsAt: null })), campaignId: campaign.id }
  })
  if (!run) return null
  await prepareRun.run({ run_id: run.id, company_id: company.id, country: 'AU' }, past)
  for (let step = 0; step < STEPS; step++) {
    now = new Date(now.getTime() + HOUR)
    // In most hours nothing is due.
    if (await hasDue(system, now)) await sendDue(past)
    // Once for the events, once for the replies to them: a confirmation goes out at once.
    if ((await signalDue(system, now, 100_000)) > 0) for (let turn = 0; turn < 2; turn++) await sendDue(past)
  }
  return run.campaignId
}
