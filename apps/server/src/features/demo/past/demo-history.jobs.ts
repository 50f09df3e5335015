import type { Services } from '../../../api/context.ts'
import type { Tx } from '../../../db/database.ts'
import { inScope } from '../../../db/scope.ts'
import { setCampaignActive } from '../../campaign/campaign.queries.ts'
import { prepareRun } from '../../run/prepare-run.jobs.ts'
import { endRun } from '../../run/run-state.queries.ts'
import { insertRun } from '../../run/run-write.queries.ts'
import { readRules, saveRules } from '../../sending/rule/rules.queries.ts'
import { followUp } from '../../upload/after-upload.jobs.ts'
import { findDemoCampaign, type findDemoCompany, pharmaciesOf, setPharmacies } from '../demo-messaging.queries.ts'
import { DEMO_HISTORY, type DemoHistory } from '../demo-messaging.ts'
import { reactToCampaign, type SendFolder, type Uplift } from '../demo-reaction.ts'
import { type DemoPast, openPast, passDay } from './demo-past.ts'
import { replayDemoSequences } from './demo-sequences.jobs.ts'

type DemoCompany = NonNullable<Awaited<ReturnType<typeof findDemoCompany>>>

/** Days after the last wave until its last messages and the replies to them are done: longer than any quiet stretch. */
const FOLLOWING = 4

/** Pharmacies that begin a campaign on one day, and the days since. */
interface Wave {
  campaign: DemoHistory & { id: number }
  daysAgo: number
  first: boolean
  pharmacies: readonly number[]
  /** All pharmacies of the campaign, which its owner restores once the wave is written. */
  all: readonly number[]
}

/**
 * Gives the demo company a past: campaigns and sequences activated weeks ago. Nothing bypasses the engine: its own functions prepare, send,
 * and take receipts and replies, on a clock moved back and against a simulated gateway on the same clock. Must run after `followUpsFirst`,
 * before the sender's loops start. Then patients react to the campaigns with a holdout, and each pharmacy's results are calculated as after
 * an upload.
 * @returns the effect of the reaction to each campaign, by its name, for the measured result to find again
 */
export async function replayDemoHistory(
  services: Services,
  company: DemoCompany,
  send: SendFolder,
): Promise<Record<string, Uplift>> {
  const past = openPast(services)
  const waves = await inScope(services.pools.app, scopeOf(company), (tx) => allWaves(tx, past))
  if (company.login_id !== null) await liveThrough(past, { ...company, login_id: company.login_id }, waves)
  const uplifts: Record<string, Uplift> = {}
  for (const { campaign } of waves.filter((wave) => wave.first && wave.campaign.holdout > 0)) {
    uplifts[campaign.uuid] = await reactToCampaign(services, company, campaign.id, send)
  }
  await replayDemoSequences(services, company)
  // Last of all: of overlapping messages the later one counts, even if a sequence sent it.
  for (const id of company.location_ids)
    await followUp(services, company.id, id, ['touches', 'campaign results', 'message statistics'])
  return uplifts
}

const scopeOf = ({ id, location_ids }: DemoCompany) => ({ companyId: id, locationIds: location_ids })

/** The waves of all campaigns that have not been deleted or switched on yet. */
async function allWaves(tx: Tx, past: DemoPast): Promise<Wave[]> {
  const waves: Wave[] = []
  for (const campaign of DEMO_HISTORY) {
    const found = await findDemoCampaign(tx, campaign.uuid)
    if (!found || found.active) continue
    const all = await pharmaciesOf(tx, found.id)
    for (const wave of wavesOf({ ...campaign, id: found.id }, all))
      waves.push({ ...wave, daysAgo: wave.daysAgo - (past.isSunday(wave.daysAgo) ? 1 : 0) })
  }
  return waves
}

/** Two or three waves a week, if only some pharmacies begin at once; never on two days in a row. */
function wavesOf(campaign: DemoHistory & { id: number }, all: readonly number[]): Wave[] {
  const atOnce = campaign.atOnce ?? all.length
  return Array.from({ length: Math.ceil(all.length / atOnce) }, (_, at) => ({
    campaign,
    daysAgo: campaign.days - Math.round((at * 7) / 3),
    first: at === 0,
    pharmacies: all.slice(at * atOnce, (at + 1) * atOnce),
    all,
  }))
}

/** Lives day by day from the first wave: prepares what begins, sends what is due, and takes what comes back. */
async function liveThrough(past: DemoPast, company: DemoCompany & { login_id: number }, waves: readonly Wave[]) {
  const { services } = past
  const days = waves.map(({ daysAgo }) => daysAgo)
  for (let daysAgo = Math.max(...days); daysAgo >= Math.min(...days) - FOLLOWING; daysAgo--) {
    past.moveTo(daysAgo, 0)
    for (const wave of waves.filter((one) => one.daysAgo === daysAgo)) await begin(services, company, wave)
    await passDay(past, daysAgo)
  }
}

/** Starts a campaign at the pharmacies of a wave: they are chosen for it, it is activated, and its messages are written. */
async function begin(services: Services, company: DemoCompany & { login_id: number }, wave: Wave): Promise<void> {
  const { campaign, first, pharmacies, all } = wave
  const { app } = services.pools
  const now = services.now()
  const run = await inScope(app, scopeOf(company), async (tx) => {
    await setPharmacies(tx, campaign.id, pharmacies)
    const start_day = now.toISOString().slice(0, 10)
    if (first)
      await setCampaignActive(tx, campaign.id, { active: true, ended_early: false, start_day, end_day: null }, now)
    else await endRun(tx, campaign.id, now)
    const by = { companyId: company.id, campaignId: campaign.id, loginId: company.login_id }
    return insertRun(tx, { ...by, now, startsAt: now, endsAt: null })
  })
  await withHoldout(services, company, campaign.holdout, () =>
    prepareRun.run({ run_id: run.id, company_id: company.id, country: 'AU' }, services),
  )
  await inScope(app, scopeOf(company), (tx) => setPharmacies(tx, campaign.id, all))
}

/** Sets the company's holdout share to `percent` while `work` writes a campaign's messages, then resets it to 0. */
async function withHoldout<T>(
  services: Services,
  company: DemoCompany,
  percent: number,
  work: () => Promise<T>,
): Promise<T> {
  if (percent === 0) return work()
  const save = (holdoutPercent: number) =>
    inScope(services.pools.app, { companyId: company.id, locationIds: [] }, async (tx) =>
      saveRules(tx, company.id, { ...(await readRules(tx, 'AU')), holdoutPercent }, services.now()),
    )
  await save(percent)
  try {
    return await work()
  } finally {
    await save(0)
  }
}
