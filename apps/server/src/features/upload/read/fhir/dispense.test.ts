import { describe, expect, it } from 'vitest'
import { fhirContext, mapped } from '../../../../../test/world/fhir-resource.ts'
import { scriptOf } from './dispense.ts'
import { prescriptionOf } from './request.ts'

const DISPENSE = {
  resourceType: 'MedicationDispense',
  id: 's1',
  status: 'completed',
  subject: { reference: 'Patient/p1' },
  medicationReference: { reference: 'Medication/m1' },
  whenHandedOver: '2026-06-01',
}
const of = (more: object, context = fhirContext()) => mapped(scriptOf, { ...DISPENSE, ...more }, context)

describe('a MedicationDispense', () => {
  it('has the columns of a script', () => {
    const dispense = {
      extension: [{ url: 'http://hl7.org.au/fhir/StructureDefinition/dispense-number', valueInteger: 2 }],
      authorizingPrescription: [{ reference: 'MedicationRequest/r1' }],
      performer: [{ actor: { reference: 'Practitioner/pharmacist' } }],
      quantity: {
        value: 30,
        unit: 'TAB',
        system: 'http://terminology.hl7.org/CodeSystem/v3-orderableDrugForm',
        code: 'TAB',
      },
      daysSupply: { value: 30, unit: 'Day', system: 'http://unitsofmeasure.org', code: 'd' },
      whenPrepared: '2026-05-31',
      dosageInstruction: [{ text: 'Take ONE tablet daily' }],
      substitution: { wasSubstituted: true },
    }
    expect(of(dispense)).toEqual({
      script_id: 's1',
      dispensed_on: '2026-06-01',
      patient_id: 'p1',
      prescriber_id: '',
      drug_id: 'm1',
      prescription_id: 'r1',
      units: '30',
      supply_number: '2',
      repeats_authorised: '',
      deferred: '',
      owing: '',
      reversed: '',
      directions: 'Take ONE tablet daily',
      days_supply: '30',
    })
  })

  const statuses: [string, object][] = [
    ['completed', { deferred: '', reversed: '' }],
    ['preparation', { deferred: '1', reversed: '' }],
    ['in-progress', { deferred: '1', reversed: '' }],
    ['on-hold', { deferred: '1', reversed: '' }],
    ['unknown', { deferred: '1', reversed: '' }],
    ['cancelled', { deferred: '', reversed: '1' }],
    ['entered-in-error', { deferred: '', reversed: '1' }],
    ['stopped', { deferred: '', reversed: '1' }],
    ['declined', { deferred: '', reversed: '1' }],
    ['done', { path: 'status', reason: expect.stringMatching(/not a status of FHIR R4: it is one of completed/) }],
    ['constructor', { path: 'status' }],
    ['', { path: 'status', reason: expect.stringMatching(/^is missing/) }],
  ]
  it.each(statuses)('that is "%s"', (status, row) => expect(of({ status })).toMatchObject(row))

  const times: [string, object, string][] = [
    [
      'handed over at an instant that is the next day in Brisbane',
      { whenHandedOver: '2026-06-01T15:00:00Z' },
      '2026-06-02',
    ],
    ['handed over by a clock far away', { whenHandedOver: '2026-06-01T23:30:00-08:00' }, '2026-06-02'],
    ['handed over by the pharmacy’s own clock', { whenHandedOver: '2026-06-01T23:59:00' }, '2026-06-01'],
    ['with a fraction of a second', { whenHandedOver: '2026-06-01T15:00:00.2171234+00:00' }, '2026-06-02'],
    ['in a leap second', { whenHandedOver: '2016-12-31T23:59:60Z' }, '2017-01-01'],
    ['only prepared', { whenHandedOver: undefined, whenPrepared: '2026-05-30' }, '2026-05-30'],
    ['prepared in a month, and handed over on a day', { whenPrepared: '2026-05' }, '2026-06-01'],
    [
      'handed over in a month, and prepared on a day',
      { whenHandedOver: '2026-06', whenPrepared: '2026-06-02' },
      '2026-06-02',
    ],
  ]
  it.each(times)('%s', (_name, more, dispensed_on) => expect(of(more)).toMatchObject({ dispensed_on }))

  it('that is no supply and lacks a date, a patient or a medicine removes the stored one, and is counted', () => {
    const context = fhirContext()
    const meta = { lastUpdated: '2026-05-29T00:00:00Z' }
    for (const lacking of [
      { whenHandedOver: undefined, meta },
      { subject: undefined },
      { medicationReference: undefined },
    ])
      expect(of({ status: 'entered-in-error', ...lacking }, context)).toEqual({ script_id: 's1', removed: '1' })
    expect(context.state.report().count('bare')).toBe(3)
  })

  const pointers: [string, object, object][] = [
    ['an absolute reference', { subject: { reference: 'https://ehr.example/fhir/Patient/p9' } }, { patient_id: 'p9' }],
    ['a reference to a version', { subject: { reference: 'Patient/p9/_history/4' } }, { patient_id: 'p9' }],
    ['a urn', { subject: { reference: 'urn:uuid:0b2c-1' } }, { patient_id: '0b2c-1' }],
    [
      'another type',
      { subject: { reference: 'Group/g1' } },
      { path: 'subject.reference', value: 'Group/g1', reason: 'is not a Patient' },
    ],
    [
      'no patient',
      { subject: undefined },
      { path: 'subject.reference', reason: expect.stringContaining('is missing') },
    ],
    ['a name alone', { subject: { display: 'Ruth Hale' } }, { path: 'subject.reference' }],
    [
      'something that is no reference',
      { subject: { reference: 'p1' } },
      { path: 'subject.reference', reason: expect.stringContaining('such as Patient/123') },
    ],
    [
      'a contained product',
      {
        contained: [
          { resourceType: 'Medication', id: 'x', code: { coding: [{ system: 'http://snomed.info/sct', code: '7' }] } },
        ],
        medicationReference: { reference: '#x' },
      },
      { drug_id: 'snomed 7' },
    ],
    [
      'a contained product that is not there',
      { medicationReference: { reference: '#x' } },
      { path: 'medicationReference.reference', reason: expect.stringContaining('not among the contained') },
    ],
    [
      'no medicine',
      { medicationReference: undefined },
      { path: 'medicationCodeableConcept', reason: expect.stringContaining('is missing') },
    ],
    [
      'a prescription by its number',
      { authorizingPrescription: [{ identifier: { system: 'urn:erx', value: '77' } }] },
      { prescription_id: 'urn:erx|77' },
    ],
    [
      'a prescription that is none',
      { authorizingPrescription: [{ reference: 'ServiceRequest/1' }] },
      { path: 'authorizingPrescription[0].reference' },
    ],
  ]
  it.each(pointers)('with %s', (_name, more, row) => expect(of(more)).toMatchObject(row))

  it('that holds its request takes repeats, prescriber and number from it', () => {
    const request = {
      ...{ resourceType: 'MedicationRequest', id: 'rx', identifier: [{ system: 'urn:erx', value: '77' }] },
      ...{ requester: { reference: 'Practitioner/b1' }, dispenseRequest: { numberOfRepeatsAllowed: 5 } },
    }
    expect(of({ contained: [request], authorizingPrescription: [{ reference: '#rx' }] })).toMatchObject({
      ...{ prescription_id: 'urn:erx|77', prescriber_id: 'b1', repeats_authorised: '5' },
    })
  })

  it('names a patient by an identifier that one patient of the upload has', () => {
    const context = fhirContext()
    const subject = (value: string) => ({ subject: { identifier: { system: 'urn:mrn', value } } })
    context.state.remember('Patient', 'urn:mrn', '1', 'p7')
    for (const id of ['p8', 'p9']) context.state.remember('Patient', 'urn:mrn', '2', id)
    expect(of(subject('1'), context)).toMatchObject({ patient_id: 'p7' })
    expect(of({ subject: { reference: 'Patient?identifier=urn:mrn|1' } }, context)).toMatchObject({ patient_id: 'p7' })
    const refused = (reason: string) => ({ path: 'subject.identifier.value', reason: expect.stringContaining(reason) })
    expect(of(subject('2'), context)).toMatchObject(refused('several resources of Patient'))
    expect(of(subject('3'), context)).toMatchObject(refused('no Patient in this upload: send Patient.ndjson along'))
  })

  it('joins a prescription named by an identifier to the one request of the upload that has it', () => {
    const context = fhirContext()
    const of7 = (id: string, more: object) =>
      mapped(
        prescriptionOf,
        {
          ...{ resourceType: 'MedicationRequest', id, status: 'active', intent: 'order', ...more },
          ...{ subject: DISPENSE.subject, medicationReference: DISPENSE.medicationReference },
        },
        context,
      )
    const number = (value: string) => ({ identifier: [{ system: 'urn:erx', value }] })
    of7('r7', number('77'))
    of7('r8', number('88'))
    of7('r9', number('88'))
    of7('r6', { ...number('77'), status: 'entered-in-error' })
    const by = (value: string) =>
      of({ authorizingPrescription: [{ identifier: number(value).identifier[0] }] }, context)
    expect(by('77')).toMatchObject({ prescription_id: 'r7' })
    expect(by('99')).toMatchObject({ prescription_id: 'urn:erx|99' })
    expect(by('88')).toMatchObject({ prescription_id: '' })
    const contained = [{ resourceType: 'MedicationRequest', id: 'rx', ...number('77') }]
    expect(of({ contained, authorizingPrescription: [{ reference: '#rx' }] }, context)).toMatchObject({
      prescription_id: 'r7',
    })
    expect(context.state.report().count('ambiguous')).toBe(1)
  })

  it('of two servers is refused: their ids do not mix', () => {
    const context = fhirContext()
    of({ subject: { reference: 'https://one.example/fhir/Patient/1' } }, context)
    expect(of({ subject: { reference: 'https://two.example/fhir/Patient/1' } }, context)).toMatchObject({
      path: 'subject.reference',
      reason: expect.stringContaining('another server than https://one.example/fhir'),
    })
  })

  const kinds: [string, object][] = [
    ['FF', { supply_number: '1', owing: '' }],
    ['RF', { supply_number: '', owing: '' }],
    ['SO', { supply_number: '', owing: '1' }],
    ['EM', { supply_number: '', owing: '' }],
  ]
  it.each(kinds)('of type %s', (code, row) => expect(of({ type: { coding: [{ code }] } })).toMatchObject(row))

  const dose = (value: number, unit?: string) => ({
    doseAndRate: [{ doseQuantity: { value, ...(unit ? { unit } : {}) } }],
  })
  const repeat = (frequency: number, period: number, periodUnit: string) => ({
    timing: { repeat: { frequency, period, periodUnit } },
  })
  const at = (repeat: object) => [{ timing: { repeat }, ...dose(1) }]
  const directions: [string, object[], string][] = [
    ['text', [{ text: 'Take ONE daily', ...repeat(2, 1, 'd') }], 'Take ONE daily'],
    ['timing and dose', [{ ...repeat(2, 1, 'd'), ...dose(1, 'TAB') }], 'Take 1 twice a day'],
    ['hours', [{ ...repeat(1, 6, 'h'), ...dose(1) }], 'Take 1 every 6 hours'],
    ['weeks', [{ ...repeat(1, 1, 'wk'), ...dose(1, 'tablet') }], 'Take 1 once a week'],
    ['a code of timing', [{ timing: { code: { coding: [{ code: 'TID' }] } }, ...dose(0.5) }], 'Take 0.5 3 times a day'],
    ['times of the day', at({ period: 1, periodUnit: 'd', timeOfDay: ['08:00:00', '20:00:00'] }), 'Take 1 twice a day'],
    ['times of the day alone', at({ timeOfDay: ['08:00:00'] }), 'Take 1 once a day'],
    ['times of the day and another frequency', at({ frequency: 3, timeOfDay: ['08:00:00'] }), ''],
    ['a dose in mg', [{ ...repeat(2, 1, 'd'), ...dose(500, 'mg') }], ''],
    ['a dose in units of insulin', [{ ...repeat(1, 1, 'd'), ...dose(20, 'units') }], ''],
    ['a dose in a unit nobody knows', [{ ...repeat(1, 1, 'd'), ...dose(20, 'IE') }], ''],
    ['a dose in mL', [{ ...repeat(1, 1, 'd'), ...dose(5, 'mL') }], ''],
    ['a dose in capsules', [{ ...repeat(1, 1, 'd'), ...dose(2, 'capsule(s)') }], 'Take 2 once a day'],
    ['as needed, which the text forgets', [{ text: 'ONE daily', asNeededBoolean: true }], 'ONE daily, when required'],
    ['two at once', [{ text: '1 in the morning' }, { text: '2 at night' }], '1 in the morning; 2 at night'],
    [
      'one after the other',
      [
        { sequence: 2, text: '2 daily' },
        { sequence: 1, text: '1 daily' },
      ],
      '1 daily; then 2 daily',
    ],
  ]
  it.each(directions)('with directions by %s', (_name, dosageInstruction, text) => {
    expect(of({ dosageInstruction })).toMatchObject({ directions: text })
  })
})

