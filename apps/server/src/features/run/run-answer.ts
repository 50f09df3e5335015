import { type contract, Refusal, type ReplyOf } from '@pillar/contract'
import type { Progress } from '@pillar/contract/campaign/campaign-stats'
import { whyText } from '@pillar/domain/cohort/held-back'
import { shownStatus, WIRE_STATUS } from '@pillar/domain/message/message-state'
import { ratePerMinute } from '@pillar/domain/message/sending-rules'
import { safeCell } from '@pillar/domain/text/csv-safe'
import { formatDay } from '@pillar/domain/time/day'
import { type Country, moneyHead } from '@pillar/domain/time/locale'
import { nextAllowed } from '@pillar/domain/time/quiet-hours'
import { dayIn } from '@pillar/domain/time/zone'
import { csvText } from '../../api/answer/csv-text.ts'
import type { Services } from '../../api/context.ts'
import type { Tx } from '../../db/database.ts'
import { readLong } from '../../db/list.ts'
import { calendarOf } from '../../db/local-calendar.ts'
import { finishTime } from '../sending/rule/finish-time.ts'
import { type CompanyRules, type HoursAt, readPlaceRules } from '../sending/rule/rules.queries.ts'
import {
  messagesOfRun,
  type PharmacyProgress,
  progressByPharmacy,
  type RunRow,
  reasonsOf,
  type SentRow,
} from './run.queries.ts'

const NOTHING: Progress = {
  messages: 0,
  queued: 0,
  sending: 0,
  sent: 0,
  delivered: 0,
  failed: 0,
  skipped: 0,
  unknown: 0,
}

/** The combined progress of several pharmacies. */
export function sumProgress(rows: readonly PharmacyProgress[]): Progress {
  const total = { ...NOTHING }
  for (const { progress } of rows)
    for (const key of Object.keys(total) as (keyof Progress)[]) total[key] += progress[key]
  return total
}

/** Reasons of both channels, merged by label, most frequent first. */
function merged(rows: readonly { channel: 'sms' | 'email'; reason: string; count: number }[]) {
  const byWords = new Map<string, { reason: string; text: string; count: number }>()
  for (const { channel, reason, count } of rows) {
    const text = whyText(reason, channel)
    const found = byWords.get(text)
    byWords.set(text, { reason, text, count: (found?.count ?? 0) + count })
  }
  return [...byWords.values()].sort((a, b) => b.count - a.count)
}

/** The newest run of a campaign as on the wire. */
export async function runAnswer(
  tx: Tx,
  services: Services,
  run: RunRow | null,
  rules: Pick<CompanyRules, 'cap' | 'hours'>,
): Promise<ReplyOf<typeof contract.campaign.run>> {
  const rows = run ? await progressByPharmacy(tx, run.id) : []
  const progress = sumProgress(rows)
  const reasons = run ? await reasonsOf(tx, run) : []
  const { hoursAt } = await readPlaceRules(
    tx,
    rules,
    rows.map(({ id }) => id),
  )
  return {
    run_id: run?.uuid ?? null,
    state: run?.state ?? null,
    held_reason: run?.held_reason ?? null,
    starts_at: run?.starts_at.toISOString() ?? null,
    next_at: run ? nextAt(services, run, hoursAt, rows) : null,
    finishes_at: run ? finishesAt(services, run, hoursAt, rows) : null,
    rate_per_minute: ratePerMinute(services.sms.perSecond),
    counting: rows.some((row) => row.counting),
    progress,
    skipped: merged(reasons.filter(({ state }) => state === 'skipped')),
    failed: merged(reasons.filter(({ state }) => state === 'failed')),
    cents: rows.reduce((total, row) => total + row.cents, 0),
    simulated: services.sms.simulated,
    pharmacies: rows.map((row) => ({
      pharmacy_id: row.uuid,
      pharmacy_name: row.name,
      stopped: row.stopped || run?.state === 'stopped',
      progress: row.progress,
    })),
  }
}

/** When the first queued message may be sent under its pharmacy's hours; null if none is queued, and for a stopped or ended run. */
function nextAt(services: Services, run: RunRow, hoursAt: HoursAt, rows: readonly PharmacyProgress[]): string | null {
  if (!isUnderWay(run)) return null
  const from = startOf(services, run)
  const waiting = rows.filter((row) => !row.stopped && row.progress.queued > 0)
  const firsts = waiting.flatMap((row) => nextAllowed(hoursAt(row.id), calendarOf(row), from) ?? [])
  return firsts.length === 0 ? null : new Date(Math.min(...firsts.map((at) => at.getTime()))).toISOString()
}

const isUnderWay = ({ state }: RunRow) => state === 'holding' || state === 'sending'
const startOf = (services: Services, run: RunRow) =>
  new Date(Math.max(run.starts_at.getTime(), services.now().getTime()))

/** When the queued messages will have been sent; null for a stopped or ended run. */
function finishesAt(
  services: Services,
  run: RunRow,
  hoursAt: HoursAt,
  rows: readonly PharmacyProgress[],
): string | null {
  if (!isUnderWay(run)) return null
  const from = startOf(services, run)
  const going = rows.filter((row) => !row.stopped)
  const load = (key: 'queued_sms' | 'queued_email') =>
    going.map((row) => ({ calendar: calendarOf(row), hours: hoursAt(row.id), messages: row[key] }))
  const ends = [
    finishTime(load('queued_sms'), services.sms.perSecond, from),
    finishTime(load('queued_email'), services.bulkEmail.perSecond, from),
  ]
  if (ends.some((end) => end === null)) return null
  return new Date(Math.max(...ends.map((end) => end!.getTime()))).toISOString()
}

/**
 * Every message of a run as a table, in parts: the header, then each pharmacy's in lots, so that a large run neither blocks others nor fills
 * memory. Patients by the pharmacy's own number, times by its clock.
 * @param gone aborts once nobody waits for the file
 */
export async function* runCsv(tx: Tx, run: RunRow, country: Country, gone: AbortSignal): AsyncGenerator<string> {
  const head = [
    'Pharmacy',
    'Patient number',
    'Channel',
    'Template',
    'Status',
    'Reason',
    'SMS parts',
    moneyHead(country, 'Cost'),
    'Planned',
    'Sent',
    'Settled',
    'Time Zone',
  ]
  yield csvText([head])
  const places = await progressByPharmacy(tx, run.id)
  await readLong(tx)
  for (const place of places) {
    for await (const rows of messagesOfRun(tx, run, { locationId: place.id, timeZone: place.time_zone })) {
      if (gone.aborted) throw new Refusal('unavailable', 'The download was given up.')
      yield csvText(rows.map((row) => [safeCell(place.name), ...cellsOf(row), place.time_zone]))
    }
  }
}

/** The name of that file, by the run's first day in a zone. */
export const runCsvName = (run: RunRow, zone: string): string => `run_${formatDay(dayIn(zone, run.starts_at))}.csv`

const cellsOf = (row: SentRow) => [
  safeCell(row.patient),
  row.channel === 'sms' ? 'SMS' : 'Email',
  safeCell(row.template),
  shownStatus(WIRE_STATUS[row.state]),
  row.reason === null ? '' : safeCell(whyText(row.reason, row.channel)),
  row.parts,
  (row.cents / 100).toFixed(2),
  row.planned_at,
  row.sent_at,
  row.settled_at,
]
