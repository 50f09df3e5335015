import { MEDICINES, type Medicine } from './medicines.ts'

/** One line of a pharmacy's drug file: a strength of a medicine, in its usual or its 60-day listing. */
export interface Product {
  readonly id: number
  readonly medicine: Medicine
  readonly strength: string
  readonly sixtyDay: boolean
  /** Price factor of the strength against the medicine's mean. */
  readonly priceFactor: number
}

const STRENGTH_PRICE = [1, 1.08, 0.92, 1.16]

/** Every product of the demo world; the position is the number scripts refer to. */
export const PRODUCTS: readonly Product[] = MEDICINES.flatMap((medicine) =>
  medicine.strengths.flatMap((strength, i) =>
    [false, true]
      .filter((sixtyDay) => !sixtyDay || medicine.pbsCode60 !== '')
      .map((sixtyDay) => ({
        id: 10_000 + medicine.index * 10 + i * 2 + (sixtyDay ? 1 : 0),
        medicine,
        strength,
        sixtyDay,
        priceFactor: STRENGTH_PRICE[i] ?? 1,
      })),
  ),
)

const position = new Map(PRODUCTS.map((product, i) => [product.id, i]))

/** Position in PRODUCTS of a strength of a medicine. The 60-day listing must exist when asked for. */
export function productOf(medicine: Medicine, strength: number, sixtyDay: boolean): number {
  const found = position.get(10_000 + medicine.index * 10 + strength * 2 + (sixtyDay ? 1 : 0))
  if (found === undefined) throw new Error(`No such product: ${medicine.molecule}`)
  return found
}

/** Drug row in canonical column order. Every ninth medicine leaves `chronic` empty, as some systems do. */
export function drugRow(product: Product): string {
  const { medicine, strength, sixtyDay } = product
  const name = `${medicine.molecule.charAt(0).toUpperCase()}${medicine.molecule.slice(1)} ${strength} ${medicine.form}`
  const pack = sixtyDay ? `(2 x ${medicine.packSize})` : `(${medicine.packSize})`
  const pbs = strength === medicine.strengths[0] ? (sixtyDay ? medicine.pbsCode60 : medicine.pbsCode) : ''
  const chronic = medicine.index % 9 === 8 ? '' : medicine.chronic ? '1' : '0'
  return `${product.id},${pbs},${name} ${pack},${medicine.molecule},${strength},${medicine.form},${medicine.packSize},${medicine.atc},${medicine.schedule},${chronic},${medicine.defaultDays}\n`
}
