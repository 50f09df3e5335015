import type { Services } from '../../api/context.ts'
import { inScope } from '../../db/scope.ts'
import { openEmailSimulator, openSmsSimulator } from '../../gateways/simulator.ts'
import { setCampaignActive } from '../campaign/campaign.queries.ts'
import { sendDue } from '../messaging.jobs.ts'
import { prepareRun } from '../run/prepare-run.jobs.ts'
import { insertRun } from '../run/run-write.queries.ts'
import { hasDue } from '../sending/lease.queries.ts'
import { signalDue } from '../simulator/simulator.queries.ts'
import { afterUpload } from '../upload/after-upload.jobs.ts'
import { findDemoCampaign, type findDemoCompany } from './demo-messaging.queries.ts'
import { DEMO_CAMPAIGN_IDS } from './demo-messaging.ts'
import { replayDemoSequences } from './demo-sequences.jobs.ts'

type DemoCompany = NonNullable<Awaited<ReturnType<typeof findDemoCompany>>>

/** Which demo campaigns have been running for how many days. The one left out is there to be activated. */
const RUNNING = [
  { uuid: DEMO_CAMPAIGN_IDS[2]!, days: 48 },
  { uuid: DEMO_CAMPAIGN_IDS[0]!, days: 13 },
] as const
const HOUR = 3_600_000
/** In steps of an hour: longer than any quiet stretch of days and the last reply after it. */
const STEPS = 96

/**
 * Gives the demo company a past: two campaigns and two sequences that were activated weeks ago. Nothing is written behind the engine's back: its own
 * functions prepare, send, take receipts and replies, on a clock moved back and against a simulated gateway on the same clock. Must run
 * before the sender's loops start. Afterwards each pharmacy's results are calculated as after an upload.
 */
export async function replayDemoHistory(services: Services, company: DemoCompany): Promise<void> {
  const afterUploads = async () => {
    for (const location_id of company.location_ids)
      await afterUpload.run({ location_id, company_id: company.id }, services)
  }
  // Cohorts ask for what follows an upload; the jobs for it may still be waiting, and may well run again.
  await afterUploads()
  for (const { uuid, days } of RUNNING) await liveCampaign(services, company, uuid, days)
  await afterUploads()
  await replayDemoSequences(services, company)
}

async function liveCampaign(services: Services, company: DemoCompany, uuid: string, days: number): Promise<void> {
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
    return insertRun(tx, {
      ...{ companyId: company.id, campaignId: campaign.id, loginId: company.login_id },
      ...{ now, startsAt: now, endsAt: null },
    })
  })
  if (!run) return
  await prepareRun.run({ run_id: run.id, company_id: company.id, country: 'AU' }, past)
  for (let step = 0; step < STEPS; step++) {
    now = new Date(now.getTime() + HOUR)
    // In most hours nothing is due.
    if (await hasDue(system, now)) await sendDue(past)
    // Once for the events, once for the replies to them: a confirmation goes out at once.
    if ((await signalDue(system, now, 100_000)) > 0) for (let turn = 0; turn < 2; turn++) await sendDue(past)
  }
}
