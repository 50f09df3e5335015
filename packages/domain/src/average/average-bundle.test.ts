import { describe, expect, it } from 'vitest'
import { IMPLIED, SHOWN } from './average.ts'
import { type Atom, shownParts } from './average-bundle.ts'

/** Amounts of companies 1, 2, 3 …, two pharmacies each. */
const amounts = (...list: number[]) =>
  list.map((amount, at) => ({ company: at + 1, amount, pharmacies: amount === 0 ? 0 : 2 }))
const atom = (id: number, parents: number[], ...list: number[]): Atom => ({ id, parents, measures: [amounts(...list)] })
const shown = (atoms: Atom[]) => {
  const { whole, atoms: ids, parents } = shownParts(atoms)
  return { whole, atoms: [...ids].sort(), parents: [...parents].sort() }
}

describe('with parts that have no coarser ones, the average', () => {
  it('shows all if all are safe', () => {
    expect(shown([atom(1, [], 3, 3, 3), atom(2, [], 5, 4, 3)])).toEqual({ whole: true, atoms: [1, 2], parents: [] })
  })

  it('hides the smallest safe one beside an unsafe one, because the total minus the others would reveal it', () => {
    const parts = [atom(1, [], 90, 5, 5), atom(2, [], 40, 40, 40), atom(3, [], 50, 60, 70), atom(4, [], 0, 0, 0)]
    // 1 + 2 are 130 of 220 from one company, so 3 joins them.
    expect(shown(parts)).toEqual({ whole: true, atoms: [], parents: [] })
    const larger = [...parts, atom(5, [], 100, 100, 100)]
    expect(shown(larger)).toEqual({ whole: true, atoms: [5], parents: [] })
  })

  it('hides two unsafe ones together if they are safe together', () => {
    const parts = [atom(1, [], 5, 0, 5), atom(2, [], 0, 6, 2), atom(3, [], 5, 5, 5)]
    expect(shown(parts)).toEqual({ whole: true, atoms: [3], parents: [] })
  })

  it('shows nothing, not even the whole, if the whole is unsafe', () => {
    expect(shown([atom(1, [], 90, 5, 5), atom(2, [], 5, 4, 4)])).toEqual({ whole: false, atoms: [], parents: [] })
    expect(shown([])).toEqual({ whole: false, atoms: [], parents: [] })
  })

  it('requires every measure to be safe', () => {
    const one = { id: 1, parents: [], measures: [amounts(3, 3, 3), amounts(9, 3, 3)] }
    expect(shownParts([one]).whole).toBe(false)
  })

  it('hides the smallest safe one, in whatever order they come, beside one that has scripts but no revenue', () => {
    const both = (id: number, ...list: number[]) => ({
      id,
      parents: [],
      measures: [amounts(...list), amounts(...list)],
    })
    const free = { id: 1, parents: [], measures: [amounts(0, 0, 0), amounts(5, 0, 0)] }
    const parts = [both(2, 100, 100, 100), free, both(3, 20, 20, 20)]
    for (const all of [parts, parts.toReversed()]) expect(shown(all)).toMatchObject({ whole: true, atoms: [2] })
  })

  it('applies each measure’s own safety', () => {
    const one = { id: 1, parents: [], measures: [amounts(3, 3, 3), amounts(9, 3, 3)] }
    expect(shownParts([one], [SHOWN, IMPLIED]).whole).toBe(true)
  })

  it('does not count a pharmacy twice that is in two hidden parts', () => {
    const thin = (id: number) => ({
      id,
      parents: [],
      measures: [[1, 2, 3].map((company) => ({ company, amount: 1, pharmacies: 1 }))],
    })
    // Three pharmacies, each in both.
    expect(shownParts([thin(1), thin(2)]).whole).toBe(false)
  })
})

describe('with molecules in drug types and conditions, the average', () => {
  // Drug types 10 and 20, conditions 30 and 40.
  it('keeps an unsafe molecule among those of its own drug type and condition', () => {
    const parts = [
      atom(1, [10, 30], 9, 0, 0),
      atom(2, [10, 30], 5, 9, 9),
      atom(3, [10, 40], 8, 8, 8),
      atom(4, [20, 40], 7, 7, 7),
    ]
    expect(shown(parts)).toEqual({ whole: true, atoms: [3, 4], parents: [10, 20, 30, 40] })
  })

  it('gives up the conditions first if a drug type must help out', () => {
    const parts = [
      atom(1, [10, 30], 9, 0, 0),
      atom(2, [10, 40], 2, 9, 9),
      atom(3, [20, 40], 7, 7, 7),
      atom(4, [20, 50], 6, 6, 6),
    ]
    expect(shown(parts)).toEqual({ whole: true, atoms: [3, 4], parents: [10, 20, 50] })
  })

  it('hides the molecule that a chain of differences would reveal', () => {
    // Drug type 10 = {1, 2}, condition 40 = {2, 3}: 10 - (40 - 3) would be 1, which only one company sells.
    const parts = [atom(1, [10, 30], 9, 0, 0), atom(2, [10, 40], 9, 9, 9), atom(3, [20, 40], 7, 7, 7)]
    const { atoms, parents } = shown(parts)
    expect(parents).not.toContain(40)
    expect(atoms).toEqual([3])
    expect(parents).toEqual([10, 20])
  })
})
