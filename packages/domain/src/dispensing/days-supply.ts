import { dailyUnits } from './directions.ts'

/** Source of a days' supply, best first. `ddd` is an estimate and shown as imputed. */
export const DAYS_BASES = ['source', 'directions', 'default', 'ddd', 'thirty'] as const
export type DaysBasis = (typeof DAYS_BASES)[number]

export const MIN_DAYS_SUPPLY = 1
export const MAX_DAYS_SUPPLY = 365
/** Days assumed when nothing else is known: a month's quantity on the PBS. */
export const ASSUMED_DAYS = 30
/** Days of a 60-day item if nothing else is known. */
export const SIXTY_DAYS = 60

export interface SupplyFacts {
  /** Days as the dispensing system recorded them. */
  readonly sourceDays?: number | null
  /** Units dispensed, such as tablets. */
  readonly units?: number | null
  readonly directions?: string | null
  /** Units in a pack. */
  readonly packSize?: number | null
  /** Days one pack lasts at the usual dose. */
  readonly defaultDays?: number | null
  /** Whether it was supplied as a 60-day-only item. */
  readonly sixtyDayItem?: boolean
  /** Strength of one unit and the defined daily dose, both in the same measure; no table of doses ships with Pillar. */
  readonly ddd?: { readonly strength: number; readonly dose: number } | null
}

export interface DaysSupply {
  readonly days: number
  readonly basis: DaysBasis
}

const known = (value: number | null | undefined): value is number =>
  value != null && Number.isFinite(value) && value > 0

/**
 * Days a supply lasts, by the first rule that has its facts: the source's own figure; units over the daily dose in the
 * directions; the drug's default days times packs (packs of 28 and 30 count as that many days when the drug says
 * nothing); 60 for a 60-day item; units times strength over the defined daily dose; 30. To the nearest day,
 * within 1..365.
 *
 * @reference
 */
export function daysSupply(facts: SupplyFacts): DaysSupply {
  const { sourceDays, units, directions, packSize, defaultDays, sixtyDayItem, ddd } = facts
  if (known(sourceDays)) return { days: clampDays(sourceDays), basis: 'source' }
  const daily = known(units) && directions ? dailyUnits(directions) : null
  if (known(units) && daily !== null) return { days: clampDays(units / daily), basis: 'directions' }
  const perPack = known(defaultDays) ? defaultDays : packSize === 28 || packSize === 30 ? packSize : null
  // The number of packs of a usual size is better evidence than the item.
  if (sixtyDayItem && !known(defaultDays) && (perPack === null || !known(units)))
    return { days: SIXTY_DAYS, basis: 'default' }
  if (perPack !== null) {
    // Multiplied first, because the quotient of 61 units and a pack of 14 is a hair low and 30.5 days would round down.
    const days = known(units) && known(packSize) ? (perPack * units) / packSize : perPack
    return { days: clampDays(days), basis: 'default' }
  }
  if (known(units) && ddd && known(ddd.strength) && known(ddd.dose)) {
    return { days: clampDays((units * ddd.strength) / ddd.dose), basis: 'ddd' }
  }
  return { days: ASSUMED_DAYS, basis: 'thirty' }
}

/** The nearest whole day within 1..365: always rounding down would leave a small gap after every supply. */
export function clampDays(days: number): number {
  return Math.min(MAX_DAYS_SUPPLY, Math.max(MIN_DAYS_SUPPLY, Math.round(days)))
}
