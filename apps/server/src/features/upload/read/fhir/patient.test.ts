import { describe, expect, it } from 'vitest'
import { fhirContext, mapped } from '../../../../../test/world/fhir-resource.ts'
import { patientOf } from './patient.ts'
import { prescriberOf } from './practitioner.ts'

const of = (more: object, context = fhirContext()) =>
  mapped(patientOf, { resourceType: 'Patient', id: 'p1', ...more }, context)

describe('a Patient', () => {
  it('has the columns of a patient', () => {
    const patient = {
      name: [
        { use: 'maiden', family: 'Moss', given: ['Ruth'] },
        { use: 'usual', text: 'Ruthie' },
        { use: 'official', family: 'Hale', given: ['Ruth', 'Anne'] },
      ],
      gender: 'female',
      birthDate: '1956-04-04',
      telecom: [
        { system: 'phone', use: 'home', value: '02 7010 8549' },
        { system: 'phone', use: 'mobile', value: 'tel:0491 570 156', rank: 2 },
        { system: 'phone', use: 'mobile', value: '0491 570 157', rank: 1 },
        { system: 'email', value: 'ruth@example.com', period: { end: '2019-01-01' } },
        { system: 'email', value: 'hale@example.com' },
      ],
      address: [
        { use: 'old', line: ['1 Past St'], postalCode: '4000' },
        { use: 'home', type: 'postal', line: ['PO Box 3'], postalCode: '2205' },
        { use: 'home', line: ['Unit 2', '7 Now St'], city: 'Arncliffe', state: 'New South Wales', postalCode: '2204' },
      ],
    }
    expect(of(patient)).toEqual({
      patient_id: 'p1',
      first_name: 'Ruth',
      last_name: 'Hale',
      sex: 'F',
      date_of_birth: '1956-04-04',
      address: 'Unit 2, 7 Now St',
      suburb: 'Arncliffe',
      state: 'NSW',
      postcode: '2204',
      mobile: '0491 570 157',
      email: 'hale@example.com',
      deceased_on: '',
    })
  })

  it('with only an id is a patient about whom nothing else is known', () => {
    expect(Object.values(of({}) as object).filter((value) => value !== '')).toEqual(['p1'])
  })

  it('is never reached by a home, office or former number', () => {
    const telecom = ['home', 'work', 'old'].map((use) => ({ system: 'phone', use, value: '0491570156' }))
    expect(of({ telecom })).toMatchObject({ mobile: '' })
    expect(of({ telecom: [...telecom, { system: 'phone', value: '0491570157' }] })).toMatchObject({
      mobile: '0491570157',
    })
  })

  const births: [string, string][] = [
    ['1970', '1970-07-01'],
    ['1972', '1972-07-01'],
    ['1970-05', '1970-05-01'],
    ['1970-05-09', '1970-05-09'],
    ['2026', '2026-07-01'],
  ]
  it.each(births)('born %s counts as born on %s', (birthDate, day) => {
    expect(of({ birthDate })).toMatchObject({ date_of_birth: day })
  })

  it('a child born in a year was born before the death in that year', () => {
    expect(of({ birthDate: '2024', deceasedDateTime: '2024-03-05' })).toMatchObject({ date_of_birth: '2024-01-01' })
    expect(of({ birthDate: '2024', deceasedDateTime: '2024-08-05' })).toMatchObject({ date_of_birth: '2024-07-01' })
  })

  it('says how many dates of birth were completed', () => {
    const context = fhirContext()
    of({ birthDate: '1970' }, context)
    of({ birthDate: '1970-05-09' }, context)
    expect(context.state.report().count('birth')).toBe(1)
  })

  const deaths: [string, object, string][] = [
    ['on a day', { deceasedDateTime: '2026-03-04' }, '2026-03-04'],
    ['at a time that is the next day in Brisbane', { deceasedDateTime: '2026-03-04T14:30:00Z' }, '2026-03-05'],
    ['in a month, by its end', { deceasedDateTime: '2026-02' }, '2026-02-28'],
    ['in this year, by today', { deceasedDateTime: '2026' }, '2026-11-20'],
    [
      'at a time not known, by the last change',
      { deceasedBoolean: true, meta: { lastUpdated: '2026-05-06T20:00:00Z' } },
      '2026-05-07',
    ],
    ['at a time not known at all, by today', { deceasedBoolean: true }, '2026-11-20'],
    ['not', { deceasedBoolean: false }, ''],
  ]
  it.each(deaths)('who died %s', (_when, more, day) => expect(of(more)).toMatchObject({ deceased_on: day }))

  it('without any day of death is marked, so that the first day stays', () => {
    expect(of({ deceasedBoolean: true })).toMatchObject({ death_date_unknown: '1' })
    expect(of({ deceasedDateTime: '2026-03-04' })).not.toHaveProperty('death_date_unknown')
  })

  const wrong: [string, object, string, RegExp][] = [
    ['a number for a birth date', { birthDate: 1970 }, 'birthDate', /is a number; FHIR R4 has a text here/],
    ['a date that is none', { birthDate: '1970-02-30' }, 'birthDate', /not a FHIR date such as/],
    ['a name that is no list', { name: { family: 'Hale' } }, 'name', /is an object; FHIR R4 has a list/],
    ['a given name that is no text', { name: [{ given: ['Ruth', 7] }] }, 'name[0].given[1]', /is a number/],
    ['a contact that is no object', { telecom: ['0491570156'] }, 'telecom[0]', /is a text; FHIR R4 has an object/],
    ['a time that no clock shows', { deceasedDateTime: '2026-03-04T25:00:00Z' }, 'deceasedDateTime', /no clock shows/],
  ]
  it.each(wrong)('with %s is refused at its place', (_name, more, path, reason) => {
    expect(of(more)).toMatchObject({ path, reason: expect.stringMatching(reason) })
  })
})

describe('a Practitioner', () => {
  it('has the columns of a prescriber, with the number to prescribe by', () => {
    const practitioner = {
      resourceType: 'Practitioner',
      id: 'b1',
      identifier: [
        {
          system: 'http://ns.electronichealth.net.au/id/hi/hpii/1.0',
          value: '8003618233384923',
          type: { coding: [{ code: 'NPI' }] },
        },
        { system: 'http://ns.electronichealth.net.au/id/medicare-prescriber-number', value: '2456' },
      ],
      name: [{ prefix: ['Dr'], family: 'Berry', given: ['Millicent'] }],
      qualification: [{ code: { coding: [{ display: 'General practice' }] } }],
      address: [{ postalCode: '4362' }],
    }
    expect(mapped(prescriberOf, practitioner)).toEqual({
      prescriber_id: 'b1',
      name: 'Dr Millicent Berry',
      number: '2456',
      specialty: 'General practice',
      postcode: '4362',
    })
  })
})
