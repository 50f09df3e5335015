import { cohortProblems } from '@pillar/domain/cohort/cohort'
import { expect, test } from 'vitest'
import { filterWords, forCountry, NO_FILTERS, ownRange, rangeOptions, toggled, withRange } from './cohort-draft.ts'
import { marked, matchingMolecules, toggledShown, withChosen } from './molecule-list.ts'

test('a custom range as people write it is one the server accepts', () => {
  const ranges = ['10 – 15', '65 +', '20 to 50 km', '0-5mi', '7-7'].map((typed) => ownRange(typed, 'age'))
  expect(ranges).toEqual(['10-15', '65+', '20-50', '0-5', '7-7'].map((range) => ({ range })))
  for (const one of ranges) {
    if ('range' in one) expect(cohortProblems({ age: [one.range] })).toEqual([])
  }
  for (const typed of ['', '10', '15-10', 'old', '-5', '1-2-3', '99999-100000']) {
    expect(ownRange(typed, 'age')).toHaveProperty('problem')
  }
  // Distances end below their upper number, so a range from 5 to 5 would be empty.
  expect(ownRange('5-5', 'distance_from_store')).toHaveProperty('problem')
})

test('the options include selected custom ranges, in the country’s unit', () => {
  const labels = rangeOptions('distance_from_store', ['0-5', '3-4'], 'GB').map(({ label }) => label)
  expect(labels).toEqual(['0–5 mi', '5–20 mi', '20–50 mi', '50+ mi', '3–4 mi'])
  expect(rangeOptions('distance_from_store', [], 'AU')[0]?.label).toBe('0–5 km')
})

test('toggling keeps the order of the options, with custom values last', () => {
  expect(toggled([3], 1, [1, 2, 3])).toEqual([1, 3])
  expect(toggled([1, 3], 1, [1, 2, 3])).toEqual([3])
  expect(toggled(['10-15'], '0-17', ['0-17', '18-34'])).toEqual(['0-17', '10-15'])
})

test('filters in words; 60 day dispensing only in Australia', () => {
  const filters = {
    ...NO_FILTERS,
    adherence: [1, 5],
    age: ['65+'],
    double_dispensing: true,
    molecules: ['C10AA05', 'C10AA07'],
  }
  const names = new Map([['C10AA05', 'Atorvastatin']])
  expect(filterWords(filters, 'AU', (code) => names.get(code) ?? code)).toEqual([
    { label: 'Adherence', value: '1 Very Poor, 5 Strong' },
    { label: 'Age', value: '65+' },
    { label: '60 Day Dispensing', value: 'Could move to 60 days' },
    { label: 'Molecules', value: 'Atorvastatin, C10AA07' },
  ])
  expect((['GB', 'US'] as const).map((country) => forCountry(filters, country).double_dispensing)).toEqual([null, null])
  expect(filterWords(NO_FILTERS, 'AU')).toEqual([])
})

test('molecules: searched by name and code, highlighted, all matches ticked and unticked', () => {
  const all = [
    { molecule: 'Atorvastatin', atc_code: 'C10AA05' },
    { molecule: 'Simvastatin', atc_code: 'C10AA01' },
    { molecule: 'Metformin', atc_code: 'A10BA02' },
  ]
  const found = matchingMolecules(all, 'STAT c10')
  expect(found.map(({ molecule }) => molecule)).toEqual(['Atorvastatin', 'Simvastatin'])
  const ticked = toggledShown(new Set(['A10BA02']), found)
  expect([...ticked].sort()).toEqual(['A10BA02', 'C10AA01', 'C10AA05'])
  expect([...toggledShown(ticked, found)]).toEqual(['A10BA02'])
  expect(marked('Atorvastatin', 'Stat')).toEqual(['Atorva', 'stat', 'in'])
  expect(marked('Atorvastatin', ' stat c10')).toEqual(['Atorva', 'stat', 'in'])
  expect(marked('Metformin', 'stat')).toEqual(['Metformin', '', ''])
})

test('molecules selected although nobody has been dispensed them can be seen and unticked', () => {
  const dispensed = [{ molecule: 'Atorvastatin', atc_code: 'C10AA05' }]
  const nameOf = (code: string) => (code === 'A02BC02' ? 'Pantoprazole' : code)
  expect(withChosen(dispensed, ['C10AA05', 'A02BC02', 'Z99ZZ99'], nameOf)).toEqual([
    { molecule: 'Pantoprazole (not dispensed yet)', atc_code: 'A02BC02' },
    { molecule: 'Z99ZZ99 (not dispensed yet)', atc_code: 'Z99ZZ99' },
    ...dispensed,
  ])
})

test('a custom range is added to those chosen, and once', () => {
  expect(withRange(['65-74', '75+'], '10-15')).toEqual(['65-74', '75+', '10-15'])
  expect(withRange(['10-15', '75+'], '10-15')).toEqual(['10-15', '75+'])
})
