import { CATEGORY_KEYS, DEFAULT_UPTAKE, TRANCHE_KEYS } from '@pillar/domain/sixty-day/choices'
import { STATISTIC_KEYS } from '@pillar/domain/sixty-day/figure'
import { z } from 'zod'

const UPTAKE = 'Uptake is a number from 0 to 100.'

/** 'all', or the number of a stage, as text or as a number. */
export const tranche = z.union([z.literal(1).transform(() => '1' as const), z.enum(TRANCHE_KEYS)]).default('all')
/** As a percentage. */
export const uptake = z.number(UPTAKE).min(0, UPTAKE).max(100, UPTAKE).default(DEFAULT_UPTAKE)
/** Whether revenue lost is reduced by the supply support paid for 60-day scripts. */
export const netOfSupport = z.boolean().default(false)

/** What the table shows, and in what order. */
export const tableFields = {
  uptake_percentage: uptake,
  category: z.enum(CATEGORY_KEYS).default('atc_lvl2'),
  selected_statistic: z.enum(STATISTIC_KEYS).default('revenue_lost'),
  tranche,
  net_of_acss: netOfSupport,
  sort_direction: z.enum(['asc', 'desc']).default('desc'),
  /** 'name', 'state', 'postcode', or a column. Default: the column over all. */
  col: z.string().max(200).nullish(),
}

/** A number with its two sources: the two counts of a share, or the lost scripts behind lost revenue. Money in dollars, shares 0 to 1. */
export const Figure = z.object({
  value: z.number().nullable(),
  numerator: z.number().nullable(),
  denominator: z.number().nullable(),
})

const count = z.number()
/** The sums behind every figure: whole numbers, independent of uptake. Supplies in 30-day equivalents, money in cents. */
export const Sums = z.object({
  scripts: count,
  patients: count,
  visits: count,
  eligible_supplies: count,
  sixty_supplies: count,
  affected_scripts: count,
  affected_patients: count,
  female_patients: count,
  male_patients: count,
  affected_cents: count,
  affected_visits: count,
  script_pairs: count,
  visit_pairs: count,
  shortage_patients: count,
  shortage_scripts: count,
})

/** A result's assumptions, and the age of its data. */
export const Basis = z.object({
  /** First and last day counted; null before the first sums. */
  from: z.iso.date().nullable(),
  to: z.iso.date().nullable(),
  pharmacies: count,
  /** The number of pharmacies whose data does not cover the whole base. */
  incomplete: count,
  /** Oldest and newest last day of their data; null for the Guild, which sees closed months. */
  data_to_oldest: z.iso.date().nullable(),
  data_to: z.iso.date().nullable(),
  /** When the Guild's figures were published. */
  published_at: z.iso.datetime().nullable(),
  fee: z.object({
    dispensing: z.number(),
    handling: z.number(),
    support: z.number(),
    from: z.iso.date(),
    estimated: z.boolean(),
    source: z.string(),
  }),
  /** When the list of shortages was loaded; null without a list, which makes shortages unknown, not 0. */
  shortages_at: z.iso.datetime().nullable(),
})

/** The answer of the calls for 60-day headlines. */
export const Stats = z.object({
  pharmacies_count: count,
  revenue_lost: z.number().nullable(),
  affected_shortage_scripts: z.number().nullable(),
  affected_scripts: z.number().nullable(),
  total_affected_scripts_lost_percent: z.number().nullable(),
  affected_scripts_percent: z.number().nullable(),
  affected_patients_percent: z.number().nullable(),
  visits_lost_percent: z.number().nullable(),
  scripts_lost: z.number().nullable(),
  visits_lost: z.number().nullable(),
  /** 60-day supplies as a share of all supplies of eligible medicines. */
  sixty_day_share: Figure,
  /** The same across Australia, for one stage and month; null if the list has none. */
  national: z.object({ month: z.string(), tranche: z.number(), share: z.number(), source: z.string() }).nullable(),
  sums: Sums,
  basis: Basis,
  /** The molecules that lose most, and the loss of all others together. */
  drivers: z.array(
    z.object({ name: z.string(), revenue_lost: z.number(), scripts_lost: z.number(), affected_scripts: z.number() }),
  ),
  drivers_rest: z.object({ molecules: count, revenue_lost: z.number() }),
  /** Every statistic by place: states (postcode null) and postcodes. */
  areas: z.array(
    z.object({
      state: z.string(),
      postcode: z.string().nullable(),
      pharmacies: count,
      revenue_lost: z.number().nullable(),
      affected_scripts: z.number(),
      /** The place's values for every statistic the table can show. */
      values: z.record(z.enum(STATISTIC_KEYS), z.number().nullable()),
    }),
  ),
})

const Cell = Figure.extend({ name: z.string() })

/** A page of the table. */
export const Categories = z.object({
  data: z.array(
    z.object({
      /** Id of a pharmacy; null for a place. */
      uuid: z.uuid().nullable(),
      name: z.string(),
      state: z.string().nullable(),
      postcode: z.string().nullable(),
      pharmacies: count,
      /** Whether its data covers the whole base. */
      complete: z.boolean(),
      /** One for each column, in column order. A value is null if its share has a denominator of 0, or too few pharmacies stand behind it. */
      categories: z.array(Cell),
    }),
  ),
  /** The first is over all; the rest are ordered by loss. Each has the value over all rows: null for the Guild, which sees only rows. */
  columns: z.array(Cell),
  total: count,
  per_page: count,
  current_page: count,
  page_count: count,
})
