import { expect, it } from 'vitest'
import { fhirContext, mapped } from '../../../../../test/world/fhir-resource.ts'
import { scriptOf } from './dispense.ts'

const DISPENSE = {
  ...{ resourceType: 'MedicationDispense', id: 's1', status: 'completed', whenHandedOver: '2026-06-01' },
  ...{ subject: { reference: 'Patient/p1' }, medicationReference: { reference: 'Medication/m1' } },
}

const amounts: [string, object, object][] = [
  ['tablets', { quantity: { value: 30, unit: 'tablets' } }, { units: '30' }],
  ['no unit', { quantity: { value: 30 } }, { units: '30' }],
  ['tablets as UCUM annotates them', { quantity: { value: 30, code: '{tbl}' } }, { units: '30' }],
  ['single things in UCUM', { quantity: { value: 30, unit: 'Each', code: '{each}' } }, { units: '30' }],
  ['a rectal suppository of HL7', { quantity: { value: 60, code: 'RECSUPP' } }, { units: '60' }],
  ['a weekly patch of HL7', { quantity: { value: 4, code: 'TPATHWK' } }, { units: '4' }],
  ['drops, of which a bottle holds nobody knows how many', { quantity: { value: 3, code: '[drp]' } }, { units: '' }],
  ['millilitres', { quantity: { value: 200, code: 'mL' } }, { units: '200' }],
  ['litres', { quantity: { value: 1.5, code: 'L' } }, { units: '1500' }],
  ['a small part', { quantity: { value: 0.0000001 } }, { units: '0' }],
  ['packs, which hold nobody knows how many', { quantity: { value: 2, unit: 'packs' } }, { units: '' }],
  ['boxes', { quantity: { value: 2, unit: 'boxes' } }, { units: '' }],
  ['a compound', { quantity: { value: 2, unit: 'Pack of 30 tablets' } }, { units: '' }],
  ['a code of packs beside a unit', { quantity: { value: 2, unit: 'tablet', code: '{box}' } }, { units: '' }],
  [
    'tablets by a number of SNOMED CT',
    { quantity: { value: 30, unit: 'Tablets', code: '732936001' } },
    { units: '30' },
  ],
  ['a number of SNOMED CT alone', { quantity: { value: 3, code: '415818005' } }, { units: '' }],
  ['vials, which hold many doses', { quantity: { value: 3, unit: 'vials' } }, { units: '' }],
  ['grams', { quantity: { value: 30, code: 'g' } }, { units: '' }],
  ['a word that is no unit', { quantity: { value: 3, unit: 'constructor' } }, { units: '' }],
  ['patches and a plural in brackets', { quantity: { value: 4, unit: 'patch(es)' } }, { units: '4' }],
  ['milligrams, which are no units', { quantity: { value: 500, code: 'mg' } }, { units: '' }],
  ['no value', { quantity: { unit: 'tablet' } }, { units: '' }],
  ['an uncertain amount', { quantity: { value: 30, comparator: '<' } }, { path: 'quantity.comparator' }],
  [
    'a text for a number',
    { quantity: { value: '30' } },
    { path: 'quantity.value', reason: 'is a text; FHIR R4 has a number here' },
  ],
  ['weeks', { daysSupply: { value: 4, code: 'wk' } }, { days_supply: '28' }],
  ['UCUM months', { daysSupply: { value: 3, code: 'mo' } }, { days_supply: '91' }],
  ['days by word', { daysSupply: { value: 28, unit: 'Days' } }, { days_supply: '28' }],
  ['days without a unit', { daysSupply: { value: 28 } }, { days_supply: '28' }],
  ['half days', { daysSupply: { value: 7.5 } }, { days_supply: '8' }],
  [
    'days by a code that is none, without a unit',
    { daysSupply: { value: 2, code: 'box' } },
    { path: 'daysSupply.unit', value: 'box', reason: expect.stringContaining('not a unit of time') },
  ],
  ['days by a word of every object', { daysSupply: { value: 2, code: 'constructor' } }, { path: 'daysSupply.unit' }],
  [
    'days by a word beside an unknown code',
    { daysSupply: { value: 5, code: '258703001', unit: 'day' } },
    { days_supply: '5' },
  ],
  [
    'days counted in tablets',
    { daysSupply: { value: 28, unit: 'TAB' } },
    { path: 'daysSupply.unit', reason: expect.stringContaining('not a unit of time') },
  ],
]
it.each(amounts)('a dispense with %s', (_name, more, row) =>
  expect(mapped(scriptOf, { ...DISPENSE, ...more }, fhirContext())).toMatchObject(row),
)
