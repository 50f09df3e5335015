import { type Day, day } from '@pillar/domain/time/day'
import { describe, expect, it } from 'vitest'
import { cellKey, cellsOf, figuresOf, headlineOf, opportunityCents, pairRows, standingOf } from './figure.ts'
import { measuredPairs } from './pair.ts'
import { openBook } from './supply.ts'
import type { Line, Medicine, Person, World } from './world.ts'

const PERINDOPRIL: Medicine = { molecule: 'perindopril', atc: 'C09AA04', chronic: true }
const RAMIPRIL: Medicine = { molecule: 'ramipril', atc: 'C09AA05', chronic: true }
const COMBINATION: Medicine = {
  molecule: 'perindopril + amlodipine',
  atc: 'C09BB04',
  chronic: true,
  components: ['perindopril', 'amlodipine'],
}
const METFORMIN: Medicine = { molecule: 'metformin', atc: 'A10BA02', chronic: true }
const ANNE: Person = { id: 'anne', died: null, facility: false, sex: 'F', born: day('1950-06-15') }

const supply = (date: string, more: Partial<Line> = {}): Line => ({
  patient: 'anne',
  molecule: 'perindopril',
  day: day(date),
  days: 30,
  cents: 3500,
  prescription: null,
  number: null,
  ...more,
})
const world = (lines: Line[], more: Partial<World> = {}) =>
  openBook({
    lines,
    medicines: [PERINDOPRIL, RAMIPRIL, COMBINATION, METFORMIN],
    people: [ANNE],
    prescriptions: [],
    ...more,
  })
const ceased = (...dates: string[]) =>
  dates.map((date, at) => ({ id: `c${at}`, patient: 'anne', molecule: 'perindopril', ceased: day(date) }))
const span = (from: string, to: string) => ({ from: day(from), to: day(to) })
const only = (book: ReturnType<typeof world>, t: Day) => {
  const pairs = measuredPairs(book, t)
  expect(pairs).toHaveLength(1)
  return pairs[0]!
}
const WORKED = [
  '2024-06-10',
  '2024-07-05',
  '2024-08-20',
  '2024-09-15',
  '2024-10-25',
  '2024-12-01',
  '2024-12-20',
  '2025-02-10',
  '2025-03-08',
  '2025-04-20',
  '2025-06-15',
]
const ROOT = cellKey('TOTAL', 'TOTAL')

