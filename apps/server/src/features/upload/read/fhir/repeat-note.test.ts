import { expect, it } from 'vitest'
import { fhirContext, resourceFrom } from '../../../../../test/world/fhir-resource.ts'
import { FHIR } from '../source-fhir.ts'
import type { Feed } from '../source-profile.ts'
import { notesOf } from './notes.ts'

const NUMBER = { extension: [{ url: 'http://hl7.org.au/fhir/StructureDefinition/dispense-number', valueInteger: 2 }] }
const FIRST = { type: { coding: [{ code: 'FF' }] } }
const feed = FHIR.files.flatMap(({ feeds }) => feeds).find(({ set, map }) => set === 'scripts' && map) as Feed

function notes(...dispenses: object[]): string {
  const context = fhirContext()
  for (const [at, more] of dispenses.entries())
    feed.map?.(
      resourceFrom({
        ...{ resourceType: 'MedicationDispense', id: `s${at}`, status: 'completed', whenHandedOver: '2026-06-01' },
        ...{ subject: { reference: 'Patient/p1' }, medicationReference: { reference: 'Medication/m1' }, ...more },
      }),
      context,
    )
  return notesOf('MedicationDispense.ndjson', feed, context.state.told()).join(' ')
}

it('supplies that do not say which repeat they are are told, because loyalty cannot see what was supplied elsewhere', () => {
  const why =
    '(extension dispense-number, or a type of first fill): where such a repeat was supplied elsewhere, nothing shows it, so loyalty may be too high; it is 100% where none says it.'
  expect(notes({}, {}, NUMBER)).toContain(`2 of 3 supplies do not say which repeat they are ${why}`)
  expect(notes({})).toContain(`1 of 1 supplies do not say`)
  expect(notes(NUMBER, FIRST)).toBe('')
  // What is no supply has no part in loyalty.
  expect(notes(NUMBER, { status: 'cancelled' })).not.toContain('which repeat')
})
