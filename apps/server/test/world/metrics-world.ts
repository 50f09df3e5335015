import { addMonths, type Day, day } from '@pillar/domain/time/day'
import type { Country } from '@pillar/domain/time/locale'
import fc from 'fast-check'
import type { Line, Medicine, Person, Prescribed, World } from './metrics-oracle/world.ts'

/** Last and first day of the invented histories. */
export const END = day('2026-11-19')
const START = day('2024-02-15')

/** A world with its pharmacy's place and the last day of its data. */
export interface Pharmacy extends World {
  readonly country: Country
  readonly region: string | null
  readonly timeZone: string
  readonly dataTo: Day
}

export const MEDICINES: readonly Medicine[] = [
  { molecule: 'perindopril', atc: 'C09AA04', chronic: true, drugType: 'Blood pressure', condition: 'Angiotensin' },
  { molecule: 'ramipril', atc: 'C09AA05', chronic: true, drugType: 'Blood pressure', condition: 'Angiotensin' },
  { molecule: 'amlodipine', atc: 'C08CA01', chronic: true, drugType: 'Blood pressure', condition: 'Calcium' },
  {
    molecule: 'perindopril + amlodipine',
    atc: 'C09BB04',
    chronic: true,
    components: ['perindopril', 'amlodipine'],
    drugType: 'Blood pressure',
    condition: 'Angiotensin',
  },
  { molecule: 'metformin', atc: 'A10BA02', chronic: true, condition: 'Diabetes' },
  { molecule: 'captopril', atc: 'C09AA01', chronic: false, drugType: 'Blood pressure', condition: 'Angiotensin' },
  { molecule: 'fish oil', atc: null, chronic: true },
  { molecule: 'glucosamine', atc: null, chronic: true, drugType: 'Joints' },
  { molecule: 'amoxicillin', atc: 'J01CA04', chronic: false, drugType: 'Antibiotics', condition: 'Infection' },
]

const PLACES: readonly Pick<Pharmacy, 'country' | 'region' | 'timeZone'>[] = [
  { country: 'AU', region: 'VIC', timeZone: 'Australia/Melbourne' },
  { country: 'AU', region: null, timeZone: 'Australia/Sydney' },
  { country: 'GB', region: 'Scotland', timeZone: 'Europe/London' },
  { country: 'US', region: null, timeZone: 'America/New_York' },
]

/** Includes something in one world out of this many, otherwise null: rare events must not be in every example. */
const rarely = <T>(oneIn: number, what: fc.Arbitrary<T>): fc.Arbitrary<T | null> =>
  fc.oneof({ weight: oneIn - 1, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: what })
const somewhen = fc.integer({ min: START, max: END })
const gap = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: 24, max: 36 }) },
  { weight: 1, arbitrary: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 10 })) },
  { weight: 1, arbitrary: fc.integer({ min: 50, max: 220 }) },
)
const step = fc.record({
  gap,
  state: rarely(8, fc.constantFrom('reversed' as const, 'deferred' as const, 'owing' as const)),
  refund: fc.integer({ min: 0, max: 11 }).map((n) => n === 11),
  numbered: fc.integer({ min: 0, max: 11 }).map((n) => n > 0),
})
/** Days before the end of a month at which a rule begins or ends. */
const edge = fc.record({
  months: fc.integer({ min: 0, max: 20 }),
  back: fc.constantFrom(89, 90, 91, 179, 180, 181, 363, 364, 365),
  last: fc.boolean(),
})
const course = fc.record({
  edge: rarely(3, edge),
  person: fc.nat(2),
  medicine: fc.nat(MEDICINES.length),
  start: fc.integer({ min: START, max: END - 120 }),
  steps: fc.array(step, { minLength: 1, maxLength: 16, size: 'max' }),
  days: fc.constantFrom(1, 28, 30, 30, 60, 180, 365),
  prescribed: fc.boolean(),
  firstNumber: fc.constantFrom(1, 1, 1, 2, 4),
  skip: fc.integer({ min: 1, max: 3 }),
  backwards: fc.integer({ min: 0, max: 7 }).map((n) => n === 7),
  ceased: fc.array(somewhen, { maxLength: 2 }),
  types: fc.tuple(fc.integer({ min: 0, max: 6 }), fc.integer({ min: 0, max: 6 })),
  turn: fc.nat(6),
  // Occasionally so large that a few of them exceed four bytes.
  cents: fc.oneof(
    { weight: 9, arbitrary: fc.integer({ min: 0, max: 20_000 }) },
    { weight: 1, arbitrary: fc.integer({ min: 180_000_000, max: 199_999_000 }) },
  ),
})
const person = fc.record({
  died: rarely(8, somewhen),
  facility: fc.integer({ min: 0, max: 11 }).map((n) => n === 11),
  sex: fc.constantFrom('F' as const, 'M' as const, null),
  born: fc.option(fc.integer({ min: day('1930-01-01'), max: day('2025-06-01') }), { freq: 6 }),
  fake: fc.integer({ min: 0, max: 11 }).map((n) => n === 11),
})
/** The first days of a month, when a record may begin without a gap, or with one. */
const beginning = fc
  .tuple(fc.integer({ min: 0, max: 15 }), fc.integer({ min: 0, max: 3 }))
  .map(([months, late]) => addMonths(day('2024-03-01'), months) + late)
