import { reportedNumber } from '@pillar/domain/message/sms-sender'
import { type ReplyKind, replyKind, stopConfirmation } from '@pillar/domain/message/stop-words'
import type { Services } from '../../api/context.ts'
import type { Tx } from '../../db/database.ts'
import { contactSpellings } from '../../db/field/contact.ts'
import { inScope, type Scope } from '../../db/scope.ts'
import { areAllFake, patientsWithNumber } from '../consent/number-holder.queries.ts'
import { queueRecount } from '../run/recount-queue.queries.ts'
import { noteHeard } from '../sending/gone.queries.ts'
import { restoredUntilOf } from '../sending/restore/set-aside.queries.ts'
import { queueConfirmation } from './confirmation.queries.ts'
import { entryUuid } from './entry-uuid.ts'
import type { OpenEvent } from './event.queries.ts'
import { recordForNumber } from './number-consent.ts'
import type { RepliedPlace } from './replied-place.queries.ts'
import { repliedPlaces } from './replied-place.ts'
import { insertReply } from './reply.queries.ts'

export interface Reply {
  from: string
  to: string
  text: string
  at: Date
  /** The gateway may have reported it before. */
  mayRepeat: boolean
  /** The gateway took it for an opt-out. */
  optedOut: boolean
}

/** A leading # is dropped, so that no sender passes for the handle of a stored number. */
const senderOf = (from: string) => reportedNumber(from.trim().replace(/^#+/, ''))

/**
 * Carries out a patient's reply. STOP and START apply at once to every patient of the pharmacy with that number; anything else,
 * anything that applied to nobody, and a START that may be one from before a STOP, is stored for a person to read. @returns why nothing could be done, or null
 */
export async function processReply(
  services: Services,
  system: Tx,
  event: OpenEvent,
  received: Reply,
): Promise<string | null> {
  const kind = received.optedOut ? 'stop' : replyKind(received.text)
  const reply = { ...received, from: senderOf(received.from) }
  // In a separate transaction: those of the pharmacies below need the same row.
  const from = await services.pools.app.transaction().execute((tx) => contactSpellings(tx, services.keys, reply.from))
  const places = await repliedPlaces(services, system, from, { to: reply.to, kind })
  if (places.length === 0) {
    // Nobody can tell whose patient it was, so no company may see it; the event stays.
    services.log.warn({ event: event.id }, 'a reply reached no pharmacy')
    return 'No pharmacy sent a text to this number from that sender.'
  }
  for (const place of places)
    await inScope(services.pools.app, scopeOf(place), (tx) => noteHeard(tx, place.locationId, from))
  if (kind === 'other' || kind === 'review') {
    // An answer belongs to the last text; an opt-out may be meant for every pharmacy that texted.
    const meant = kind === 'other' && places[0]!.last ? [readerOf(places)] : places
    if (meant.every(({ removed }) => removed))
      services.log.warn({ event: event.id }, 'a reply waits at a removed pharmacy, where nobody reads it')
    for (const place of meant) await keepReply(services, entryOf(event, place), reply, kind === 'review', place)
    return null
  }
  let confirmed = false
  let patients = 0
  for (const place of [...places].sort((a, b) => a.locationId - b.locationId)) {
    const done = await applyReply(services, event, reply, kind, place, confirmed)
    confirmed ||= done.confirmed
    patients += done.patients
    // However often it is repeated, head office reads it once.
    const repeated = { gateway: 'a repeated START', eventId: done.repeats ?? '' }
    if (done.repeats) await keepReply(services, entryOf(repeated, place), reply, false, place)
  }
  if (patients > 0) return null
  for (const place of places) await keepReply(services, entryOf(event, place), reply, kind === 'stop', place)
  return 'No patient of that pharmacy has this number.'
}

/** The pharmacy that texted last. If it was removed since, the next one of its company, because nobody would read the reply. */
function readerOf(places: readonly RepliedPlace[]): RepliedPlace {
  const last = places[0]!
  return places.find(({ companyId, removed }) => companyId === last.companyId && !removed) ?? last
}

const scopeOf = ({ companyId, locationId }: RepliedPlace): Scope => ({ companyId, locationIds: [locationId] })

const entryOf = (event: Pick<OpenEvent, 'gateway' | 'eventId'>, { locationId }: RepliedPlace) =>
  entryUuid(event, locationId, 0)

/** Stores a reply for a person of the pharmacy's company to read. */
function keepReply(
  services: Services,
  uuid: string,
  reply: Reply,
  mayStop: boolean,
  place: RepliedPlace,
): Promise<void> {
  const { locationId } = place
  return inScope(services.pools.app, scopeOf(place), async (tx) => {
    const patientIds = await patientsWithNumber(tx, services.keys, locationId, reply.from)
    // An answer to a test belongs to support: no head office should read or count it.
    if (await areAllFake(tx, locationId, patientIds)) return
    const { from: sender, to: receivedBy, text, at } = reply
    await insertReply(tx, services.keys, { locationId, uuid, sender, receivedBy, text, mayStop, at, patientIds })
  })
}

function applyReply(
  services: Services,
  event: OpenEvent,
  reply: Reply,
  kind: Extract<ReplyKind, 'stop' | 'start'>,
  place: RepliedPlace,
  confirmed: boolean,
): Promise<{ patients: number; confirmed: boolean; repeats: string | null }> {
  const { locationId, companyId } = place
  return inScope(services.pools.app, scopeOf(place), async (tx) => {
    const now = services.now()
    const { from: number, text: wording, at } = reply
    const uuidOf = (patientId: number) => entryUuid(event, locationId, patientId)
    const entry = { locationId, number, type: kind, at, wording, source: 'reply' as const, uuidOf, keys: services.keys }
    const { mayRepeat } = reply
    const { patients, closed, repeats } = await recordForNumber(tx, { ...entry, mayRepeat }, now)
    // A reply from before a restore may have been confirmed by the lost database.
    const restored = await restoredUntilOf(tx)
    const again = restored !== null && event.receivedAt <= restored
    const confirms = kind === 'stop' && closed !== null && !confirmed && !again
    if (confirms) {
      const text = stopConfirmation(place.name)
      // Not every gateway reports the number a reply came to; then the confirmation goes from the usual one.
      const sender = reply.to || null
      await queueConfirmation(
        tx,
        services.keys,
        { companyId, locationId, patientId: closed, number, sender, text },
        now,
      )
      await queueRecount(tx, [locationId])
    }
    return { patients: patients.length, confirmed: confirms, repeats }
  })
}
