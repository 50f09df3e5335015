import type { contract } from '@pillar/contract'
import { type AnswerOf, type InputOf, Refusal } from '@pillar/contract'
import { TOTAL } from '@pillar/domain/dispensing/category'
import { performance } from '@pillar/domain/figure/baseline'
import { adherenceOf, type CellSums, loyaltyOf } from './cells.ts'
import type { TotalRow } from './financials.queries.ts'
import type { Selection } from './selection.ts'
import { HEADLINES, type Headline } from './stats.ts'
import type { CategoryTable } from './table.ts'

type Explanation = AnswerOf<typeof contract.financials.explain>
type Asked = InputOf<typeof contract.financials.explain>['number']
type Words = Pick<Explanation, 'title' | 'formula' | 'unit' | 'notes'> & { numerator: string; denominator?: string }

const WINDOW =
  'Adherence looks at the 365 days to the end of the period, or to the newest data. A pair is a patient and a medicine taken continuously.'
const MEASURED =
  'A pair is measured from 90 days after its first supply, with at least 2 supplies, while the patient has been supplied anything in 180 days. Facility patients are left out.'
const CHANGE =
  'The change compares with the same dates a year earlier, over pharmacies whose data reaches back that far.'

/** What each number means, in the words of docs/metrics.md. */
const WORDS: Record<Asked, Words> = {
  scripts: {
    title: 'Scripts',
    formula: 'Dispense lines, not reversed and not deferred',
    unit: 'count',
    numerator: 'Dispense lines',
    notes: ['A 60 day script counts once.', CHANGE],
  },
  patients: {
    title: 'Patients',
    formula: 'Different patients with at least one script in the period',
    unit: 'count',
    numerator: 'Patients',
    notes: ['Patients are counted a pharmacy: someone who visits two pharmacies counts at both.', CHANGE],
  },
  'patients.sex.male': {
    title: 'Male patients',
    formula: 'Patients of the period recorded as male',
    unit: 'count',
    numerator: 'Male patients',
    notes: ['Patients without a recorded sex are in the total only.', CHANGE],
  },
  'patients.sex.female': {
    title: 'Female patients',
    formula: 'Patients of the period recorded as female',
    unit: 'count',
    numerator: 'Female patients',
    notes: ['Patients without a recorded sex are in the total only.', CHANGE],
  },
  'patients.adherence': {
    title: 'Adherent patients',
    formula: 'Measured patients whose days covered ÷ days observed, over all their medicines, is at least 80%',
    unit: 'count',
    numerator: 'Adherent patients',
    notes: [WINDOW, MEASURED, CHANGE],
  },
  'patients.non_adherence': {
    title: 'Patients not adherent',
    formula: 'Measured patients whose days covered ÷ days observed, over all their medicines, is under 80%',
    unit: 'count',
    numerator: 'Patients not adherent',
    notes: [WINDOW, MEASURED, CHANGE],
  },
  total_adherence_opportunity_cost: {
    title: 'Adherence opportunity',
    formula: 'Days of the period not covered × the pair’s revenue per day supplied, over measured pairs',
    unit: 'money',
    numerator: 'Revenue of the days not covered',
    notes: ['Assumes every uncovered day had been supplied.', MEASURED, CHANGE],
  },
  revenue_value: {
    title: 'Revenue',
    formula: 'Patient price + government amount of the scripts',
    unit: 'money',
    numerator: 'Revenue',
    notes: ['Excluding GST.'],
  },
  script_count: {
    title: 'Scripts',
    formula: 'Dispense lines, not reversed and not deferred',
    unit: 'count',
    numerator: 'Dispense lines',
    notes: ['A 60 day script counts once.'],
  },
  adherent_script_percent: {
    title: 'Adherence',
    formula: 'Scripts of pairs covered at least 80% ÷ scripts of all measured pairs',
    unit: 'fraction',
    numerator: 'Scripts of pairs covered at least 80%',
    denominator: 'Scripts of measured pairs',
    notes: [WINDOW, MEASURED],
  },
  adherence_performance: {
    title: 'Adherence against the average',
    formula: 'Adherence ÷ the average’s adherence − 1',
    unit: 'fraction',
    numerator: 'Scripts of pairs covered at least 80%',
    denominator: 'Scripts of measured pairs',
    notes: ['Hidden under 10 measured pairs, and while fewer than 5 pharmacies make up the average.', WINDOW],
  },
  loyalty_script_percent: {
    title: 'Loyalty',
    formula: 'Repeats dispensed here ÷ (dispensed here + dispensed elsewhere)',
    unit: 'fraction',
    numerator: 'Dispensed here',
    denominator: 'Dispensed here or elsewhere',
    notes: [
      'A repeat went elsewhere when a later one of the same prescription was dispensed here.',
      'New prescriptions taken elsewhere leave no trace, so this is an upper bound.',
    ],
  },
  loyalty_performance: {
    title: 'Loyalty against the average',
    formula: 'Loyalty ÷ the average’s loyalty − 1',
    unit: 'fraction',
    numerator: 'Dispensed here',
    denominator: 'Dispensed here or elsewhere',
    notes: ['Hidden under 10 measured pairs, and while fewer than 5 pharmacies make up the average.'],
  },
}

