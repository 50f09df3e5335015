import { recordAudit } from '../../api/audit.ts'
import type { Services } from '../../api/context.ts'
import type { Tx } from '../../db/database.ts'
import { inScope } from '../../db/scope.ts'
import { endAfterComplaint } from '../consent/complaint.queries.ts'
import { NO_MESSAGE, NOT_OURS, parseReference, shortRun } from '../sending/reference.ts'
import { entryUuid } from './entry-uuid.ts'
import { companiesOf, type OpenEvent, runOfEmail } from './event.queries.ts'

/** Somebody marked one of our emails as spam. */
export interface Complaint {
  reference: string
  /** The report's reason, such as 'abuse'. */
  reason: string | null
  at: Date
}

/** Ends all email of the pharmacy to the address that complained. @returns why nothing could be done, or null */
export async function processComplaint(
  services: Services,
  system: Tx,
  event: OpenEvent,
  { reference, reason, at }: Complaint,
): Promise<string | null> {
  const referred = parseReference(reference)
  if (!referred) return NOT_OURS
  const { locationId, id: messageId, run } = referred
  const companyId = (await companiesOf(system, [locationId])).get(locationId)
  if (companyId === undefined) return NO_MESSAGE
  return inScope(services.pools.app, { companyId, locationIds: [locationId] }, async (tx) => {
    const runUuid = await runOfEmail(tx, locationId, messageId)
    if (runUuid === undefined || shortRun(runUuid) !== run) return NO_MESSAGE
    const uuidOf = (patientId: number) => entryUuid(event, locationId, patientId)
    const complaint = { locationId, messageId, at, reason, uuidOf, keys: services.keys }
    const ended = await endAfterComplaint(tx, complaint, services.now())
    if (!ended) return NO_MESSAGE
    await recordAudit(tx, {
      caller: { companyId, loginId: null, sessionId: null },
      action: 'consent.unsubscribe',
      object: null,
      detail: { location: locationId, message: messageId, channel: 'email', source: 'complaint' },
    })
    return null
  })
}
