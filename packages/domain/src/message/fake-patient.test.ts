import { expect, test } from 'vitest'
import { type FakePatientDraft, fakePatientProblem, newFakeId } from './fake-patient.ts'

const fine: FakePatientDraft = {
  id: -1,
  first_name: 'Testa',
  last_name: 'Person',
  age: null,
  adherence_level: 5,
  loyalty_level: 5,
  leaked_scripts: 0,
  total_scripts: 0,
  medicare: '',
}

test('a new id is between -1 and -999999', () => {
  expect(newFakeId(0)).toBe(-1)
  expect(newFakeId(0.9999999999)).toBe(-999_999)
})

test('every field has bounds', () => {
  const said = (more: Partial<FakePatientDraft>) => fakePatientProblem({ ...fine, ...more })
  expect([said({}), said({ age: 0 })]).toEqual(['', ''])
  expect(
    said({ id: -999_999, age: 120, adherence_level: 1, loyalty_level: 1, total_scripts: 3, leaked_scripts: 3 }),
  ).toBe('')
  for (const id of [0, 1, -1_000_000, -1.5]) expect(said({ id })).toBe('Please use an id from -1 to -999999.')
  for (const level of [0, 6, 2.5]) {
    expect(said({ adherence_level: level })).toBe('Please choose an adherence level from 1 to 5.')
    expect(said({ loyalty_level: level })).toBe('Please choose a loyalty level from 1 to 5.')
  }
  expect(said({ first_name: ' ', last_name: '', age: 121 })).toBe(
    'Please enter a first name, enter a last name, and enter an age from 0 to 120.',
  )
  expect(said({ leaked_scripts: 4, total_scripts: 3 })).toBe('Please enter no more leaked scripts than total scripts.')
})

test('a Medicare number that could belong to someone is refused', () => {
  expect(fakePatientProblem({ ...fine, medicare: '2123 45670 1' })).toMatch(/cannot be anybody’s/)
  expect(fakePatientProblem({ ...fine, medicare: '0000 00000 0' })).toBe('')
})
