import { type contract, Refusal } from '@pillar/contract'
import { REFERRAL_FILE_ROWS } from '@pillar/contract/trial/referral'
import { recordAudit } from '../../api/audit.ts'
import { type Context, callerOf, type HandlersOf, tenantTx } from '../../api/context.ts'
import { asRecruiter } from '../../db/scope.ts'
import { recruiterSeeing } from './own-recruiter.ts'
import { listReferrals, referralsForFile } from './referral.queries.ts'
import { referralAnswer, referralCsv } from './referral-answer.ts'
import { askedDays } from './referral-days.ts'
import { editReferral } from './referral-edit.ts'
import { history } from './referral-history.ts'
import { summary } from './referral-summary.ts'

const NOBODY = { rows: [], current_page: 1, page_count: 1, per_page: 20, total: 0 }

export const referralHandlers: HandlersOf<typeof contract.referral> = {
  async list({ start_date, end_date, ...input }, context) {
    const recruiter = await recruiterSeeing(context)
    const tx = tenantTx(context)
    const { rows, ...page } = recruiter
      ? await asRecruiter(tx, recruiter.id, () =>
          listReferrals(tx, askedDays(recruiter.id, { start_date, end_date }, context), input),
        )
      : NOBODY
    await noteLook(context, 'referral.list', { rows: rows.length, page: page.current_page })
    return { referrals: rows.map(referralAnswer), ...page }
  },

  async export({ start_date, end_date, ...input }, context) {
    const recruiter = await recruiterSeeing(context)
    const tx = tenantTx(context)
    const days = { start_date, end_date }
    const rows = recruiter
      ? await asRecruiter(tx, recruiter.id, () =>
          referralsForFile(tx, askedDays(recruiter.id, days, context), input, REFERRAL_FILE_ROWS),
        )
      : []
    if (rows.length > REFERRAL_FILE_ROWS) {
      throw new Refusal(
        'invalid',
        'More than 100,000 referrals match, which is too many for one file. Please choose fewer days.',
      )
    }
    await noteLook(context, 'referral.export', { rows: rows.length })
    const { from, to } = askedDays(0, days, context)
    const { PRODUCT_NAME, COUNTRY } = context.services.env
    const text = referralCsv(rows, PRODUCT_NAME, callerOf(context).country, COUNTRY)
    return { filename: `referrals-${from}-to-${to}.csv`, text }
  },

  summary,
  history,
  edit: editReferral,
}

// Does not keep the search term, which is usually a patient's name.
const noteLook = (context: Context, action: string, detail: Readonly<Record<string, number>>) =>
  recordAudit(tenantTx(context), { caller: callerOf(context), action, object: null, detail })
