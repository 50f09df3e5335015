import { describe, expect, it } from 'vitest'
import { addMonths, day } from '../time/day.ts'
import { type Course, measureAt } from './course.ts'
import { FIGURE_SUMS, type FigureSum, FigureSums } from './figure-sums.ts'
import { hasLapsed } from './lapsed-pair.ts'
import { LINE_COLUMNS, type LineColumns } from './line.ts'
import { coursesOf } from './person.ts'
import { arrange } from './record.ts'
import { dueDays, isMissed, openRepeats, type PrescriptionFacts } from './repeat.ts'
import { SpanIndex } from './span-index.ts'
import { lapses, visitorAt } from './visitor.ts'

const lines = (rows: Partial<Record<keyof LineColumns, number>>[]): LineColumns =>
  Object.fromEntries(
    LINE_COLUMNS.map((name) => [name, Int32Array.from(rows, (row) => row[name] ?? 0)]),
  ) as unknown as LineColumns

describe('a patient of a period', () => {
  const first = day('2025-06-10')
  it.each([
    ['retained', '2024-12-12', '2024-01-01'],
    ['returning', '2024-12-11', '2024-01-01'],
    ['new', null, '2024-06-10'],
    ['unplaced', null, '2024-06-11'],
  ] as const)('is %s with a visit before on %s and data from %s', (kind, before, from) => {
    expect(visitorAt(first, before === null ? null : day(before), day(from))).toBe(kind)
  })

  it('lapses on the 180th day after a visit without another, and comes back as returning', () => {
    expect(lapses(Int32Array.of(1000, 1100, 1280, 1461), null, 0)).toEqual([1280 + 180, 1461 + 180])
    expect(lapses(Int32Array.of(1000, 1181), null, 0)).toEqual([1180, 1361])
    expect(visitorAt(1181, 1000, 0)).toBe('returning')
    expect(lapses(Int32Array.of(1000), 1180, 0)).toEqual([])
    expect(lapses(Int32Array.of(1000), 1181, 0)).toEqual([1180])
    expect(lapses(Int32Array.of(1000, 1181), null, 1181)).toEqual([1361])
    // Even if the visit was before the requested days.
    expect(lapses(Int32Array.of(1000), null, 1180)).toEqual([1180])
  })

  it('counts once however often they lapse, and with a script on its first day', () => {
    const record = arrange(lines([{ day: 1000 }, { day: 1190 }, { day: 1000, molecule: 1 }]), 1, 2, 0)
    const index = new SpanIndex([{ from: 1000, to: 1400 }])
    const sums = new FigureSums(record, index, 0)
    const around = { died: [null], ceased: new Map(), replacedBy: [[], []] }
    sums.add(0, coursesOf(record, around, 0), null, [])
    const sum = (name: FigureSum) => sums.of(0)[FIGURE_SUMS.indexOf(name)]
    // They lapse on days 1180 and 1370.
    expect([sum('lapsed_patients'), sum('patient_molecules')]).toEqual([1, 2])
  })
})

describe('a lapsed medicine', () => {
  const supplied = [1000, 1040, 1080, 1120]
  const course = (endings: Partial<Course['endings']> = {}, closed: Course['closed'] = []): Course => ({
    ...{ pair: 0, first: 1000, day: supplied, days: supplied.map(() => 30), cents: supplied.map(() => 100), closed },
    endings: { died: null, ceased: [], replaced: [], ...endings },
  })
  it('has had no supply for 365 days, and was measured within 730', () => {
    expect(hasLapsed(course(), supplied, 1120 + 364)).toBe(false)
    expect(hasLapsed(course(), supplied, 1120 + 365)).toBe(true)
    // Last measured while active: 179 days after the last visit, on day 1299.
    expect(hasLapsed(course(), supplied, 1299 + 729)).toBe(true)
    expect(hasLapsed(course(), supplied, 1299 + 730)).toBe(false)
  })
  it('was measured on a day in the window, including its last, on which the person was supplied something else', () => {
    const twice = { ...course(), day: [1000, 1040], days: [30, 30], cents: [100, 100] }
    const lastDay = 1000 + 364
    expect(hasLapsed(twice, [1000, 1040, lastDay], 1949)).toBe(true)
    expect(hasLapsed(twice, [1000, 1040, lastDay + 1], 1949)).toBe(false)
  })
  it('was measured by supplies made here on two different days: none made elsewhere, nor two on one day', () => {
    const measured = (more: Partial<Course>) =>
      measureAt({ ...course(), day: [1000, 1040], days: [30, 30], cents: [100, 100], ...more }, 1100) !== null
    expect(measured({})).toBe(true)
    expect(measured({ cents: [100, -1] })).toBe(false)
    expect(measured({ day: [1000, 1000] })).toBe(false)
    const lapsed = (days: number[]) => hasLapsed({ ...course(), day: days }, supplied, 1600)
    expect([lapsed([1000, 1040]), lapsed([1000, 1000])]).toEqual([true, false])
    const free = { ...course(), cents: supplied.map(() => 0) }
    expect(hasLapsed(free, supplied, 1600)).toBe(true)
  })
  it('does not count as lapsed after a death, a switch or a cessation', () => {
    expect(hasLapsed(course({ died: 1200 }), supplied, 1600)).toBe(false)
    expect(hasLapsed(course({ died: 1600 }), supplied, 1600)).toBe(false)
    expect(hasLapsed(course({ died: 1601 }), supplied, 1600)).toBe(true)
    expect(hasLapsed(course({ replaced: [1150] }), supplied, 1600)).toBe(false)
    // A medicine fetched together with it does not replace it.
    expect(hasLapsed(course({ replaced: [1120] }), supplied, 1600)).toBe(true)
    expect([1600, 1601].map((on) => hasLapsed(course({ replaced: [on] }), supplied, 1600))).toEqual([false, true])
    for (const from of [1131, 1600])
      expect(hasLapsed(course({}, [{ from, to: Number.POSITIVE_INFINITY }]), supplied, 1600)).toBe(false)
    // One that ended with the last supply, which began the medicine again, rules nothing out.
    expect(hasLapsed(course({}, [{ from: 1090, to: 1119 }]), supplied, 1600)).toBe(true)
    expect(hasLapsed(course({}, [{ from: 1601, to: Number.POSITIVE_INFINITY }]), supplied, 1600)).toBe(true)
  })
})