describe('a pair', () => {
  it('covers 295 of 365 days in the worked example', () => {
    const pair = only(world(WORKED.map((date) => supply(date))), day('2025-06-30'))
    expect([pair.covered, pair.observed]).toEqual([295, 365])
  })

  it('is measured from 90 days after the first supply on', () => {
    const book = world([supply('2025-01-01'), supply('2025-02-01')])
    expect(measuredPairs(book, day('2025-03-31'))).toEqual([])
    expect(only(book, day('2025-04-01')).observed).toBe(91)
  })

  it('needs two supplies on different days inside the window, whatever carries in', () => {
    const before = ['2023-01-01', '2024-06-30', '2025-05-01'].map((date) => supply(date))
    expect(measuredPairs(world(before), day('2025-06-30'))).toEqual([])
    const sameDay = [...before, supply('2025-05-01')]
    expect(measuredPairs(world(sameDay), day('2025-06-30'))).toEqual([])
    // 1 July 2024 is the first day of the window: 29 days carry in, one day of the last supply is the last of June.
    const inside = ['2023-01-01', '2024-06-30', '2024-07-01', '2025-06-30'].map((date) => supply(date))
    expect(only(world(inside), day('2025-06-30')).covered).toBe(60)
  })

  it('does not count supplies made elsewhere among the two', () => {
    const repeat = { prescription: 'r' }
    const lines = [supply('2025-01-01', { ...repeat, number: 1 }), supply('2025-05-01', { ...repeat, number: 3 })]
    expect(only(world(lines), day('2025-06-30')).covered).toBe(90)
    expect(measuredPairs(world(lines), day('2025-04-30'))).toEqual([])
  })

  it('is not measured if nothing at all was supplied in the last 180 days', () => {
    const lines = [supply('2024-08-01'), supply('2025-01-01')]
    expect(measuredPairs(world(lines), day('2025-06-29'))).toHaveLength(1)
    expect(measuredPairs(world(lines), day('2025-06-30'))).toEqual([])
    const other = [...lines, supply('2025-06-01', { molecule: 'metformin' })]
    expect(measuredPairs(world(other), day('2025-06-30'))).toHaveLength(1)
  })

  it('is closed after every cessation until the next supply', () => {
    const lines = ['2025-01-01', '2025-03-01', '2025-05-01'].map((date) => supply(date))
    const book = world(lines, { prescriptions: ceased('2025-01-20', '2025-03-11', '2025-06-10', '2024-12-24') })
    const pair = only(book, day('2025-06-30'))
    // 1 to 20 January, 1 to 11 March, 1 May to 10 June; the last 11 of these are uncovered.
    expect(pair.observed).toBe(20 + 11 + 41)
    expect(pair.covered).toBe(20 + 11 + 30)
    expect(pair.to).toBe(day('2025-06-10'))
  })

  it('is opened again by a supply made elsewhere', () => {
    const repeat = { prescription: 'r', molecule: 'perindopril' }
    const lines = [supply('2025-01-01', { ...repeat, number: 1 }), supply('2025-05-01', { ...repeat, number: 3 })]
    const book = world(lines, { prescriptions: ceased('2025-01-30') })
    // The second supply is dated 2 March, half way.
    expect(only(book, day('2025-06-30')).observed).toBe(30 + 121)
  })

  it('ends with death, and nothing supplied later counts for a day', () => {
    const people = [{ ...ANNE, died: day('2025-04-10') }]
    const book = world([supply('2025-01-01'), supply('2025-02-01'), supply('2025-05-01')], { people })
    const pair = only(book, day('2025-06-30'))
    expect([pair.observed, pair.covered]).toEqual([100, 60])
    const longDead = world(
      ['2025-01-01', '2025-06-01'].map((date) => supply(date)),
      {
        people: [{ ...ANNE, died: day('2024-01-01') }],
      },
    )
    expect(measuredPairs(longDead, day('2025-06-30'))).toEqual([])
  })

  it.each(['ramipril', 'perindopril + amlodipine'])('ends the day before a switch to %s', (molecule) => {
    const lines = [supply('2025-01-01'), supply('2025-02-01'), supply('2025-03-22', { molecule })]
    expect(only(world(lines), day('2025-06-30')).observed).toBe(80)
    expect(only(world([...lines, supply('2025-04-01')]), day('2025-06-30')).observed).toBe(181)
  })

  it('does not end with another medicine, nor if the new one came first', () => {
    const other = [supply('2025-01-01'), supply('2025-02-01'), supply('2025-03-22', { molecule: 'metformin' })]
    expect(only(world(other), day('2025-06-30')).observed).toBe(181)
    const sameDay = [supply('2025-01-01'), supply('2025-02-01'), supply('2025-02-01', { molecule: 'ramipril' })]
    expect(only(world(sameDay), day('2025-06-30')).observed).toBe(181)
  })

  it('leaves out people in care facilities and people who are not real', () => {
    const lines = WORKED.map((date) => supply(date))
    expect(measuredPairs(world(lines, { people: [{ ...ANNE, facility: true }] }), day('2025-06-30'))).toEqual([])
    expect(measuredPairs(world(lines, { people: [{ ...ANNE, fake: true }] }), day('2025-06-30'))).toEqual([])
  })
})

describe('slots', () => {
  const seen = (dates: [string, number][]) =>
    dates.map(([date, number]) => supply(date, { prescription: 'r', number, type: number }))

  it('give a loyalty of 0.60 in the worked example', () => {
    const lines = seen([
      ['2025-01-01', 1],
      ['2025-02-01', 2],
      ['2025-05-03', 5],
    ])
    // 91 days lie between the second and the fifth: the third is 30.33 days on, the fourth 60.67.
    const book = world(lines)
    expect(book.leaked.map((slot) => slot.day)).toEqual([day('2025-03-03'), day('2025-04-02')])
    const { here_slots: here, leaked_slots: leaked } = standingOf(book, day('2025-06-30')).get('anne')!
    expect([here, leaked, 1 - leaked / (here + leaked)]).toEqual([3, 2, 0.6])
  })

  it('are unseen before the first day of data: no class, no days', () => {
    const lines = seen([['2025-03-01', 4]])
    // Stepping back: 30 January, 31 December, 1 December.
    const far = world([...lines, supply('2024-01-01', { state: 'deferred' })])
    expect(far.leaked.map((slot) => slot.day)).toEqual([day('2024-12-01'), day('2024-12-31'), day('2025-01-30')])
    const near = world([...lines, supply('2025-01-30', { state: 'reversed', molecule: 'metformin' })])
    expect(near.leaked.map((slot) => slot.day)).toEqual([day('2025-01-30')])
    expect(world(lines).leaked).toEqual([])
    const year = span('2024-12-01', '2025-03-31')
    expect(cellsOf(near, year).get(ROOT)).toMatchObject({ here_slots: 1, leaked_slots: 1 })
    const book = world([...seen([['2025-01-01', 2]]), supply('2025-03-01')])
    expect(only(book, day('2025-04-01')).covered).toBe(30 + 30)
  })

  it('belong to the patient type of the supply before them, else after', () => {
    const lines = [supply('2024-06-01', { molecule: 'metformin' })].concat(
      seen([
        ['2025-01-01', 2],
        ['2025-03-01', 4],
      ]),
    )
    const cells = cellsOf(world(lines), span('2024-12-01', '2025-03-31'))
    expect(cells.get(cellKey('Patient Type', 'Concession'))).toMatchObject({ script_count: 1, leaked_slots: 2 })
    expect(cells.get(cellKey('Patient Type', 'DVA'))).toMatchObject({ script_count: 1, leaked_slots: 0 })
  })
})

