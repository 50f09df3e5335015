import { describe, expect, it } from 'vitest'
import { LINE_COLUMNS, type LineColumns } from './line.ts'
import { mergeParts, type RecordPart } from './merged.ts'
import { arrange } from './record.ts'

type Line = Partial<Record<keyof LineColumns, number>>

const T = 20_000

const columns = (rows: readonly Line[]) =>
  Object.fromEntries(
    LINE_COLUMNS.map((column) => [column, Int32Array.from(rows, (row) => row[column] ?? 0)]),
  ) as unknown as LineColumns

/** What one pharmacy knows of its people and one medicine. @param names of its prescriptions, which are the same everywhere */
function part(
  lines: readonly Line[],
  about: { died?: number; facility?: boolean[]; names?: string[]; personAt?: number[] } = {},
): RecordPart {
  const rows = lines.map((one): Line => ({ continuous: 1, prescription: 0, days: 30, ...one }))
  const { died = null, facility = [false], names = ['R1'], personAt = [0] } = about
  return {
    record: arrange(columns(rows), personAt.length, 1, 0),
    around: { died: [died], ceased: new Map() },
    ...{ personAt, moleculeAt: [0], facility },
    prescribed: (prescription) => names[prescription] ?? null,
  }
}
const merged = (...parts: RecordPart[]) => mergeParts(parts, 1, 1, 0)
const supply = (number: number, day: number): Line => ({ number, day })

describe('somebody at two pharmacies', () => {
  it('died on the earlier of two days, or on the only known one', () => {
    const one = [supply(1, T)]
    expect(merged(part(one, { died: T + 9 }), part(one, { died: T + 5 })).died).toEqual([T + 5])
    expect(merged(part(one, { died: T + 5 }), part(one, { died: T + 9 })).died).toEqual([T + 5])
    expect(merged(part(one), part(one, { died: T + 9 })).died).toEqual([T + 9])
  })

  it('is left out of adherence if any record says they live in a facility', () => {
    const continuous = (...parts: RecordPart[]) => [...merged(...parts).record.lines.continuous]
    const [home, facility] = [part([supply(1, T)]), part([supply(1, T)], { facility: [true] })]
    expect(continuous(facility, home)).toEqual([0, 0])
    expect(continuous(home, facility)).toEqual([0, 0])
    expect(continuous(home, home)).toEqual([1, 1])
    // The people of a pharmacy have other numbers there.
    const two = part([supply(1, T), { ...supply(1, T), person: 1 }], { facility: [true, false], personAt: [1, 0] })
    expect([...mergeParts([two], 2, 1, 0).record.lines.continuous]).toEqual([1, 0])
  })

  it('misses no supply of a prescription that the other pharmacy made', () => {
    const elsewhere = (...parts: RecordPart[]) => [...merged(...parts).record.slots.day]
    const [here, there] = [part([supply(1, T), supply(3, T + 60)]), part([supply(2, T + 30)])]
    expect(elsewhere(here)).toEqual([T + 30])
    expect(elsewhere(here, there)).toEqual([])
    const another = part([supply(1, T + 30)], { names: ['R2'] })
    expect(elsewhere(here, another)).toEqual([T + 30])
    const somebodyElse = part([supply(1, T + 9)], { personAt: [1] })
    expect([...mergeParts([here, somebodyElse], 2, 1, 0).record.slots.day]).toEqual([T + 30])
    // A refund is no supply made twice.
    const refunded = part([supply(2, T + 30), { ...supply(4, T + 99), cents: -1 }])
    expect(elsewhere(part([supply(1, T), supply(4, T + 90)]), refunded)).toEqual([T + 60])
  })

  it('misses nothing that may have been supplied at the other: the same supply twice, or an unnamed prescription', () => {
    const elsewhere = (...parts: RecordPart[]) => [...merged(...parts).record.slots.day]
    const here = part([supply(1, T), supply(3, T + 60)])
    expect(elsewhere(here, part([supply(3, T + 61)]))).toEqual([])
    expect(elsewhere(here, part([supply(2, T + 30)], { names: [] }))).toEqual([])
    const nameless = part([supply(1, T), supply(3, T + 60)], { names: [] })
    expect(elsewhere(nameless)).toEqual([T + 30])
    expect(elsewhere(nameless, part([supply(1, T + 9)]))).toEqual([])
    // Two prescriptions of one name at a pharmacy: nobody can tell which of them the other pharmacy supplied.
    const two = part([supply(1, T), supply(3, T + 60), { ...supply(6, T + 150), prescription: 1 }], {
      names: ['R1', 'R1'],
    })
    expect(elsewhere(two, part([supply(2, T + 30)]))).toEqual([])
    const oneNameless = part([supply(1, T), supply(3, T + 60), { day: T + 30, prescription: 1 }])
    expect(elsewhere(oneNameless)).toEqual([T + 30])
    expect(elsewhere(oneNameless, part([supply(4, T + 90)]))).toEqual([])
  })
})

it('the slots of one person do not depend on another person on the same prescription', () => {
  const slots = (rows: readonly Line[]) => {
    const { slots: found, pairPerson } = arrange(columns(rows), 2, 1, 0)
    const personOf = [...pairPerson].flatMap((person, pair) =>
      Array.from({ length: found.from[pair + 1]! - found.from[pair]! }, () => person),
    )
    return [...found.day].map((day, at) => ({ person: personOf[at], day }))
  }
  const of = (person: number, number: number, day: number): Line => ({ ...supply(number, day), person, days: 30 })
  const one = [of(0, 1, T), of(0, 4, T + 90)]
  const other = [of(1, 2, T + 30), of(1, 6, T + 150)]
  expect(slots(one)).toEqual([30, 60].map((days) => ({ person: 0, day: T + days })))
  expect(slots([...one, ...other])).toEqual([...slots(one), ...slots(other)])
})
