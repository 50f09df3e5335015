import { capital } from '@pillar/domain/text/sentence'
import { MEDICINES, type Medicine } from './medicines.ts'

/** One line of a pharmacy's drug file: a strength of a medicine, in its usual or its 60-day listing. */
export interface Product {
  readonly id: number
  readonly medicine: Medicine
  readonly strength: string
  readonly sixtyDay: boolean
  /** Its brand name; null for a generic. */
  readonly brand: string | null
  /** Price factor of the strength relative to the medicine's mean. */
  readonly priceFactor: number
}

/**
 * An invented supplier's brands: the share of a medicine's patients who take them when the simulated years begin, and its change every
 * later year.
 */
const BRANDS: Readonly<Record<string, { name: string; share: number; yearly: number }>> = {
  rosuvastatin: { name: 'Cardaxa', share: 0.22, yearly: 0.05 },
  atorvastatin: { name: 'Torvaxa', share: 0.26, yearly: -0.03 },
  telmisartan: { name: 'Velosar', share: 0.3, yearly: 0.02 },
  perindopril: { name: 'Perivance', share: 0.2, yearly: 0.03 },
}

/** The brands of the demo world, which belong to its supplier. */
export const DEMO_BRANDS: readonly string[] = Object.values(BRANDS).map((brand) => brand.name)

/** Whether a person's prescription is filled with a medicine's brand. `taste` (0..1) stays the same for life; brands win and lose people. */
export function takesBrand(medicine: Medicine, taste: number, years: number): boolean {
  const brand = BRANDS[medicine.molecule]
  return brand !== undefined && taste < brand.share + brand.yearly * years
}

/** Whether a medicine has a brand at all. */
export const hasBrand = (medicine: Medicine): boolean => BRANDS[medicine.molecule] !== undefined

const STRENGTH_PRICE = [1, 1.08, 0.92, 1.16]

function idOf(medicine: Medicine, strength: number, sixtyDay: boolean, branded: boolean): number {
  return (branded ? 20_000 : 10_000) + medicine.index * 10 + strength * 2 + (sixtyDay ? 1 : 0)
}

/** Every product of the demo world; scripts refer to it by its position. */
export const PRODUCTS: readonly Product[] = MEDICINES.flatMap((medicine) =>
  medicine.strengths.flatMap((strength, i) =>
    [false, true]
      .filter((sixtyDay) => !sixtyDay || medicine.pbsCode60 !== '')
      .flatMap((sixtyDay) =>
        [null, BRANDS[medicine.molecule]?.name ?? null]
          .filter((brand, at) => at === 0 || brand !== null)
          .map((brand) => ({
            id: idOf(medicine, i, sixtyDay, brand !== null),
            medicine,
            strength,
            sixtyDay,
            brand,
            priceFactor: STRENGTH_PRICE[i] ?? 1,
          })),
      ),
  ),
)

const position = new Map(PRODUCTS.map((product, i) => [product.id, i]))

/** Position in PRODUCTS of a strength of a medicine. The 60-day listing, and the brand, must exist if requested. */
export function productOf(medicine: Medicine, strength: number, sixtyDay: boolean, branded = false): number {
  const found = position.get(idOf(medicine, strength, sixtyDay, branded))
  if (found === undefined) throw new Error(`No such product: ${medicine.molecule}`)
  return found
}

/** Drug row in canonical column order. Every ninth medicine leaves `chronic` empty, as some systems do. */
export function drugRow(product: Product): string {
  const { medicine, strength, sixtyDay, brand } = product
  const name = `${brand ?? capital(medicine.molecule)} ${strength} ${medicine.form}`
  const pack = sixtyDay ? `(2 x ${medicine.packSize})` : `(${medicine.packSize})`
  const pbs = strength === medicine.strengths[0] ? (sixtyDay ? medicine.pbsCode60 : medicine.pbsCode) : ''
  const chronic = medicine.index % 9 === 8 ? '' : medicine.chronic ? '1' : '0'
  return `${product.id},${pbs},${name} ${pack},${medicine.molecule},${strength},${medicine.form},${medicine.packSize},${medicine.atc},${medicine.schedule},${chronic},${medicine.defaultDays}\n`
}
