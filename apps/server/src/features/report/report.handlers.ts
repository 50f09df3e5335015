import { type contract, Refusal } from '@pillar/contract'
import { firstOf } from '@pillar/domain/text/sentence'
import { callerOf, type HandlersOf, tenantTx } from '../../api/context.ts'
import { resolveLocations } from '../location/location.queries.ts'
import { makeReport } from './report.jobs.ts'
import { insertRequest, pharmacyContacts } from './report.queries.ts'
import { historyDays } from './request-days.ts'

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
      const days = historyDays({ from, to }, timeZone, now)
      const request = { locationId: id, companyId, ...days, askedBy: loginId, now }
      const request_id = await insertRequest(tx, request)
      if (request_id !== null) await services.queue.send(tx, makeReport, { request_id })
    }
    return { message: 'Report Successfully Generated.' }
  },
}

const named = (names: readonly string[]) => firstOf(names, 5)
