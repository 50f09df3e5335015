import type { Category } from '../dispensing/category.ts'

/** Default share of affected supplies that would move to 60 days, in percent: the forecast of 2023. */
export const DEFAULT_UPTAKE = 63

/** Australian states in the order the filters list them. */
export const SIXTY_DAY_STATES = ['NSW', 'QLD', 'VIC', 'SA', 'WA', 'TAS', 'NT', 'ACT'] as const
export type SixtyDayState = (typeof SIXTY_DAY_STATES)[number]

/** Ways to split the table: the key on the wire, the label on screen, the stored category, and its column over all. */
export const SIXTY_DAY_CATEGORIES = [
  { key: 'atc_lvl2', label: 'Condition', category: 'Condition', all: 'All conditions' },
  { key: 'age', label: 'Age Group', category: 'Age Group', all: 'All ages' },
  { key: 'mp_pt', label: 'Molecule', category: 'Molecule', all: 'All molecules' },
] as const satisfies readonly { key: string; label: string; category: Category; all: string }[]
export type SixtyDayCategory = (typeof SIXTY_DAY_CATEGORIES)[number]['key']
export const CATEGORY_KEYS = SIXTY_DAY_CATEGORIES.map(({ key }) => key) as [SixtyDayCategory, ...SixtyDayCategory[]]

/** Stages of the policy to choose from; `scope` is the value under which their sums are stored. */
export const TRANCHES = [
  { key: 'all', label: 'All Molecules', scope: 0 },
  { key: '1', label: 'Tranche 1', scope: 1 },
] as const
export type Tranche = (typeof TRANCHES)[number]['key']
export const TRANCHE_KEYS = TRANCHES.map(({ key }) => key) as [Tranche, ...Tranche[]]

/** The stored scope of a tranche: 0 for all. */
export const scopeOf = (tranche: Tranche): number => TRANCHES.find(({ key }) => key === tranche)!.scope

/** A supply of an eligible medicine that lasts longer than this many days exceeded the 30-day quantity. */
export const THIRTY_DAY_MOST = 45

/** The fewest pharmacies behind a row for the Guild. Rows with fewer are never shown, nor is a remainder of fewer after subtracting others. */
export const GUILD_LEAST = 3
/** The largest part of such a row that one pharmacy may have; from a larger one, a reader who knows its rough size could read off its figure. */
export const GUILD_MOST_SHARE = 0.5
