import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  COHORT_OPTIONS,
  type CohortPatient,
  cohortProblems,
  filtersSet,
  inCohort,
  inRanges,
  moleculesToSave,
  parseRange,
} from './cohort.ts'

const patient: CohortPatient = {
  adherenceLevel: 2,
  loyaltyLevel: 4,
  patientType: 'Concession',
  age: 70,
  sex: 'Female',
  molecules: 7,
  distance: 5,
  drugTypes: ['Lipid modifying'],
  doubleDispensing: true,
  atcCodes: ['C10AA05'],
  active: true,
}

describe('ranges', () => {
  test('years and molecules include the upper number, distances end below it', () => {
    expect(parseRange('10-15', 'whole')).toEqual({ from: 10, below: 16 })
    expect(parseRange('65+', 'whole')).toEqual({ from: 65, below: null })
    expect(parseRange('0-5', 'continuous')).toEqual({ from: 0, below: 5 })
    expect(parseRange('7-7', 'whole')).toEqual({ from: 7, below: 8 })
  })

  test.each([
    '',
    '-5',
    '5-',
    '5',
    'a-b',
    '10 - 15',
    '65 +',
    '10-15-20',
    '1.5-2',
    '15-10',
    '65+ ',
    `${'9'.repeat(20)}+`,
  ])('refuses "%s"', (text) => {
    expect(parseRange(text, 'whole')).toBeNull()
  })

  test('an empty distance is no range', () => {
    expect(parseRange('5-5', 'continuous')).toBeNull()
  })

  test('property: the offered ranges do not overlap or leave gaps', () => {
    const offered = [
      [COHORT_OPTIONS.ages, 'whole', fc.integer({ min: 0, max: 120 })],
      [COHORT_OPTIONS.polypharmacy, 'whole', fc.integer({ min: 0, max: 40 })],
      [COHORT_OPTIONS.distances, 'continuous', fc.double({ min: 0, max: 20_000, noNaN: true })],
    ] as const
    for (const [texts, values, arbitrary] of offered) {
      fc.assert(
        fc.property(arbitrary, (value) => {
          const hits = texts.filter((text) => inRanges(value, [parseRange(text, values)!]))
          expect(hits).toHaveLength(1)
        }),
      )
    }
  })
})

describe('cohort', () => {
  test('the example: levels 1-2 and 65 or older and 5 or more molecules', () => {
    const filters = { adherence: [1, 2], age: ['65+'], polypharmacy: ['5-9', '10+'] }
    expect(inCohort(filters, patient)).toBe(true)
    expect(inCohort(filters, { ...patient, adherenceLevel: null })).toBe(false)
    expect(inCohort(filters, { ...patient, adherenceLevel: 3 })).toBe(false)
    expect(inCohort(filters, { ...patient, age: 64 })).toBe(false)
    expect(inCohort(filters, { ...patient, molecules: 4 })).toBe(false)
    expect(inCohort(filters, { ...patient, molecules: 12 })).toBe(true)
  })

  test('an unknown value fails a filter that is set', () => {
    const unknown = { ...patient, age: null, sex: null, distance: null, patientType: null, doubleDispensing: null }
    expect(inCohort({}, unknown)).toBe(true)
    expect(inCohort({ age: [], molecules: [], double_dispensing: null }, unknown)).toBe(true)
    for (const filters of [
      { age: ['0-120'] },
      { patient_sex: ['Male', 'Female'] },
      { distance_from_store: ['0-5', '50+'] },
      { patient_type: ['General'] },
      { double_dispensing: false },
    ]) {
      expect(inCohort(filters, unknown)).toBe(false)
    }
  })

  test('five kilometres is in the next range, and list values are alternatives', () => {
    expect(inCohort({ distance_from_store: ['0-5'] }, patient)).toBe(false)
    expect(inCohort({ distance_from_store: ['5-20'] }, patient)).toBe(true)
    expect(inCohort({ molecules: ['N02BE01', 'C10AA05'] }, patient)).toBe(true)
    expect(inCohort({ molecules: ['N02BE01'] }, patient)).toBe(false)
    expect(inCohort({ drug_type: ['Diabetes'] }, patient)).toBe(false)
    expect(inCohort({ double_dispensing: true }, patient)).toBe(true)
    expect(inCohort({ double_dispensing: false }, patient)).toBe(false)
    expect(inCohort({}, { ...patient, active: false })).toBe(false)
  })

  test('invalid filters are refused with a sentence', () => {
    expect(cohortProblems({ age: ['65+', 'old'], adherence: [0, 3], patient_sex: ['female'] })).toEqual([
      'The age "old" is not a range such as 65-74 or 75+.',
      'The adherence level "0" is not one of 1 to 5.',
      'The sex "female" is not one of Female, Male.',
    ])
    expect(() => inCohort({ polypharmacy: ['many'] }, patient)).toThrow(RangeError)
    expect(cohortProblems({})).toEqual([])
  })

  test('selecting all molecules saves none, and filters are counted', () => {
    expect(moleculesToSave(['b', 'a'], ['a', 'b'])).toEqual([])
    expect(moleculesToSave(['b', 'b'], ['a', 'b'])).toEqual(['b'])
    expect(moleculesToSave(['b'], [])).toEqual(['b'])
    // A campaign for statins stays one where nothing else is dispensed yet.
    expect(moleculesToSave(['b', 'a'], ['a', 'b'], ['a', 'b'])).toEqual(['b', 'a'])
    expect(moleculesToSave(['a', 'b'], ['a', 'b'], ['a'])).toEqual([])
    expect(filtersSet({ age: ['65+'], molecules: [], double_dispensing: false })).toBe(2)
    expect(filtersSet({})).toBe(0)
  })

  test('property: another filter never adds people, another list value never removes them', () => {
    const levels = fc.subarray([1, 2, 3, 4, 5])
    const ages = fc.subarray([...COHORT_OPTIONS.ages])
    const people = fc.record({
      adherenceLevel: fc.constantFrom(1, 2, 3, 4, 5, null),
      age: fc.oneof(fc.integer({ min: 0, max: 110 }), fc.constant(null)),
    })
    fc.assert(
      fc.property(levels, ages, people, fc.integer({ min: 1, max: 5 }), (adherence, age, facts, level) => {
        const person = { ...patient, ...facts }
        if (inCohort({ adherence, age }, person)) expect(inCohort({ adherence }, person)).toBe(true)
        if (adherence.length > 0 && inCohort({ adherence }, person)) {
          expect(inCohort({ adherence: [...adherence, level] }, person)).toBe(true)
        }
      }),
    )
  })
})
