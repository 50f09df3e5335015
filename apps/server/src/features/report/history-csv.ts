import { whyTextForPharmacy } from '@pillar/domain/cohort/held-back'
import { sentByText, shownStatus, WIRE_STATUS } from '@pillar/domain/message/message-state'
import { safeCell } from '@pillar/domain/text/csv-safe'
import { type Country, moneyHead } from '@pillar/domain/time/locale'
import { csvText } from '../../api/answer/csv-text.ts'
import type { HistoryRow } from './report.queries.ts'

const headOf = (country: Country) => [
  ...['Date', 'Patient number', 'First name', 'Last name', 'Channel', 'Template', 'Sent by', 'Status', 'Reason'],
  ...['SMS parts', moneyHead(country, 'Cost'), 'Allowed by', 'Consent given', 'Consent wording'],
]

/** A pharmacy's message history as CSV, lot by lot in order. Texts that a spreadsheet would run as a formula are made harmless. */
export async function* historyCsv(
  lots: AsyncIterable<readonly HistoryRow[]>,
  country: Country,
): AsyncGenerator<string> {
  yield csvOf([headOf(country)])
  for await (const rows of lots) yield csvOf(rows.map(line))
}

const csvOf = (lines: (string | number)[][]) => csvText(lines, { record_delimiter: 'windows' })

function line(row: HistoryRow): (string | number)[] {
  return [
    row.at,
    safeCell(row.patient),
    safeCell(row.first_name),
    safeCell(row.last_name),
    row.channel === 'sms' ? 'SMS' : 'Email',
    safeCell(row.template),
    safeCell(sentByText(row.context, row.campaign)),
    shownStatus(WIRE_STATUS[row.state]),
    row.state === 'skipped' || row.state === 'failed' ? safeCell(whyTextForPharmacy(row.reason, row.channel)) : '',
    row.parts,
    (row.cents / 100).toFixed(2),
    row.rule ?? '',
    row.consent_at === null ? '' : `${row.consent_at}, ${row.consent_source}`,
    safeCell(row.consent_wording),
  ]
}
