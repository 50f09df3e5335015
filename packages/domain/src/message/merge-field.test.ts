import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  canonicalFields,
  fieldsIn,
  MERGE_FIELD_NAMES,
  MERGE_FIELDS,
  partsOfMessage,
  renderMessage,
  renderSubject,
  trialFieldsIn,
  unknownFields,
} from './merge-field.ts'

const body = 'Hi {First Name}, your next repeat is due at {Pharmacy Name}. Call {Pharmacy Number}.'
const mostlyFields = fc
  .array(fc.oneof(fc.string({ maxLength: 8 }), fc.constantFrom(...Object.values(MERGE_FIELDS), '{', '}', '{x}', '\n')))
  .map((pieces) => pieces.join(''))

const sound = fc
  .array(fc.oneof(fc.stringMatching(/^[a-z ]{0,5}$/), fc.constantFrom(...Object.values(MERGE_FIELDS))))
  .map((pieces) => pieces.join(''))
const values = fc.dictionary(fc.constantFrom(...MERGE_FIELD_NAMES), mostlyFields)

describe('merge fields', () => {
  test('a message splits into text and fields', () => {
    expect(partsOfMessage('Hi {First Name}!')).toEqual([
      { kind: 'text', text: 'Hi ' },
      { kind: 'field', field: 'first_name', text: '{First Name}' },
      { kind: 'text', text: '!' },
    ])
    expect(fieldsIn(body)).toEqual(['first_name', 'pharmacy_name', 'pharmacy_number'])
    expect(fieldsIn(Object.values(MERGE_FIELDS).join(' '))).toEqual(MERGE_FIELD_NAMES)
    expect(partsOfMessage('')).toEqual([])
  })

  test('case, spacing and underscores are tolerated and corrected', () => {
    expect(canonicalFields('{first_name} { PHARMACY  name } {Nonsense}')).toBe(
      '{First Name} {Pharmacy Name} {Nonsense}',
    )
  })

  test('unknown fields are found, including unclosed ones', () => {
    expect(unknownFields('Hi {Frist Name} and {First Name, {Frist Name}')).toEqual(['{Frist Name}', '{First Name'])
    expect(unknownFields('{{First Name}} {} {')).toEqual(['{', '}', '{}'])
    expect(unknownFields(body)).toEqual([])
  })

  test('the fields that only an invitation to a trial fills are found', () => {
    expect(trialFieldsIn(Object.values(MERGE_FIELDS).join(' '))).toEqual(['{Trial Name}', '{Trial Provider}'])
  })

  test("one patient's message is rendered", () => {
    const values = { first_name: 'Ada', pharmacy_name: 'Canal Road Pharmacy', pharmacy_number: '02 5550 1234' }
    expect(renderMessage(body, values)).toEqual({
      text: 'Hi Ada, your next repeat is due at Canal Road Pharmacy. Call 02 5550 1234.',
      missing: [],
    })
    expect(renderMessage('Hi {First Name}, see {Last Name}.', { first_name: ' ', last_name: null })).toEqual({
      text: 'Hi, see.',
      missing: ['first_name', 'last_name'],
    })
  })

  test('a patient’s name is neither shouted nor followed by what the pharmacy noted behind it', () => {
    const values = { first_name: ' MARGARET (WEBSTER)', last_name: "O'BRIEN", pharmacy_name: 'CANAL ROAD' }
    expect(renderMessage('Hi {First Name} {Last Name}, from {Pharmacy Name}', values).text).toBe(
      "Hi Margaret O'Brien, from CANAL ROAD",
    )
    expect(renderSubject('{First Name}, your repeat', values).text).toBe('Margaret, your repeat')
  })

  test('values add no fields and no lines', () => {
    const values = { pharmacy_name: '{Last Name}\r\nBcc: x@example.org', last_name: 'Secret' }
    expect(renderMessage('From {Pharmacy Name}', values).text).toBe('From (Last Name) Bcc: x@example.org')
    expect(renderSubject('Hi\r\nBcc: {Last Name}', values).text).toBe('Hi Bcc: Secret')
    expect(renderMessage('one\ntwo {Last Name}', values).text).toBe('one\ntwo Secret')
  })

  test('property: the parts join to the message, and rendering is final', () => {
    fc.assert(
      fc.property(fc.oneof(mostlyFields, sound), values, (text, given) => {
        expect(
          partsOfMessage(text)
            .map((part) => part.text)
            .join(''),
        ).toBe(text)
        const lines = text.split('\n').length
        const { text: out } = renderMessage(text, given)
        expect(out.split(/[\r\n]/).length).toBeLessThanOrEqual(lines + (text.match(/\r/g)?.length ?? 0))
        expect(renderSubject(text, given).text).not.toMatch(/[\r\n\u2028\u2029]/)
        // A value adds no field, nor does its text combined with its neighbours.
        if (unknownFields(text).length === 0) expect(out).not.toMatch(/[{}]/)
      }),
      { numRuns: 1000 },
    )
  })
})
