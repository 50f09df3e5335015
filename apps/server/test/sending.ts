import { setTimeout as wait } from 'node:timers/promises'
import { type CohortForecast, Filters } from '@pillar/contract/campaign/cohort'
import { CHANNELS } from '@pillar/domain/consent/consent'
import type { Services } from '../src/api/context.ts'
import { cohortOf } from '../src/features/cohort/cohort-question.ts'
import { forecastCohort } from '../src/features/cohort/forecast.ts'
import { prepareRun } from '../src/features/run/prepare-run.jobs.ts'
import { textsOfCampaign } from '../src/features/run/run-source.queries.ts'
import { insertRun } from '../src/features/run/run-write.queries.ts'
import { advanceRuns, type Channel } from '../src/features/sending/lease.queries.ts'
import { replanQueued } from '../src/features/sending/rule/replan.queries.ts'
import { holdRulesVersion, readRules, saveRules } from '../src/features/sending/rule/rules.queries.ts'
import { SENDER, type SenderOptions, sendBatch, type Turn } from '../src/features/sending/sender.ts'
import { type MessagingWorld, makeCampaign, makeTemplate, setRules } from './messaging.ts'
import { asOwner, makeLogin } from './people.ts'
import type { TestServer } from './server.ts'

export const WORKER = '00000000-0000-4000-8000-000000000001'

/** One turn of a worker. */
export const turn = (
  services: Services,
  options: Partial<SenderOptions> = {},
  channel: Channel = 'sms',
): Promise<Turn> => sendBatch(services, channel, WORKER, { ...SENDER, ...options })

/** Takes turns until nothing is due. */
export async function sendAll(
  services: Services,
  options: Partial<SenderOptions> = {},
  channel: Channel = 'sms',
): Promise<void> {
  for (let turns = 0; turns < 500; turns++) if ((await turn(services, options, channel)) === 'nothing') return
  throw new Error('the ledger does not come to rest')
}

/** Closes a company for two days, and opens it around the clock when `write` inserts its first message, as somebody else's change would. */
export async function openingMeanwhile(
  server: TestServer,
  companyId: number,
  write: () => Promise<unknown>,
): Promise<void> {
  await closeForTwoDays(server, companyId)
  await asOwner(
    server,
    `create function open_all() returns trigger security definer language plpgsql as $$ begin
       update messaging_setting set week = (select jsonb_agg('[0, 1440]'::jsonb) from generate_series(1, 7))
       where company_id = ${companyId} and exists (select from location where id = new.location_id and company_id = ${companyId});
       return new; end $$;
     create trigger open_all before insert on message for each row execute function open_all()`,
  )
  await write()
  await asOwner(server, 'drop function open_all cascade')
}

/** The same, by somebody who saves while `write` runs to its end, or waits for the save. */
export async function openingAtTheEnd(
  server: TestServer,
  { company, inside }: MessagingWorld,
  write: () => Promise<unknown>,
): Promise<void> {
  await closeForTwoDays(server, company.id)
  const now = server.services.now()
  const day = [0, 1440] as const
  const week = [day, day, day, day, day, day, day] as const
  let written: Promise<unknown> | undefined
  await inside(async (tx) => {
    await holdRulesVersion(tx)
    const rules = await readRules(tx, 'AU')
    await saveRules(tx, company.id, { ...rules, hours: { ...rules.hours, week } }, now)
    await replanQueued(tx, now)
    written = write()
    await Promise.race([written, wait(1_000)])
  })
  await written
}

async function closeForTwoDays(server: TestServer, companyId: number): Promise<void> {
  const inThreeDays = (server.services.now().getUTCDay() + 2) % 7
  await setRules(server, companyId, {
    week: Array.from({ length: 7 }, (_, at) => (at === inThreeDays ? ([0, 1440] as const) : null)),
  })
}

/** The forecast of a campaign to all patients of a world that begins now, or not before this time. */
export function forecastOf(
  services: Services,
  world: MessagingWorld,
  campaign: { id: number },
  notBefore: Date | null = null,
) {
  const { locationIds } = world.scope
  return world.inside(async (tx) => {
    const texts = await textsOfCampaign(tx, campaign.id)
    const all = { locationIds, filters: Filters.parse({}), texts, noHoldout: false, campaignId: campaign.id }
    return forecastCohort(
      tx,
      services,
      await cohortOf(tx, { ...all, country: 'AU', now: services.now(), notBefore, system: services.pools.system }),
    )
  })
}

