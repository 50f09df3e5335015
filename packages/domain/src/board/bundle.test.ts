import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type BoardAtom, boardBundles, mayShow, type Share } from './bundle.ts'

const share = (company: number, location: number, amount: number, patients = amount): Share => ({
  company,
  location,
  amount,
  patients,
})
/** Five pharmacies of five companies, with as many patients each. */
const even = (amount: number, patients = amount) => [1, 2, 3, 4, 5].map((at) => share(at, at * 10, amount, patients))

describe('a figure of a board', () => {
  it('needs ten patients besides the reader’s own company’s', () => {
    expect(mayShow(even(2), 99)).toBe(true)
    expect(mayShow(even(2, 1), 99)).toBe(false)
    const own = [...even(2), share(1, 11, 100)]
    expect(mayShow(own, 1)).toBe(false)
  })

  it('needs pharmacies of several companies, none with over half', () => {
    expect(mayShow([share(1, 1, 50), share(2, 2, 50)], 99)).toBe(false)
    expect(mayShow([...even(3), share(6, 60, 16)], 99)).toBe(false)
    expect(mayShow([...even(3), share(6, 60, 15)], 99)).toBe(true)
  })

  it('needs three pharmacies, even with the weakest safety', () => {
    const anything = { pharmacies: 1, companies: 1, share: 1 }
    expect(mayShow([share(1, 1, 50), share(2, 2, 50)], 99, anything)).toBe(false)
    expect(mayShow([share(1, 1, 50), share(2, 2, 50), share(3, 3, 1)], 99, anything)).toBe(true)
    // A pharmacy without any of it does not count, however many patients it has.
    expect(mayShow([share(1, 1, 50), share(2, 2, 50), share(3, 3, 0, 9)], 99, anything)).toBe(false)
  })

  it('counts a patient once who takes two of the products shown together', () => {
    const small = (key: string): BoardAtom => ({ key, inside: ['m', 'c'], shares: even(1, 1) })
    expect(boardBundles([small('a'), small('b'), small('c')], 99)).toEqual([])
  })

  it('adds the smallest of its own molecule first', () => {
    const atoms: BoardAtom[] = [
      { key: 'small', inside: ['m', 'c'], shares: even(1, 1) },
      { key: 'other', inside: ['m', 'c'], shares: even(4) },
      { key: 'large', inside: ['m', 'c'], shares: even(9) },
      { key: 'elsewhere', inside: ['n', 'c'], shares: even(3) },
    ]
    const keys = boardBundles(atoms, 99).map((bundle) => bundle.keys)
    expect(keys).toContainEqual(['small', 'other'])
    expect(keys).toContainEqual(['large'])
    expect(keys).toContainEqual(['elsewhere'])
  })

  it('does not depend on the order of the products, even if two are equally large', () => {
    const of = (key: string, amount: number): BoardAtom => ({ key, inside: ['m', 'c'], shares: even(amount, amount) })
    const atoms = [of('small', 1), of('b', 4), of('a', 4)]
    const small = (order: BoardAtom[]) => boardBundles(order, 99).find(({ keys }) => keys.includes('small'))!.keys
    expect(small(atoms)).toEqual(['small', 'a'])
    expect(small(atoms.toReversed())).toEqual(['small', 'a'])
  })
})

describe('a class too small to be shown', () => {
  it('adds the smallest class, not the smallest product of a large one', () => {
    const of = (key: string, drugClass: string, amount: number): BoardAtom => ({
      key,
      inside: [key, drugClass],
      shares: even(amount, amount),
    })
    const atoms = [of('tiny', 'x', 1), of('a', 'large', 3), of('b', 'large', 90), of('c', 'small', 6)]
    expect(boardBundles(atoms, 99).map(({ keys }) => keys)).toEqual([['tiny', 'c'], ['a'], ['b']])
  })
})

const atom = fc.record({
  molecule: fc.integer({ min: 0, max: 4 }),
  shares: fc.array(
    fc.record({
      company: fc.integer({ min: 1, max: 6 }),
      shop: fc.integer({ min: 0, max: 2 }),
      amount: fc.integer({ min: 0, max: 9 }),
    }),
    { maxLength: 14 },
  ),
})

describe('in any network', () => {
  const worlds = fc.array(atom, { maxLength: 12 }).map((atoms) =>
    atoms.map(({ molecule, shares }, at): BoardAtom => {
      const byShop = new Map(shares.map((one) => [one.company * 10 + one.shop, one]))
      return {
        key: String(at),
        inside: [String(molecule), String(molecule % 2)],
        shares: [...byShop].map(([location, { company, amount }]) =>
          share(company, location, amount, Math.ceil(amount / 2)),
        ),
      }
    }),
  )

  it('every bundle is safe, each atom is in one, and nothing is lost', () => {
    fc.assert(
      fc.property(worlds, fc.integer({ min: 1, max: 7 }), (atoms, reader) => {
        const bundles = boardBundles(atoms, reader)
        if (bundles.length === 0) return
        const there = atoms.filter((one) => one.shares.some(({ amount }) => amount > 0))
        expect(bundles.flatMap(({ keys }) => keys).sort()).toEqual(there.map(({ key }) => key).sort())
        for (const { keys, amount } of bundles) {
          const own = atoms.filter((one) => keys.includes(one.key)).flatMap(({ shares }) => shares)
          expect(amount).toBe(own.reduce((sum, one) => sum + one.amount, 0))
          // Without the reader's own pharmacies, and counting each pharmacy's people at most once.
          const others = own.filter((one) => one.company !== reader && one.amount > 0)
          const shops = Map.groupBy(others, (one) => one.location)
          const patients = [...shops.values()].reduce((sum, list) => sum + Math.max(...list.map((x) => x.patients)), 0)
          expect(patients).toBeGreaterThanOrEqual(10)
          expect(shops.size).toBeGreaterThanOrEqual(3)
        }
      }),
      { numRuns: 2000 },
    )
  })

  it('no difference of two sums of bundles is smaller than a bundle', () => {
    fc.assert(
      fc.property(
        worlds,
        fc.integer({ min: 1, max: 7 }),
        fc.array(fc.nat(20)),
        fc.array(fc.nat(20)),
        (atoms, reader, a, b) => {
          const bundles = boardBundles(atoms, reader)
          if (bundles.length === 0) return
          const view = (picked: number[]) => new Set(picked.map((at) => bundles[at % bundles.length]!))
          const left = view(a).difference(view(b))
          for (const bundle of left) {
            const shares = atoms.filter((one) => bundle.keys.includes(one.key)).flatMap((one) => one.shares)
            const others = shares.filter((one) => one.company !== reader && one.amount > 0)
            expect(new Set(others.map((one) => one.location)).size).toBeGreaterThanOrEqual(3)
          }
        },
      ),
    )
  })
})