/** A person who comes on most weekdays, so that whole spans are complete, or just not. */
const regular = fc.record({
  from: fc.oneof(beginning, fc.integer({ min: START, max: END - 300 })),
  misses: fc.constantFrom(1000, 11, 10, 9),
})

/** Worlds of a few patients whose supplies bunch, skip, overlap, stop, change and are cancelled, as real ones do. */
export const pharmacies: fc.Arbitrary<Pharmacy> = fc
  .record({
    place: fc.constantFrom(...PLACES),
    dataTo: fc.option(fc.integer({ min: END - 400, max: END }), { freq: 2, nil: END }),
    people: fc.array(person, { minLength: 1, maxLength: 3, size: 'max' }),
    courses: fc.array(course, { minLength: 1, maxLength: 12, size: 'max' }),
    regular: fc.option(regular, { freq: 2 }),
    test: rarely(4, fc.integer({ min: START - 60, max: START + 200 })),
  })
  .map(({ place, dataTo, people, courses, regular, test }) => {
    const made = courses.map((one, at) => linesOf(one, at, people.length))
    const lines = [
      ...made.flatMap((one) => one.lines),
      ...(regular ? visitsOf(regular) : []),
      ...(test ? [testLine(test)] : []),
    ]
    return {
      ...place,
      dataTo,
      lines: lines.filter((line) => line.day <= dataTo),
      medicines: MEDICINES,
      people: [...people.map((one, at): Person => ({ id: `p${at}`, ...one })), REGULAR, NOBODY],
      prescriptions: made.flatMap((one) => one.prescriptions),
    }
  })

const REGULAR: Person = { id: 'regular', died: null, facility: false }

/** A fake patient: the line counts nowhere, but the record begins with it. */
const NOBODY: Person = { id: 'nobody', died: null, facility: false, fake: true }
const testLine = (on: Day): Line => {
  return { patient: NOBODY.id, day: on, molecule: 'amoxicillin', days: 5, cents: 1, prescription: null, number: null }
}

function visitsOf({ from, misses }: { from: Day; misses: number }): Line[] {
  const lines: Line[] = []
  for (let at = from; at <= END; at++) {
    if (at % misses === 0) continue
    const bought = { molecule: 'amoxicillin', days: 5, cents: 900, prescription: null, number: null }
    lines.push({ patient: REGULAR.id, day: at, ...bought })
  }
  return lines
}

type Course = typeof course extends fc.Arbitrary<infer T> ? T : never

/** Where a course starts: anywhere, or so that its first or last line falls on an edge. */
function startOf({ edge, start, steps }: Course): Day {
  if (!edge) return start
  const length = steps.slice(0, -1).reduce((days, one) => days + one.gap, 0)
  const on = addMonths(day('2026-11-01'), -edge.months) - 1 - edge.back
  return Math.max(START, edge.last ? on - length : on)
}

function linesOf(one: Course, at: number, people: number): { lines: Line[]; prescriptions: Prescribed[] } {
  const patient = `p${one.person % people}`
  const { molecule } = MEDICINES[one.medicine % MEDICINES.length]!
  const prescription = one.prescribed ? `r${at}` : null
  const lines: Line[] = []
  let date = startOf(one)
  one.steps.forEach(({ gap, state, refund, numbered }, n) => {
    const order = one.backwards ? one.steps.length - 1 - n : n
    lines.push({
      patient,
      molecule,
      day: date,
      days: one.days,
      cents: refund ? -one.cents - 1 : one.cents,
      government: refund ? 0 : n * 10,
      prescription,
      number: prescription && numbered ? one.firstNumber + order * one.skip : null,
      type: one.types[n < one.turn ? 0 : 1],
      cost: (n + at) % 3 === 0 ? null : 400 + n,
      basis: [1, 1, 2, 3, 5][(n + at) % 5]!,
      repeats: n % 4 === 3 ? 3 : null,
      state: refund && state !== 'reversed' ? null : state,
    })
    date += gap
  })
  const written = { repeats: one.prescribed ? 5 + (at % 3) : null, prescribed: at % 2 === 0 ? startOf(one) - 3 : null }
  const made = (id: string, ceased: Day | null): Prescribed => ({ id, patient, molecule, ceased, ...written })
  const more = one.ceased.slice(prescription ? 1 : 0).map((ceased, n) => made(`c${at}-${n}`, ceased))
  return { lines, prescriptions: prescription ? [made(prescription, one.ceased[0] ?? null), ...more] : more }
}
