import { CHANNELS } from '@pillar/domain/consent/consent'
import { z } from 'zod'
import type { Services } from '../../api/context.ts'
import { reasonOf } from '../../api/log.ts'
import type { Tx } from '../../db/database.ts'
import { AlteredField } from '../../db/field/envelope.ts'
import { KeysAway } from '../../db/field/key-file.ts'
import type { Keys } from '../../db/field/key-ring.ts'
import { inScope } from '../../db/scope.ts'
import { openEvent } from '../../gateways/gateway-event.queries.ts'
import { beginSpan } from '../../gateways/telemetry/trace.ts'
import { queueRecount } from '../run/recount-queue.queries.ts'
import { lockMessages, type MessageChange, receiptChange, writeChanges } from '../sending/record.queries.ts'
import { NO_MESSAGE, NOT_OURS, parseReference, type Referred, shortRun } from '../sending/reference.ts'
import { processComplaint } from './complaint.ts'
import { companiesOf, type EventKind, finishEvents, lockEvents, type OpenEvent } from './event.queries.ts'
import { processReply } from './reply.ts'

const AT_ONCE = 1000
/** STOPs are few. One that has to wait for its pharmacy holds up only so many others. */
const CONSENT_AT_ONCE = 10

const Content = z.intersection(
  z.object({ at: z.iso.datetime({ offset: true }) }),
  z.discriminatedUnion('kind', [
    z.object({
      kind: z.literal('receipt'),
      reference: z.string(),
      gatewayRef: z.string().nullable(),
      status: z.enum(['sent', 'delivered', 'failed']),
      reason: z.string().nullable(),
      gone: z.boolean().default(false),
    }),
    z.object({
      kind: z.literal('reply'),
      from: z.string(),
      to: z.string(),
      text: z.string(),
      mayRepeat: z.boolean().default(false),
      optedOut: z.boolean().default(false),
    }),
    z.object({
      kind: z.literal('complaint'),
      reference: z.string(),
      channel: z.enum(CHANNELS).default('email'),
      reason: z.string().nullable(),
    }),
  ]),
)
type Content = z.output<typeof Content>
type Receipt = Extract<Content, { kind: 'receipt' }>

interface Referring extends Referred {
  event: OpenEvent
  receipt: Receipt
}

/** Results of events by id: null, or why the event failed. */
type Ends = Map<number, string | null>

/**
 * Processes gateway events, up to a thousand at once: receipts set-based for each pharmacy, replies and complaints in order. An unusable
 * event keeps its reason and does not block others; one that meets a lost database stays open. @returns how many were done
 */
export function processEvents(services: Services, kind: EventKind = 'all'): Promise<number> {
  return services.pools.system.transaction().execute(async (system) => {
    const events = await lockEvents(system, kind === 'consent' ? CONSENT_AT_ONCE : AT_ONCE, kind)
    if (events.length === 0) return 0
    const ends: Ends = new Map()
    const receipts: Referring[] = []
    for (const event of events) {
      const content = await readContent(services, ends, event)
      if (content === undefined) continue
      if (!content) ends.set(event.id, 'It is not in the form of a receipt, a reply or a complaint.')
      else if (content.kind === 'reply')
        await attempt(services, ends, [event.id], () => replied(services, system, event, content))
      else if (content.kind === 'complaint') {
        const complaint = { ...content, at: instantOf(event, content) }
        await attempt(services, ends, [event.id], () => processComplaint(services, system, event, complaint))
      } else {
        const referred = parseReference(content.reference)
        if (referred) receipts.push({ ...referred, event, receipt: content })
        else ends.set(event.id, NOT_OURS)
      }
    }
    await processReceipts(services, system, receipts, ends)
    await finishEvents(
      system,
      services.keys,
      events.flatMap((event) => (ends.has(event.id) ? [{ event, failure: ends.get(event.id) ?? null }] : [])),
      services.now(),
    )
    return ends.size
  })
}

/** How long an event that could not be opened is retried: a STOP may wait for keys this process does not have yet. */
const OPENS_WITHIN_MS = 24 * 3_600_000

/** The content of an event; null if its form is unknown, undefined if it could not be opened: then it has ended, or waits. */
async function readContent(
  { keys, log, now }: Services,
  ends: Ends,
  event: OpenEvent,
): Promise<Content | null | undefined> {
  try {
    const parsed = Content.safeParse(await openEvent(keys, event))
    return parsed.success ? parsed.data : null
  } catch (error) {
    const reason = reasonOf(error)
    log.error({ event: event.id, reason }, 'a gateway event could not be opened')
    const late = now().getTime() - event.receivedAt.getTime() > OPENS_WITHIN_MS
    if (late || error instanceof AlteredField) ends.set(event.id, `It could not be opened: ${reason}`)
    return undefined
  }
}

