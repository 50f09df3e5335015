import { formatDay } from '@pillar/domain/time/day'
import { directionsOf } from './dosage.ts'
import type { JsonObject } from './line/json.ts'
import { medicationOf, REMOVED, type Values } from './medication.ts'
import { suppliedDays, suppliedUnits } from './quantity.ts'
import { pointerOf, practitionerOf } from './reference.ts'
import { patientIdOf, repeatsOf } from './request.ts'
import { digits, extensionOf, listAt, numberAt, objectAt, PathFault, spanOf, textAt } from './resource.ts'
import type { FhirContext } from './state.ts'

export const DISPENSE_PATHS = {
  script_id: 'id',
  dispensed_on: 'whenHandedOver',
  patient_id: 'subject.reference',
  prescriber_id: 'authorizingPrescription',
  drug_id: 'medicationReference.reference',
  prescription_id: 'authorizingPrescription.reference',
  units: 'quantity.value',
  supply_number: 'extension (dispense-number)',
  repeats_authorised: 'authorizingPrescription',
  deferred: 'status',
  owing: 'type.coding',
  reversed: 'status',
  directions: 'dosageInstruction.text',
  days_supply: 'daysSupply.value',
} as const

/** What a status means for the supply: made, not made yet, or taken back. */
const STATUSES: Readonly<Record<string, 'supplied' | 'deferred' | 'reversed'>> = {
  completed: 'supplied',
  preparation: 'deferred',
  'in-progress': 'deferred',
  'on-hold': 'deferred',
  unknown: 'deferred',
  cancelled: 'reversed',
  'entered-in-error': 'reversed',
  stopped: 'reversed',
  declined: 'reversed',
}
export const NO_SUPPLY: readonly string[] = Object.keys(STATUSES).filter((status) => status !== 'completed')

/**
 * A MedicationDispense as a script. Only a completed one is a supply; the others are stored as deferred or reversed, so that they take back
 * what an earlier upload said.
 * @returns only that it is removed, if it is not a supply and has no readable date, patient or medicine
 */
export function scriptOf(resource: JsonObject, context: FhirContext): Values {
  const { state } = context
  const status = textAt(resource, 'status')
  const meaning = Object.hasOwn(STATUSES, status) ? STATUSES[status] : undefined
  if (meaning === undefined)
    throw new PathFault(
      'status',
      status,
      `${status === '' ? 'is missing' : 'is not a status of FHIR R4'}: it is one of ${Object.keys(STATUSES).join(', ')}`,
    )
  state.count(status)
  if (meaning === 'supplied') return rowOf(resource, meaning, context)
  try {
    return rowOf(resource, meaning, context)
  } catch (error) {
    if (!(error instanceof PathFault)) throw error
    return removalOf(textAt(resource, 'id'), context)
  }
}

/** The row for a dispense that is not a supply and cannot be stored: whatever else it says, no supply may stand under its id. */
export function removalOf(script_id: string, { state }: FhirContext): Values {
  state.count('bare')
  return { script_id, [REMOVED]: '1' }
}

function rowOf(resource: JsonObject, meaning: 'supplied' | 'deferred' | 'reversed', context: FhirContext): Values {
  const { state } = context
  const dispensed_on = supplyDay(resource, context)
  const units = suppliedUnits(resource, 'quantity')
  const directions = directionsOf(resource)
  const kinds = listAt(objectAt(resource, 'type') ?? {}, 'coding', 'type.coding').map((one) => one.code)
  const row = {
    script_id: textAt(resource, 'id'),
    dispensed_on,
    patient_id: patientIdOf(resource, context),
    drug_id: medicationOf(resource, context).id,
    ...prescribedBy(resource, context),
    units: units ?? '',
    supply_number: supplyNumber(resource, kinds),
    deferred: meaning === 'deferred' ? '1' : '',
    owing: kinds.includes('SO') ? '1' : '',
    reversed: meaning === 'reversed' ? '1' : '',
    directions: directions ?? '',
    days_supply: suppliedDays(resource, 'daysSupply'),
  }
  if (units === null) state.count('packs')
  if (directions === null) state.count('long directions')
  if (meaning === 'supplied') {
    state.count('supply')
    if (row.supply_number === '') state.count('unnumbered')
    const dosed = row.days_supply === '' && directions === '' && listAt(resource, 'dosageInstruction').length > 0
    if (dosed) state.count('unclear dose')
  }
  noteLocation(resource, state)
  return row
}

