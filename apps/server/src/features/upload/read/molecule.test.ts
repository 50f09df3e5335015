import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { componentsOf, moleculeOf } from './molecule.ts'

const of = (name: string, molecule = '', atc = '') => moleculeOf({ name, molecule, atc })

describe('the molecule of a drug', () => {
  it('comes from a full ATC code, under its usual name', () => {
    expect(of('Crestor 10', '', 'c10aa07')).toMatchObject({
      key: 'C10AA07',
      name: 'Rosuvastatin',
      chronic: true,
      drugType: 'Lipid modifying',
    })
    expect(of('Coveram 5/5', 'Perindopril arginine + Amlodipine', 'C09BB04')).toMatchObject({
      key: 'C09BB04',
      name: 'Perindopril + amlodipine',
      components: ['perindopril', 'amlodipine'],
    })
  })

  it('is found by name, ignoring strength, form, salt, brand and American spelling', () => {
    expect(of('Metformin hydrochloride 500 MG Oral Tablet')).toMatchObject({ key: 'A10BA02', name: 'Metformin' })
    expect(of('24 HR Nifedipine 60 MG Extended Release Oral Tablet')).toMatchObject({ key: 'C08CA05' })
    expect(of('atorvastatin 20 MG Oral Tablet [Lipitor]')).toMatchObject({ key: 'C10AA05' })
    expect(of('Albuterol 4 MG Oral Tablet')).toMatchObject({ name: 'Salbutamol' })
    expect(of('28 ACTUAT Teriparatide 0.02 MG/ACTUAT Pen Injector [Forteo]').components).toEqual(['teriparatide'])
  })

  it.each([
    ['Alendronic acid 70mg tablets', 'M05BA04'],
    ['alendronate sodium 70 MG Oral Tablet', 'M05BA04'],
    ['Ibandronic acid 150mg tablets', 'M05BA06'],
    ['Sodium valproate 200mg gastro-resistant tablets', 'N03AG01'],
    ['Mycophenolic acid 180 MG Delayed Release Oral Tablet', 'L04AA06'],
    ['Metoprolol 50mg tablets', 'C07AB02'],
    ['metoprolol succinate 100 MG', 'C07AB02'],
    ['ursodiol 300 MG Oral Capsule', 'A05AA02'],
    ['escitalopram oxalate 10 MG Oral Tablet', 'N06AB10'],
    ['dapagliflozin propanediol 10 MG Oral Tablet', 'A10BK01'],
    ['insulin isophane, human 70 UNT/ML / insulin, regular, human 30 UNT/ML Injectable Suspension', 'A10AD01'],
  ])('is found by the name of RxNorm, dm+d or ATC: %s', (name, atc) => {
    expect(of(name)).toMatchObject({ atc })
  })

  it('of a combination ignores the order of its parts and differs from each of them', () => {
    const one = of('Glyburide 2.5 MG / Metformin hydrochloride 500 MG Oral Tablet')
    const other = of('Metformin 500 MG / Glyburide 2.5 MG Oral Tablet')
    expect(one.key).toBe(other.key)
    expect(one.key).not.toBe('A10BA02')
    expect(one.components.toSorted()).toEqual(['glibenclamide', 'metformin'])
  })

  it('of a pack of two medicines, which the PBS joins by (&), is their combination', () => {
    expect(of('Ezetimibe (&) rosuvastatin', 'EZETIMIBE (&) ROSUVASTATIN')).toMatchObject({
      key: 'C10BA06',
      components: ['ezetimibe', 'rosuvastatin'],
      chronic: true,
    })
    expect(componentsOf('ESOMEPRAZOLE (&) CLARITHROMYCIN (&) AMOXICILLIN')).toEqual([
      'esomeprazole',
      'clarithromycin',
      'amoxicillin',
    ])
    expect(componentsOf('Rosuvastatin (calcium) 10 mg')).toEqual(['rosuvastatin'])
  })

  it('keeps its own name when unknown, and is unclassified', () => {
    expect(of('sisal fiber extract 10000 UNT/ML Injectable Solution')).toEqual({
      key: 'name:sisal fiber extract',
      name: 'Sisal fiber extract',
      atc: null,
      components: ['sisal fiber extract'],
      chronic: false,
      drugType: 'Unclassified',
      condition: 'Unclassified',
    })
  })

  it('keeps the known levels of a partial ATC code', () => {
    expect(of('Novelty 5', 'novelprilat', 'C09A')).toMatchObject({
      key: 'name:novelprilat C09A',
      atc: 'C09A',
      drugType: 'Antihypertensives',
    })
    expect(of('Rosuvastatin 5 mg', '', 'not it').key).toBe('C10AA07')
  })

  it('follows from its key alone, whichever row of a file or pharmacy came first', () => {
    const facts = fc.record({
      name: fc.constantFrom('Novelty 5 mg', 'Novel Forte 10', 'Rosuvastatin 5 mg', 'Guanfacine 1 mg', 'Bravo'),
      molecule: fc.constantFrom('', 'novelprilat', 'alfa + bravo', 'bravo + alfa', 'guanfacine', 'metformin + bravo'),
      atc: fc.constantFrom('', 'C09A', 'C09AA', 'C09AA99', 'A10BD99', 'C10AA07', 'N06BA', 'odd'),
    })
    const seen = new Map<string, unknown>()
    fc.assert(
      fc.property(facts, (one) => {
        const molecule = moleculeOf(one)
        expect(molecule).toEqual(seen.get(molecule.key) ?? molecule)
        seen.set(molecule.key, molecule)
      }),
      { numRuns: 1000 },
    )
    expect(of('Novelty 5', 'novelprilat', 'C09AA99')).toMatchObject({ key: 'C09AA99 novelprilat', name: 'Novelprilat' })
    expect(of('Novelty 10', 'novelprilat', 'C09AA99').key).toBe('C09AA99 novelprilat')
  })

  it('does not mistake a whole name for a salt', () => {
    expect(componentsOf('Potassium Chloride 10 MEQ Extended Release Oral Capsule')).toEqual(['potassium chloride'])
    expect(componentsOf('insulin glargine 100 UNT/ML')).toEqual(['insulin glargine'])
  })
})
