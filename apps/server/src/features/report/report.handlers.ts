import { type contract, Refusal } from '@pillar/contract'
import { historyDaysProblems } from '@pillar/domain/message/history-report'
import { problemSentence } from '@pillar/domain/text/sentence'
import { day as dayOf, formatDay } from '@pillar/domain/time/day'
import { dayIn } from '@pillar/domain/time/zone'
import { callerOf, type HandlersOf, tenantTx } from '../../api/context.ts'
import { resolveLocations } from '../location/location.queries.ts'
import { makeReport } from './report.jobs.ts'
import { insertRequest, pharmacyContacts } from './report.queries.ts'

export const reportHandlers: HandlersOf<typeof contract.report> = {
  async contacts(_input, context) {
    const rows = await pharmacyContacts(tenantTx(context))
    return {
      pharmacies: rows.map(({ uuid, name, state, contact }) => ({
        pharmacy_id: uuid,
        pharmacy_name: name,
        state,
        contact,
      })),
    }
  },

  async messageHistory({ from, to, ids }, context) {
    const tx = tenantTx(context)
    const { services } = context
    const { companyId, loginId } = callerOf(context)
    const wanted = new Set(await resolveLocations(tx, [...new Set(ids)]))
    const pharmacies = (await pharmacyContacts(tx)).filter(({ id }) => wanted.has(id))
    if (pharmacies.length < wanted.size) throw new Refusal('not_found', 'That pharmacy was not found.')
    const silent = pharmacies.filter(({ contact }) => contact === null).map(({ name }) => name)
    if (silent.length > 0)
      throw new Refusal('invalid', `Please leave out pharmacies without a contact: ${named(silent)}.`)
    const now = services.now()
    for (const { id, timeZone } of pharmacies) {
      const [first, last] = [dayFrom(from, timeZone), dayFrom(to, timeZone)]
      const wrong = problemSentence(historyDaysProblems(first, last, dayIn(timeZone, now) + 1))
      if (wrong) throw new Refusal('invalid', wrong)
      const request = { locationId: id, companyId, from: formatDay(first), to: formatDay(last), askedBy: loginId, now }
      await services.queue.send(tx, makeReport, { request_id: await insertRequest(tx, request) })
    }
    return { message: 'Report Successfully Generated.' }
  },
}

/** The civil day of a date as sent: a day, or an instant on the pharmacy's calendar. */
const dayFrom = (text: string, zone: string) => (text.length === 10 ? dayOf(text) : dayIn(zone, new Date(text)))

const SHOWN = 5
const named = (names: readonly string[]) =>
  names.length <= SHOWN ? names.join(', ') : `${names.slice(0, SHOWN).join(', ')} and ${names.length - SHOWN} more`
