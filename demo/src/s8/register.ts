import { dayOf } from '../calendar.ts'
import { readData } from '../data-files.ts'
import type { DemoNetwork, DemoPharmacy } from '../network.ts'
import { givenName, streetAddress, surname } from '../person/names.ts'
import { MAIN_COMPANY } from '../person/people.ts'
import { pick, type Random, randomFrom } from '../random.ts'
import { type Book, openBook, write } from './book.ts'

/** Products in the registers; `weight` says how often one is supplied. */
const PRODUCTS = readData('s8_products.csv').map((row, index) => ({
  id: `S8-${String(index + 1).padStart(3, '0')}`,
  name: row.name ?? '',
  brand: row.brand ?? '',
  unit: row.unit ?? '',
  pack: Number(row.pack),
  weight: Number(row.weight),
  otp: row.otp ?? '0',
  cannabis: row.cannabis ?? '0',
  custom: row.custom ?? '0',
}))
type Product = (typeof PRODUCTS)[number]

/** Registers begin this many days before the network's last. */
const DAYS = 100
const WHOLESALERS = ['Meridian Wholesale', 'Southern Cross Supply']
/** Honest mistakes, by the pharmacy's place in the network. */
const MISTAKES = { count: 2, countersign: 4, late: 6, silent: 8, contradiction: 10 } as const
/** The pharmacy whose register has not arrived for some days. */
export const SILENT = MISTAKES.silent
/**
 * Where an entry was sent twice, with different quantities.
 *
 * @internal
 */
export const CONTRADICTED = MISTAKES.contradiction
/** Where an insider changes an entry after it was loaded. */
export const TAMPERED = 12

/** Whether a pharmacy of the network keeps a register of Schedule 8 medicines. */
export const keepsRegister = ({ company, behaviour }: DemoPharmacy) => company === MAIN_COMPANY && behaviour !== 'never'

interface Place {
  pharmacy: DemoPharmacy
  book: Book
  people: string[]
  patients: { id: string; name: string; address: string }[]
  products: readonly Product[]
}

/**
 * The three files of a pharmacy's register for the requested days: s8_products, s8_transactions, s8_status. The whole register is generated
 * each time, so that numbers and balances continue; equal arguments give equal bytes.
 */
export function registerFiles(
  network: DemoNetwork,
  pharmacy: DemoPharmacy,
  range: { from: string; to: string },
): Record<'s8_products' | 's8_transactions' | 's8_status', string> {
  const random = randomFrom(network.seed, 80, pharmacy.index)
  const place = openPlace(random, pharmacy)
  const start = dayOf(network.to) - DAYS
  const silent = pharmacy.index === MISTAKES.silent ? dayOf(network.to) - 11 : Number.POSITIVE_INFINITY
  for (let day = start; day <= Math.min(dayOf(range.to), silent); day++) writeDay(network, place, day, start)
  const products = place.products.map((one) =>
    [one.id, one.name, one.brand, one.unit, one.otp, one.cannabis, one.custom, '0'].join(','),
  )
  const counts = randomFrom(network.seed, 82, pharmacy.index, dayOf(range.to))
  const status = [
    `${range.to}T19:30`,
    counts.int(4),
    counts.int(3),
    2 + (pharmacy.index % 5),
    counts.int(3),
    counts.int(5),
  ]
  return {
    s8_products: ['product_id,name,brand,unit,otp,cannabis,custom,inactive', ...products, ''].join('\n'),
    s8_transactions: place.book.text(range.from, range.to),
    s8_status: `taken_at,incoming_scripts,incoming_invoices,active_odt_patients,pending_odt_claims,active_ss_patients\n${status.join(',')}\n`,
  }
}

function openPlace(random: Random, pharmacy: DemoPharmacy): Place {
  const person = (from: number) => `${givenName(random, random.next() < 0.5, from)} ${surname(random)}`
  const people = Array.from({ length: 4 }, () => person(1985))
  const patients = Array.from({ length: 40 }, (_, at) => ({
    id: `S8P-${at + 1}`,
    name: person(1955),
    address: `${streetAddress(random)} ${pharmacy.town} ${pharmacy.postcode}`,
  }))
  // Not every pharmacy stocks everything.
  const products = PRODUCTS.filter(
    ({ weight, otp }) =>
      weight > 20 || (otp === '1' && pharmacy.index % 3 === 0) || (otp === '0' && random.next() < 0.6),
  )
  return { pharmacy, book: openBook(), people, patients, products }
}

/** 0 on a Sunday. */
const weekdayOf = (day: number) => (day + 4) % 7

