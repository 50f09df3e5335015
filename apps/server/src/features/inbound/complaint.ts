import type { Channel } from '@pillar/domain/consent/consent'
import { recordAudit } from '../../api/audit.ts'
import type { Services } from '../../api/context.ts'
import type { Tx } from '../../db/database.ts'
import { inScope } from '../../db/scope.ts'
import { endAfterComplaint, SOURCES } from '../consent/complaint.queries.ts'
import { NO_MESSAGE, NOT_OURS, parseReference, shortRun } from '../sending/reference.ts'
import { entryUuid } from './entry-uuid.ts'
import { companiesOf, type OpenEvent, runOfMessage } from './event.queries.ts'

/** Somebody marked one of our emails as spam; or the gateway does not take a text, because the person has opted out there. */
export interface Complaint {
  reference: string
  channel: Channel
  /** The report's reason, such as 'abuse'. */
  reason: string | null
  at: Date
}

/** Ends all messages of the pharmacy to the address that complained, or the number that is opted out. @returns why nothing could be done, or null */
export async function processComplaint(
  services: Services,
  system: Tx,
  event: OpenEvent,
  { reference, channel, reason, at }: Complaint,
): Promise<string | null> {
  const referred = parseReference(reference)
  if (!referred) return NOT_OURS
  const { locationId, id: messageId, run } = referred
  const companyId = (await companiesOf(system, [locationId])).get(locationId)
  if (companyId === undefined) return NO_MESSAGE
  return inScope(services.pools.app, { companyId, locationIds: [locationId] }, async (tx) => {
    const runUuid = await runOfMessage(tx, locationId, messageId, channel)
    if (runUuid === undefined || shortRun(runUuid) !== run) return NO_MESSAGE
    const uuidOf = (patientId: number) => entryUuid(event, locationId, patientId)
    const complaint = { locationId, messageId, channel, at, reason, uuidOf, keys: services.keys }
    const ended = await endAfterComplaint(tx, complaint, services.now())
    if (!ended) return NO_MESSAGE
    await recordAudit(tx, {
      caller: { companyId, loginId: null, sessionId: null },
      action: 'consent.unsubscribe',
      object: null,
      detail: { location: locationId, message: messageId, channel, source: SOURCES[channel] },
    })
    return null
  })
}
