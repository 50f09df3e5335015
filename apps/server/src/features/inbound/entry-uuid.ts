import { uuidFrom } from '../../api/uuid.ts'
import type { OpenEvent } from './event.queries.ts'

/** The uuid of what an event does for a patient of a pharmacy (0 for none): it is recorded once, however often the event is processed. */
export const entryUuid = (
  event: Pick<OpenEvent, 'gateway' | 'eventId'>,
  locationId: number,
  patientId: number,
): string => uuidFrom(event.gateway, event.eventId, locationId, patientId)
