import { createHash } from 'node:crypto'
import { type ReplyKind, replyKind, stopConfirmation } from '@pillar/domain/stop-words'
import { recordAudit } from '../../api/audit.ts'
import type { Services } from '../../api/context.ts'
import { inScope, type Tx } from '../../db/database.ts'
import { lockConsent, recordConsent } from '../consent/consent-log.queries.ts'
import { queueConfirmation } from './confirmation.queries.ts'
import { markDue } from './due.queries.ts'
import { type OpenEvent, patientsWithNumber, type RepliedPlace, repliedPlaces } from './event.queries.ts'

export interface Reply {
  from: string
  to: string
  text: string
  at: Date
}

/** A version 8 uuid made of an event, a pharmacy and a patient: the same reply worked off twice is one entry. */
function entryUuid(event: OpenEvent, locationId: number, patientId: number): string {
  const hex = createHash('sha256')
    .update(`${event.gateway}\n${event.eventId}\n${locationId}\n${patientId}`)
    .digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

/** Some gateways leave the plus of an international number out. */
const withPlus = (number: string) => (/^[1-9]\d{7,14}$/.test(number.trim()) ? `+${number.trim()}` : number.trim())

/**
 * Does what a patient's reply asks for. STOP and START apply at once to every patient of the pharmacy with that number; a reply that may
 * mean STOP is noted for a person to read. @returns why nothing could be done, or null
 */
export async function workOffReply(
  services: Services,
  gate: Tx,
  event: OpenEvent,
  told: Reply,
): Promise<string | null> {
  const kind = replyKind(told.text)
  if (kind === 'other') return null
  const reply = { ...told, from: withPlus(told.from) }
  const places = await repliedPlaces(gate, reply.from, reply.to)
  if (places.length === 0) return 'No pharmacy sent a text to this number from that sender.'
  if (kind === 'review') {
    for (const place of places) await noteForReview(gate, event, place)
    return null
  }
  let confirmed = false
  let patients = 0
  for (const place of [...places].sort((a, b) => a.locationId - b.locationId)) {
    const done = await applyReply(services, event, reply, kind, place, confirmed)
    confirmed ||= done.confirmed
    patients += done.patients
  }
  return patients === 0 ? 'No patient of that pharmacy has this number.' : null
}

/** The event keeps the words; the audit log says that there is something to read. */
function noteForReview(gate: Tx, event: OpenEvent, place: RepliedPlace): Promise<void> {
  const detail = { company: place.companyId, location: place.locationId }
  return recordAudit(gate, {
    caller: null,
    action: 'message.reply-to-read',
    object: `gateway_event:${event.id}`,
    detail,
  })
}

function applyReply(
  services: Services,
  event: OpenEvent,
  reply: Reply,
  kind: Extract<ReplyKind, 'stop' | 'start'>,
  place: RepliedPlace,
  confirmed: boolean,
): Promise<{ patients: number; confirmed: boolean }> {
  const { locationId, companyId } = place
  return inScope(services.pools.app, { companyId, locationIds: [locationId] }, async (tx) => {
    const now = services.now()
    await lockConsent(tx, locationId)
    const patients = await patientsWithNumber(tx, locationId, reply.from)
    let closed: number | null = null
    for (const patientId of patients) {
      const done = await recordConsent(
        tx,
        {
          locationId,
          patientId,
          at: reply.at,
          event: { type: kind },
          wording: reply.text,
          source: 'reply',
          contact: reply.from,
          uuid: entryUuid(event, locationId, patientId),
        },
        now,
      )
      if (done.changed && done.after.sms.health_outreach.choice === 'out') closed ??= patientId
    }
    const confirms = kind === 'stop' && closed !== null && !confirmed
    if (confirms) {
      const text = stopConfirmation(place.name)
      await queueConfirmation(
        tx,
        { companyId, locationId, patientId: closed!, number: reply.from, sender: reply.to, text },
        now,
      )
      await markDue(tx, [locationId])
    }
    return { patients: patients.length, confirmed: confirms }
  })
}
