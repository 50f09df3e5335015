import type { AnswerOf, contract, InputOf } from '@pillar/contract'

type Explanation = AnswerOf<typeof contract.financials.explain>
/** The numbers that can be asked about. */
export type Asked = InputOf<typeof contract.financials.explain>['number']
interface Words extends Pick<Explanation, 'title' | 'formula' | 'unit' | 'notes'> {
  numerator: string
  denominator?: string
  /** What a share rests on, after its number: '34 measured'. */
  counted?: string
}

const WINDOW =
  'Adherence looks at the 365 days to the end of the period, or to the newest data. We measure each patient on each ongoing medicine.'
const MEASURED =
  'Measuring starts 90 days after a medicine’s first supply and needs supplies on at least 2 different days of those 365. Patients with no supply of anything for 180 days, and facility patients, are left out.'
const CHANGE =
  'The change compares with the same dates a year earlier, over pharmacies with data on 9 business days in 10 both times.'

const HIDDEN = 'Hidden when fewer than 10 are measured, or while the average is hidden.'
const SURE =
  'The range holds the true share 19 times in 20. Fewer than 10 are too few to tell; fewer than 30 are not compared.'

/** What each number means, in the words of docs/metrics.md. */
export const WORDS: Readonly<Record<Asked, Words>> = {
  revenue: {
    title: 'Revenue',
    formula: 'Patient price + government amount of the scripts',
    unit: 'money',
    numerator: 'Revenue',
    notes: ['Excluding GST. Refunds are taken off.', CHANGE],
  },
  scripts: {
    title: 'Scripts',
    formula: 'Scripts dispensed, without reversed and deferred ones',
    unit: 'count',
    numerator: 'Scripts dispensed',
    notes: ['A 60 day script counts once.', CHANGE],
  },
  patients: {
    title: 'Patients',
    formula: 'Different patients with at least one script in the period',
    unit: 'count',
    numerator: 'Patients',
    notes: ['Someone who visits two pharmacies is counted at each.', CHANGE],
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
    formula: 'Measured patients covered on 80% or more of their days, over all their medicines',
    unit: 'count',
    numerator: 'Adherent patients',
    counted: 'patients',
    notes: [SURE, WINDOW, MEASURED, CHANGE],
  },
  'patients.non_adherence': {
    title: 'Patients not adherent',
    formula: 'Measured patients covered on less than 80% of their days, over all their medicines',
    unit: 'count',
    numerator: 'Patients not adherent',
    counted: 'patients',
    notes: [SURE, WINDOW, MEASURED, CHANGE],
  },
  total_adherence_opportunity_cost: {
    title: 'Adherence opportunity',
    formula: 'Uncovered days × revenue per day supplied, for each patient on each ongoing medicine',
    unit: 'money',
    numerator: 'Revenue missed on uncovered days',
    notes: ['Assumes every uncovered day could have been supplied.', MEASURED, CHANGE],
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
    formula: 'Scripts dispensed, without reversed and deferred ones',
    unit: 'count',
    numerator: 'Scripts dispensed',
    notes: ['A 60 day script counts once.'],
  },
  adherent_script_percent: {
    title: 'Adherence',
    formula: 'Scripts from patients covered 80% or more ÷ scripts from all measured patients',
    unit: 'fraction',
    numerator: 'Scripts from patients covered 80% or more',
    denominator: 'Scripts from measured patients',
    counted: 'measured',
    notes: [SURE, WINDOW, MEASURED],
  },
  adherence_performance: {
    title: 'Adherence compared with the average',
    formula: 'Adherence ÷ the average’s adherence − 1',
    unit: 'fraction',
    numerator: 'Scripts from patients covered 80% or more',
    denominator: 'Scripts from measured patients',
    counted: 'measured',
    notes: [HIDDEN, SURE, WINDOW],
  },
  loyalty_script_percent: {
    title: 'Loyalty',
    formula: 'Scripts dispensed here ÷ (dispensed here + repeats dispensed elsewhere)',
    unit: 'fraction',
    numerator: 'Dispensed here',
    denominator: 'Dispensed here or elsewhere',
    counted: 'scripts',
    notes: [
      SURE,
      'A missing repeat counts as dispensed elsewhere when a later one of the same prescription was dispensed here.',
      'New prescriptions taken elsewhere leave no trace, so this is an upper bound.',
    ],
  },
  loyalty_performance: {
    title: 'Loyalty compared with the average',
    formula: 'Loyalty ÷ the average’s loyalty − 1',
    unit: 'fraction',
    numerator: 'Dispensed here',
    denominator: 'Dispensed here or elsewhere',
    counted: 'scripts',
    notes: [HIDDEN, SURE],
  },
}