/**
 * The day handed over, otherwise the day prepared; a year or month alone does not count. No other day, because it would move the end of the
 * pharmacy's data.
 * @throws PathFault without one
 */
function supplyDay(resource: JsonObject, { timeZone }: FhirContext): string {
  const times = ['whenHandedOver', 'whenPrepared'].map((key) => [key, textAt(resource, key)] as const)
  const spans = times
    .filter(([, text]) => text !== '')
    .map(([key, text]) => ({ key, text, ...spanOf(text, key, timeZone) }))
  const whole = spans.find(({ first, last }) => first === last)
  if (whole) return formatDay(whole.first)
  const [partial] = spans
  if (partial) throw new PathFault(partial.key, partial.text, 'is a year or a month; the day is needed')
  throw new PathFault(
    'whenHandedOver',
    '',
    'is missing, and so is whenPrepared: a completed dispense needs the day of supply',
  )
}

function noteLocation(resource: JsonObject, state: FhirContext['state']): void {
  const reference = objectAt(resource, 'location')?.reference
  if (typeof reference === 'string' && reference !== '') state.name('location', reference)
}

/** The prescription of a dispense, with what a contained one says about it; of several the first counts. */
function prescribedBy(resource: JsonObject, { state }: FhirContext): Values {
  const [first, ...more] = listAt(resource, 'authorizingPrescription')
  if (more.length > 0) state.count('prescriptions')
  const none = { prescription_id: '', prescriber_id: '', repeats_authorised: '' }
  if (!first) return none
  const path = 'authorizingPrescription[0]'
  const identifier = objectAt(first, 'identifier', `${path}.identifier`)
  if (identifier && textAt(first, 'reference', `${path}.reference`) === '')
    return { ...none, prescription_id: idOfIdentifier(identifier, path, state) }
  const pointer = pointerOf(first, path, { container: resource, type: 'MedicationRequest', state })
  if (!pointer) return none
  if (pointer.type !== 'MedicationRequest' && pointer.type !== '')
    throw new PathFault(`${path}.reference`, `${pointer.type}/${pointer.id}`, 'is not a MedicationRequest')
  if (!pointer.contained) return { ...none, prescription_id: pointer.id }
  const request = pointer.contained
  const [own] = listAt(request, 'identifier', 'contained.identifier')
  return {
    prescription_id: own ? idOfIdentifier(own, 'contained', state) : '',
    prescriber_id: practitionerOf(
      objectAt(request, 'requester', 'contained.requester'),
      'contained.requester',
      resource,
      state,
    ),
    repeats_authorised: repeatsOf(request),
  }
}

/**
 * The prescription of an identifier: the one request of this upload that has it, otherwise the number itself, which groups the supplies
 * made on a prescription of another system. Empty if several requests have it.
 */
function idOfIdentifier(identifier: JsonObject, path: string, state: FhirContext['state']): string {
  const value = textAt(identifier, 'value', `${path}.identifier.value`)
  const system = textAt(identifier, 'system', `${path}.identifier.system`)
  if (value === '') return ''
  const id = state.idOf('MedicationRequest', system, value)
  if (id === null) state.count('ambiguous')
  return id === undefined ? `${system}|${value}` : (id ?? '')
}

const DISPENSE_NUMBER = 'http://hl7.org.au/fhir/StructureDefinition/dispense-number'
const FIRST_FILLS = new Set(['FF', 'FFC', 'FFCS', 'FFP', 'FFPS', 'FFS', 'FFSS'])

/** 1 for the original: from the Australian dispense number, otherwise known only for a first fill. */
function supplyNumber(resource: JsonObject, kinds: readonly unknown[]): string {
  const stated = extensionOf(resource, DISPENSE_NUMBER)
  const number = stated ? numberAt(stated, 'valueInteger', 'extension (dispense-number).valueInteger') : null
  if (number !== null) return digits(number)
  return kinds.some((kind) => FIRST_FILLS.has(String(kind))) ? '1' : ''
}
