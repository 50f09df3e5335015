import type { PatientType } from '@pillar/domain/dispensing/patient-type'
import { dayOf } from '../calendar.ts'

/** The PBS's charges and payments by date, in cents. Sources: pbs.gov.au fees page, Services Australia safety-net tables. */
interface Tariff {
  readonly from: number
  readonly general: number
  readonly concession: number
  readonly generalThreshold: number
  readonly concessionThreshold: number
}

const cents = (dollars: number): number => Math.round(dollars * 100)

const TARIFFS: readonly Tariff[] = (
  [
    ['2020-01-01', 41.0, 6.6, 1486.8, 316.8],
    ['2022-01-01', 42.5, 6.8, 1542.1, 326.4],
    ['2022-07-01', 42.5, 6.8, 1457.1, 244.8],
    ['2023-01-01', 30.0, 7.3, 1563.5, 262.8],
    ['2024-01-01', 31.6, 7.7, 1647.9, 277.2],
    ['2025-01-01', 31.6, 7.7, 1694.0, 277.2],
    ['2026-01-01', 25.0, 7.7, 1748.2, 277.2],
  ] as const
).map(([from, general, concession, generalThreshold, concessionThreshold]) => ({
  from: dayOf(from),
  general: cents(general),
  concession: cents(concession),
  generalThreshold: cents(generalThreshold),
  concessionThreshold: cents(concessionThreshold),
}))

// Dispensing fee and tier-one handling fee together. The years before July 2021 and after June 2026 use the nearest known value.
const FEES: readonly (readonly [from: number, fee: number])[] = (
  [
    ['2020-01-01', 12.08],
    ['2022-07-01', 12.14],
    ['2023-07-01', 12.99],
    ['2024-07-01', 13.46],
    ['2025-07-01', 13.79],
  ] as const
).map(([from, fee]) => [dayOf(from), cents(fee)])

const BASE_FEE = 1379

function lastBefore<T>(rows: readonly T[], day: number, from: (row: T) => number): T {
  let found = rows[0] as T
  for (const row of rows) if (from(row) <= day) found = row
  return found
}

let tariffDay = Number.NaN
let tariffNow: Tariff = TARIFFS[0] as Tariff
let feeNow = BASE_FEE

// Consecutive supplies mostly share a day, so the last look-up is kept.
function look(day: number): void {
  if (day === tariffDay) return
  tariffNow = lastBefore(TARIFFS, day, (row) => row.from)
  feeNow = lastBefore(FEES, day, (row) => row[0])[1]
  tariffDay = day
}

/** Full price of a supply in cents. `packs` is 2 for a 60-day supply or a doubled dose: one fee, twice the goods. */
export function fullPrice(price: number, packs: number, day: number): number {
  look(day)
  const goods = Math.max(150, price - BASE_FEE)
  return feeNow + Math.round(goods * packs)
}

/** The pharmacy's cost for the goods: the price without fees and without the wholesaler-to-pharmacy margin. */
export function goodsCost(full: number, day: number): number {
  look(day)
  return Math.max(90, Math.round((full - feeNow) * 0.91))
}

/** Payments towards the safety net in one calendar year, in cents; shared within a household. */
export interface SafetyNet {
  year: number
  paid: number
}

export interface Payment {
  type: PatientType
  patient: number
  government: number
}

/**
 * Splits a full price between patient and government and counts the patient's part towards the safety net. `discount` is the pharmacy's
 * reduction of a price below the general co-payment (a factor).
 */
export function pay(
  out: Payment,
  type: PatientType,
  full: number,
  day: number,
  net: SafetyNet,
  discount: number,
): void {
  look(day)
  const t = tariffNow
  out.type = type
  if (type === 'Private') {
    out.patient = Math.round(full * 1.12)
    out.government = 0
    return
  }
  const general = type === 'General'
  const reached = net.paid >= (general ? t.generalThreshold : t.concessionThreshold)
  const share = reached ? (general ? t.concession : 0) : general ? t.general : t.concession
  if (reached && (general || type === 'Concession')) out.type = 'Safety Net'
  if (full <= share) {
    out.patient = general ? Math.round(full * discount) : full
    out.government = 0
  } else {
    out.patient = share
    out.government = full - share
  }
  net.paid += out.patient
}
