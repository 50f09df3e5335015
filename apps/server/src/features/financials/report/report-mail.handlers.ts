import { type contract, Refusal } from '@pillar/contract'
import { REPORT_DAY } from '@pillar/domain/report/report-mail'
import { noteChange } from '../../../api/audit.ts'
import { callerOf, type HandlersOf, tenantTx } from '../../../api/context.ts'
import { resolveLocations } from '../../location/location.queries.ts'
import {
  deleteReportMail,
  insertReportMail,
  listMails,
  listReaders,
  lockMailRule,
  mailRule,
  resumeMails,
  saveRule,
  stopMails,
} from './report-mail.queries.ts'

const MEANWHILE =
  'Somebody else changed the day in the meantime. Nothing was saved. Please open it again and make your change.'

export const reportMailHandlers: HandlersOf<typeof contract.reportMail> = {
  async list(_input, context) {
    const tx = tenantTx(context)
    const { loginId } = callerOf(context)
    const [rule, readers, mails] = [await mailRule(tx), await listReaders(tx), await listMails(tx)]
    return {
      business_day: rule?.business_day ?? REPORT_DAY.usual,
      version: rule?.version ?? 0,
      readers: readers.map(({ login_id, uuid, ...reader }) => ({ id: uuid, ...reader, is_me: login_id === loginId })),
      mails: mails.map(({ login_id, uuid, ...mail }) => ({ id: uuid, ...mail, is_me: login_id === loginId })),
      stopped: readers.some(({ login_id, stopped }) => login_id === loginId && stopped),
    }
  },

  async add({ reader_id, pharmacy_id }, context) {
    const tx = tenantTx(context)
    const { companyId, loginId } = callerOf(context)
    const reader = (await listReaders(tx)).find(({ uuid }) => uuid === reader_id.toLowerCase())
    if (!reader) throw new Refusal('not_found', 'That person was not found.')
    const [locationId = null] = pharmacy_id === null ? [] : await resolveLocations(tx, [pharmacy_id])
    context.about.name = reader.name
    if (reader.stopped) {
      const self = reader.login_id === loginId
      const words = self ? 'You have stopped monthly reports.' : `${reader.name} has stopped monthly reports.`
      throw new Refusal(
        'conflict',
        `${words} They can be switched on again in the account menu, by ${self ? 'you' : 'them'} alone.`,
      )
    }
    const made = { companyId, loginId: reader.login_id, locationId, addedBy: loginId, now: context.services.now() }
    return { id: await insertReportMail(tx, made) }
  },

  async remove({ id }, context) {
    const tx = tenantTx(context)
    const gone = await deleteReportMail(tx, id)
    if (!gone) throw new Refusal('not_found', 'That monthly report was not found.')
    context.about.name = (await listReaders(tx)).find(({ login_id }) => login_id === gone.login_id)?.name ?? null
    return { removed: true }
  },

  async saveDay({ business_day, version }, context) {
    const tx = tenantTx(context)
    const { companyId, loginId } = callerOf(context)
    const before = await lockMailRule(tx)
    if (version != null && version !== (before?.version ?? 0)) throw new Refusal('conflict', MEANWHILE)
    noteChange(context, null, { business_day: before?.business_day ?? REPORT_DAY.usual }, { business_day })
    const rule = { companyId, businessDay: business_day, setBy: loginId, now: context.services.now() }
    return { version: await saveRule(tx, rule) }
  },

  async stop(_input, context) {
    const { companyId, loginId } = callerOf(context)
    await stopMails(tenantTx(context), { companyId, loginId, now: context.services.now() })
    return { stopped: true }
  },

  async resume(_input, context) {
    await resumeMails(tenantTx(context), callerOf(context).loginId)
    return { stopped: false }
  },
}
