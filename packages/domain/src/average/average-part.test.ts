import { expect, it } from 'vitest'
import { averagePart } from './average-part.ts'

const shown = { molecules: new Set([1]), drugTypes: new Set([10, 11]), conditions: new Set([20]) }
const partOf = (molecule: number, drugType: number, condition: number) =>
  averagePart(molecule, [drugType, condition], shown)

it('is a molecule’s own where the average shows it', () => {
  expect(partOf(1, 10, 20)).not.toBe(partOf(2, 10, 20))
})

it('is shared by hidden molecules of the same shown drug type and condition', () => {
  expect(partOf(2, 10, 20)).toBe(partOf(3, 10, 20))
  expect(partOf(2, 10, 20)).not.toBe(partOf(3, 11, 20))
  expect(partOf(2, 10, 20)).not.toBe(partOf(3, 10, 21))
})

it('is shared by hidden molecules whose drug types and conditions are hidden too', () => {
  expect(partOf(2, 12, 22)).toBe(partOf(3, 13, 23))
})
