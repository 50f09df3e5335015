import { CHANNELS } from '@pillar/domain/consent/consent'
import { RECEIPT_HOURS } from '@pillar/domain/message/message-state'
import type { Services } from '../../api/context.ts'
import { reasonOf } from '../../api/log.ts'
import type { Tx } from '../../db/database.ts'
import { inScope } from '../../db/scope.ts'
import type { LookUp, LookUpRequest } from '../../gateways/gateway.ts'
import { queueRecount } from '../run/recount-queue.queries.ts'
import { shareRun } from '../run/run-state.queries.ts'
import { type LostMessage, type LostPlace, lostPlaces, takeLost } from './reconcile.queries.ts'
import {
  ASK_AFTER_SECONDS,
  acceptedChange,
  lockMessages,
  type MessageChange,
  neverHandedOver,
  receiptChange,
  rejectedChange,
  removeUnsent,
  requeuedChange,
  type StandingMessage,
  unknownChange,
  wakeBatches,
  writeChanges,
} from './record.queries.ts'
import { referenceOf } from './reference.ts'

const AT_ONCE = 200
/** As long as a claim lasts: messages in progress when the clock jumped have ended by then, or are lost. */
const CLAIM_MS = 60_000
const MAX_ATTEMPTS = 3
const LONGEST_WAIT_SECONDS = 3600
/** Looked up for as long as receipts may arrive. */
const ASK_SECONDS = RECEIPT_HOURS * 3600

/**
 * One check of the unresolved messages: each gateway is asked, and only messages it certainly does not have are sent again.
 * A pharmacy that fails is logged and left for the next check. @returns how many messages were looked up
 */
export async function reconcile(services: Services): Promise<number> {
  // A clock that jumps ahead ends every claim at once, even of a message whose request is in progress: the gateway would not know it yet.
  await services.readClock?.()
  if ((services.steadyFor?.() ?? Number.POSITIVE_INFINITY) < CLAIM_MS) return 0
  let asked = 0
  for (const place of await lostPlaces(services.pools.system)) {
    try {
      asked += await reconcilePlace(services, place)
    } catch (error) {
      services.log.error({ location: place.locationId, reason: reasonOf(error) }, 'asking about lost messages')
    }
  }
  return asked
}

async function reconcilePlace(services: Services, place: LostPlace): Promise<number> {
  const scope = { companyId: place.companyId, locationIds: [place.locationId] }
  const inPlace = <T>(work: (tx: Tx) => Promise<T>) => inScope(services.pools.app, scope, work)
  const lost = await inPlace(async (tx) => {
    const taken = await takeLost(tx, services.keys, place.locationId, AT_ONCE)
    if (taken.length > 0) await queueRecount(tx, [place.locationId])
    return taken
  })
  for (const channel of CHANNELS) {
    const own = lost.filter((message) => message.channel === channel)
    if (own.length === 0) continue
    const found = await ask(services, place, own)
    await inPlace((tx) => recordFound(tx, services, place, own, found))
  }
  return lost.length
}

/** Asks the gateway; it knows nothing about messages given to another one (the installation has changed since). */
async function ask(services: Services, place: LostPlace, lost: readonly LostMessage[]): Promise<LookUp[]> {
  const gateway = lost[0]!.channel === 'sms' ? services.sms : services.bulkEmail
  const own = lost.flatMap((message) =>
    message.gateway === gateway.name && message.contact !== null ? [{ ...message, to: message.contact }] : [],
  )
  const requests = own.map(({ runUuid, id, to, firstAt }) => ({
    reference: referenceOf(runUuid, place.locationId, id),
    ...{ to, handedOverAt: firstAt },
  }))
  const answers = await lookUpAll(services, gateway, requests)
  const found = new Map(own.map((message, at) => [message.id, answers[at]]))
  return lost.map((message) => found.get(message.id) ?? UNSURE)
}

const UNSURE: LookUp = { kind: 'unsure' }

async function lookUpAll(
  services: Services,
  gateway: Pick<Services['sms'], 'name' | 'lookUp'>,
  requests: readonly LookUpRequest[],
): Promise<LookUp[]> {
  if (requests.length === 0) return []
  try {
    return await gateway.lookUp(requests)
  } catch (error) {
    services.log.error({ gateway: gateway.name, reason: reasonOf(error) }, 'looking messages up')
    return requests.map(() => UNSURE)
  }
}

async function recordFound(
  tx: Tx,
  { keys, now: clock }: Services,
  place: LostPlace,
  lost: readonly LostMessage[],
  found: readonly LookUp[],
): Promise<void> {
  const now = clock()
  const ids = lost.map((message) => message.id)
  const absent = new Set(lost.flatMap(({ runId }, at) => (found[at]?.kind === 'absent' ? [runId] : [])))
  for (const runId of [...absent].sort((a, b) => a - b)) await shareRun(tx, runId)
  const standing = await lockMessages(tx, keys, place.locationId, ids)
  const changes: MessageChange[] = []
  const never: StandingMessage[] = []
  const again: number[] = []
  lost.forEach((message, at) => {
    const row = standing.get(message.id)
    const change = row && changeOf(row, message, found[at] ?? UNSURE, now)
    if (!row || !change) return
    changes.push(change)
    if (change.state === 'queued') again.push(row.batch_id)
    if (neverHandedOver(change)) never.push(row)
  })
  await writeChanges(tx, place.locationId, changes)
  await removeUnsent(tx, keys, place.companyId, never)
  await wakeBatches(tx, place.locationId, again, now)
  await queueRecount(tx, [place.locationId])
}

function changeOf(row: StandingMessage, asked: LostMessage, found: LookUp, now: Date): MessageChange | null {
  if (found.kind === 'accepted') {
    const { receipt, reason, gone, gatewayRef } = found
    const at = asked.plannedAt
    return receipt
      ? receiptChange(row, { status: receipt, reason, gone, gatewayRef, at })
      : acceptedChange(row, gatewayRef, at)
  }
  // The message may have been queued and sent again since the look-up; the answer does not cover that.
  const same = row.attempts === asked.attempts && row.planned_at?.getTime() === asked.plannedAt.getTime()
  if (row.state !== 'unknown' || !same) return null
  const age = (now.getTime() - asked.plannedAt.getTime()) / 1000
  if (found.kind === 'unsure') {
    const wait = Math.min(LONGEST_WAIT_SECONDS, Math.max(ASK_AFTER_SECONDS, age))
    return unknownChange(row, age > ASK_SECONDS ? null : wait)
  }
  if (row.attempts >= MAX_ATTEMPTS) return rejectedChange(row, { reason: 'The gateway did not take it' }, now)
  return requeuedChange(row, now, row.attempts, now)
}
