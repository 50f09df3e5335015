import { type contract, Refusal } from '@pillar/contract'
import { firstOf } from '@pillar/domain/text/sentence'
import { addMonths, formatDay } from '@pillar/domain/time/day'
import { dayIn } from '@pillar/domain/time/zone'
import { recordInLogs } from '../../api/audit.ts'
import { type Context, callerOf, type HandlersOf, staffTx } from '../../api/context.ts'
import type { Tx } from '../../db/database.ts'
import { makeReport } from './report.jobs.ts'
import { companyRecipient, insertRequest, type NewRequest } from './report.queries.ts'
import { findReportPharmacies, listRecipients, type ReportPharmacy } from './report-admin.queries.ts'
import { historyDays } from './request-days.ts'

type Days = Pick<NewRequest, 'from' | 'to' | 'kind'>
const DONE = { message: 'Report Successfully Generated.' }

export const reportAdminHandlers: HandlersOf<typeof contract.reportAdmin> = {
  async recipients({ id }, context) {
    const tx = staffTx(context)
    const [pharmacy] = await findReportPharmacies(tx, [id])
    return { recipients: await listRecipients(tx, pharmacy!) }
  },

  async messageHistory({ from, to, id, email }, context) {
    const found = await findReportPharmacies(staffTx(context), [id])
    const days = (place: ReportPharmacy) => historyDays({ from, to }, place.time_zone, context.services.now())
    await request(context, found, email, 'reportAdmin.messageHistory', (place) => ({ ...days(place), kind: 'history' }))
    return DONE
  },

  async doubleDispensing({ ids, email }, context) {
    const found = await findReportPharmacies(staffTx(context), ids)
    const abroad = found.filter(({ country }) => country !== 'AU').map(({ name }) => name)
    if (abroad.length > 0)
      throw new Refusal('invalid', `Please leave out pharmacies outside Australia: ${firstOf(abroad, 5)}.`)
    await request(context, found, email, 'reportAdmin.doubleDispensing', ({ time_zone }) => {
      const today = dayIn(time_zone, context.services.now())
      return { from: formatDay(addMonths(today, -12)), to: formatDay(today), kind: 'sixty_day' }
    })
    return DONE
  },
}

/** Queues a report of each pharmacy for one recipient, who must belong to the company of all, and records it in the log of each company. */
async function request(
  context: Context,
  pharmacies: readonly ReportPharmacy[],
  email: string,
  action: string,
  daysOf: (pharmacy: ReportPharmacy) => Days,
): Promise<void> {
  const tx = staffTx(context)
  const { services } = context
  const caller = callerOf(context)
  const companies = [...new Set(pharmacies.map(({ company_id }) => company_id))]
  await requireOwnAddress(tx, companies, email)
  for (const pharmacy of pharmacies) {
    const place = { locationId: pharmacy.id, companyId: pharmacy.company_id, askedBy: caller.loginId }
    const asked = { ...place, ...daysOf(pharmacy), now: services.now(), toEmail: email.trim() }
    const request_id = await insertRequest(tx, asked)
    if (request_id !== null) await services.queue.send(tx, makeReport, { request_id })
  }
  const logs = companies.map((companyId) => ({
    companyId,
    ids: pharmacies.filter(({ company_id }) => company_id === companyId).map(({ uuid }) => uuid),
  }))
  await recordInLogs(tx, caller, action, logs)
}

/** @throws Refusal invalid unless the address belongs to a person who can sign in at every company concerned */
async function requireOwnAddress(tx: Tx, companies: readonly number[], email: string): Promise<void> {
  for (const id of companies) {
    if (await companyRecipient(tx, id, email)) continue
    const words = 'Please choose somebody of the pharmacy’s own company. A report goes to nobody else.'
    throw new Refusal('invalid', words, { errors: { email: [words] } })
  }
}
