import { type contract, Refusal } from '@pillar/contract'
import { byConsentTime } from '@pillar/domain/consent/consent'
import { consentAsOf, entryText, sourceText } from '@pillar/domain/consent/consent-as-of'
import { sentByText, WIRE_STATUS } from '@pillar/domain/message/message-state'
import { isSameName, namesPerson } from '@pillar/domain/text/reason'
import { instantAt } from '@pillar/domain/time/local-time'
import { dayIn } from '@pillar/domain/time/zone'
import { noteCounts } from '../../api/audit.ts'
import { dayFrom } from '../../api/call/day-sent.ts'
import { callerOf, type HandlersOf, tenantTx } from '../../api/context.ts'
import { messagesSent, patientsOfNumber, readEntries, zoneOfPharmacy } from './consent-as-of.queries.ts'
import { countLookUp } from './look-up-throttle.ts'

/** How far back from the day messages are shown. */
const DAYS_OF_MESSAGES = 30

/** Shows support what one patient had agreed to on a day. */
export const consentAdminHandlers: HandlersOf<typeof contract.consentAdmin> = {
  async asOf({ number, last_name, day: sent, reason }, context) {
    const { services } = context
    const tx = tenantTx(context)
    const { loginId, scope } = callerOf(context)
    const locationId = scope.locationIds[0]!
    const zone = await zoneOfPharmacy(tx, locationId)
    const now = services.now()
    const day = dayFrom(sent, zone)
    if (day > dayIn(zone, now))
      throw new Refusal('invalid', 'This day has not begun at the pharmacy.', {
        errors: { day: ['Please enter today or a day before.'] },
      })
    const found = await countLookUp(services, loginId)
    const named = await patientsOfNumber(tx, locationId, number)
    const patients = named.filter((one) => isSameName(one.last_name, last_name))
    const [patient] = patients
    if (!patient)
      throw new Refusal(
        'not_found',
        'This pharmacy has no patient with that number and last name. People who were erased cannot be found.',
      )
    await found()
    if (patients.length > 1)
      throw new Refusal('conflict', 'Two dispensing systems of this pharmacy have a patient with that number and name.')
    if (namesPerson(reason, [number, patient.first_name, patient.last_name]))
      throw new Refusal(
        'invalid',
        'The reason names the person. It is kept in the audit for good, so leave the name out.',
        {
          errors: { reason: ['Please leave out the name and number of the person.'] },
        },
      )

    const asOf = new Date(Math.min(instantAt(zone, day + 1, 0).getTime() - 1, now.getTime()))
    const log = await readEntries(tx, locationId, patient.id)
    const uuids = new Map(log.map(({ uuid, event }) => [event.id, uuid]))
    const uuidOf = (id: string | number | null) => uuids.get(String(id)) ?? null
    const events = log.map(({ event }) => event)
    const entries = log
      .filter(({ event }) => event.at <= asOf.getTime())
      .sort((a, b) => byConsentTime(b.event, a.event))
    const from = instantAt(zone, day + 1 - DAYS_OF_MESSAGES, 0)
    const messages = await messagesSent(tx, { locationId, patientId: patient.id, from, to: asOf })
    noteCounts(context, { entries: entries.length, messages: messages.length })
    return {
      as_of: asOf.toISOString(),
      time_zone: zone,
      choices: consentAsOf(events, asOf.getTime()).map(({ entry, since, ...choice }) => ({
        ...choice,
        entry: uuidOf(entry),
        since: uuidOf(since),
      })),
      entries: entries.map(({ uuid, event, wording, source }) => ({
        id: uuid,
        at: new Date(event.at).toISOString(),
        says: entryText(event),
        source: sourceText(source),
        wording,
      })),
      messages: messages.map(({ at, channel, state, context: sender, campaign, template, rule, entry }) => ({
        at: at.toISOString(),
        channel,
        status: WIRE_STATUS[state],
        sent_by: sentByText(sender, campaign),
        template,
        rule,
        entry: uuidOf(entry),
      })),
    }
  },
}
