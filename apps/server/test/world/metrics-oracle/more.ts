import { type SeenSupply, slotsOf } from '@pillar/domain/dispensing/loyalty'
import { eligibility } from '@pillar/domain/sixty-day/list'
import { addMonths, type Day } from '@pillar/domain/time/day'
import type { Country } from '@pillar/domain/time/locale'
import type { Span } from '@pillar/domain/time/period'
import { shippedList } from '../../../src/features/sixty-day/list-files.ts'
import { cellKey, cellsOf, headlineOf } from './figure.ts'
import { replaces } from './pair.ts'
import { type Book, centsOf, grouped, type Leaked, pairKey } from './supply.ts'
import type { Line, World } from './world.ts'

/** A patient and a continuous medicine with all their supplies until a death. */
interface Course {
  patient: string
  molecule: string
  own: readonly Line[]
  all: readonly (Line | Leaked)[]
  /** Days with a supply of a medicine that replaces this one. */
  replaced: readonly Day[]
}

const within = (span: Span) => (one: { day: Day }) => one.day >= span.from && one.day <= span.to
const count = <T>(items: Iterable<T>, which: (item: T) => boolean) => [...items].filter(which).length

function coursesOf(book: Book): Course[] {
  return [...book.suppliesOf].flatMap(([patient, supplies]) => {
    const person = book.people.get(patient)!
    if (person.facility) return []
    const alive = (one: { day: Day }) => person.died === null || one.day <= person.died
    return [...grouped(supplies, (one) => one.molecule)].flatMap(([molecule, here]) => {
      const medicine = book.medicines.get(molecule)!
      if (!medicine.chronic) return []
      const elsewhere = (book.leakedOf.get(patient) ?? []).filter((one) => one.molecule === molecule)
      const replaced = supplies.filter((one) => replaces(book.medicines.get(one.molecule)!, medicine))
      const own = here.filter(alive)
      const all = [...own, ...elsewhere.filter(alive)].sort((a, b) => a.day - b.day)
      return [{ patient, molecule, own, all, replaced: replaced.map((one) => one.day).sort((a, b) => a - b) }]
    })
  })
}

/** Every sum of a period outside the cells, counted one by one. */
export function moreOf(book: Book, world: World & { country: Country }, span: Span): Record<string, number> {
  const supplies = book.supplies.filter(within(span))
  const alone: Book = { ...book, leaked: [], leakedOf: new Map() }
  const own = headlineOf(alone, span)
  const ownTotal = cellsOf(alone, span).get(cellKey('TOTAL', 'TOTAL'))
  const costed = [...supplies, ...book.refunds.filter(within(span))].filter((one) => one.cost != null)
  const find = eligibility(shippedList('items')!)
  const eligible = supplies.filter((one) => world.country === 'AU' && find(null, book.medicines.get(one.molecule)!.atc))
  const lapsed = coursesOf(book).filter((course) => isLapsed(book, course, span.to))
  const lines = world.lines
    .filter((line) => !book.people.get(line.patient)!.fake && centsOf(line) >= 0)
    .filter(within(span))
  return {
    own_adherent_patients: own.adherent,
    own_measured_patients: own.adherent + own.non_adherent,
    own_measured_pairs: ownTotal?.measured_pairs ?? 0,
    own_measured_scripts: ownTotal?.measured_scripts ?? 0,
    own_adherent_scripts: ownTotal?.adherent_scripts ?? 0,
    lapsed_pairs: lapsed.length,
    lapsed_pair_patients: new Set(lapsed.map((one) => one.patient)).size,
    costed_scripts: count(costed, (one) => centsOf(one) >= 0),
    costed_revenue_cents: costed.reduce((sum, one) => sum + centsOf(one), 0),
    cost_cents: costed.reduce((sum, one) => sum + one.cost!, 0),
    ...visitorsOf(book, span),
    patient_molecules: new Set(supplies.map((one) => pairKey(one.patient, one.molecule))).size,
    ...repeatsOf(book, world, span),
    eligible_scripts: eligible.length,
    sixty_day_scripts: count(eligible, (one) => one.days > 45),
    owing_scripts: count(lines, (one) => one.state === 'owing'),
    deferred_scripts: count(lines, (one) => one.state === 'deferred'),
    ...daysOf(book, supplies),
  }
}

