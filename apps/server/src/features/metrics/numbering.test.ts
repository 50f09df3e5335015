import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Numbering } from './numbering.ts'

describe('a numbering', () => {
  it('numbers ids as they come, as a Map would', () => {
    const ids = fc.array(fc.oneof(fc.nat(50), fc.integer({ min: 0, max: 2 ** 53 - 1 }), fc.nat(2000)), {
      maxLength: 3000,
      size: 'max',
    })
    fc.assert(
      fc.property(ids, (given) => {
        const numbering = new Numbering()
        const known = new Map<number, number>()
        const told: number[][] = []
        const expected: number[][] = []
        for (const id of given) {
          told.push([numbering.find(id), numbering.numberOf(id)])
          expected.push([known.get(id) ?? -1, known.get(id) ?? known.size])
          if (!known.has(id)) known.set(id, known.size)
        }
        expect(told).toEqual(expected)
        expect(Array.from({ length: numbering.count }, (_, number) => numbering.idOf(number))).toEqual([
          ...known.keys(),
        ])
        expect(numbering.idOf(known.size)).toBeUndefined()
      }),
      { numRuns: 40 },
    )
  })
})
