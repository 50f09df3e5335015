import { safeCell } from '@pillar/domain/text/csv-safe'
import { plainDecimals } from '@pillar/domain/time/locale'
import { csvText } from '../../api/answer/csv-text.ts'
import type { SixtyDayRow } from './sixty-day.queries.ts'

const HEAD = [
  ...['Medicine', 'ATC code', 'Scripts in 12 months', 'Still at 30 days', 'Already 60 days', '60 day share'],
  ...['Patients', 'Patients still at 30 days'],
]

/** A pharmacy's 60 Day Dispensing Report as CSV: one line per medicine and a total; no names. */
export function sixtyDayCsv(rows: readonly SixtyDayRow[]): string {
  const sum = (key: 'scripts' | 'thirty' | 'sixty') => rows.reduce((total, row) => total + row[key], 0)
  const lines = rows.map((row) => [
    ...[safeCell(row.molecule), row.atc, row.scripts, row.thirty, row.sixty, share(row.sixty, row.scripts)],
    ...[row.patients, row.patients_thirty],
  ])
  // One person may take several medicines, so people do not add up.
  const scripts = sum('scripts')
  const total = ['TOTAL', '', scripts, sum('thirty'), sum('sixty'), share(sum('sixty'), scripts), '', '']
  return csvText([HEAD, ...lines, total], { record_delimiter: 'windows' })
}

/** '25.00%'; empty if nothing was supplied. */
const share = (part: number, whole: number) => (whole === 0 ? '' : `${plainDecimals((100 * part) / whole)}%`)
