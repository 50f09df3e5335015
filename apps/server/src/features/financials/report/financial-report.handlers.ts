import type { contract } from '@pillar/contract'
import { formatDate, LOCALES } from '@pillar/domain/time/locale'
import type { PeriodChoice } from '@pillar/domain/time/period'
import { recordAudit } from '../../../api/audit.ts'
import { todayOf } from '../../../api/call/today.ts'
import { type Context, callerOf, type HandlersOf, tenantTx } from '../../../api/context.ts'
import { resolveLocations } from '../../location/location.queries.ts'
import { financialsHandlers } from '../financials.handlers.ts'
import { listPharmacies } from '../financials.queries.ts'
import { tableAnswer } from '../table-answer.ts'
import { targetsAnswer } from '../target/target-answer.ts'
import { companyName, readerName } from './financial-report.queries.ts'
import { REPORT_CATEGORY, type ReportParts, reportContent } from './report-content.ts'

export const financialReportHandlers: HandlersOf<typeof contract.financialReport> = {
  async pdf({ pharmacy_id, ...choice }, context) {
    const tx = tenantTx(context)
    const { country, loginId, username } = callerOf(context)
    const parts = await readReport(context, pharmacy_id, choice)
    const { PRODUCT_NAME: product } = context.services.env
    const content = reportContent(parts)
    // The library is large, so it is loaded for the first report.
    const { reportPdf } = await import('./report-pdf.ts')
    const bytes = await reportPdf(content, {
      product,
      made: `Made ${formatDate(country, todayOf(context))} by ${(await readerName(tx, loginId)) ?? username}`,
      language: LOCALES[country].locale,
      now: context.services.now(),
    })
    await recordAudit(tx, {
      caller: callerOf(context),
      action: 'financialReport.pdf',
      object: pharmacy_id,
      name: parts.pharmacy,
      detail: { period: parts.stats.period.key },
    })
    return { filename: `${content.subject} ${parts.stats.period.key}.pdf`, base64: bytes.toString('base64') }
  },
}

/** The data of the report on the company (null) or a pharmacy: the answers of the screen's own calls. */
export async function readReport(
  context: Context,
  pharmacyId: string | null,
  choice: PeriodChoice,
): Promise<ReportParts> {
  const tx = tenantTx(context)
  const { country } = callerOf(context)
  const id = pharmacyId === null ? null : (await resolveLocations(tx, [pharmacyId]))[0]!
  const pharmacies = await listPharmacies(tx, id === null ? undefined : [id])
  const ids = pharmacies.map(({ uuid }) => uuid)
  const asked = { pharmacy_ids: ids, ...choice }
  return {
    country,
    company: await companyName(tx),
    pharmacy: id === null ? null : pharmacies[0]!.name,
    stats: await financialsHandlers.stats(asked as Parameters<typeof financialsHandlers.stats>[0], context),
    table: await tableAnswer({ category: REPORT_CATEGORY, pharmacies: ids, ...choice }, context),
    targets: await targetsAnswer(tx, { country, today: todayOf(context) }, choice, id ?? 'company'),
  }
}
