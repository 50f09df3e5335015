import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { areasOf, behindOf, type GuildColumn, isSafeSum, sharesDays, shownColumns, shownMolecules } from './guild.ts'

const at = (state: string, postcode: string, count: number, from = 1) =>
  Array.from({ length: count }, (_, index) => ({ id: from + index, state, postcode }))
const groups = (areas: ReturnType<typeof areasOf>) =>
  Object.fromEntries(
    [...Map.groupBy(areas, ({ state, postcode }) => `${state} ${postcode}`)].map(([key, own]) => [key, own.length]),
  )

describe('areas', () => {
  it('hide a state of two pharmacies, and show one of three', () => {
    expect(areasOf(at('NT', '0800', 2))).toEqual([])
    expect(groups(areasOf(at('NT', '0800', 3)))).toEqual({ 'NT 0800': 3 })
  })
  it('put a postcode of two into the rest of its state, with the smallest shown one if the rest is too small', () => {
    const pharmacies = [...at('NSW', '2000', 5), ...at('NSW', '2010', 3, 10), ...at('NSW', '2020', 2, 20)]
    expect(groups(areasOf(pharmacies))).toEqual({ 'NSW 2000': 5, 'NSW ': 5 })
    const first = [...at('NSW', '2000', 3), ...at('NSW', '2010', 5, 10), ...at('NSW', '2020', 2, 20)]
    expect(groups(areasOf(first))).toEqual({ 'NSW 2010': 5, 'NSW ': 5 })
  })
  it('hide the last by name of two postcodes of one size, in any order', () => {
    const pharmacies = [...at('NSW', '2010', 3), ...at('NSW', '2000', 3, 10), ...at('NSW', '2020', 2, 20)]
    for (const all of [pharmacies, pharmacies.toReversed()])
      expect(groups(areasOf(all))).toEqual({ 'NSW 2000': 3, 'NSW ': 5 })
  })
  it('hide nothing more if the rest has three', () => {
    const pharmacies = [...at('NSW', '2000', 3), ...at('NSW', '2010', 2, 10), ...at('NSW', '2020', 1, 20)]
    expect(groups(areasOf(pharmacies))).toEqual({ 'NSW 2000': 3, 'NSW ': 3 })
  })
  it('leave out pharmacies without a state, and have no empty postcode', () => {
    expect(areasOf([{ id: 1, state: null, postcode: '2000' }])).toEqual([])
    expect(groups(areasOf(at('SA', '', 4)))).toEqual({ 'SA ': 4 })
  })
})

describe('one pharmacy', () => {
  const parts = (...amounts: number[]) => behindOf(amounts.map((amount, id) => ({ id, amount })))
  it('may be half of a shown figure, and no more', () => {
    expect(isSafeSum([parts(50, 30, 20)])).toBe(true)
    expect(isSafeSum([parts(51, 30, 19)])).toBe(false)
    expect(isSafeSum([parts(-51, 30, 19)])).toBe(false)
    expect(isSafeSum([parts(50, 50)])).toBe(false)
    expect(isSafeSum([])).toBe(true)
  })
  it('is among the three largest parts, in whatever order they come', () => {
    expect(parts(10, -50, 30, 0, 40)).toEqual({
      total: 130,
      top: [1, 4, 2].map((id) => ({ id, amount: [10, 50, 30, 0, 40][id] })),
    })
  })
  it('is added up over figures that are hidden together, with the most it can have in those that do not name it', () => {
    expect(isSafeSum([parts(51, 30, 19), parts(0, 30, 10)])).toBe(true)
    expect(isSafeSum([parts(51, 30, 19), parts(51, 30, 19)])).toBe(false)
    // The first pharmacy may be fourth in the second figure, with up to 10.
    const second = { total: 40, top: [5, 6, 7].map((id) => ({ id, amount: 10 })) }
    expect(isSafeSum([parts(60, 30, 20), second])).toBe(true)
    expect(isSafeSum([parts(70, 20, 20), second])).toBe(false)
  })
  it('with most of a postcode hides it, and with most of a rest hides another postcode with it', () => {
    const amounts = [80, 10, 10, 50, 40, 30, 90, 10, 10]
    const isSafe = (ids: readonly number[]) => isSafeSum([behindOf(ids.map((id) => ({ id, amount: amounts[id]! })))])
    const pharmacies = [...at('NSW', '2000', 3, 0), ...at('NSW', '2010', 3, 3)]
    expect(groups(areasOf(pharmacies, [isSafe]))).toEqual({ 'NSW ': 6 })
    expect(groups(areasOf([...pharmacies, ...at('NSW', '2020', 3, 6)], [isSafe]))).toEqual({
      'NSW ': 6,
      'NSW 2010': 3,
    })
    expect(areasOf(at('NSW', '2000', 3, 0), [isSafe])).toEqual([])
    expect(groups(areasOf(at('NSW', '2000', 3, 0), [isSafe, () => true]))).toEqual({ 'NSW 2000': 3 })
  })
})

const column = (id: number, size: number, ids: readonly number[]): GuildColumn => ({
  id,
  size,
  behind: new Map([['area', behindOf(ids.map((id) => ({ id, amount: 1 })))]]),
})