describe('repeats', () => {
  type Facts = Partial<PrescriptionFacts> & { died?: number }
  const NONE = { repeats: -1, prescribedOn: null, ceasedOn: null }
  const open = ({ died, ...facts }: Facts = {}, asked = { from: 1000, to: 2000 }) => [
    ...openRepeats(
      arrange(
        lines([
          { day: 1000, days: 30, number: 1, repeats: 2 },
          { day: 1035, days: 30, number: 2, repeats: 2 },
        ]),
        1,
        1,
        0,
      ),
      () => ({ ...NONE, ...facts }),
      [died ?? null],
      asked,
    ),
  ]
  const on = (t: number, facts = {}) => ({
    due: open(facts)
      .filter((one) => t >= dueDays(one).from && t <= dueDays(one).to)
      .map((one) => one.due),
    missed: open(facts)
      .filter((one) => isMissed(one, t))
      .map((one) => one.due),
  })

  it('are due within 30 days and up to 14 days late; then they are missed', () => {
    // After the first supply the second is due on day 1030 and the third on 1060; after the second the third on 1065.
    expect(on(1000)).toEqual({ due: [1030], missed: [] })
    expect(on(1030)).toEqual({ due: [1030, 1060], missed: [] })
    expect(on(1035)).toEqual({ due: [1065], missed: [] })
    expect(on(1078)).toEqual({ due: [1065], missed: [] })
    expect(on(1079)).toEqual({ due: [], missed: [1065] })
  })

  it('belong to each prescription, even if two are for one medicine', () => {
    const twoScripts = lines([
      { day: 1000, days: 30, number: 1, repeats: 2 },
      { day: 1010, days: 30, number: 3, repeats: 2, prescription: 1 },
    ])
    const both = [
      [1030, Number.POSITIVE_INFINITY],
      [1060, Number.POSITIVE_INFINITY],
    ]
    const all = [...openRepeats(arrange(twoScripts, 1, 1, 0), () => NONE, [null], { from: 1000, to: 2000 })]
    expect(all.map(({ due, until }) => [due, until])).toEqual(both)
    // A doctor ends a single prescription; one that replaced it continues.
    const ceased = (prescription: number) => ({ ...NONE, ceasedOn: prescription === 1 ? 1020 : null })
    const left = [...openRepeats(arrange(twoScripts, 1, 1, 0), ceased, [null], { from: 1000, to: 2000 })]
    expect(left.map(({ due, until }) => [due, until])).toEqual(both)
  })

  it('are each person’s own if a source puts two people on one prescription, and end with their own death', () => {
    const two = lines([
      { day: 1000, days: 30, number: 1, repeats: 2 },
      { day: 1020, days: 30, number: 2, repeats: 2, person: 1 },
    ])
    const all = [...openRepeats(arrange(two, 2, 1, 0), () => NONE, [null, 1030], { from: 1000, to: 2000 })]
    expect(all.map(({ due, until }) => [due, until])).toEqual([
      [1030, Number.POSITIVE_INFINITY],
      [1060, Number.POSITIVE_INFINITY],
      [1050, 1029],
    ])
  })

  it('are left out if they were open on none of the requested days', () => {
    expect(open({}, { from: 1030, to: 1034 }).map((one) => one.due)).toEqual([1030, 1060])
    expect(open({}, { from: 1035, to: 1100 }).map((one) => one.due)).toEqual([1065])
    expect(open({ prescribedOn: addMonths(1099, -12) }, { from: 1100, to: 1200 })).toEqual([])
    expect(open({ prescribedOn: addMonths(1100, -12) }, { from: 1100, to: 1200 })).toHaveLength(1)
  })

  it('are as many as the script says, whatever its prescription does', () => {
    const one = (repeats: number) => arrange(lines([{ day: 1000, days: 30, number: 1, repeats }]), 1, 1, 0)
    const left = (repeats: number) =>
      [...openRepeats(one(repeats), () => ({ ...NONE, repeats: 2 }), [null], { from: 1000, to: 2000 })].length
    expect([left(0), left(1), left(-1)]).toEqual([0, 1, 2])
  })

  it('end with a cessation or a death, and 12 months after prescribing', () => {
    expect(on(1040, { ceasedOn: 1040 })).toEqual({ due: [], missed: [] })
    expect(on(1040, { died: 1041 }).due).toEqual([1065])
    expect(on(1100, { prescribedOn: addMonths(1099, -12) })).toEqual({ due: [], missed: [] })
    expect(on(1100, { prescribedOn: addMonths(1100, -12) }).missed).toEqual([1065])
    expect(on(1100, { prescribedOn: 1000 }).missed).toEqual([1065])
    expect(on(1065, { prescribedOn: addMonths(1065, -12) }).due).toEqual([1065])
    expect(on(1064, { prescribedOn: addMonths(1064, -12) }).due).toEqual([])
  })
})
