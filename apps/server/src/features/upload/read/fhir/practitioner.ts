import type { JsonObject } from './line/json.ts'
import type { Values } from './medication.ts'
import { namesOf } from './patient.ts'
import { rememberIdentifiers } from './reference.ts'
import { firstOf, listAt, objectAt, textAt } from './resource.ts'
import type { FhirContext } from './state.ts'

export const PRACTITIONER_PATHS = {
  prescriber_id: 'id',
  name: 'name',
  number: 'identifier.value',
  specialty: 'qualification.code',
  postcode: 'address.postalCode',
} as const

/** A Practitioner as a row of prescribers. */
export function prescriberOf(resource: JsonObject, { state, today }: FhirContext): Values {
  const id = textAt(resource, 'id')
  rememberIdentifiers(resource, id, state)
  const prefix = listAt(resource, 'name').flatMap((one) => (Array.isArray(one.prefix) ? one.prefix : []))[0]
  const [given, family] = namesOf(resource, today)
  const [qualification] = listAt(resource, 'qualification')
  const code = qualification ? objectAt(qualification, 'code', 'qualification[0].code') : null
  const [coding] = code ? listAt(code, 'coding', 'qualification[0].code.coding') : []
  const [address] = listAt(resource, 'address')
  return {
    prescriber_id: id,
    name: [typeof prefix === 'string' ? prefix.trim() : '', given, family].filter((part) => part !== '').join(' '),
    number: numberOf(resource),
    specialty: code
      ? firstOf(
          textAt(code, 'text', 'qualification[0].code.text'),
          coding ? textAt(coding, 'display', 'qualification[0].code.coding[0].display') : '',
        )
      : '',
    postcode: address ? textAt(address, 'postalCode', 'address[0].postalCode') : '',
  }
}

/** The prescriber number, otherwise the national provider number, otherwise the only number there is. */
function numberOf(resource: JsonObject): string {
  const identifiers = listAt(resource, 'identifier').map((one, at) => {
    const path = `identifier[${at}]`
    const type = objectAt(one, 'type', `${path}.type`)
    const codes = type ? listAt(type, 'coding', `${path}.type.coding`).map((coding) => coding.code) : []
    return { codes, system: textAt(one, 'system', `${path}.system`), value: textAt(one, 'value', `${path}.value`) }
  })
  const of = (code: string, system: RegExp) =>
    identifiers.find((one) => one.codes.includes(code) || system.test(one.system))?.value ?? ''
  const only = identifiers.length === 1 ? (identifiers[0]?.value ?? '') : ''
  return firstOf(of('PRES', /medicare-prescriber-number$/), of('NPI', /fhir\/sid\/us-npi$/), only)
}
