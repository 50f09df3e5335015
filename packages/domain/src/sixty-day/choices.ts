import type { Category } from '../dispensing/category.ts'

/** Share of affected supplies that would move to 60 days unless somebody says otherwise, in percent: the forecast of 2023. */
export const DEFAULT_UPTAKE = 63

/** Australian states in the order the filters list them. */
export const SIXTY_DAY_STATES = ['NSW', 'QLD', 'VIC', 'SA', 'WA', 'TAS', 'NT', 'ACT'] as const
export type SixtyDayState = (typeof SIXTY_DAY_STATES)[number]

/** Ways to split the table: the key on the wire, the label on screen, the category it is stored under, and its column over all. */
export const SIXTY_DAY_CATEGORIES = [
  { key: 'atc_lvl2', label: 'Condition', category: 'Condition', all: 'All conditions' },
  { key: 'age', label: 'Age Group', category: 'Age Group', all: 'All ages' },
  { key: 'mp_pt', label: 'Molecule', category: 'Molecule', all: 'All molecules' },
] as const satisfies readonly { key: string; label: string; category: Category; all: string }[]
export type SixtyDayCategory = (typeof SIXTY_DAY_CATEGORIES)[number]['key']
export const CATEGORY_KEYS = SIXTY_DAY_CATEGORIES.map(({ key }) => key) as [SixtyDayCategory, ...SixtyDayCategory[]]

/** Stages of the policy that can be looked at; `scope` is how sums of it are stored. */
export const TRANCHES = [
  { key: 'all', label: 'All Molecules', scope: 0 },
  { key: '1', label: 'Tranche 1', scope: 1 },
] as const
export type Tranche = (typeof TRANCHES)[number]['key']
export const TRANCHE_KEYS = TRANCHES.map(({ key }) => key) as [Tranche, ...Tranche[]]

/** The stored scope of a tranche: 0 for all. */
export const scopeOf = (tranche: Tranche): number => TRANCHES.find(({ key }) => key === tranche)!.scope

/** A supply of an eligible medicine that lasts longer than this many days was more than the 30-day quantity. */
export const THIRTY_DAY_MOST = 45

/** The pharmacies that a row for the Guild must stand for; fewer are never shown, nor what is left when others are taken away. */
export const GUILD_LEAST = 3
/** The largest part of such a row that may be one pharmacy's: whoever knows roughly how large it is would read its figure off the row. */
export const GUILD_MOST_SHARE = 0.5
