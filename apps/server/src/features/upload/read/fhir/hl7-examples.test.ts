import { describe, expect, it } from 'vitest'
import { fhirContext, mapped } from '../../../../../test/world/fhir-resource.ts'
import { scriptOf } from './dispense.ts'
import { drugOfUse } from './medication.ts'

/** The elements of HL7’s own R4 examples with these ids (CC0), without narrative, tags and supporting information. */
const COMMON = {
  resourceType: 'MedicationDispense',
  subject: { reference: 'Patient/pat1', display: 'Donald Duck' },
  performer: [{ actor: { reference: 'Practitioner/f006' } }],
}
const kind = (code: string) => ({ coding: [{ system: 'http://terminology.hl7.org/CodeSystem/v3-ActCode', code }] })
const days = (value: number) => ({ value, unit: 'Day', system: 'http://unitsofmeasure.org', code: 'd' })
const ndc = (id: string, code: string, display: string) => [
  { resourceType: 'Medication', id, code: { coding: [{ system: 'http://hl7.org/fhir/sid/ndc', code, display }] } },
]
const rxnorm = (code: string, display: string) => ({
  coding: [{ system: 'http://www.nlm.nih.gov/research/umls/rxnorm', code, display }],
})
const FORM = 'http://terminology.hl7.org/CodeSystem/v3-orderableDrugForm'

const TPN = [
  ['0338-1134-03', 'Clinimix 4.25/10 sulfite-free (4.25% Amino Acid in 10% Dextrose) Injection, 1000ml'],
  [
    '0409-5779-01',
    'TPN Electrolytes SODIUM CHLORIDE, CALCIUM CHLORIDE, POTASSIUM CHLORIDE, MAGNESIUM CHLORIDE, and SODIUM ACETATE ANHYDROUS | INJECTION, SOLUTION, CONCENTRATE | 321 mg/20mL, 331 mg/20mL, 1491 mg/20mL, 508 mg/20mL, 2420 mg/20mL',
  ],
  ['0338-0519-02', 'Intralipid 20% IV Fat Emulsion'],
]
const SHORT_ID = /^text clinimix .{136} [0-9a-f]{32}$/

