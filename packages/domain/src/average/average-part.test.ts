import { expect, it } from 'vitest'
import { averagePart } from './average-part.ts'

const shown = { molecules: new Set([1]), drugTypes: new Set([10, 11]), conditions: new Set([20]) }
const partOf = (molecule: number, drugType: number, condition: number) =>
  averagePart(molecule, [drugType, condition], shown)

it('a molecule’s part is its own if the average shows it', () => {
  expect(partOf(1, 10, 20)).not.toBe(partOf(2, 10, 20))
})

it('hidden molecules of the same shown drug type and condition share a part', () => {
  expect(partOf(2, 10, 20)).toBe(partOf(3, 10, 20))
  expect(partOf(2, 10, 20)).not.toBe(partOf(3, 11, 20))
  expect(partOf(2, 10, 20)).not.toBe(partOf(3, 10, 21))
})

it('hidden molecules with hidden drug types and conditions share a part', () => {
  expect(partOf(2, 12, 22)).toBe(partOf(3, 13, 23))
})