function daysOf(book: Book, supplies: readonly Line[]) {
  const measured = supplies.filter(
    (one) => book.medicines.get(one.molecule)!.chronic && !book.people.get(one.patient)!.facility,
  )
  const days = (...bases: number[]) =>
    measured.filter((one) => bases.includes(one.basis ?? 1)).reduce((sum, one) => sum + one.days, 0)
  return { source_days: days(1), directions_days: days(2), pack_days: days(3), imputed_days: days(4, 5) }
}

function visitorsOf(book: Book, span: Span) {
  const sums = {
    new_patients: 0,
    returning_patients: 0,
    retained_patients: 0,
    unplaced_patients: 0,
    lapsed_patients: 0,
  }
  for (const [patient, supplies] of book.suppliesOf) {
    const visits = new Set(supplies.map((one) => one.day))
    const { died } = book.people.get(patient)!
    let lapsed = false
    for (let day = span.from; day <= span.to; day++) {
      const quiet =
        visits.has(day - 180) && !Array.from({ length: 180 }, (_, back) => day - back).some((on) => visits.has(on))
      if (quiet && (died === null || died > day)) lapsed = true
    }
    if (lapsed) sums.lapsed_patients++
    const first = Math.min(...[...visits].filter((day) => day >= span.from && day <= span.to))
    if (first === Number.POSITIVE_INFINITY) continue
    const before = [...visits].filter((day) => day < span.from)
    if (before.some((day) => first - day <= 180)) sums.retained_patients++
    else if (before.length > 0) sums.returning_patients++
    else if (first - book.firstDay! >= 365) sums.new_patients++
    else sums.unplaced_patients++
  }
  return sums
}

/** Measured on some day of the last 730, and neither supplied in the last 365 nor ended otherwise. */
function isLapsed(book: Book, { patient, molecule, own, all, replaced }: Course, t: Day): boolean {
  const known = all.filter((one) => one.day <= t)
  const last = Math.max(...known.map((one) => one.day))
  const { died } = book.people.get(patient)!
  if (known.length === 0 || last > t - 365 || (died !== null && died <= t)) return false
  if (replaced.some((day) => day > last && day <= t)) return false
  const first = own[0]?.day ?? Number.POSITIVE_INFINITY
  // A cessation before anything was supplied closes nothing.
  const closed = (book.cessations.get(pairKey(patient, molecule)) ?? []).some(
    (day) => day >= all[0]!.day && day < t && !all.some((one) => one.day > day && one.day <= t),
  )
  if (closed) return false
  const visits = book.suppliesOf.get(patient)!.map((one) => one.day)
  for (let on = t - 729; on <= t; on++) {
    const from = Math.max(on - 364, first)
    const days = new Set(own.map((one) => one.day).filter((day) => day >= from && day <= on))
    if (first <= on - 90 && days.size >= 2 && visits.some((day) => day <= on && on - day < 180)) return true
  }
  return false
}

/** Open and missed repeats of every prescription and its patient, by the classes of loyalty.ts. */
function repeatsOf(book: Book, world: World, { from, to }: Span) {
  const sums = { repeats_due: 0, repeats_missed: 0 }
  const known = new Map(world.prescriptions.map((one) => [one.id, one]))
  const numbered = book.supplies.filter((one) => one.prescription !== null && one.number !== null && one.day <= to)
  for (const lines of grouped(numbered, (one) => `${one.prescription} of ${one.patient}`).values()) {
    const [{ prescription, patient }] = lines as [(typeof lines)[0]]
    const made = known.get(prescription!)!
    const { died } = book.people.get(patient)!
    if (Math.min(made.ceased ?? Number.POSITIVE_INFINITY, died ?? Number.POSITIVE_INFINITY) <= to) continue
    const seen = [...lines].sort((a, b) => a.day - b.day || a.days - b.days || (a.repeats ?? -1) - (b.repeats ?? -1))
    const highest = seen.reduce((best, one) => (one.number! > best.number! ? one : best))
    const repeatsAuthorised = highest.repeats ?? made.repeats ?? null
    const prescribedOn = made.prescribed ?? null
    const supplies: SeenSupply[] = seen.map((one) => ({ number: one.number!, date: one.day, days: one.days }))
    const expires = prescribedOn === null ? Number.POSITIVE_INFINITY : addMonths(prescribedOn, 12)
    for (const slot of slotsOf({ repeatsAuthorised, prescribedOn, seen: supplies }, to)) {
      if (slot.number <= highest.number! || slot.date === null) continue
      if (slot.class === 'missed' && slot.date >= from && slot.date <= to) sums.repeats_missed++
      if (slot.class === 'open' && slot.date <= to + 30 && Math.max(slot.date, to) <= expires) sums.repeats_due++
    }
  }
  return sums
}

