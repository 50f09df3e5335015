import { createHash } from 'node:crypto'
import type { OpenEvent } from './event.queries.ts'

/**
 * A version 8 uuid made from an event, a pharmacy and a patient (0 for none): the effects of one event are recorded once, however often it
 * is processed.
 */
export function entryUuid(
  event: Pick<OpenEvent, 'gateway' | 'eventId'>,
  locationId: number,
  patientId: number,
): string {
  const hex = createHash('sha256')
    .update(`${event.gateway}\n${event.eventId}\n${locationId}\n${patientId}`)
    .digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