export const isHeadline = (number: Asked): number is Headline => number in HEADLINES

interface Part {
  numerator: number
  denominator: number | null
  /** Measured pairs: a performance of fewer than 10 is not shown. */
  pairs: number
}

/** Assembles an explanation from the parts of each pharmacy; the whole is their sum. */
function assemble(
  number: Asked,
  selection: Selection,
  lateIds: ReadonlySet<number>,
  parts: Map<number, Part>,
  value: (part: Part) => number | null,
): Explanation {
  const words = WORDS[number]
  const whole = [...parts.values()].reduce<Part>(
    (sum, part) => ({
      numerator: sum.numerator + part.numerator,
      denominator: part.denominator === null ? sum.denominator : (sum.denominator ?? 0) + part.denominator,
      pairs: sum.pairs + part.pairs,
    }),
    { numerator: 0, denominator: null, pairs: 0 },
  )
  return {
    title: words.title,
    formula: words.formula,
    unit: words.unit,
    notes: words.notes,
    value: parts.size === 0 ? null : value(whole),
    numerator: { label: words.numerator, value: whole.numerator },
    denominator: words.denominator ? { label: words.denominator, value: whole.denominator ?? 0 } : null,
    period: selection.span,
    pharmacies: selection.pharmacies.map((pharmacy) => {
      const part = parts.get(pharmacy.id)
      return {
        pharmacy_id: pharmacy.uuid,
        pharmacy_name: pharmacy.name,
        data_to: pharmacy.data_to,
        late: lateIds.has(pharmacy.id),
        value: part ? value(part) : null,
        numerator: part?.numerator ?? 0,
        denominator: part?.denominator ?? null,
      }
    }),
  }
}

/** Explains a headline number: the same column of every pharmacy, added up. */
export function explainHeadline(
  number: Headline,
  selection: Selection,
  lateIds: ReadonlySet<number>,
  rows: readonly ({ location_id: number } & Pick<
    TotalRow,
    'scripts' | 'patients' | 'male' | 'female' | 'adherent' | 'non_adherent' | 'opportunity_cents'
  >)[],
): Explanation {
  const column = HEADLINES[number]
  const unit = column === 'opportunity_cents' ? 100 : 1
  const parts = new Map(
    rows.map((row) => [row.location_id, { numerator: row[column] / unit, denominator: null, pairs: 0 }]),
  )
  return assemble(number, selection, lateIds, parts, (part) => part.numerator)
}

/** Explains a cell of the category table. */
export function explainCell(
  number: Exclude<Asked, Headline>,
  selection: Selection,
  lateIds: ReadonlySet<number>,
  table: CategoryTable,
  column: string,
): Explanation {
  if (!table.columns.includes(column))
    throw new Refusal('invalid', `There is no subcategory "${column}" with figures in this period.`)
  const parts = new Map<number, Part>()
  for (const [id, cells] of table.byPharmacy) if (cells[column]) parts.set(id, partOf(number, cells[column]))
  const explained = assemble(number, selection, lateIds, parts, quotient(number, table.baseline?.[column] ?? null))
  const where = column === TOTAL ? '' : `, ${column}`
  return { ...explained, title: `${explained.title}${where}` }
}

function partOf(number: Exclude<Asked, Headline>, sums: CellSums): Part {
  const pairs = sums.measured_pairs
  if (number === 'revenue_value') return { numerator: sums.revenue_cents / 100, denominator: null, pairs }
  if (number === 'script_count') return { numerator: sums.script_count, denominator: null, pairs }
  if (number === 'adherent_script_percent' || number === 'adherence_performance') {
    return { numerator: sums.adherent_scripts, denominator: sums.measured_scripts, pairs }
  }
  return { numerator: sums.here_slots, denominator: sums.here_slots + sums.leaked_slots, pairs }
}

function quotient(number: Exclude<Asked, Headline>, baseline: CellSums | null): (part: Part) => number | null {
  const share = (part: Part) => (part.denominator ? part.numerator / part.denominator : null)
  if (number === 'revenue_value' || number === 'script_count') return (part) => part.numerator
  if (number === 'adherent_script_percent' || number === 'loyalty_script_percent') return share
  const average = baseline && (number === 'adherence_performance' ? adherenceOf(baseline) : loyaltyOf(baseline))
  return (part) => performance(share(part), average, part.pairs)
}
