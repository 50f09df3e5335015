import fc from 'fast-check'
import { expect, it } from 'vitest'
import { positions, sortedBy, startsOf } from './order.ts'
import { replacements } from './replacement.ts'

it('counting sorts keep the order of equal keys, and find the start of each group', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -50, max: 50 })), (keys) => {
      const sorted = sortedBy(positions(keys.length), Int32Array.from(keys))
      expect([...sorted]).toEqual([...keys.keys()].sort((a, b) => keys[a]! - keys[b]!))
    }),
  )
  expect([...startsOf([0, 0, 2], 4)]).toEqual([0, 2, 2, 3, 3])
})

it('a molecule is replaced by others of its ATC level 4 and by combinations that contain all of it', () => {
  const found = replacements([
    { atc: 'C09AA04', components: ['perindopril'] },
    { atc: 'C09AA05', components: ['ramipril'] },
    { atc: 'C09BB04', components: ['perindopril', 'amlodipine'] },
    { atc: null, components: ['fish oil'] },
    { atc: 'C08', components: ['amlodipine'] },
    { atc: 'C10BX03', components: ['amlodipine', 'atorvastatin'] },
    { atc: 'C09AX01', components: ['aliskiren'] },
    // One ingredient under two codes is no combination.
    { atc: 'N02BA01', components: ['aspirin'] },
    { atc: 'B01AC06', components: ['aspirin'] },
  ])
  expect(found).toEqual([[1, 2], [0], [], [], [2, 5], [], [], [], []])
})