const EXAMPLES: [string, object, object, object][] = [
  [
    'meddisp0301',
    {
      contained: ndc('med0301', '0069-2587-10', 'Vancomycin Hydrochloride (VANCOMYCIN HYDROCHLORIDE)'),
      status: 'in-progress',
      medicationReference: { reference: '#med0301', display: 'Vancomycin Hydrochloride' },
      authorizingPrescription: [{ reference: 'MedicationRequest/medrx0318' }],
      type: kind('EM'),
      quantity: { value: 12, unit: 'Vial', system: FORM, code: 'Vial' },
      daysSupply: days(3),
      whenPrepared: '2015-01-15T10:20:00Z',
      dosageInstruction: [
        {
          sequence: 1,
          text: '500mg IV q6h x 3 days',
          timing: { repeat: { frequency: 1, period: 6, periodUnit: 'h' } },
        },
      ],
    },
    {
      dispensed_on: '2015-01-15',
      deferred: '1',
      units: '',
      days_supply: '3',
      prescription_id: 'medrx0318',
      owing: '',
    },
    { drug_id: 'ndc 0069-2587-10', name: 'Vancomycin Hydrochloride (VANCOMYCIN HYDROCHLORIDE)' },
  ],
  [
    'meddisp0310',
    {
      contained: ndc('med0308', '16590-619-30', 'Percocet tablet'),
      status: 'in-progress',
      medicationReference: { reference: '#med0308', display: 'Percocet' },
      quantity: { value: 30, unit: 'TAB', system: FORM, code: 'TAB' },
      daysSupply: days(30),
      whenPrepared: '2015-01-15T10:20:00Z',
      dosageInstruction: [
        {
          text: '1 tablet every four hours as needed for pain',
          asNeededCodeableConcept: { coding: [{ system: 'http://snomed.info/sct', code: '203082005' }] },
        },
      ],
    },
    { units: '30', deferred: '1', directions: '1 tablet every four hours as needed for pain' },
    { drug_id: 'ndc 16590-619-30', name: 'Percocet tablet', molecule: '' },
  ],
  [
    'meddisp0317',
    {
      contained: ndc('med0306', '51144-050-01', 'Adcetris (Brentuximab Vedotin 50mg/10.5ml)'),
      status: 'stopped',
      medicationReference: { reference: '#med0306' },
      type: kind('TF'),
      quantity: { value: 3, system: 'http://snomed.info/sct', code: '415818005' },
      daysSupply: days(1),
      whenPrepared: '2015-06-25T07:13:00+05:00',
      whenHandedOver: '2015-06-26T07:13:00+05:00',
    },
    { dispensed_on: '2015-06-26', reversed: '1', units: '', days_supply: '1' },
    { drug_id: 'ndc 51144-050-01' },
  ],
  [
    'meddisp0320',
    {
      contained: [
        {
          resourceType: 'Medication',
          id: 'med0318',
          ingredient: TPN.map(([code, display]) => ({
            itemCodeableConcept: { coding: [{ system: 'http://hl7.org/fhir/sid/ndc', code, display }] },
          })),
        },
      ],
      status: 'completed',
      medicationReference: { reference: '#med0318', display: 'TPN Solution' },
      quantity: { value: 1000, system: 'http://unitsofmeasure.org', code: 'ml' },
      daysSupply: days(1),
      whenPrepared: '2015-03-16T17:13:00+05:00',
      whenHandedOver: '2015-03-17T17:13:00+05:00',
    },
    // Three ingredients and no code: together they are longer than an id.
    { dispensed_on: '2015-03-17', units: '1000', days_supply: '1', drug_id: expect.stringMatching(SHORT_ID) },
    {
      drug_id: expect.stringMatching(SHORT_ID),
      name: TPN.map(([, display]) => display)
        .join(' + ')
        .slice(0, 200),
    },
  ],
  [
    'meddisp0324',
    {
      status: 'completed',
      medicationCodeableConcept: rxnorm('884375', 'Nystex 100,000 UNT/GM Topical Ointment'),
      type: kind('RFP'),
      quantity: { value: 30, system: 'http://unitsofmeasure.org', code: 'g' },
      daysSupply: days(10),
      whenPrepared: '2015-01-15T10:20:00Z',
      whenHandedOver: '2015-01-15T16:20:00Z',
      dosageInstruction: [{ sequence: 1, text: 'Apply to affected areas four times daily' }],
    },
    // 16:20 in Greenwich is 2:20 of the next day in Brisbane.
    { dispensed_on: '2015-01-16', deferred: '', reversed: '', units: '', days_supply: '10', supply_number: '' },
    { drug_id: 'rxnorm 884375', name: 'Nystex 100,000 UNT/GM Topical Ointment' },
  ],
  [
    'meddisp0328',
    {
      status: 'in-progress',
      medicationCodeableConcept: rxnorm('1797870', 'Nasonex 0.05mg/ACTUAT Nasal Inhaler'),
      quantity: { value: 30, system: 'http://unitsofmeasure.org', code: 'ml' },
      daysSupply: days(30),
      whenPrepared: '2015-01-15T10:20:00Z',
    },
    { units: '30', deferred: '1' },
    { drug_id: 'rxnorm 1797870' },
  ],
]

describe('HL7’s own examples', () => {
  it.each(EXAMPLES)('%s', (id, more, script, drug) => {
    const resource = { ...COMMON, id, ...more }
    expect(mapped(scriptOf, resource)).toMatchObject({ script_id: id, patient_id: 'pat1', ...script })
    expect(mapped(drugOfUse, resource, fhirContext())).toMatchObject(drug)
  })
})
