/** What is stored of a pharmacy, or a group of them, in one cell: whole numbers that add up across pharmacies, and no uptake in them. */
export const SIXTY_DAY_SUMS = [
  'scripts',
  'patients',
  'visits',
  'eligible_supplies',
  'sixty_supplies',
  'affected_scripts',
  'affected_patients',
  'female_patients',
  'male_patients',
  'affected_cents',
  'affected_visits',
  'script_pairs',
  'visit_pairs',
  'shortage_patients',
  'shortage_scripts',
] as const
export type SixtyDaySum = (typeof SIXTY_DAY_SUMS)[number]
export type SixtyDaySums = Record<SixtyDaySum, number>

/** The statistics the table can show, with the format and the inputs of each. */
export const SIXTY_DAY_STATISTICS = [
  { key: 'affected_patients', label: 'Affected patients', unit: 'count' },
  { key: 'affected_patients_percent', label: 'Affected patients, share', unit: 'percent' },
  { key: 'male_patients_percent', label: 'Affected patients who are male', unit: 'percent' },
  { key: 'female_patients_percent', label: 'Affected patients who are female', unit: 'percent' },
  { key: 'affected_scripts', label: 'Affected scripts', unit: 'count' },
  { key: 'affected_scripts_percent', label: 'Affected scripts, share', unit: 'percent' },
  { key: 'affected_revenue', label: 'Affected revenue', unit: 'money' },
  { key: 'affected_visits', label: 'Affected visits', unit: 'count' },
  { key: 'scripts_lost', label: 'Scripts lost', unit: 'count' },
  { key: 'lost_affected_scripts_percent', label: 'Affected scripts lost, share', unit: 'percent' },
  { key: 'revenue_lost', label: 'Revenue lost', unit: 'money' },
  { key: 'visits_lost', label: 'Visits lost', unit: 'count' },
  { key: 'shortage_patients', label: 'Affected patients in a shortage', unit: 'count' },
  { key: 'shortage_scripts', label: 'Affected scripts in a shortage', unit: 'count' },
] as const satisfies readonly { key: string; label: string; unit: 'count' | 'percent' | 'money' }[]
export type SixtyDayStatistic = (typeof SIXTY_DAY_STATISTICS)[number]['key']
export const STATISTIC_KEYS = SIXTY_DAY_STATISTICS.map(({ key }) => key) as [SixtyDayStatistic, ...SixtyDayStatistic[]]

/** The assumptions of a result. */
export interface Terms {
  /** 0 to 1. */
  readonly uptake: number
  /** Earnings of a script that is no longer dispensed: dispensing fee and Tier 1 handling, in cents, at the end of the base. */
  readonly feeCents: number
  /** Whether a list of medicines in shortage is loaded; without one, shortages are unknown, not 0. */
  readonly shortages: boolean
}

/**
 * A number with its two sources: the two counts of a share, or the lost scripts behind lost revenue. Money in dollars and cents, shares 0 to 1,
 * counts with their fractions.
 */
export interface Figure {
  readonly value: number | null
  readonly numerator: number | null
  /** Null unless it is a share. */
  readonly denominator: number | null
}

const UNKNOWN: Figure = { value: null, numerator: null, denominator: null }
const plain = (value: number): Figure => ({ value, numerator: value, denominator: null })
const share = (part: number, whole: number): Figure => ({
  value: whole === 0 ? null : part / whole,
  numerator: part,
  denominator: whole,
})

/**
 * Half of all supplies beyond the first, as floor(n / 2) for every patient and medicine, at an uptake. Rounded to millionths, because binary
 * fractions add noise.
 */
const lost = (pairs: number, { uptake }: Terms) => Math.round(uptake * pairs * 1e6) / 1e6

/**
 * Any statistic of pooled sums (docs/metrics.md, 60 day dispensing). Sums first, then one division: a share of several pharmacies is never an
 * average of shares. A share with a denominator of 0 is null, and so is a shortage figure while no list of shortages is loaded.
 */
export function figureOf(statistic: SixtyDayStatistic, sums: SixtyDaySums, terms: Terms): Figure {
  switch (statistic) {
    case 'affected_patients':
    case 'affected_scripts':
    case 'affected_visits':
      return plain(sums[statistic])
    case 'affected_patients_percent':
      return share(sums.affected_patients, sums.patients)
    case 'male_patients_percent':
      return share(sums.male_patients, sums.male_patients + sums.female_patients)
    case 'female_patients_percent':
      return share(sums.female_patients, sums.male_patients + sums.female_patients)
    case 'affected_scripts_percent':
      return share(sums.affected_scripts, sums.scripts)
    case 'affected_revenue':
      return plain(sums.affected_cents / 100)
    case 'scripts_lost':
      return plain(lost(sums.script_pairs, terms))
    case 'lost_affected_scripts_percent':
      return share(lost(sums.script_pairs, terms), sums.affected_scripts)
    case 'revenue_lost': {
      const scripts = lost(sums.script_pairs, terms)
      // Rounded as cents: as dollars, 10.5 scripts at $13.79 are a hair under $144.795.
      return { value: Math.round(scripts * terms.feeCents) / 100, numerator: scripts, denominator: null }
    }
    case 'visits_lost':
      return plain(lost(sums.visit_pairs, terms))
    case 'shortage_patients':
    case 'shortage_scripts':
      return terms.shortages ? plain(sums[statistic]) : UNKNOWN
  }
}

const OF_STATISTIC: Readonly<Record<SixtyDayStatistic, readonly SixtyDaySum[]>> = {
  affected_patients: ['affected_patients'],
  affected_patients_percent: ['affected_patients', 'patients'],
  male_patients_percent: ['male_patients', 'female_patients'],
  female_patients_percent: ['male_patients', 'female_patients'],
  affected_scripts: ['affected_scripts'],
  affected_scripts_percent: ['affected_scripts', 'scripts'],
  affected_revenue: ['affected_cents'],
  affected_visits: ['affected_visits'],
  scripts_lost: ['script_pairs'],
  lost_affected_scripts_percent: ['script_pairs', 'affected_scripts'],
  revenue_lost: ['script_pairs'],
  visits_lost: ['visit_pairs'],
  shortage_patients: ['shortage_patients'],
  shortage_scripts: ['shortage_scripts'],
}

/** The sums from which these statistics are calculated, each once: the only ones that need to be read. */
export const sumsFor = (...statistics: readonly SixtyDayStatistic[]): SixtyDaySum[] => [
  ...new Set(statistics.flatMap((statistic) => OF_STATISTIC[statistic])),
]

/** Share of all visits that would no longer take place. */
export const visitsLostPercent = (sums: SixtyDaySums, terms: Terms): Figure =>
  share(lost(sums.visit_pairs, terms), sums.visits)

/** 60-day supplies as a share of all supplies of eligible medicines. */
export const sixtyDayShare = (sums: Pick<SixtyDaySums, 'sixty_supplies' | 'eligible_supplies'>): Figure =>
  share(sums.sixty_supplies, sums.eligible_supplies)

const NOTHING = Object.fromEntries(SIXTY_DAY_SUMS.map((name) => [name, 0])) as unknown as SixtyDaySums

/** Sums that are all 0. */
export const noSums = (): SixtyDaySums => ({ ...NOTHING })

/** The sums of several groups, added up. */
export function pooled(rows: readonly SixtyDaySums[]): SixtyDaySums {
  const total = noSums()
  for (const row of rows) for (const name of SIXTY_DAY_SUMS) total[name] += row[name]
  return total
}