describe('columns', () => {
  it('with two pharmacies behind them are hidden, with another so that the rest is safe', () => {
    const columns = [column(1, 100, [1, 2, 3]), column(2, 50, [1, 2, 3]), column(3, 10, [1, 2])]
    expect(shownColumns(columns)).toEqual(new Set([1]))
    const last = columns.map((one) => ({ ...one, id: 4 - one.id }))
    expect(shownColumns(last.toReversed())).toEqual(new Set([3]))
  })
  it('with nobody behind them are shown', () => {
    expect(shownColumns([column(1, 100, [1, 2, 3]), column(2, 0, [])])).toEqual(new Set([1, 2]))
  })
  it('hide nothing more if two hidden ones stand for three pharmacies together', () => {
    const columns = [column(1, 100, [1, 2, 3]), column(2, 50, [1, 2]), column(3, 10, [3])]
    expect(shownColumns(columns)).toEqual(new Set([1]))
  })
  it('show no molecule of a hidden condition', () => {
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
    amounts: fc.tuple(...MOLECULES.map(() => fc.constantFrom(0, 0, 1, 8, 10, 12, 100))),
  }),
  { minLength: 3, maxLength: 9 },
)

type Has = (molecule: number) => boolean
const COLUMNS: readonly Has[] = [
  () => true,
  ...[1, 2, 3].map((id) => (one: number) => conditionOf(one) === id),
  ...MOLECULES.map((id) => (one: number) => one === id),
]

/** Everything shown of a network, each figure as the sum of its unknowns: each pharmacy's amount of each molecule. */
function everythingShown(network: readonly { state: string; postcode: string; amounts: readonly number[] }[]) {
  const pharmacies = network.map((one, id) => ({ id, ...one }))
  const unknown = pharmacies.flatMap(({ id, amounts }) =>
    MOLECULES.flatMap((molecule, at) => (amounts[at] ? [{ id, molecule, amount: amounts[at] }] : [])),
  )
  const rowOf = (ids: readonly number[], has: Has) =>
    unknown.map((one) => (ids.includes(one.id) && has(one.molecule) ? 1 : 0))
  /** The unknowns in a sum, by pharmacy. */
  const partsOf = (row: readonly number[]) =>
    pharmacies.map(({ id }) => ({
      id,
      amount: unknown.reduce((sum, one, at) => sum + (one.id === id ? row[at]! * one.amount : 0), 0),
    }))
  const isSafe = (ids: readonly number[]) => isSafeSum([behindOf(partsOf(rowOf(ids, () => true)))])
  const shown: number[][] = []
  for (const [, own] of Map.groupBy(areasOf(pharmacies, [isSafe]), ({ state }) => state)) {
    const postcodes = Map.groupBy(own, ({ postcode }) => postcode)
    const idsOf = (some: typeof own) => some.map(({ id }) => id)
    const column = (id: number, has: Has) => ({
      ...{ id, size: id },
      behind: new Map([...postcodes].map(([code, some]) => [code, behindOf(partsOf(rowOf(idsOf(some), has)))])),
    })
    if (shownColumns([column(0, () => true)]).size === 0) continue
    const open = shownMolecules(
      [1, 2, 3].map((id) => column(id, (one) => conditionOf(one) === id)),
      MOLECULES.map((id) => ({ ...column(id, (one) => one === id), condition: conditionOf(id) })),
    )
    for (const ids of [own, ...[...postcodes].filter(([code]) => code !== '').map(([, some]) => some)].map(idsOf)) {
      shown.push(rowOf(ids, () => true))
      for (const id of open.conditions) shown.push(rowOf(ids, (one) => conditionOf(one) === id))
      for (const id of open.molecules) shown.push(rowOf(ids, (one) => one === id))
    }
  }
  return { pharmacies, shown, rowOf, partsOf }
}

describe('adding and subtracting everything shown', () => {
  it('never reaches fewer than three pharmacies', () => {
    fc.assert(
      fc.property(anyNetwork, (network) => {
        const { pharmacies, shown, rowOf } = everythingShown(network)
        for (const a of pharmacies)
          for (const b of pharmacies)
            for (const has of COLUMNS) {
              const wanted = rowOf([a.id, b.id], has)
              if (wanted.some(Boolean)) expect(within(shown, wanted)).toBe(false)
            }
      }),
      { numRuns: 150 },
    )
  })

  it('never reaches a sum of which one pharmacy has more than half', () => {
    let found = 0
    fc.assert(
      fc.property(anyNetwork, (network) => {
        const { shown, partsOf } = everythingShown(network)
        const without = (one: readonly number[], others: readonly (readonly number[])[]) =>
          one.map((value, at) => value - others.reduce((sum, other) => sum + other[at]!, 0))
        // The shown figures, the difference of any two, and the remainder of one after subtracting any two others.
        const sums = shown.flatMap((one) => [
          one,
          ...shown.flatMap((other, at) => [
            without(one, [other]),
            ...shown.slice(at + 1).map((more) => without(one, [other, more])),
          ]),
        ])
        for (const sum of sums.filter((row) => row.some(Boolean) && row.every((value) => value >= 0))) {
          found++
          expect(isSafeSum([behindOf(partsOf(sum))])).toBe(true)
        }
      }),
      { numRuns: 100 },
    )
    expect(found).toBeGreaterThan(100)
  })
})

describe('of two bases', () => {
  const span = (from: number, to: number) => ({ from, to })
  it('that share a day, only one is shown', () => {
    expect(sharesDays(span(30, 394), span(0, 364))).toBe(true)
    expect(sharesDays(span(364, 700), span(0, 364))).toBe(true)
    expect(sharesDays(span(0, 364), span(364, 700))).toBe(true)
    expect(sharesDays(span(365, 729), span(0, 364))).toBe(false)
    expect(sharesDays(span(0, 364), span(365, 729))).toBe(false)
  })
})
