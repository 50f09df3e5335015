import { expect, test } from 'vitest'
import { COUNTRIES } from '../time/locale.ts'
import { PATIENT_TYPES, PATIENT_TYPES_OF, patientTypeOf } from './patient-type.ts'

test('the order of patient types never changes, because supplies store the position', () => {
  expect(PATIENT_TYPES.slice(0, 6)).toEqual(['General', 'Concession', 'Safety Net', 'DVA', 'CTG', 'Private'])
  expect(PATIENT_TYPES.indexOf('NHS paying')).toBe(6)
  expect(PATIENT_TYPES.indexOf('Cash')).toBe(13)
})

test('every type belongs to a country, and every country has types', () => {
  const offered = COUNTRIES.flatMap((country) => PATIENT_TYPES_OF[country])
  expect(new Set(offered)).toEqual(new Set(PATIENT_TYPES))
  expect(PATIENT_TYPES_OF.US).not.toContain('Concession')
})

test('files may use any letter case and known aliases', () => {
  expect(patientTypeOf('AU', 'safety net')).toBe('Safety Net')
  expect(patientTypeOf('GB', ' PPC ')).toBe('NHS prepaid')
  expect(patientTypeOf('US', 'Medicare Part D')).toBe('Medicare')
  expect(['VA', 'Tricare', 'self pay'].map((text) => patientTypeOf('US', text))).toEqual([
    'Military and VA',
    'Military and VA',
    'Cash',
  ])
  expect(patientTypeOf('US', 'Concession')).toBeNull()
  expect(patientTypeOf('AU', 'Medicare')).toBeNull()
})