/** Writes the messages of a campaign to all patients of a world, due at once or in the first sending hour. @returns the run */
export async function writeCampaign(
  server: TestServer,
  services: Services,
  world: MessagingWorld,
  campaign: { id: number },
) {
  const login = await makeLogin(server, world.company.id)
  const now = services.now()
  const run = await world.inside((tx) =>
    insertRun(tx, {
      ...{ companyId: world.company.id, campaignId: campaign.id, loginId: login.id },
      ...{ now, startsAt: new Date(now.getTime() - 1000), endsAt: null },
    }),
  )
  await prepareRun.run({ run_id: run.id, company_id: world.company.id, country: 'AU' }, services)
  return run
}

/** Sends everything that is due on both channels. */
export async function sendDue(services: Services): Promise<void> {
  await advanceRuns(services.pools.system, services.now())
  for (const channel of CHANNELS) await sendAll(services, {}, channel)
}

/** Forecasts a campaign to all patients of a world, then sends it on both channels. @returns the forecast, and the run */
export async function forecastAndSend(
  server: TestServer,
  services: Services,
  world: MessagingWorld,
  campaign: { id: number },
) {
  const ledger = await forecastOf(services, world, campaign)
  const run = await writeCampaign(server, services, world, campaign)
  await sendDue(services)
  return { ledger, run }
}

/** How many messages of a channel were sent or held back. */
export interface Outcome {
  channel: string
  /** Why messages were held back, `goes` for sent ones, the state of others. */
  reason: string
  count: number
}

const named = ({ channel, reason }: Outcome) => `${channel} ${reason}`
const sorted = (outcomes: readonly Outcome[]) => outcomes.toSorted((a, b) => (named(a) < named(b) ? -1 : 1))

/** A campaign at all pharmacies of a world, with a template for each of these channels. */
export async function campaignOn(server: TestServer, world: MessagingWorld, channels: readonly Channel[]) {
  const templateIds = []
  for (const channel of channels) {
    const text = { body: 'Hi {First Name}', email: channel === 'email' }
    templateIds.push((await makeTemplate(server, world.company.id, text)).id)
  }
  return makeCampaign(server, world.company.id, { locationIds: world.scope.locationIds, templateIds })
}

/** The forecast outcomes of each channel's messages. */
export const forecastOutcomes = ({ channels }: Pick<CohortForecast, 'channels'>): Outcome[] =>
  sorted(
    channels.flatMap(({ channel, will_receive, reasons }) => [
      ...reasons.map(({ reason, count }) => ({ channel, reason, count })),
      ...(will_receive ? [{ channel, reason: 'goes', count: will_receive }] : []),
    ]),
  )

/** The actual outcomes of a run's messages. */
export async function outcomesOf(server: TestServer, runId: number): Promise<Outcome[]> {
  const rows = await asOwner<Outcome>(
    server,
    `select channel, coalesce(reason, case state when 'sent' then 'goes' else state end) as reason, count(*)::int as count from message where run_id = $1 group by 1, 2`,
    [runId],
  )
  return sorted(rows)
}

/** Adds copies of a run's first message, to new patients of the same pharmacy, until the run has `count` messages. */
export async function multiply(server: TestServer, run: { id: number }, count: number): Promise<void> {
  await asOwner(
    server,
    `with first as (select * from message where run_id = $1 order by id limit 1),
     people as (
       insert into patient (location_id, source, source_id, first_name)
       select location_id, 'canonical', 'many-' || $1::bigint || '-' || n, 'Ines' from first, generate_series(2, $2::int) n
       returning id)
     insert into message (location_id, run_id, batch_id, patient_id, channel, state, contact, body, parts, cents, planned_at)
     select m.location_id, m.run_id, m.batch_id, p.id, m.channel, m.state, m.contact, m.body, m.parts, m.cents, m.planned_at
     from first m, people p`,
    [run.id, count],
  )
}