describe('a MedicationRequest', () => {
  const REQUEST = {
    ...{
      resourceType: 'MedicationRequest',
      id: 'r1',
      status: 'active',
      intent: 'order',
      subject: { reference: 'Patient/p1' },
    },
    ...{ medicationReference: { reference: 'Medication/m1' }, authoredOn: '2026-05-30T22:00:00Z' },
    ...{ requester: { reference: 'Practitioner/b1' }, dispenseRequest: { numberOfRepeatsAllowed: 5 } },
  }
  const request = (more: object, context = fhirContext()) => mapped(prescriptionOf, { ...REQUEST, ...more }, context)

  it('has the columns of a prescription', () => {
    expect(request({})).toEqual({
      ...{ prescription_id: 'r1', patient_id: 'p1', drug_id: 'm1', prescriber_id: 'b1' },
      ...{ prescribed_on: '2026-05-31', repeats_authorised: '5' },
    })
  })

  it.each([
    { intent: 'plan' },
    { intent: 'proposal' },
    { status: 'draft' },
    { status: 'entered-in-error' },
    { doNotPerform: true },
  ])('with %o is no prescription, removes the stored one, and is counted', (more) => {
    const context = fhirContext()
    expect(request(more, context)).toEqual({ prescription_id: 'r1', removed: '1' })
    expect(context.state.report().count('no order')).toBe(1)
  })

  it('of a prescriber by role, or one who cannot be found, is a prescription without a prescriber', () => {
    for (const requester of [
      { reference: 'PractitionerRole/1' },
      { identifier: { system: 'x', value: '9' } },
      { display: 'Dr Hale' },
    ])
      expect(request({ requester })).toMatchObject({ prescriber_id: '' })
  })
})
