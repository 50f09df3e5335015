import type { CohortForecast } from '@pillar/contract/campaign/cohort'
import { HELD_REASONS, type HeldReason } from '@pillar/domain/cohort/held-back'
import { safeCell } from '@pillar/domain/text/csv-safe'
import { type Day, formatDay } from '@pillar/domain/time/day'
import { type Country, moneyHead } from '@pillar/domain/time/locale'
import { csvText } from '../../api/answer/csv-text.ts'

type Side = Pick<CohortForecast, 'selected' | 'will_receive' | 'held_back' | 'reasons' | 'messages' | 'parts' | 'cents'>

/** The held-back ledger as a table: one line per pharmacy and the total, one column per reason that holds anybody back. No names. */
export function forecastCsv(ledger: CohortForecast, today: Day, country: Country): { filename: string; text: string } {
  const shown = HELD_REASONS.filter((reason) => ledger.reasons.some((one) => one.reason === reason))
  const words = (reason: HeldReason) => ledger.reasons.find((one) => one.reason === reason)!.text
  const line = (name: string, dataTo: string | null, side: Side) => [
    safeCell(name),
    dataTo ?? '',
    side.selected,
    side.will_receive,
    side.held_back,
    ...shown.map((reason) => side.reasons.find((one) => one.reason === reason)?.count ?? 0),
    side.messages,
    side.parts,
    (side.cents / 100).toFixed(2),
  ]
  const head = [
    'Pharmacy',
    'Data to',
    'Selected',
    'Will receive',
    'Held back',
    ...shown.map(words),
    'Messages',
    'SMS parts',
    moneyHead(country, 'Cost'),
  ]
  const rows = [
    head,
    line('TOTAL', null, ledger),
    ...ledger.pharmacies.map((one) => line(one.pharmacy_name, one.data_to, one)),
  ]
  return { filename: `cohort_${formatDay(today)}.csv`, text: csvText(rows) }
}
