import { Gauge, Registry } from 'prom-client'
import type { Services } from '../context.ts'
import { reasonOf } from '../log.ts'
import { type Backlog, readBacklog } from './backlog.queries.ts'

type Values = readonly [labels: Record<string, string>, value: number][]
const one = (value: number): Values => [[{}, value]]

/** Name, help text and values of each gauge. */
function gaugesOf({
  messages,
  runs,
  events,
  followUps,
  uploads,
  gateways,
  jobs,
  worker,
  fields,
  errors,
  archive,
  collationChanged,
  chains,
}: Backlog): [string, string, Values][] {
  const perJob = (value: (job: Backlog['jobs'][number]) => number): Values =>
    jobs.map((job) => [{ queue: job.job }, value(job)])
  return [
    ['messages_queued', 'Messages to patients that wait to be handed over', one(messages.queued)],
    ['messages_overdue_seconds', 'How long the oldest due message has waited for a sender', one(messages.overdue)],
    ['messages_sending', 'Messages being handed over', one(messages.sending)],
    ['messages_unknown', 'Messages perhaps handed over, which the gateway is asked about', one(messages.unknown)],
    ['messages_unknown_oldest_seconds', 'How long ago the oldest of those was handed over', one(messages.oldest)],
    ['messages_unanswered', 'Messages perhaps handed over, no longer asked about', one(messages.unanswered)],
    [
      'run_messages',
      'Messages of campaigns and other runs that have not ended, by state',
      runs.map((row) => [{ state: row.state }, row.messages]),
    ],
    [
      'gateway_pause_seconds',
      'How long a gateway that takes nothing is left alone',
      gateways.map((row) => [{ gateway: row.gateway }, row.pause]),
    ],
    ['gateway_events_open', 'Receipts and replies that are not processed', one(events.open)],
    ['gateway_events_oldest_seconds', 'How long the oldest of those has waited', one(events.oldest)],
    ['gateway_events_unusable', 'Receipts and replies of the last day that could not be used', one(events.unusable)],
    ['gateway_events_unusable_lately', 'The same of the last hour', one(events.unusableLately)],
    [
      'follow_ups_overdue_seconds',
      'How long the oldest due follow-up of a sequence has waited',
      one(followUps.overdue),
    ],
    ['uploads_waiting', 'Uploads that wait to be loaded', one(uploads.waiting)],
    ['uploads_oldest_seconds', 'How long the oldest of those has waited', one(uploads.oldest)],
    ['uploads_processing', 'Uploads being loaded', one(uploads.processing)],
    ['uploads_failed', 'Uploads of the last day that ended in ERROR', one(uploads.failed)],
    ['uploads_failed_lately', 'The same of the last hour', one(uploads.failedLately)],
    ['jobs_waiting', 'Jobs that wait, or wait to be tried again', perJob((job) => job.waiting)],
    ['jobs_active', 'Jobs that run', perJob((job) => job.active)],
    ['jobs_oldest_seconds', 'Age of the oldest job that waits or runs', perJob((job) => job.oldest)],
    ['jobs_overdue_seconds', 'How long the oldest due job has waited for a worker', perJob((job) => job.overdue)],
    ['jobs_failed', 'Jobs given up in the last day', perJob((job) => job.failed)],
    [
      'jobs_done_seconds',
      'How long ago a job of the queue was last done; the age of the queue if none was within a week',
      perJob((job) => job.done),
    ],
    ['worker_connected', 'Whether a worker is connected to the job queue', one(Number(worker))],
    [
      'field_keys_old',
      'Keys of a sealed column that a rotation replaces and has not retired yet',
      fields.map(({ column, oldKeys }) => [{ column }, oldKeys]),
    ],
    [
      'field_pharmacies_left',
      'Pharmacies with values of a sealed column that a rotation has not sealed again yet',
      fields.map(({ column, pharmacies }) => [{ column }, pharmacies]),
    ],
    [
      'errors_lately',
      'Uncaught errors of the last hour that are kept, of all processes',
      errors.map((row) => [{ source: row.source }, row.errors]),
    ],
    ['archive_failing_seconds', 'For how long PostgreSQL has failed to archive its log', one(archive.failing)],
    [
      'chains_faulty',
      'Altered places in the audit, and pharmacies with an altered register, by the last check',
      Object.entries(chains).map(([of, faults]) => [{ of }, faults]),
    ],
    ['archive_waiting_files', 'Finished files of that log that are not archived', one(archive.waiting)],
    [
      'database_collation_changed',
      'Whether the server sorts text by other rules than when the indexes were built',
      one(Number(collationChanged)),
    ],
  ]
}

/**
 * Waiting and failed work, read now. While the database does not answer, the only metric is `pillar_database_up 0`: old or empty figures
 * would look as though all were well.
 */
export async function backlogMetrics({ pools, log, now }: Services): Promise<Registry> {
  const registry = new Registry()
  const put = (name: string, help: string, values: Values) => {
    if (values.length === 0) return
    const labelNames = Object.keys(values[0]?.[0] ?? {})
    const gauge = new Gauge({ name: `pillar_${name}`, help, labelNames, registers: [registry] })
    for (const [labels, value] of values) gauge.set(labels, value)
  }
  const up = 'Whether the database answered this reading'
  try {
    const gauges = gaugesOf(await readBacklog(pools.system, now()))
    put('database_up', up, one(1))
    for (const [name, help, values] of gauges) put(name, help, values)
  } catch (error) {
    log.warn({ reason: reasonOf(error) }, 'the figures of what waits could not be read')
    put('database_up', up, one(0))
  }
  return registry
}
