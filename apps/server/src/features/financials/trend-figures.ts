import type { InputOf } from '@pillar/contract'
import type { trend, Unit } from '@pillar/contract/figure-trend'
import type { z } from 'zod'
import { type Asked, WORDS } from './explain-words.ts'
import type { TrendSums } from './trend.queries.ts'

export type Trended = InputOf<typeof trend>['figure']

/** How a figure is divided out of its sums. */
export interface TrendFigure {
  unit: z.output<typeof Unit>
  of: (sums: TrendSums) => number
  /** Null for a sum. */
  over: ((sums: TrendSums) => number) | null
  /** What a share rests on; null for what is no share. */
  n: ((sums: TrendSums) => number) | null
  /** Adds up over days, so that a running month is a rate per business day. */
  rated: boolean
  title: string
  formula: string
}

const named = (asked: Asked) => ({ title: WORDS[asked].title, formula: WORDS[asked].formula })
const sum = { over: null, n: null }
const measured = (sums: TrendSums) => sums.adherent + sums.non_adherent
const slots = (sums: TrendSums) => sums.here_slots + sums.leaked_slots

export const TREND_FIGURES: Readonly<Record<Trended, TrendFigure>> = {
  revenue: { ...sum, ...named('revenue'), unit: 'money', of: (sums) => sums.revenue_cents / 100, rated: true },
  scripts: { ...sum, ...named('scripts'), unit: 'count', of: (sums) => sums.scripts, rated: true },
  scripts_per_business_day: {
    title: 'Scripts per business day',
    formula: 'Scripts ÷ business days on which something was dispensed, added up over the pharmacies',
    ...{ unit: 'rate', of: (sums) => sums.scripts, over: (sums) => sums.business_days, n: null, rated: false },
  },
  patients: { ...sum, ...named('patients'), unit: 'count', of: (sums) => sums.patients, rated: false },
  adherent_share: {
    title: 'Adherent patients',
    formula: 'Patients covered on 80% or more of their days ÷ patients measured',
    ...{ unit: 'fraction', of: (sums) => sums.adherent, over: measured, n: measured, rated: false },
  },
  adherent_script_percent: {
    ...named('adherent_script_percent'),
    unit: 'fraction',
    of: (sums) => sums.adherent_scripts,
    over: (sums) => sums.measured_scripts,
    n: (sums) => sums.measured_pairs,
    rated: false,
  },
  loyalty: {
    ...named('loyalty_script_percent'),
    ...{ unit: 'fraction', of: (sums) => sums.here_slots, over: slots, n: slots, rated: false },
  },
}
