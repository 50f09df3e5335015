import { describe, expect, it } from 'vitest'
import { fhirContext, mapped } from '../../../../../test/world/fhir-resource.ts'
import { drugOfMedication, drugOfUse } from './medication.ts'

const coded = (system: string, code: string, display?: string) => ({ system, code, ...(display ? { display } : {}) })
const SNOMED = 'http://snomed.info/sct'
const RXNORM = 'http://www.nlm.nih.gov/research/umls/rxnorm'
const use = (concept: object, context = fhirContext()) =>
  mapped(drugOfUse, { medicationCodeableConcept: concept }, context)
const medication = (more: object, context = fhirContext()) =>
  mapped(drugOfMedication, { resourceType: 'Medication', id: 'm1', ...more }, context)

describe('a product named by a code', () => {
  const concepts: [string, object, object][] = [
    [
      'AMT',
      { coding: [coded(SNOMED, '27437011000036101', 'Atorvastatin 20 mg tablet, 30')] },
      { drug_id: 'snomed 27437011000036101', name: 'Atorvastatin 20 mg tablet, 30', molecule: '' },
    ],
    [
      'AMT of an edition',
      { coding: [coded(`${SNOMED}/32506021000036107`, '1', 'Atorvastatin')] },
      { drug_id: 'snomed 1' },
    ],
    [
      'an AMT brand with its ingredients in brackets',
      {
        coding: [
          coded(SNOMED, '926214011000036103', 'Reaptan 10 mg/10 mg (perindopril arginine/amlodipine) tablet, 30'),
        ],
      },
      { molecule: 'perindopril + amlodipine' },
    ],
    [
      'PBS and AMT: the product identifies it, both are kept',
      {
        coding: [
          coded('http://pbs.gov.au/code/item', '8173E', 'simvastatin 40 mg tablet, 30'),
          coded(SNOMED, '28213011000036109'),
        ],
      },
      { drug_id: 'snomed 28213011000036109', pbs_code: '8173E', name: 'simvastatin 40 mg tablet, 30' },
    ],
    ['RxNorm', { coding: [coded(RXNORM, '314076', 'lisinopril 10 MG Oral Tablet')] }, { drug_id: 'rxnorm 314076' }],
    [
      'dm+d',
      { coding: [coded('https://dmd.nhs.uk', '39113211000001104', 'Ramipril 5mg capsules')] },
      { drug_id: 'dmd 39113211000001104' },
    ],
    [
      'NDC',
      { coding: [coded('http://hl7.org/fhir/sid/ndc', '0069-2587-10', 'Vancomycin Hydrochloride')] },
      { drug_id: 'ndc 0069-2587-10' },
    ],
    [
      'ATC: it places the product, another code identifies it',
      { coding: [coded('http://www.whocc.no/atc', 'c10aa07'), coded('urn:own', '77')], text: 'Crestor 10' },
      { drug_id: 'urn:own 77', atc: 'C10AA07', name: 'Crestor 10' },
    ],
    [
      'ATC alone',
      { coding: [coded('http://www.whocc.no/atc', 'C10AA07', 'rosuvastatin')] },
      { drug_id: 'atc C10AA07' },
    ],
    [
      'the coding its user chose',
      { coding: [coded(SNOMED, '1', 'Atorvastatin'), { ...coded(RXNORM, '2'), userSelected: true }] },
      { drug_id: 'rxnorm 2' },
    ],
    [
      'a brand, and another coding with the ingredient',
      { text: 'Lipex 40', coding: [coded(SNOMED, '9', 'Simvastatin 40 mg tablet')] },
      { name: 'Lipex 40', molecule: 'simvastatin' },
    ],
    [
      'a text alone',
      { text: 'Vitamin D oral drops' },
      { drug_id: 'text vitamin d oral drops', name: 'Vitamin D oral drops' },
    ],
    [
      'a code alone',
      { coding: [coded(SNOMED, '926213011000036100')] },
      { name: 'Unnamed medicine (snomed 926213011000036100)' },
    ],
  ]
  it.each(concepts)('%s', (_name, concept, row) => expect(use(concept)).toMatchObject(row))

  it('that nothing names is refused', () => {
    const absent = { coding: [coded('http://terminology.hl7.org/CodeSystem/data-absent-reason', 'unknown')] }
    for (const concept of [{}, { coding: [] }, absent])
      expect(use(concept)).toMatchObject({
        path: 'medicationCodeableConcept',
        reason: expect.stringContaining('names no medicine'),
      })
  })

  it('is written once for all its uses, and again when it changes', () => {
    const context = fhirContext()
    const of = (text: string) => use({ coding: [coded(SNOMED, '1')], text }, context)
    expect(of('Atorvastatin 20')).not.toBeNull()
    expect(of('Atorvastatin 20')).toBeNull()
    expect(of('Atorvastatin 20 mg')).not.toBeNull()
  })

  it('without a place in the drug list is reported', () => {
    const context = fhirContext()
    use({ text: 'Ventolin Inhaler' }, context)
    use({ text: 'Metformin 500 mg' }, context)
    const told = context.state.report()
    expect([told.names('unplaced'), told.count('product')]).toEqual([['Ventolin Inhaler'], 2])
  })

  it('with a long text keeps an id that fits a column, and differs from its neighbour', () => {
    const [one, other] = ['a', 'b'].map(
      (end) => use({ text: `${'x'.repeat(300)}${end}` }) as { drug_id: string; name: string },
    )
    expect(one?.drug_id).toHaveLength(183)
    expect(one?.name).toHaveLength(200)
    expect(one?.drug_id).not.toBe(other?.drug_id)
  })
})

