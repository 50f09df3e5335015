import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { closedDays, measurable } from '../dispensing/adherence.ts'
import { pdcNaive } from '../dispensing/coverage.ts'
import { slotsOf } from '../dispensing/loyalty.ts'
import { courseOf, daysIn, lastObserved, measureAt, opportunityCents } from './course.ts'
import { LINE_COLUMNS, type LineColumns } from './line.ts'
import { coursesOf, isActive, measuredAt, measuredAtEach, pairsAt, standingAt } from './person.ts'
import { arrange, scriptsIn, typeAt } from './record.ts'

const T = 20_000

/** Lines of one person without a prescription. Columns not given are 0. */
function linesOf(rows: readonly Partial<Record<keyof LineColumns, number>>[]): LineColumns {
  const whole = rows.map(
    (row) => ({ continuous: 1, prescription: -1, ...row }) as Partial<Record<keyof LineColumns, number>>,
  )
  const columns = LINE_COLUMNS.map((name) => [name, Int32Array.from(whole, (row) => row[name] ?? 0)])
  return Object.fromEntries(columns) as unknown as LineColumns
}

const supplies = fc.array(
  fc.record({ day: fc.integer({ min: T - 900, max: T }), days: fc.integer({ min: 1, max: 120 }) }),
  {
    minLength: 1,
    maxLength: 20,
  },
)

describe('a course', () => {
  it('has the days of a day-by-day count, whatever the window and the cessations between supplies', () => {
    fc.assert(
      fc.property(
        supplies,
        fc.array(fc.integer({ min: T - 900, max: T }), { maxLength: 3 }),
        fc.integer({ min: 0, max: 500 }),
        (made, ceased, back) => {
          const course = courseOf(arrange(linesOf(made), 1, 1, 0), 0, { died: null, ceased, replaced: [] })!
          const window = { from: Math.max(T - back, course.first), to: T }
          const closed = closedDays(
            ceased,
            made.map((one) => one.day),
          )
          const naive = pdcNaive(
            made.map(({ day, days }) => ({ date: day, days })),
            window,
            closed,
          )
          expect(daysIn(course, { from: T - back, to: T }, T)).toEqual({
            observed: naive.observedDays,
            covered: naive.coveredDays,
          })
        },
      ),
    )
  })

  it('is measured under the domain’s rule, and never without a day', () => {
    fc.assert(
      fc.property(supplies, (made) => {
        const course = courseOf(arrange(linesOf(made), 1, 1, 0), 0, { died: null, ceased: [], replaced: [] })!
        const days = made.map((one) => one.day)
        expect(measureAt(course, T) !== null).toBe(measurable(Math.min(...days), days, T))
      }),
    )
  })

  it('ends with a death, or the day before another medicine replaced it', () => {
    const record = arrange(
      linesOf([
        { day: T - 300, days: 30 },
        { day: T - 200, days: 30 },
      ]),
      1,
      1,
      0,
    )
    const measured = (died: number | null, replaced: number[], ceased: number[] = []) =>
      measureAt(courseOf(record, 0, { died, ceased, replaced })!, T)!
    expect([[], [T + 1], [T], [T - 1]].map((on) => lastObserved(measured(null, on)))).toEqual([T, T, T - 1, T - 2])
    expect(lastObserved(measured(T - 50, []))).toBe(T - 50)
    expect(lastObserved(measured(T - 50, [T - 40]))).toBe(T - 50)
    expect(lastObserved(measured(T - 50, [T - 60]))).toBe(T - 61)
    expect(lastObserved(measured(null, [T - 250, T - 100]))).toBe(T - 101)
    // A medicine fetched together with the old one does not replace it.
    expect(lastObserved(measured(null, [T - 200]))).toBe(T)
    for (const ceased of [T - 150, T - 1]) expect(lastObserved(measured(null, [], [ceased]))).toBe(ceased)
    expect(lastObserved(measured(null, [], [T - 250]))).toBe(T)
    expect(measured(null, [T - 100])).toMatchObject({ observed: 200, covered: 60 })
  })

  const courseOfLines = (rows: Parameters<typeof linesOf>[0], died: number | null = null) =>
    courseOf(arrange(linesOf(rows), 1, 1, 0), 0, { died, ceased: [], replaced: [] })!

  it('is measured from the 90th day after its first supply on', () => {
    const course = courseOfLines([
      { day: T - 90, days: 30 },
      { day: T - 60, days: 30 },
    ])
    expect(measureAt(course, T)).not.toBeNull()
    expect(measureAt(course, T - 1)).toBeNull()
  })

  it('leaves out refunds, and includes a supply on the day of a death', () => {
    const rows = [
      { day: T - 300, days: 30 },
      { day: T - 200, days: 30, cents: -1000 },
      { day: T - 100, days: 30 },
    ]
    expect(courseOfLines(rows).day).toEqual([T - 300, T - 100])
    expect(courseOfLines(rows, T - 100).day).toEqual([T - 300, T - 100])
    expect(courseOfLines(rows, T - 101).day).toEqual([T - 300])
  })

  it('carries in a supply on the 365th day before a window', () => {
    const course = courseOfLines([
      { day: T - 365, days: 365 },
      { day: T - 1, days: 30 },
    ])
    expect(daysIn(course, { from: T, to: T + 99 }, T + 99)).toEqual({ observed: 100, covered: 30 })
  })

  it('assumes that a supply made elsewhere lasts like the one before it, and brings no revenue', () => {
    const rows = [
      { day: T - 120, days: 60, cents: 1000, prescription: 0, number: 1 },
      { day: T, days: 30, cents: 1000, prescription: 0, number: 3 },
    ]
    const course = courseOfLines(rows)
    expect([course.day, course.days, course.cents]).toEqual([
      [T - 120, T - 60, T],
      [60, 60, 30],
      [1000, -1, 1000],
    ])
    expect(opportunityCents(course, { from: T - 120, to: T }, 150)).toBe(2000)
    // Like one made here, it counts on the day of a death, and not after it.
    expect([T - 60, T - 61].map((died) => courseOfLines(rows, died).day)).toEqual([[T - 120, T - 60], [T - 120]])
  })

  it('prices its uncovered days at the revenue of a supplied day, half a cent up', () => {
    const record = arrange(
      linesOf([
        { day: T - 100, days: 20, cents: 1001 },
        { day: T - 60, days: 20, cents: 1000 },
      ]),
      1,
      1,
      0,
    )
    const course = courseOf(record, 0, { died: null, ceased: [], replaced: [] })!
    expect(opportunityCents(course, { from: T - 100, to: T }, 10)).toBe(500)
    expect(opportunityCents(course, { from: T - 100, to: T }, 60)).toBe(3002)
  })
})