function writeDay(network: DemoNetwork, place: Place, day: number, start: number): void {
  const { pharmacy, book, people, products } = place
  const random = randomFrom(network.seed, 81, pharmacy.index, day)
  const weekday = weekdayOf(day)
  const signer = people[day % 3] ?? ''
  const on = { day, random, signer }
  if (day === start)
    for (const product of products)
      write(book, on, {
        product: product.id,
        type: 'opening',
        in: product.pack * (3 + random.int(6)),
        note: 'From the paper register',
      })
  if (weekday === 0) return
  const last = dayOf(network.to)
  for (const [at, product] of products.entries()) {
    if (product.otp === '1') for (let dose = 0; dose < 3; dose++) giveDose(place, on, product, dose)
    if (random.next() < Math.min(0.5, product.weight / 160)) supply(place, on, product)
    if (book.balance(product.id) < product.pack * 2)
      write(book, on, {
        product: product.id,
        type: 'receipt',
        in: product.pack * 4,
        name: pick(random, WHOLESALERS),
        reference: `INV${day}${at}`,
      })
    // Four groups are counted in turn, one a week.
    const due = weekday === 1 && Math.floor(day / 7) % 4 === at % 4
    const stopped = pharmacy.index === MISTAKES.late && day > last - 45
    if (due && !stopped) count(place, on, product, at, last - day)
  }
  if (random.next() < 0.03) setAside(place, on, last - day)
  // Nothing is written on a Sunday.
  const twice = weekdayOf(last - 6) === 0 ? last - 5 : last - 6
  if (pharmacy.index === CONTRADICTED && day === twice) book.contradict()
}

interface On {
  day: number
  random: Random
  signer: string
}

function supply(place: Place, on: On, product: Product): void {
  const { book, people, patients, pharmacy } = place
  const { random } = on
  const patient = pick(random, patients)
  const quantity = Math.min(product.pack, book.balance(product.id))
  if (quantity <= 0) return
  const intern = random.next() < 0.12
  const forgot = random.next() < (pharmacy.index === MISTAKES.countersign ? 0.5 : 0.01)
  const kind = random.next()
  const reference = `S8${on.day}${random.int(900) + 100}`
  const number = write(book, on, {
    product: product.id,
    type: kind < 0.03 ? 'owing' : kind < 0.05 ? 'partial' : kind < 0.08 ? 'staged' : 'supply',
    out: kind >= 0.03 && kind < 0.05 ? Math.ceil(quantity / 2) : quantity,
    ...{ name: patient.name, address: patient.address, patient: patient.id, reference },
    ...(kind >= 0.03 && kind < 0.05 ? { prescribed: quantity } : {}),
    doctor: `Dr ${pick(random, DOCTORS)}`,
    ...(intern ? { intern: true, signer: people[3] ?? '', second: forgot ? '' : on.signer } : {}),
    ...(random.next() < 0.15 ? { unchecked: true } : {}),
  })
  if (kind < 0.03 && random.next() < 0.8)
    write(book, on, { product: product.id, type: 'owing_closed', refers: number, reference, unchecked: true })
}

const DOCTORS = ['Amara Osei', 'Piers Lindgren', 'Hana Sato', 'Callum Reyes', 'Ines Marchetti']

function giveDose({ book, patients }: Place, on: On, product: Product, dose: number): void {
  const patient = patients[dose]
  const out = product.unit === 'mL' ? 8 : 1
  if (!patient || book.balance(product.id) < out) return
  write(book, on, {
    ...{
      product: product.id,
      type: 'odt_dose',
      out,
      name: patient.name,
      address: patient.address,
      patient: patient.id,
    },
    ...{ doctor: `Dr ${DOCTORS[dose] ?? ''}`, reference: `ODT${dose + 1}`, unchecked: true },
  })
}

/** Mostly right. One pharmacy miscounts and leaves it; elsewhere a difference is adjusted, with the reason. */
function count({ book, pharmacy }: Place, on: On, product: Product, at: number, left: number): void {
  const balance = book.balance(product.id)
  const leftAlone = pharmacy.index === MISTAKES.count && left < 14 && at < 4
  const wrong = leftAlone || on.random.next() < 0.012
  write(book, on, { product: product.id, type: 'count', counted: wrong ? Math.max(0, balance - 2) : balance })
  if (wrong && !leftAlone && balance >= 2)
    write(book, on, {
      product: product.id,
      type: 'adjustment',
      out: 2,
      note: 'Two broken in the blister; found on recount with a second pharmacist',
    })
}

function setAside({ book, people, products }: Place, on: On, left: number): void {
  const product = pick(on.random, products)
  if (book.balance(product.id) < 2) return
  const refers = write(book, on, { product: product.id, type: 'destruction', out: 2, note: 'Expired' })
  if (left > 10)
    write(book, on, {
      product: product.id,
      type: 'destroyed',
      refers,
      second: people.find((one) => one !== on.signer) ?? '',
      note: 'Destroyed in a denaturing kit',
    })
}
