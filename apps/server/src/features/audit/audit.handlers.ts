import { type contract, Refusal } from '@pillar/contract'
import { AUDIT_FILE_ROWS } from '@pillar/contract/access/audit-admin'
import { everyCall } from '@pillar/contract/every-call'
import { formatDay } from '@pillar/domain/time/day'
import { recordAudit } from '../../api/audit.ts'
import { companyZone, todayOf } from '../../api/call/today.ts'
import { callerOf, type HandlersOf, staffTx, tenantTx } from '../../api/context.ts'
import { verifyChains } from './audit.jobs.ts'
import { auditLots, listActivity, listAudit } from './audit.queries.ts'
import { activityAnswer, auditAnswer, auditCsv } from './audit-answer.ts'
import { addCheck, checkStatus } from './check.queries.ts'
import { faultSentence } from './verify.ts'

/** Calls reserved for support. Support people may belong to the company they look at, if it runs Pillar itself. */
const SUPPORT_CALLS = everyCall.flatMap(({ name, call }) => (call.needs === 'sr_login' ? [name] : []))

export const auditHandlers: HandlersOf<typeof contract.audit> = {
  async search(input, context) {
    const { rows, ...page } = await listAudit(staffTx(context), input, companyZone(context))
    return { results: rows.map(auditAnswer), ...page }
  },

  async csv({ page: _, sort_field, sort_order, ...filter }, context) {
    const tx = staffTx(context)
    const lots = await auditLots(tx, filter, companyZone(context), AUDIT_FILE_ROWS)
    if (lots === null) {
      throw new Refusal(
        'invalid',
        'More than 50,000 rows match, which is too many for one file. Please choose fewer days or one company.',
      )
    }
    let rows = 0
    const counted = async function* () {
      for await (const lot of lots) {
        rows += lot.length
        yield lot
      }
    }
    const file = await context.spool(auditCsv(counted()))
    const asked = Object.fromEntries(Object.entries(filter).filter(([, value]) => value != null && value !== ''))
    const caller = { ...callerOf(context), companyId: null }
    await recordAudit(tx, { caller, action: 'audit.csv', object: null, detail: { rows, ...asked } })
    return { filename: `audit-${formatDay(todayOf(context))}.csv`, file }
  },

  async status(_input, context) {
    const { last, running_since } = await checkStatus(staffTx(context), context.services.now())
    return { last: last && { ...last, faults: last.faults.map(faultSentence) }, running_since }
  },

  async verify(_input, context) {
    const tx = staffTx(context)
    const uuid = await addCheck(tx, callerOf(context).loginId, context.services.now())
    await context.services.queue.send(tx, verifyChains, { check: uuid })
    return { uuid }
  },

  async activity(input, context) {
    const { rows, ...page } = await listActivity(tenantTx(context), input, companyZone(context), SUPPORT_CALLS)
    const product = context.services.env.PRODUCT_NAME
    return { results: rows.map((row) => activityAnswer(row, product)), ...page }
  },
}
