import { formatDay } from '@pillar/domain/time/day'
import type { JsonObject } from './line/json.ts'
import { medicationOf, REMOVED, type Values } from './medication.ts'
import { pointerOf, practitionerOf, rememberIdentifiers } from './reference.ts'
import { digits, numberAt, objectAt, PathFault, spanOf, textAt } from './resource.ts'
import type { FhirContext } from './state.ts'

export const REQUEST_PATHS = {
  prescription_id: 'id',
  patient_id: 'subject.reference',
  prescriber_id: 'requester.reference',
  drug_id: 'medicationReference.reference',
  prescribed_on: 'authoredOn',
  repeats_authorised: 'dispenseRequest.numberOfRepeatsAllowed',
} as const

const ORDERS = new Set(['order', 'original-order', 'reflex-order', 'filler-order', 'instance-order'])
/** Requests with these statuses were never prescribed. */
const NEVER = new Set(['draft', 'entered-in-error'])

/**
 * A MedicationRequest as a prescription.
 * @returns only that it is removed, if it is not an order (which is counted): an older version may have been one
 */
export function prescriptionOf(resource: JsonObject, context: FhirContext): Values {
  const id = textAt(resource, 'id')
  const no =
    resource.doNotPerform === true || NEVER.has(textAt(resource, 'status')) || !ORDERS.has(textAt(resource, 'intent'))
  if (no) {
    context.state.count('no order')
    return { prescription_id: id, [REMOVED]: '1' }
  }
  rememberIdentifiers(resource, id, context.state)
  return {
    prescription_id: id,
    patient_id: patientIdOf(resource, context),
    drug_id: medicationOf(resource, context).id,
    prescribed_on: writtenOn(resource, context),
    prescriber_id: practitionerOf(objectAt(resource, 'requester'), 'requester', resource, context.state),
    repeats_authorised: repeatsOf(resource),
  }
}

/** The day a request was written; empty for a month or a year alone, which is noted. */
function writtenOn(resource: JsonObject, { timeZone, state }: FhirContext): string {
  const text = textAt(resource, 'authoredOn')
  if (text === '') return ''
  const { first, last } = spanOf(text, 'authoredOn', timeZone)
  if (first === last) return formatDay(first)
  state.count('authored')
  return ''
}

/** Repeats authorised in addition to the first supply, from a MedicationRequest. */
export function repeatsOf(request: JsonObject): string {
  const dispensing = objectAt(request, 'dispenseRequest')
  const repeats = dispensing && numberAt(dispensing, 'numberOfRepeatsAllowed', 'dispenseRequest.numberOfRepeatsAllowed')
  return repeats === null ? '' : digits(repeats)
}

/** The id of the patient of a dispense or request. @throws PathFault if there is none */
export function patientIdOf(resource: JsonObject, { state }: FhirContext): string {
  const subject = objectAt(resource, 'subject')
  const pointer = subject && pointerOf(subject, 'subject', { container: resource, type: 'Patient', state })
  if (!pointer) throw new PathFault('subject.reference', '', 'is missing: name the patient, as Patient/123')
  if (pointer.contained)
    throw new PathFault(
      'subject.reference',
      `#${pointer.id}`,
      'is contained, so nothing tells whether it is someone known: name a Patient of Patient.ndjson',
    )
  if (pointer.type !== 'Patient' && pointer.type !== '')
    throw new PathFault('subject.reference', `${pointer.type}/${pointer.id}`, 'is not a Patient')
  return pointer.id
}
