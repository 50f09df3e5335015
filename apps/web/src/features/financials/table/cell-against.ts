import { TOTAL } from '@pillar/domain/dispensing/category'
import { type Against, type CellText, cellText, type Missing, NO_LAST_YEAR } from '@pillar/domain/figure/cell-text'
import { isShare, type Statistic } from '@pillar/domain/figure/format'
import type { Country } from '@pillar/domain/time/locale'
import type { PharmacyRow, PinnedRow, TableReply } from './table-model.ts'

/** The comparisons an answer's cells can have: the product's average, and last year for any of its pharmacies. */
export interface Held {
  readonly average: boolean
  readonly change: boolean
  readonly baseline: TableReply['baseline']
  /** Why there is no average at all. */
  readonly noAverage: string
  /** How many pharmacies are compared with last year; the totals' changes cover these. */
  readonly compared: number
}

/** The comparisons an answer's cells can have. */
export function heldOf(reply: TableReply): Held {
  const compared = reply.pharmacies.filter(({ changes }) => Object.keys(changes).length > 0).length
  return {
    average: reply.baseline !== null,
    change: compared > 0,
    baseline: reply.baseline,
    noAverage: reply.baseline_reason ?? '',
    compared,
  }
}

const BEGUN = 'its data begins within the period'
const INCOMPLETE = 'its data is not complete in both years'

/** Whether a pharmacy's row has no comparison with last year although other rows do; then the row says so. */
export function rowWithoutLastYear(row: PharmacyRow, held: Held): string {
  if (!held.change || row.begins_before_data || row.cells[TOTAL] === undefined) return ''
  return Object.keys(row.changes).length === 0 ? NO_LAST_YEAR : ''
}

/** A cell's comparisons or, if it has none, the reason, and where that reason is already shown. */
function againstOf(held: Held, row: PharmacyRow | PinnedRow, field: string, statistic: Statistic): Against {
  const change = row.changes[field]
  if ('kind' in row) {
    const noAverage = row.kind === 'baseline' ? null : whyNoAverage(held, field, statistic, false)
    const nothing = row.kind === 'baseline' ? noAverageHere(held) : nothingHere(statistic)
    const noChange = row.kind === 'total' ? whyNoChange(held, statistic, change !== undefined) : null
    return { change, noChange, noAverage, nothing }
  }
  const whole = Object.keys(row.changes).length > 0
  return {
    change,
    noChange:
      whole || !held.change
        ? whyNoChange(held, statistic, change !== undefined)
        : { why: row.begins_before_data ? BEGUN : INCOMPLETE, known: true },
    noAverage: whyNoAverage(held, field, statistic, row.begins_before_data),
    nothing: nothingHere(statistic, row.cells[field] === undefined),
  }
}

const nothingHere = (statistic: Statistic, empty = true) =>
  !empty && statistic === 'Adherence' ? 'Nobody is measured here' : 'No scripts here in this period'

const noAverageHere = (held: Held) => (held.average ? 'Hidden: based on too few pharmacies' : held.noAverage)

function whyNoChange(held: Held, statistic: Statistic, known: boolean): Missing {
  if (!held.change) return { why: 'no pharmacy here has complete data in both years', known: true }
  if (isShare(statistic)) return { why: 'too few were measured a year earlier', known: false }
  return { why: known ? 'there was nothing a year earlier' : 'there was nothing in either year', known: false }
}

function whyNoAverage(held: Held, field: string, statistic: Statistic, begun: boolean): Missing {
  if (!held.average) return { why: held.noAverage, known: true }
  if (begun) return { why: BEGUN, known: false }
  const average = held.baseline?.[field]
  const share = statistic === 'Loyalty' ? average?.loyalty_script_percent : average?.adherent_script_percent
  if (share == null)
    return { why: 'the average is hidden here, because it is based on too few pharmacies', known: false }
  return { why: 'too few patients are measured here', known: false }
}

/** A table cell with all its text. The totals' change names the number of pharmacies it covers. */
export function cellOf(
  country: Country,
  statistic: Statistic,
  row: PharmacyRow | PinnedRow,
  field: string,
  held: Held,
): CellText {
  const text = cellText(country, statistic, row.cells[field], againstOf(held, row, field, statistic))
  if (!('kind' in row) || row.kind !== 'total' || !text.change) return text
  const over = held.compared === 1 ? 'the 1 pharmacy' : `the ${held.compared} pharmacies`
  return { ...text, words: `${text.words} The change is over ${over} with complete data in both years.` }
}
