/** The unit of a figure: money in currency, a fraction 0..1; a rate is a count with decimals. */
export const FIGURE_UNITS = ['count', 'money', 'fraction', 'rate'] as const
export type FigureUnit = (typeof FIGURE_UNITS)[number]

/** The name of a figure, and how it is calculated. */
export interface FigureWords {
  readonly title: string
  readonly formula: string
  readonly unit: FigureUnit
  /** What is counted, or divided. */
  readonly numerator: string
  /** What it is divided by; a sum has none. */
  readonly denominator?: string
  /** The noun after a share's number of observations ('34 patients'); only shares of observations have it, and an interval. */
  readonly counted?: string
  readonly notes: readonly string[]
  /** Set if it adds up over days, so that a running period is compared as a rate per business day. */
  readonly daily?: true
}

const WINDOW =
  'Adherence looks at the 365 days to the end of the period, or to the newest data. We measure each patient on each ongoing medicine.'
const MEASURED =
  'Measuring starts 90 days after a medicine’s first supply and needs supplies on at least 2 different days of those 365. Patients with no supply of anything for 180 days, and facility patients, are left out.'
const SURE =
  'The range holds the true share 19 times in 20. Fewer than 10 are too few to tell; fewer than 30 are not compared.'
const ELSEWHERE =
  'When a repeat was dispensed elsewhere, its date is estimated and its days count as covered. Here they do not.'
const EACH = 'Someone known at two pharmacies counts once in the total, and at each of the two.'
const COST = 'Only scripts whose cost was sent count. Excluding GST, VAT or sales tax.'
const REPEATS = 'Known where the prescription says how many repeats it has, and until it expires after 12 months.'
const DAYS = 'Over scripts of medicines taken continuously.'