describe('figures', () => {
  const half = span('2025-01-01', '2025-06-30')

  it('cost 81.67 for 70 uncovered days of 30-day supplies at 35.00', () => {
    const lines = ['2025-01-01', '2025-02-01', '2025-04-01'].map((date) => supply(date))
    const book = world(lines)
    expect(opportunityCents(only(book, day('2025-06-30')), half, 70)).toBe(8167)
    // 181 days, 90 covered: 91 / 30 x 35.00 = 106.1667.
    expect(cellsOf(book, half).get(ROOT)!.opportunity_cents).toBe(10617)
  })

  it('count a refund only in revenue', () => {
    const lines = [
      supply('2025-01-01', { type: 2 }),
      supply('2025-02-01', { cents: -5000, government: 1000, prescription: 'r', number: 3, type: 4 }),
      supply('2025-03-01', { cents: -100, government: 600 }),
      supply('2025-04-01', { cents: -900, state: 'reversed' }),
    ]
    const book = world(lines)
    const cells = cellsOf(book, half)
    expect(cells.get(ROOT)).toMatchObject({ script_count: 2, here_slots: 2, leaked_slots: 0, revenue_cents: 0 })
    expect(cells.get(cellKey('Patient Type', 'DVA'))).toMatchObject({
      script_count: 0,
      patients: 0,
      revenue_cents: -4000,
    })
    expect(cells.get(cellKey('Patient Type', 'Concession'))).toMatchObject({ script_count: 1, revenue_cents: 3500 })
    const [month] = figuresOf(book, 'AU', day('2025-06-30'), new Set()).filter((one) => one.period.key === '2025-02')
    expect([month!.businessDays, month!.headline.patients, month!.headline.revenue_cents]).toEqual([0, 0, -4000])
    expect(only(book, day('2025-06-30'))).toMatchObject({ covered: 60 })
    expect(measuredPairs(world([supply('2024-10-01'), supply('2024-12-01'), lines[1]!]), day('2025-06-30'))).toEqual([])
  })

  it('count measured pairs by the type of their last supply in the span, the highest of a day', () => {
    const lines = [
      supply('2025-01-01', { type: 1 }),
      supply('2025-02-01', { type: 3 }),
      supply('2025-02-01', { type: 2 }),
      supply('2025-05-01', { type: 6 }),
    ]
    const cells = cellsOf(world(lines), span('2025-01-01', '2025-04-15'))
    expect(cells.get(cellKey('Patient Type', 'General'))).toMatchObject({ script_count: 1, measured_pairs: 0 })
    expect(cells.get(cellKey('Patient Type', 'Safety Net'))).toMatchObject({
      script_count: 1,
      measured_pairs: 1,
      measured_scripts: 1,
      observed_days: 105,
    })
    expect(cells.get(cellKey('Patient Type', 'General'))!.measured_scripts).toBe(1)
  })

  it('count a patient once in the total and in every subcategory visited', () => {
    const lines = [supply('2025-01-01'), supply('2025-02-01', { molecule: 'metformin' }), supply('2025-03-01')]
    const cells = cellsOf(world(lines), half)
    const patients = (category: string, subcategory: string) => cells.get(cellKey(category, subcategory))?.patients
    expect(cells.get(ROOT)!.patients).toBe(1)
    expect([patients('Molecule', 'perindopril'), patients('Molecule', 'metformin')]).toEqual([1, 1])
    // Anne turns 75 on 15 June 2025.
    expect([patients('Age Group', '75+'), patients('Age Group', '65-74'), patients('Sex', 'Female')]).toEqual([
      1,
      undefined,
      1,
    ])
  })

  it('count adherent patients at the end of the span over all their molecules', () => {
    const whole = supply('2025-01-01', { days: 181 })
    const lines = [
      whole,
      supply('2025-06-30'),
      ...['2025-01-01', '2025-06-30'].map((date) => supply(date, { molecule: 'metformin', days: 100 })),
    ]
    // Perindopril 181 of 181, metformin 101 of 181: together 0.779.
    expect(headlineOf(world(lines), half)).toMatchObject({
      adherent: 0,
      non_adherent: 1,
      patients: 1,
      female: 1,
      male: 0,
    })
    expect(pairRows(world(lines), half).map((row) => [row.molecule, row.observed, row.covered, row.scripts])).toEqual([
      ['perindopril', 181, 181, 2],
      ['metformin', 181, 101, 2],
    ])
  })
})
