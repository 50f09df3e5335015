import type { PatientType } from '@pillar/domain/dispensing/patient-type'
import { isoOf } from './calendar.ts'
import { directionsOf } from './medicine/directions.ts'
import { goodsCost, type Payment } from './medicine/payment.ts'
import { PRODUCTS } from './medicine/products.ts'
import type { Prescription, Therapy } from './medicine/therapy.ts'
import type { Patient } from './person/patients.ts'
import type { World } from './world.ts'

const moneyTexts: string[] = []

/** Cents as dollars with two decimals. Small amounts are cached: most rows share a few thousand of them. */
export function dollars(cents: number): string {
  if (cents >= 50_000) return (cents / 100).toFixed(2)
  moneyTexts[cents] ??= (cents / 100).toFixed(2)
  return moneyTexts[cents]
}

export type LineKind = 'supplied' | 'owing' | 'reversed' | 'deferred'

const FLAGS: Record<LineKind, string> = { supplied: '0,0,0', owing: '0,1,0', reversed: '0,0,1', deferred: '1,0,0' }

export interface Line {
  readonly id: number
  readonly day: number
  readonly supply: number
  readonly kind: LineKind
  readonly full: number
  /** The system records the days' supply on this line. */
  readonly recordsDays: boolean
  readonly hasDirections: boolean
}

/** Writes one dispense line in canonical column order. */
export function writeLine(
  world: World,
  patient: Patient,
  therapy: Therapy,
  rx: Prescription,
  line: Line,
  payment: Payment,
): void {
  const product = PRODUCTS[rx.product]
  if (!product) return
  const deferred = line.kind === 'deferred'
  const units = deferred ? 0 : product.medicine.packSize * rx.packs
  const left = deferred ? rx.repeats : rx.repeats + 1 - line.supply
  const supply = world.character.repeatsLeftOnly ? '' : line.supply
  const type: PatientType = payment.type
  const money = deferred
    ? '0.00,0.00,0.00'
    : `${dollars(payment.patient)},${dollars(payment.government)},${dollars(goodsCost(line.full, line.day))}`
  const texts = directionsOf(therapy.medicine, therapy.dose)
  const directions = line.hasDirections ? texts[therapy.directions % texts.length] : ''
  const days = line.recordsDays && !deferred ? rx.days : ''
  const row = `${line.id},${isoOf(line.day)},${patient.index + 1},${rx.prescriber + 1},${product.id},${rx.id},${units},${supply},${rx.repeats},${left},${type},${FLAGS[line.kind]},${money},${directions},${days}\n`
  world.text.scripts += world.faults ? broken(world, row) : row
  world.rows.scripts++
  world.usedProducts[rx.product] = 1
  world.usedPrescribers[rx.prescriber] = 1
  rx.written = true
}

// As in an incomplete export: about one row in thirty cannot be read.
function broken(world: World, row: string): string {
  const chance = world.faults?.next() ?? 1
  const cells = row.trimEnd().split(',')
  if (chance < 0.012) cells[1] = `31/02/${cells[1]?.slice(0, 4)}`
  else if (chance < 0.022) cells[2] = ''
  else if (chance < 0.034) cells[6] = 'N/A'
  return `${cells.join(',')}\n`
}

/** Writes a prescription as the pharmacy knows it on the last day of the range. */
export function writePrescription(world: World, patient: Patient, rx: Prescription): void {
  const product = PRODUCTS[rx.product]
  const ceased = rx.ceasedOn <= world.to ? isoOf(rx.ceasedOn) : ''
  world.text.prescriptions += `${rx.id},${patient.index + 1},${rx.prescriber + 1},${product?.id},${isoOf(rx.prescribedOn)},${rx.repeats},${rx.authority},${rx.outside ? 1 : 0},${rx.originalPharmacy},${ceased}\n`
  world.rows.prescriptions++
  world.usedProducts[rx.product] = 1
  world.usedPrescribers[rx.prescriber] = 1
}