describe('a person', () => {
  const around = { died: [null], ceased: new Map(), replacedBy: [[]] }
  const recordOf = (rows: Parameters<typeof linesOf>[0]) => arrange(linesOf(rows), 1, 1, 0)

  it('is inactive after 180 days without a supply, and a refund is not one', () => {
    const record = recordOf([
      { day: T - 250, days: 30 },
      { day: T - 100, days: 30 },
      { day: T - 90, days: 30, cents: -1 },
    ])
    const courses = coursesOf(record, around, 0)
    const [last, after] = [T - 100 + 179, T - 100 + 180]
    const at = (t: number) => [isActive(record, 0, t), measuredAt(courses, t).length]
    expect(at(last)).toEqual([true, 1])
    expect(at(after)).toEqual([false, 0])
    const each = measuredAtEach(courses, [last, after])
    expect([0, 1].map((day) => pairsAt(each, day))).toEqual([measuredAt(courses, last), []])
  })

  it('is inactive 180 days after the last supply before their death, whatever is dated later', () => {
    const record = recordOf([
      { day: T - 300, days: 30 },
      { day: T - 250, days: 30 },
      { day: T - 20, days: 30 },
    ])
    const at = (t: number, died: number | null) =>
      measuredAt(coursesOf(record, { ...around, died: [died] }, 0), t).length
    expect([T - 71, T - 70, T].map((t) => at(t, T - 240))).toEqual([1, 0, 0])
    const each = measuredAtEach(coursesOf(record, { ...around, died: [T - 240] }, 0), [T - 71, T])
    expect([pairsAt(each, 0).length, pairsAt(each, 1).length]).toEqual([1, 0])
    expect(at(T, null)).toBe(1)
    expect(at(T, T - 20)).toBe(1)
  })

  it('is inactive whatever the next person of the record had', () => {
    const rows = [
      { day: T - 300, days: 30 },
      { person: 1, day: T - 10, days: 30 },
    ]
    const record = arrange(linesOf(rows), 2, 1, 0)
    expect([0, 1].map((one) => isActive(record, one, T))).toEqual([false, true])
  })

  it('leaves a medicine for one that replaces it, if supplied as a medicine taken continuously', () => {
    const replacedOn = (second: Partial<Record<keyof LineColumns, number>>) => {
      const rows = [
        { day: T - 300, days: 30 },
        { day: T - 200, days: 30 },
        { molecule: 1, day: T - 150, days: 30, ...second },
      ]
      const [first] = coursesOf(arrange(linesOf(rows), 1, 2, 0), { ...around, replacedBy: [[1], []] }, 0).courses
      return first!.endings.replaced
    }
    expect(replacedOn({})).toEqual([T - 150])
    expect(replacedOn({ continuous: 0 })).toEqual([])
    expect(replacedOn({ cents: -1000 })).toEqual([])
  })

  it('counts the slots of the 365 days up to a day', () => {
    // The fourth supply of a prescription: the earlier ones went elsewhere, 90, 60 and 30 days before.
    const record = recordOf([{ day: T, days: 30, prescription: 0, number: 4 }])
    const at = (t: number) => {
      const { here, leaked } = standingAt(record, 0, [], t)
      return { here, leaked }
    }
    expect(at(T - 1)).toEqual({ here: 0, leaked: 3 })
    expect(at(T - 90 + 364)).toEqual({ here: 1, leaked: 3 })
    expect(at(T - 90 + 365)).toEqual({ here: 1, leaked: 2 })
    expect(at(T + 365)).toEqual({ here: 0, leaked: 0 })
  })
})

