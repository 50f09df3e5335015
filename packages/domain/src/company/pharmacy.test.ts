import { expect, test } from 'vitest'
import {
  countryNamed,
  type PharmacyDraft,
  pharmacyProblem,
  pharmacyProblems,
  pharmacyRemovalProblem,
  townLabel,
} from './pharmacy.ts'

const fine: PharmacyDraft = {
  ...{ name: 'Sturt Street Pharmacy', country: 'AU', town: 'Ballarat', region: 'VIC', postcode: '3350' },
  ...{ phone_number: '(03) 5331 0000', module_ids: [] },
}

test('a pharmacy names everything that is missing', () => {
  expect(pharmacyProblem(fine)).toBe('')
  const empty = { ...fine, name: ' ', town: '', region: '', postcode: '', phone_number: '' }
  expect(pharmacyProblem(empty)).toBe(
    'Please enter a pharmacy name, enter a suburb, select a state, and enter a postcode of four digits.',
  )
  expect(pharmacyProblem({ ...empty, country: 'GB' })).toBe(
    'Please enter a pharmacy name, enter a town, and enter a postcode.',
  )
  expect(pharmacyProblem({ ...empty, country: 'US' })).toBe(
    'Please enter a pharmacy name, enter a city, and enter a ZIP code.',
  )
})

test('postcodes are digits in Australia and text elsewhere', () => {
  const fields = (draft: Partial<PharmacyDraft>) => pharmacyProblems({ ...fine, ...draft }).map(({ field }) => field)
  expect(fields({ postcode: 'EH1 2AB' })).toEqual(['postcode'])
  expect(fields({ postcode: '335' })).toEqual(['postcode'])
  expect(fields({ postcode: 'EH1 2AB', country: 'GB', region: '' })).toEqual([])
  expect(fields({ region: 'Victoria' })).toEqual(['region'])
  expect(fields({ phone_number: 'call Jo' })).toEqual(['phone_number'])
  expect(fields({ phone_number: '000' })).toEqual(['phone_number'])
  expect(fields({ phone_number: 'Jo, 03 5331 0000' })).toEqual(['phone_number'])
  expect(fields({ phone_number: '03 5331 0000 (Jo)' })).toEqual(['phone_number'])
})

test('a stocktake warning is 1 to 366 whole days, or empty', () => {
  const words = (s8_stocktake_warning_days: string) => pharmacyProblem({ ...fine, s8_stocktake_warning_days })
  expect(['', ' ', '1', '28', '366'].map(words)).toEqual(['', '', '', '', ''])
  for (const days of ['0', '367', '2.5', 'two', '-3'])
    expect(words(days)).toBe('Please enter a stocktake warning of 1 to 366 days.')
})

test('a module with its own pharmacy number needs that number', () => {
  const programs = { display_name: 'Pharmacy Programs', needs_external_id: true, external_id: ' ' }
  const upload = { display_name: 'Upload', needs_external_id: false, external_id: '' }
  expect(pharmacyProblem({ ...fine, module_ids: [upload, programs] })).toBe(
    'Please enter an external ID for Pharmacy Programs.',
  )
  expect(pharmacyProblem({ ...fine, module_ids: [upload, { ...programs, external_id: 'PP-1' }] })).toBe('')
})

test('a country is recognised by name or code', () => {
  expect([countryNamed('Australia'), countryNamed(' united kingdom'), countryNamed('us')]).toEqual(['AU', 'GB', 'US'])
  expect(countryNamed('Atlantis')).toBeNull()
  expect([townLabel('GB'), townLabel('AU'), townLabel('US')]).toEqual(['Town', 'Suburb', 'City'])
})

test('a pharmacy in use names what uses it', () => {
  const free = { activeCampaigns: 0, unfinishedSends: 0, openUploads: 0 }
  expect(pharmacyRemovalProblem('Sturt', free)).toBe('')
  expect(pharmacyRemovalProblem('Sturt', { activeCampaigns: 2, unfinishedSends: 1, openUploads: 1 })).toBe(
    'Sturt still has 2 active campaigns, 1 unfinished send, and 1 upload in its queue. Please deactivate, stop or delete them first.',
  )
})
