import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { areasOf, type GuildColumn, shownColumns, shownMolecules } from './guild.ts'

const at = (state: string, postcode: string, count: number, from = 1) =>
  Array.from({ length: count }, (_, index) => ({ id: from + index, state, postcode }))
const groups = (areas: ReturnType<typeof areasOf>) =>
  Object.fromEntries(
    [...Map.groupBy(areas, ({ state, postcode }) => `${state} ${postcode}`)].map(([key, own]) => [key, own.length]),
  )

describe('areas', () => {
  it('a state of two pharmacies is nowhere, of three it is shown', () => {
    expect(areasOf(at('NT', '0800', 2))).toEqual([])
    expect(groups(areasOf(at('NT', '0800', 3)))).toEqual({ 'NT 0800': 3 })
  })
  it('a postcode of two is the rest of its state, and takes the smallest shown with it when the rest is too small', () => {
    const pharmacies = [...at('NSW', '2000', 5), ...at('NSW', '2010', 3, 10), ...at('NSW', '2020', 2, 20)]
    expect(groups(areasOf(pharmacies))).toEqual({ 'NSW 2000': 5, 'NSW ': 5 })
  })
  it('a rest of three hides nothing more', () => {
    const pharmacies = [...at('NSW', '2000', 3), ...at('NSW', '2010', 2, 10), ...at('NSW', '2020', 1, 20)]
    expect(groups(areasOf(pharmacies))).toEqual({ 'NSW 2000': 3, 'NSW ': 3 })
  })
  it('no pharmacy is without a state or under an empty postcode of its own', () => {
    expect(areasOf([{ id: 1, state: null, postcode: '2000' }])).toEqual([])
    expect(groups(areasOf(at('SA', '', 4)))).toEqual({ 'SA ': 4 })
  })
})

const column = (id: number, size: number, ids: readonly number[]): GuildColumn => ({
  id,
  size,
  behind: new Map([['area', ids]]),
})

describe('columns', () => {
  it('with two pharmacies behind is hidden, and another with it so that the rest is safe', () => {
    const columns = [column(1, 100, [1, 2, 3]), column(2, 50, [1, 2, 3]), column(3, 10, [1, 2])]
    expect(shownColumns(columns)).toEqual(new Set([1]))
  })
  it('with nobody behind is shown', () => {
    expect(shownColumns([column(1, 100, [1, 2, 3]), column(2, 0, [])])).toEqual(new Set([1, 2]))
  })
  it('two hidden ones that stand for three pharmacies together hide nothing more', () => {
    const columns = [column(1, 100, [1, 2, 3]), column(2, 50, [1, 2]), column(3, 10, [3])]
    expect(shownColumns(columns)).toEqual(new Set([1]))
  })
  it('of a hidden condition, no molecule is shown', () => {
    const conditions = [column(1, 100, [1, 2, 3]), column(2, 50, [1, 2]), column(3, 40, [3, 4, 5])]
    const molecules = [
      { ...column(10, 5, [3, 4, 5]), condition: 3 },
      { ...column(11, 5, [1, 2, 3]), condition: 1 },
    ]
    expect(shownMolecules(conditions, molecules)).toEqual({ conditions: new Set([1]), molecules: new Set([11]) })
    expect(shownMolecules(conditions.slice(1), molecules).molecules).toEqual(new Set())
  })
})

/** Whether `wanted` is a sum of multiples of the rows. */
function within(rows: readonly (readonly number[])[], wanted: readonly number[]): boolean {
  return rankOf([...rows, wanted]) === rankOf(rows)
}
function rankOf(rows: readonly (readonly number[])[]): number {
  const left = rows.map((row) => [...row])
  let rank = 0
  for (let at = 0; at < (left[0]?.length ?? 0); at++) {
    const pivot = left.findIndex((row, index) => index >= rank && Math.abs(row[at]!) > 1e-9)
    if (pivot < 0) continue
    ;[left[rank], left[pivot]] = [left[pivot]!, left[rank]!]
    for (let other = rank + 1; other < left.length; other++) {
      const factor = left[other]![at]! / left[rank]![at]!
      for (let k = at; k < left[other]!.length; k++) left[other]![k]! -= factor * left[rank]![k]!
    }
    rank++
  }
  return rank
}

const MOLECULES = [10, 11, 12, 13, 14]
const conditionOf = (molecule: number) => (molecule < 12 ? 1 : molecule < 14 ? 2 : 3)
const anyNetwork = fc.array(
  fc.record({
    state: fc.constantFrom('NSW', 'NSW', 'NT'),
    postcode: fc.constantFrom('2000', '2000', '2010', '2020', '0800'),
    dispenses: fc.subarray(MOLECULES),
  }),
  { minLength: 3, maxLength: 9 },
)

describe('whoever adds and subtracts everything shown', () => {
  it('never comes to fewer than three pharmacies', () => {
    fc.assert(
      fc.property(anyNetwork, (network) => {
        const pharmacies = network.map((one, id) => ({ id, ...one }))
        const areas = areasOf(pharmacies)
        // Unknowns: what each pharmacy has of each molecule. A row is a figure that is shown, as the unknowns it adds up.
        const unknown = pharmacies.flatMap(({ id, dispenses }) => dispenses.map((molecule) => ({ id, molecule })))
        const rowOf = (ids: readonly number[], has: (molecule: number) => boolean) =>
          unknown.map((one) => (ids.includes(one.id) && has(one.molecule) ? 1 : 0))
        const shown: number[][] = []
        for (const [, own] of Map.groupBy(areas, ({ state }) => state)) {
          const behind = (has: (molecule: number) => boolean) =>
            new Map(
              [...Map.groupBy(own, ({ postcode }) => postcode)].map(([postcode, some]) => [
                postcode,
                some.filter(({ id }) => pharmacies[id]!.dispenses.some(has)).map(({ id }) => id),
              ]),
            )
          const whole = { id: 0, size: 0, behind: behind(() => true) }
          if (shownColumns([whole]).size === 0) continue
          const conditions = [1, 2, 3].map((id) => ({ id, size: id, behind: behind((one) => conditionOf(one) === id) }))
          const molecules = MOLECULES.map((id) => ({
            id,
            size: id,
            condition: conditionOf(id),
            behind: behind((one) => one === id),
          }))
          const open = shownMolecules(conditions, molecules)
          const sets = [
            own,
            ...[...Map.groupBy(own, ({ postcode }) => postcode)]
              .filter(([code]) => code !== '')
              .map(([, some]) => some),
          ]
          for (const set of sets.map((some) => some.map(({ id }) => id))) {
            shown.push(rowOf(set, () => true))
            for (const id of open.conditions) shown.push(rowOf(set, (one) => conditionOf(one) === id))
            for (const id of open.molecules) shown.push(rowOf(set, (one) => one === id))
          }
        }
        const columns = [
          () => true,
          ...[1, 2, 3].map((id) => (one: number) => conditionOf(one) === id),
          ...MOLECULES.map((id) => (one: number) => one === id),
        ]
        for (const a of pharmacies)
          for (const b of pharmacies)
            for (const has of columns) {
              const wanted = rowOf([a.id, b.id], has)
              if (wanted.some(Boolean)) expect(within(shown, wanted)).toBe(false)
            }
      }),
      { numRuns: 150 },
    )
  })
})
