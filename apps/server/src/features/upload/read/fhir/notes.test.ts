import { expect, it } from 'vitest'
import { fhirContext, mapped, resourceFrom } from '../../../../../test/world/fhir-resource.ts'
import { FHIR } from '../source-fhir.ts'
import type { Feed } from '../source-profile.ts'
import { notesOf } from './notes.ts'

const NUMBER = { extension: [{ url: 'http://hl7.org.au/fhir/StructureDefinition/dispense-number', valueInteger: 2 }] }
const FIRST = { type: { coding: [{ code: 'FF' }] } }
const DISPENSE = {
  ...{ resourceType: 'MedicationDispense', status: 'completed', whenHandedOver: '2026-06-01' },
  ...{ subject: { reference: 'Patient/p1' }, medicationReference: { reference: 'Medication/m1' } },
}
const feedOf = (wanted: Feed['set']) =>
  FHIR.files.flatMap(({ feeds }) => feeds).find(({ set, map }) => set === wanted && map) as Feed
const feed = feedOf('scripts')

function notes(...dispenses: object[]): string {
  const context = fhirContext()
  for (const [at, more] of dispenses.entries())
    feed.map?.(
      resourceFrom({
        ...DISPENSE,
        id: `s${at}`,
        ...more,
      }),
      context,
    )
  return notesOf('MedicationDispense.ndjson', feed, context.state.report()).join(' ')
}

it('supplies without a repeat number are reported, because loyalty cannot see supplies made elsewhere', () => {
  const why =
    '(extension dispense-number, or a type of first fill): where such a repeat was supplied elsewhere, nothing shows it, so loyalty may be too high; it is 100% where none says it.'
  expect(notes({}, {}, NUMBER)).toContain(`2 of 3 supplies do not say which repeat they are ${why}`)
  expect(notes({})).toContain(`1 of 1 supplies do not say`)
  expect(notes(NUMBER, FIRST)).toBe('')
  // Only supplies matter for loyalty.
  expect(notes(NUMBER, { status: 'cancelled' })).not.toContain('which repeat')
})

it('doses that give no days are reported, because the pack or 30 days is used instead', () => {
  const timing = { repeat: { frequency: 1, period: 1, periodUnit: 'd' } }
  const dose = (value: number, unit?: string) => ({
    ...NUMBER,
    quantity: { value: 30, unit: 'tablet' },
    dosageInstruction: [{ timing, doseAndRate: [{ doseQuantity: { value, unit } }] }],
  })
  const told = 'state a dose or timing from which no days’ supply follows'
  expect(notes(dose(20, 'mg'), dose(1, 'tablet'), dose(2))).toContain(`1 of 3 supplies ${told}`)
  expect(notes(dose(1, 'tablet'), dose(2))).toBe('')
  expect(notes({ ...dose(20, 'mg'), daysSupply: { value: 30, code: 'd' } })).toBe('')
  expect(notes({ ...NUMBER, dosageInstruction: [{ text: 'As directed' }] })).toBe('')
})

it('directions too long to store are left out and reported, not a faulty line', () => {
  const long = { ...NUMBER, dosageInstruction: [1, 2, 3].map(() => ({ text: 'Take ONE tablet daily. '.repeat(10) })) }
  const resource = { ...DISPENSE, id: 's1', ...long }
  expect(mapped(feed.map!, resource, fhirContext())).toMatchObject({ script_id: 's1', directions: '' })
  expect(notes(long)).toContain('1 dispense has directions of more than 400 characters, which are left out')
})

it('a request with only a month or a year is stored without its day, which is reported', () => {
  const context = fhirContext()
  const read = ['2026-06', '2026', '2026-06-01'].map((authoredOn, at) => {
    const uses = { subject: { reference: 'Patient/p1' }, medicationReference: { reference: 'Medication/m1' } }
    const request = { resourceType: 'MedicationRequest', id: `r${at}`, status: 'active', intent: 'order', ...uses }
    return mapped(feedOf('prescriptions').map!, { ...request, authoredOn }, context)
  })
  expect(read.map((row) => (row as { prescribed_on: string }).prescribed_on)).toEqual(['', '', '2026-06-01'])
  expect(notesOf('MedicationRequest.ndjson', feedOf('prescriptions'), context.state.report())).toEqual([
    'MedicationRequest.ndjson: 2 requests say only the year or month they were written in, so their day is unknown.',
  ])
})
