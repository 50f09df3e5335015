import fc from 'fast-check'
import { expect, it } from 'vitest'
import { changeParts } from './change-parts.ts'

it('splits a change into scripts, prices and mix', () => {
  // 100 scripts at $20.00 and 50 at $40.00 become 120 at $21.00 and 40 at $40.00, and 10 of a new medicine at $90.00.
  const parts = changeParts([
    { before: { scripts: 100, cents: 200_000 }, now: { scripts: 120, cents: 252_000 } },
    { before: { scripts: 50, cents: 200_000 }, now: { scripts: 40, cents: 160_000 } },
    { before: { scripts: 0, cents: 0 }, now: { scripts: 10, cents: 90_000 } },
  ])
  // 20 more scripts at $26.67; 120 at $1.00 more; the rest of the change of $1,020.00.
  expect(parts).toEqual({ volume: 53_333, price: 12_000, mix: 102_000 - 53_333 - 12_000 })
})

it('rounds the price once, not for each product', () => {
  // One product with half a cent more than the mean of two scripts a year earlier; four such products are two cents.
  const product = { before: { scripts: 2, cents: 2001 }, now: { scripts: 1, cents: 1001 } }
  expect(changeParts([product, product, product, product]).price).toBe(2)
})

it('rounds half a cent alike, whatever the order of the products', () => {
  const products = [3, 3, 9].map((cents) => ({ before: { scripts: 10, cents }, now: { scripts: 1, cents: 10 } }))
  expect([changeParts(products).price, changeParts(products.toReversed()).price]).toEqual([29, 29])
})

it('has a price from the first script on, rounded to the nearest cent', () => {
  const parts = changeParts([{ before: { scripts: 1, cents: 1000 }, now: { scripts: 2, cents: 2100 } }])
  expect(parts).toEqual({ volume: 1000, price: 100, mix: 0 })
  // A third of a cent more than the mean of three, and two thirds.
  const third = (cents: number) => changeParts([{ before: { scripts: 3, cents }, now: { scripts: 1, cents: 1000 } }])
  expect([third(2999).price, third(2998).price, third(3002).price]).toEqual([0, 1, -1])
})

it('without scripts a year earlier, all is mix', () => {
  expect(changeParts([{ before: { scripts: 0, cents: 0 }, now: { scripts: 3, cents: 900 } }])).toEqual({
    ...{ volume: 0, price: 0, mix: 900 },
  })
})

it('a product with only refunds left has no price to compare', () => {
  expect(changeParts([{ before: { scripts: 2, cents: 400 }, now: { scripts: 0, cents: -100 } }])).toEqual({
    ...{ volume: -400, price: 0, mix: -100 },
  })
})

const sums = fc.record({ scripts: fc.nat(500), cents: fc.integer({ min: -50_000, max: 5_000_000 }) })

it('property: the parts are whole cents that add up to the change, in any order of the products', () => {
  fc.assert(
    fc.property(fc.array(fc.record({ before: sums, now: sums }), { maxLength: 30 }), (products) => {
      const { volume, price, mix } = changeParts(products)
      const change = products.reduce((sum, one) => sum + one.now.cents - one.before.cents, 0)
      expect(volume + price + mix).toBe(change)
      expect([volume, price, mix].every(Number.isInteger)).toBe(true)
      expect(changeParts([...products].reverse())).toEqual({ volume, price, mix })
    }),
  )
})

it('property: with unchanged prices and unchanged shares, all is volume', () => {
  const product = fc.record({ scripts: fc.integer({ min: 1, max: 100 }), price: fc.integer({ min: 1, max: 9000 }) })
  fc.assert(
    fc.property(
      fc.array(product, { minLength: 1, maxLength: 20 }),
      fc.integer({ min: 1, max: 5 }),
      (products, times) => {
        const parts = changeParts(
          products.map(({ scripts, price }) => ({
            before: { scripts, cents: scripts * price },
            now: { scripts: scripts * times, cents: scripts * times * price },
          })),
        )
        expect(parts.price).toBe(0)
        expect(parts.mix).toBe(0)
      },
    ),
  )
})
