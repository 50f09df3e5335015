import { Refusal } from '@pillar/contract'
import { TOTAL } from '@pillar/domain/dispensing/category'
import { performance } from '@pillar/domain/figure/baseline'
import { type CellSums, money, shareOf } from '../cells.ts'
import type { OnlyFigure } from '../figure-parts.ts'
import type { PharmacyRow } from '../financials.queries.ts'
import { begunLate, type Selection } from '../selection.ts'
import type { Headline } from '../stats.ts'
import type { CategoryTable } from '../table.ts'
import {
  assemble,
  type Comparison,
  type Explanation,
  type Judged,
  type Part,
  type Subject,
  wholeOf,
} from './explain.ts'
import { type Asked, WORDS } from './explain-words.ts'

/** Numbers of a cell of the category table. */
type CellNumber = Exclude<Asked, Headline | OnlyFigure>

/**
 * Explains a cell of the category table; for a share, also the product average it is compared with.
 * @param people how many are shared by several of the pharmacies
 */
export function explainCell(
  subject: Subject<CellNumber>,
  table: CategoryTable,
  column: string,
  people: number,
): Explanation {
  const { number, selection } = subject
  if (!table.columns.includes(column))
    throw new Refusal('invalid', `There is no subcategory "${column}" with figures in this period.`)
  const parts = new Map<number, Part>()
  for (const [id, cells] of table.byPharmacy) if (cells[column]) parts.set(id, partOf(number, cells[column]))
  const where = column === TOTAL ? '' : `, ${column}`
  const title = `${WORDS[number].title}${where}`
  if (number === 'revenue_value' || number === 'script_count') {
    const plain = ({ numerator: value }: Part): Judged => ({ value, share: null })
    return { ...assemble(subject, parts, plain), title }
  }
  const sums = table.once.all[column]
  const once = { people, part: sums ? partOf(number, sums) : null }
  const begun = begunLate(selection)
  const average = averageOf(number, table, column)
  const alone = begun.size === selection.pharmacies.length
  const distance = number === 'adherence_performance' || number === 'loyalty_performance'
  const judge = (part: Part, pharmacy: PharmacyRow | null): Judged => {
    const share = shareOf(part.numerator, part.denominator ?? 0, part.n)
    if (!distance) return { value: share.value, share }
    const compared = pharmacy ? !begun.has(pharmacy.id) : !alone
    return { value: compared ? performance(share.value, average, part.pairs) : null, share }
  }
  const explained = assemble(subject, parts, judge, once)
  const own = explained.share?.value ?? null
  const value = alone ? null : performance(own, average, wholeOf(parts, once.part).pairs)
  return { ...explained, title, comparison: heldAgainst(table, selection, { own, average, value, alone }) }
}

interface Against {
  own: number | null
  average: number | null
  value: number | null
  /** The data of every pharmacy begins within the period. */
  alone: boolean
}

/** The product average a share is compared with: its value, dates and number of pharmacies. */
function heldAgainst(table: CategoryTable, { span }: Selection, { own, average, value, alone }: Against): Comparison {
  const why =
    average === null
      ? (table.average.reason ??
        'The average of this subcategory is hidden: too few pharmacies, or one company too large.')
      : alone
        ? 'The data begins within the period, so it is compared with nothing.'
        : 'Too few are measured to compare.'
  return {
    kind: 'average',
    label: 'Average',
    from: table.average.from ?? span.from,
    to: table.average.to ?? span.to,
    pharmacies: table.average.pharmacies,
    now: own,
    previous: average,
    value,
    reason: value === null ? why : null,
  }
}

const isAdherence = (number: Asked) => number === 'adherent_script_percent' || number === 'adherence_performance'

function averageOf(number: Asked, table: CategoryTable, column: string): number | null {
  const cell = table.baseline?.[column]
  return (isAdherence(number) ? cell?.adherent_script_percent : cell?.loyalty_script_percent) ?? null
}

function partOf(number: CellNumber, sums: CellSums): Part {
  const pairs = sums.measured_pairs
  if (number === 'revenue_value') return { numerator: money(sums.revenue_cents), denominator: null, n: 0, pairs }
  if (number === 'script_count') return { numerator: sums.script_count, denominator: null, n: 0, pairs }
  if (isAdherence(number)) {
    return { numerator: sums.adherent_scripts, denominator: sums.measured_scripts, n: pairs, pairs }
  }
  const slots = sums.here_slots + sums.leaked_slots
  return { numerator: sums.here_slots, denominator: slots, n: slots, pairs }
}