/** The change of revenue due to more scripts, and due to other prices, in cents. */
export function partsOf(book: Book, span: Span, before: Span): { volume_cents: number; price_cents: number } {
  const [now, then] = [cellsOf(book, span), cellsOf(book, before)]
  const of = (cells: typeof now, key: string) => cells.get(key) ?? { script_count: 0, revenue_cents: 0 }
  const total = cellKey('TOTAL', 'TOTAL')
  const mean = of(then, total).script_count === 0 ? 0 : of(then, total).revenue_cents / of(then, total).script_count
  let price = 0
  for (const key of now.keys()) {
    const [a, b] = [of(then, key), of(now, key)]
    if (!key.startsWith('Molecule|') || a.script_count === 0 || b.script_count === 0) continue
    price += b.revenue_cents - (a.revenue_cents * b.script_count) / a.script_count
  }
  return {
    volume_cents: (of(now, total).script_count - of(then, total).script_count) * mean,
    price_cents: Number(price.toFixed(4)),
  }
}

/** How the medicines begun in a span ended, as 'drug type: day stopped lost', walking day by day. */
export function endsOf(book: Book, span: Span, dataTo: Day): Map<string, Map<number, [stopped: number, lost: number]>> {
  const found = new Map<string, Map<number, [number, number]>>()
  for (const course of coursesOf(book)) {
    for (const start of new Set(course.own.map((one) => one.day))) {
      const fresh = !course.all.some((one) => one.day < start && one.day >= start - 365)
      if (start < span.from || start > span.to || !fresh || start - book.firstDay! < 365) continue
      const { days, stopped } = walk(book, course, start, dataTo)
      for (const group of ['all', book.medicines.get(course.molecule)!.drugType ?? 'Unclassified']) {
        const ends = found.get(group) ?? new Map<number, [number, number]>()
        const [a, b] = ends.get(days) ?? [0, 0]
        found.set(group, ends.set(days, stopped ? [a + 1, b] : [a, b + 1]))
      }
    }
  }
  return found
}

/** Uses one day's supply each day, until 91 days in a row had none, or the person is lost from view. */
function walk(
  book: Book,
  { patient, all, replaced }: Course,
  start: Day,
  dataTo: Day,
): { days: number; stopped: boolean } {
  const { died } = book.people.get(patient)!
  let left = 0
  let without = 0
  let last = start
  let end = { days: 365, stopped: false }
  for (let day = start; day <= dataTo + 1; day++) {
    const supplied = all.filter((one) => one.day === day)
    const gone = day > dataTo || day === died || replaced.some((on) => on === day && on > last && !comesAgain(day))
    if (gone) {
      // A person supplied on the day of death has the medicine that day.
      const lacking = supplied.length > 0 && day === died ? 0 : without
      end = { days: day - lacking - start, stopped: false }
      break
    }
    for (const one of supplied) left += one.days
    if (supplied.length > 0) last = day
    if (left > 0) {
      left--
      without = 0
    } else if (++without === 91) {
      end = { days: day - 90 - start, stopped: true }
      break
    }
  }
  return end.days > 365 ? { days: 365, stopped: false } : end

  /** Whether the medicine itself is supplied again before it would count as stopped. */
  function comesAgain(day: Day): boolean {
    const runsOut = day + left - without
    return all.some((one) => one.day >= day && one.day - runsOut <= 90)
  }
}