/** The figures of a pharmacy as a whole, in display order. Rules: docs/metrics.md. */
export const FIGURES = {
  revenue: {
    title: 'Revenue',
    formula: 'Patient price + government amount of the scripts',
    unit: 'money',
    numerator: 'Revenue',
    notes: ['Excluding GST, VAT or sales tax. Refunds are taken off.'],
    daily: true,
  },
  gross_profit: {
    title: 'Gross profit',
    formula: 'Revenue − cost, of scripts whose cost is known',
    unit: 'money',
    numerator: 'Revenue less cost',
    notes: [COST, 'Refunds with a cost are taken off.'],
    daily: true,
  },
  costed_share: {
    title: 'Scripts with a known cost',
    formula: 'Scripts whose cost was sent ÷ scripts',
    unit: 'fraction',
    numerator: 'Scripts whose cost was sent',
    denominator: 'Scripts dispensed',
    notes: ['Gross profit holds these scripts alone.'],
  },
  scripts: {
    title: 'Scripts',
    formula: 'Scripts dispensed, without reversed and deferred ones',
    unit: 'count',
    numerator: 'Scripts dispensed',
    notes: ['A 60 day script counts once.'],
    daily: true,
  },
  scripts_per_business_day: {
    title: 'Scripts per business day',
    formula: 'Scripts ÷ business days on which something was dispensed, added up over the pharmacies',
    unit: 'rate',
    numerator: 'Scripts dispensed',
    denominator: 'Business days',
    notes: ['Monday to Friday without public holidays. Scripts of weekends and holidays count too.'],
  },
  patients: {
    title: 'Patients',
    formula: 'Different patients with at least one script in the period',
    unit: 'count',
    numerator: 'Patients',
    notes: [EACH],
  },
  new_patients: {
    title: 'New patients',
    formula: 'Patients of the period who were never here before, in at least 365 days of data',
    unit: 'count',
    numerator: 'New patients',
    notes: ['New, returning, retained and unplaced patients add up to patients.', EACH],
  },
  returning_patients: {
    title: 'Returning patients',
    formula: 'Patients of the period whose visit before was more than 180 days ago',
    unit: 'count',
    numerator: 'Returning patients',
    notes: ['Judged at the first visit of the period.', EACH],
  },
  retained_patients: {
    title: 'Retained patients',
    formula: 'Patients of the period who were here in the 180 days before',
    unit: 'count',
    numerator: 'Retained patients',
    notes: ['Judged at the first visit of the period.', EACH],
  },
  unplaced_patients: {
    title: 'Patients neither new nor known',
    formula: 'Patients of the period seen for the first time within the first 365 days of data',
    unit: 'count',
    numerator: 'Unplaced patients',
    notes: ['The data do not go back far enough to tell whether they are new.'],
  },
  lapsed_patients: {
    title: 'Lapsed patients',
    formula: 'Patients whose 180th day without a visit lies in the period',
    unit: 'count',
    numerator: 'Lapsed patients',
    notes: ['Patients who have died are left out.', EACH],
  },
  molecules_per_patient: {
    title: 'Medicines per patient',
    formula: 'Different medicines of each patient, added up ÷ patients',
    unit: 'rate',
    numerator: 'Medicines of patients',
    denominator: 'Patients',
    notes: ['Medicines are told apart by their active ingredients.'],
  },
  adherent_share: {
    title: 'Share of patients adherent',
    formula: 'Patients covered on 80% or more of their days, over all their medicines ÷ patients measured',
    unit: 'fraction',
    numerator: 'Adherent patients',
    denominator: 'Patients measured',
    counted: 'patients',
    notes: [SURE, WINDOW, MEASURED],
  },
  adherent_share_here: {
    title: 'Share of patients adherent, without supplies made elsewhere',
    formula: 'The same, counting only what was supplied here',
    unit: 'fraction',
    numerator: 'Adherent patients',
    denominator: 'Patients measured',
    counted: 'patients',
    notes: [ELSEWHERE, SURE, WINDOW],
  },
  adherent_script_percent: {
    title: 'Share of scripts from adherent patients',
    formula: 'Scripts from patients covered 80% or more on the medicine ÷ scripts from all measured patients',
    unit: 'fraction',
    numerator: 'Scripts from patients covered 80% or more',
    denominator: 'Scripts from measured patients',
    counted: 'measured',
    notes: [SURE, WINDOW, MEASURED],
  },
  adherent_script_percent_here: {
    title: 'Share of scripts from adherent patients, without supplies made elsewhere',
    formula: 'The same, counting only what was supplied here',
    unit: 'fraction',
    numerator: 'Scripts from patients covered 80% or more',
    denominator: 'Scripts from measured patients',
    counted: 'measured',
    notes: [ELSEWHERE, SURE, WINDOW],
  },
  lapsed_pairs: {
    title: 'Lapsed medicines',
    formula: 'Medicines of patients measured within the last two years and not supplied for one',
    unit: 'count',
    numerator: 'Lapsed medicines',
    notes: ['Adherence leaves them out. Not after a death, a switch to another medicine, or a cessation.'],
  },
  lapsed_pair_patients: {
    title: 'Patients with a lapsed medicine',
    formula: 'Patients with at least one medicine measured within the last two years and not supplied for one',
    unit: 'count',
    numerator: 'Patients with a lapsed medicine',
    notes: ['Adherence leaves these medicines out.', EACH],
  },
  loyalty: {
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
      'A repeat dispensed elsewhere is known once a later one is dispensed here, so the newest two months read too high.',
    ],
  },
  repeats_due: {
    title: 'Repeats due in the next 30 days',
    formula: 'Repeats whose supply before runs out within 30 days of the period’s end, or did in the 14 days to it',
    unit: 'count',
    numerator: 'Repeats due',
    notes: [REPEATS],
  },
  repeats_missed: {
    title: 'Repeats missed',
    formula: 'Repeats due in the period, at least 14 days late at its end',
    unit: 'count',
    numerator: 'Repeats missed',
    notes: [REPEATS, 'They may have been dispensed elsewhere.'],
  },
  sixty_day_share: {
    title: 'Share of eligible scripts for 60 days',
    formula: 'Scripts for 60 days ÷ scripts of medicines that may be dispensed for 60 days',
    unit: 'fraction',
    numerator: 'Scripts for 60 days',
    denominator: 'Eligible scripts',
    counted: 'scripts',
    notes: [SURE],
  },
  owing_scripts: {
    title: 'Owing scripts',
    formula: 'Scripts supplied before their prescription arrived',
    unit: 'count',
    numerator: 'Owing scripts',
    notes: ['They count as scripts.'],
    daily: true,
  },
  deferred_scripts: {
    title: 'Deferred scripts',
    formula: 'Scripts handed in and kept for later',
    unit: 'count',
    numerator: 'Deferred scripts',
    notes: ['They count in no other figure.'],
    daily: true,
  },
  source_share: {
    title: 'Days’ supply as sent',
    formula: 'Days of scripts whose days’ supply was sent ÷ all days supplied',
    unit: 'fraction',
    numerator: 'Days as sent',
    denominator: 'Days supplied',
    notes: [DAYS],
  },
  directions_share: {
    title: 'Days’ supply from directions',
    formula: 'Days calculated from units and directions ÷ all days supplied',
    unit: 'fraction',
    numerator: 'Days from directions',
    denominator: 'Days supplied',
    notes: [DAYS],
  },
  pack_share: {
    title: 'Days’ supply from packs',
    formula: 'Days calculated from packs ÷ all days supplied',
    unit: 'fraction',
    numerator: 'Days from packs',
    denominator: 'Days supplied',
    notes: [DAYS],
  },
  imputed_share: {
    title: 'Days’ supply assumed',
    formula: 'Days of scripts taken to last 30 days, because nothing is known ÷ all days supplied',
    unit: 'fraction',
    numerator: 'Days assumed',
    denominator: 'Days supplied',
    notes: [DAYS, 'Adherence rests on days’ supply: the larger this share, the rougher it is.'],
  },
} as const satisfies Readonly<Record<string, FigureWords>>

export type FigureKey = keyof typeof FIGURES
export const FIGURE_KEYS = Object.keys(FIGURES) as [FigureKey, ...FigureKey[]]