describe('slots', () => {
  it('are those that leaked by the domain’s rules, from the first day of data on', () => {
    const seen = fc.uniqueArray(
      fc.record({ number: fc.integer({ min: 1, max: 8 }), day: fc.integer({ min: T - 400, max: T }) }),
      {
        selector: (one) => one.number,
        minLength: 1,
      },
    )
    fc.assert(
      fc.property(seen, fc.integer({ min: T - 400, max: T - 300 }), (lines, dataFrom) => {
        const { slots } = arrange(linesOf(lines.map((one) => ({ ...one, days: 30, prescription: 0 }))), 1, 1, dataFrom)
        const prescription = {
          ...{ repeatsAuthorised: null, prescribedOn: null, dataFrom },
          seen: lines.map(({ number, day }) => ({ number, date: day, days: 30 })),
        }
        const leaked = slotsOf(prescription, T).filter((slot) => slot.class === 'leaked')
        expect([...slots.day]).toEqual(leaked.map((slot) => slot.date).sort((a, b) => a! - b!))
      }),
    )
  })

  it('begin with the first day of data', () => {
    // The second supply of a prescription: the first went elsewhere, 30 days before.
    const lines = linesOf([{ day: T, days: 30, number: 2, prescription: 0 }])
    const from = (dataFrom: number) => [...arrange(lines, 1, 1, dataFrom).slots.day]
    expect([from(T - 30), from(T - 29)]).toEqual([[T - 30], []])
  })

  it('are dated by the earliest line of a number', () => {
    const line = (number: number, day: number) => ({ number, day, days: 30, prescription: 0 })
    const lines = linesOf([line(1, T), line(1, T + 40), line(3, T + 60)])
    expect([...arrange(lines, 1, 1, 0).slots.day]).toEqual([T + 30])
  })

  it('are missing for a line without a number or with a refund', () => {
    const lines = [{ number: 0 }, { number: 5, cents: -1 }, { number: 1 }].map((one) => ({
      ...one,
      day: T,
      days: 30,
      prescription: 0,
    }))
    expect(arrange(linesOf(lines), 1, 1, 0).slots.day).toHaveLength(0)
  })
})

describe('a record', () => {
  const record = arrange(
    linesOf([
      { person: 1, molecule: 2, day: T, type: 3 },
      { person: 0, molecule: 2, day: T, type: 1 },
      { person: 1, molecule: 0, day: T, type: 2 },
      { person: 1, molecule: 2, day: T - 9, type: 5 },
      { person: 1, molecule: 2, day: T, type: 4 },
      { person: 1, molecule: 2, day: T, type: 6, cents: -5 },
    ]),
    3,
    3,
    0,
  )

  it('is in order of person, molecule and day', () => {
    expect([...record.pairPerson]).toEqual([0, 1, 1])
    expect([...record.pairMolecule]).toEqual([2, 0, 2])
    expect([...record.personFrom]).toEqual([0, 1, 3, 3])
    expect([...record.lines.day].slice(2)).toEqual([T - 9, T, T, T])
  })

  it('has the type of a pair’s last script, the highest of one day, and counts scripts without refunds', () => {
    expect([typeAt(record, 2, T), typeAt(record, 2, T - 1), typeAt(record, 2, T - 10)]).toEqual([4, 5, 0])
    expect(scriptsIn(record, 2, { from: T - 9, to: T }, null)).toBe(3)
    expect(scriptsIn(record, 2, { from: T, to: T }, 3)).toBe(1)
  })
})
