import { z } from 'zod'
import type { Services } from '../../api/context.ts'
import { reasonOf } from '../../api/log.ts'
import type { Tx } from '../../db/database.ts'
import { inScope } from '../../db/scope.ts'
import { workOffComplaint } from './complaint.ts'
import { markDue } from './due.queries.ts'
import { companiesOf, finishEvents, lockEvents, type OpenEvent } from './event.queries.ts'
import { lockMessages, type MessageChange, receiptChange, writeChanges } from './record.queries.ts'
import { NO_MESSAGE, NOT_OURS, parseReference, type Referred, shortRun } from './reference.ts'
import { workOffReply } from './reply.ts'

const AT_ONCE = 1000

const Told = z.intersection(
  z.object({ at: z.iso.datetime({ offset: true }) }),
  z.discriminatedUnion('kind', [
    z.object({
      kind: z.literal('receipt'),
      reference: z.string(),
      gatewayRef: z.string().nullable(),
      status: z.enum(['sent', 'delivered', 'failed']),
      reason: z.string().nullable(),
    }),
    z.object({ kind: z.literal('reply'), from: z.string(), to: z.string(), text: z.string() }),
    z.object({ kind: z.literal('complaint'), reference: z.string(), reason: z.string().nullable() }),
  ]),
)
type Told = z.output<typeof Told>
type Receipt = Extract<Told, { kind: 'receipt' }>

interface Referring extends Referred {
  event: OpenEvent
  receipt: Receipt
}

/** Ends of events by id: null, or why it came to nothing. */
type Ends = Map<number, string | null>

/**
 * Works off what gateways told, up to a thousand at once: receipts set-based for each pharmacy, replies and complaints in their order. An event that
 * cannot be used keeps its reason and holds nothing up; one that meets a database away stays open. @returns how many were done
 */
export function workOffEvents(services: Services): Promise<number> {
  return services.pools.gate.transaction().execute(async (gate) => {
    const events = await lockEvents(gate, AT_ONCE)
    if (events.length === 0) return 0
    const ends: Ends = new Map()
    const receipts: Referring[] = []
    for (const event of events) {
      const told = readTold(event)
      if (!told) ends.set(event.id, 'It is not in the form of a receipt, a reply or a complaint.')
      else if (told.kind === 'reply')
        await attempt(services, ends, [event.id], () => replied(services, gate, event, told))
      else if (told.kind === 'complaint') {
        const complaint = { ...told, at: instantOf(event, told) }
        await attempt(services, ends, [event.id], () => workOffComplaint(services, gate, event, complaint))
      } else {
        const referred = parseReference(told.reference)
        if (referred) receipts.push({ ...referred, event, receipt: told })
        else ends.set(event.id, NOT_OURS)
      }
    }
    await workOffReceipts(services, gate, receipts, ends)
    await finishEvents(
      gate,
      [...ends].map(([id, failure]) => ({ id, failure })),
      services.now(),
    )
    return ends.size
  })
}

function readTold(event: OpenEvent): Told | null {
  const parsed = Told.safeParse(event.payload)
  return parsed.success ? parsed.data : null
}

/** A gateway's clock may be ahead; nothing happened after we heard of it. */
const instantOf = (event: OpenEvent, told: Told) =>
  new Date(Math.min(new Date(told.at).getTime(), event.receivedAt.getTime()))

function replied(services: Services, gate: Tx, event: OpenEvent, told: Extract<Told, { kind: 'reply' }>) {
  return workOffReply(services, gate, event, { ...told, at: instantOf(event, told) })
}

/** Runs `work` for these events. What fails for good ends them with a reason; what may pass leaves them open. */
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
    services.log.error({ events: ids.length, reason }, 'working off what a gateway told')
    // Class 08 connection, 53 resources, 57P0 shut down, 40 deadlock, 57014 and 55P03 time limits: tried again.
    const passes = /^(08|53|57|40|55P03|ECONN|EPIPE)/.test(reason) || /connection|timeout/i.test(reason)
    if (!passes && ids.length === 1) ends.set(ids[0]!, `It could not be worked off: ${reason}`)
    return passes
  }
}

async function workOffReceipts(
  services: Services,
  gate: Tx,
  receipts: readonly Referring[],
  ends: Ends,
): Promise<void> {
  const places = Map.groupBy(receipts, (one) => one.locationId)
  const companies = await companiesOf(gate, [...places.keys()])
  for (const [locationId, own] of [...places].sort(([a], [b]) => a - b)) {
    const companyId = companies.get(locationId)
    if (companyId === undefined) {
      for (const { event } of own) ends.set(event.id, NO_MESSAGE)
      continue
    }
    const scope = { companyId, locationIds: [locationId] }
    const apply = (some: readonly Referring[]) =>
      attempt(
        services,
        ends,
        some.map(({ event }) => event.id),
        () => inScope(services.pools.app, scope, (tx) => applyReceipts(tx, locationId, some, ends)),
      )
    // One that cannot be used must not keep the others back.
    if (!(await apply(own)) && own.length > 1) for (const one of own) await apply([one])
  }
}

async function applyReceipts(
  tx: Tx,
  locationId: number,
  receipts: readonly Referring[],
  ends: Ends,
): Promise<string | null> {
  const standing = await lockMessages(
    tx,
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
    const { status, reason, gatewayRef } = receipt
    const change = receiptChange(row, { status, reason, gatewayRef, at: instantOf(event, receipt) })
    if (!change) continue
    changes.set(id, change)
    // The next receipt of the same message finds it as this one leaves it.
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
  if (changes.size > 0) await markDue(tx, [locationId])
  return null
}