/** Class 08 connection, 53 resources, 57P0 shutdown, 40 deadlock, 57014 and 55P03 time limits: tried again. */
const passes = (reason: string) =>
  /^(08|53|57|40|55P03|ECONN|EPIPE|ETIMEDOUT|EHOST|ENET|EAI_AGAIN)/.test(reason) || /connection|timeout/i.test(reason)

/** A gateway's clock may be ahead; nothing can happen after we received it. */
const instantOf = (event: OpenEvent, content: Content) =>
  new Date(Math.min(new Date(content.at).getTime(), event.receivedAt.getTime()))

function replied(services: Services, system: Tx, event: OpenEvent, content: Extract<Content, { kind: 'reply' }>) {
  return processReply(services, system, event, { ...content, at: instantOf(event, content) })
}

/** Runs `work` for these events. A permanent failure ends them with a reason; a temporary one leaves them open. */
async function attempt(
  services: Services,
  ends: Ends,
  ids: readonly number[],
  work: () => Promise<string | null>,
): Promise<boolean> {
  try {
    const failure = await work()
    for (const id of ids) if (!ends.has(id)) ends.set(id, failure)
    return true
  } catch (error) {
    const reason = reasonOf(error)
    services.log.error({ events: ids.length, reason }, 'gateway events could not be processed')
    const again = error instanceof KeysAway || passes(reason)
    if (!again && ids.length === 1) ends.set(ids[0]!, `It could not be processed: ${reason}`)
    return again
  }
}

async function processReceipts(
  services: Services,
  system: Tx,
  receipts: readonly Referring[],
  ends: Ends,
): Promise<void> {
  const places = Map.groupBy(receipts, (one) => one.locationId)
  const companies = await companiesOf(system, [...places.keys()])
  for (const [locationId, own] of [...places].sort(([a], [b]) => a - b)) {
    const companyId = companies.get(locationId)
    if (companyId === undefined) {
      for (const { event } of own) ends.set(event.id, NO_MESSAGE)
      continue
    }
    const scope = { companyId, locationIds: [locationId] }
    const apply = (some: readonly Referring[]) => {
      const ids = some.map(({ event }) => event.id)
      return attempt(services, ends, ids, async () => {
        const startedAt = Date.now()
        const runs: ReceiptsOfRuns = new Map()
        await inScope(services.pools.app, scope, (tx) => applyReceipts(tx, services.keys, locationId, some, ends, runs))
        traceReceipts(runs, { company: companyId, location: locationId }, startedAt)
        return null
      })
    }
    // One unusable event must not block the others.
    if (!(await apply(own)) && own.length > 1) for (const one of own) await apply([one])
  }
}

async function applyReceipts(
  tx: Tx,
  keys: Keys,
  locationId: number,
  receipts: readonly Referring[],
  ends: Ends,
  runs: ReceiptsOfRuns,
): Promise<void> {
  const standing = await lockMessages(
    tx,
    keys,
    locationId,
    receipts.map((one) => one.id),
  )
  const changes = new Map<number, MessageChange>()
  for (const { id, run, event, receipt } of receipts) {
    const row = standing.get(id)
    if (!row || shortRun(row.run_uuid) !== run) {
      ends.set(event.id, NO_MESSAGE)
      continue
    }
    const { status, reason, gone, gatewayRef } = receipt
    const change = receiptChange(row, { status, reason, gone, gatewayRef, at: instantOf(event, receipt) })
    if (!change) continue
    changes.set(id, change)
    if (row.trace) runs.set(row.trace, [...(runs.get(row.trace) ?? []), status])
    // The next receipt of the same message finds it in the state this one leaves.
    const { state, sentAt, settledAt } = change
    standing.set(id, {
      ...row,
      state,
      reason: change.reason,
      sent_at: sentAt,
      settled_at: settledAt,
      gateway_ref: change.gatewayRef,
    })
  }
  await writeChanges(tx, locationId, [...changes.values()])
  if (changes.size > 0) await queueRecount(tx, [locationId])
}

/** The statuses of receipts, by the trace of their run's activation. */
type ReceiptsOfRuns = Map<string, Receipt['status'][]>

/** A span for each run in its own trace: receipts of many runs are processed together. */
function traceReceipts(runs: ReceiptsOfRuns, where: { company: number; location: number }, startedAt: number): void {
  for (const [parent, statuses] of runs) {
    const count = (status: Receipt['status']) => statuses.filter((one) => one === status).length
    const marks = { ...where, receipts: statuses.length, delivered: count('delivered'), failed: count('failed') }
    beginSpan('receipts', marks, { kind: 'consumer', parent, startedAt })?.end()
  }
}
