import type { CohortForecast } from '@pillar/contract/campaign/cohort'
import type { Channel } from '../../src/features/sending/lease.queries.ts'
import { type MessagingWorld, makeCampaign, makeTemplate } from '../messaging.ts'
import { asOwner } from '../people.ts'
import type { TestServer } from '../server.ts'

/** How many messages of a channel went or were held back. */
export interface Outcome {
  channel: string
  /** Why messages were held back, `goes` for those that left, the state of others. */
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

/** What was forecast of the messages of each channel. */
export const forecastOutcomes = ({ channels }: Pick<CohortForecast, 'channels'>): Outcome[] =>
  sorted(
    channels.flatMap(({ channel, will_receive, reasons }) => [
      ...reasons.map(({ reason, count }) => ({ channel, reason, count })),
      ...(will_receive ? [{ channel, reason: 'goes', count: will_receive }] : []),
    ]),
  )

/** What became of the messages of a run. */
export async function outcomesOf(server: TestServer, runId: number): Promise<Outcome[]> {
  const rows = await asOwner<Outcome>(
    server,
    `select channel, coalesce(reason, case state when 'sent' then 'goes' else state end) as reason, count(*)::int as count from message where run_id = $1 group by 1, 2`,
    [runId],
  )
  return sorted(rows)
}