describe('a Medication', () => {
  it('has the columns of a product', () => {
    const simvastatin = {
      code: { coding: [coded(SNOMED, '23525011000036109', 'Simvastatin 40 mg tablet')], text: 'Zocor 40' },
      form: { coding: [{ display: 'tablet' }] },
      amount: { numerator: { value: 30, unit: 'TAB' }, denominator: { value: 1 } },
      ingredient: [
        {
          itemCodeableConcept: { coding: [coded(SNOMED, '2588011000036103', 'simvastatin')] },
          strength: { numerator: { value: 40, unit: 'mg' }, denominator: { value: 1, unit: 'tablet' } },
        },
      ],
    }
    expect(medication(simvastatin)).toEqual({
      drug_id: 'm1',
      pbs_code: '',
      name: 'Zocor 40',
      molecule: 'simvastatin',
      strength: '40 mg',
      form: 'tablet',
      pack_size: '30',
      atc: '',
    })
  })

  it('of several ingredients, some of them not active', () => {
    const part = (text: string, isActive?: boolean) => ({
      itemCodeableConcept: { text },
      ...(isActive === undefined ? {} : { isActive }),
    })
    const coveram = {
      code: { text: 'Coveram' },
      ingredient: [part('perindopril'), part('amlodipine', true), part('lactose', false)],
    }
    expect(medication(coveram)).toMatchObject({ molecule: 'perindopril + amlodipine' })
  })

  it('with ingredients that are resources it contains, also where it is contained itself', () => {
    const brand = {
      code: { text: 'Coveram' },
      ingredient: ['#s1', '#s2', 'Substance/9'].map((reference) => ({ itemReference: { reference } })),
    }
    const contained = [
      { resourceType: 'Substance', id: 's1', code: { coding: [{ display: 'perindopril' }] } },
      { resourceType: 'Medication', id: 's2', code: { text: 'amlodipine' } },
    ]
    expect(medication({ ...brand, contained })).toMatchObject({ molecule: 'perindopril + amlodipine' })
    expect(medication({ ingredient: brand.ingredient, contained })).toMatchObject({ name: 'perindopril + amlodipine' })
    const within = [...contained, { ...brand, resourceType: 'Medication', id: 'm' }]
    expect(
      mapped(drugOfUse, { contained: within, medicationReference: { reference: '#m' } }, fhirContext()),
    ).toMatchObject({ name: 'Coveram', molecule: 'perindopril + amlodipine' })
  })

  it('with ingredients that are resources elsewhere, by what the reference calls them', () => {
    const named = (display: string, reference = 'Substance/9') => ({ itemReference: { reference, display } })
    const coveram = { code: { text: 'Coveram' }, ingredient: [named('perindopril'), named('amlodipine')] }
    expect(medication(coveram)).toMatchObject({ molecule: 'perindopril + amlodipine' })
    // The contained resource says more than a word beside the reference; if it has no name, the word is used.
    const contained = [{ resourceType: 'Substance', id: 's1', code: { text: 'perindopril arginine' } }]
    const ingredient = [named('perindopril', '#s1'), named('amlodipine', '#s2')]
    expect(medication({ ...coveram, ingredient, contained })).toMatchObject({
      molecule: 'perindopril arginine + amlodipine',
    })
  })

  it('with a strength in a volume', () => {
    const strength = { numerator: { value: 500, code: 'mg' }, denominator: { value: 10, code: 'mL' } }
    expect(
      medication({
        code: { text: 'Vancomycin' },
        ingredient: [{ itemCodeableConcept: { text: 'vancomycin' }, strength }],
      }),
    ).toMatchObject({
      strength: '500 mg/10 mL',
    })
  })

  const amounts: [object, string][] = [
    [{ numerator: { value: 30, unit: 'tablets' } }, '30'],
    [{ numerator: { value: 100, code: 'mL' }, denominator: { value: 1 } }, '100'],
    [{ numerator: { value: 30 } }, '30'],
    [{ numerator: { value: 500, unit: 'mg' } }, ''],
    [{ numerator: { value: 30, code: 'g' } }, ''],
    [{ numerator: { value: 2, unit: 'boxes' } }, ''],
    [{ numerator: { value: 60, unit: 'TAB' }, denominator: { value: 2, unit: 'pack' } }, ''],
    [{ numerator: { value: 2.5, code: 'mL' } }, ''],
  ]
  it.each(amounts)('of the amount %o has a pack of %o', (amount, pack_size) => {
    expect(medication({ code: { text: 'Metformin' }, amount })).toMatchObject({ pack_size })
  })

  it('that names nothing is refused', () => {
    expect(medication({})).toMatchObject({ path: 'code', reason: expect.stringContaining('names no medicine') })
  })
})
