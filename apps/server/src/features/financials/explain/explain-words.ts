import type { contract, InputOf } from '@pillar/contract'
import { FIGURES, type FigureWords } from '@pillar/domain/figure/figure-list'

/** The numbers a user can ask to have explained. */
export type Asked = InputOf<typeof contract.financials.explain>['number']

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
export const WORDS: Readonly<Record<Asked, FigureWords>> = {
  ...FIGURES,
  revenue: { ...FIGURES.revenue, notes: [...FIGURES.revenue.notes, CHANGE] },
  scripts: { ...FIGURES.scripts, notes: [...FIGURES.scripts.notes, CHANGE] },
  patients: { ...FIGURES.patients, notes: [...FIGURES.patients.notes, CHANGE] },
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
    notes: ['Excluding GST, VAT or sales tax.'],
  },
  script_count: {
    title: 'Scripts',
    formula: 'Scripts dispensed, without reversed and deferred ones',
    unit: 'count',
    numerator: 'Scripts dispensed',
    notes: ['A 60 day script counts once.'],
  },
  adherence_performance: {
    title: 'Share of scripts from adherent patients, compared with the average',
    formula: 'Share of scripts from adherent patients ÷ the average’s share − 1',
    unit: 'fraction',
    numerator: 'Scripts from patients covered 80% or more',
    denominator: 'Scripts from measured patients',
    counted: 'measured',
    notes: [HIDDEN, SURE, WINDOW],
  },
  loyalty_script_percent: FIGURES.loyalty,
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
