import type { JsonObject } from './line/json.ts'
import { listAt, objectAt, PathFault, textAt } from './resource.ts'
import type { FhirState } from './state.ts'

/** What a Reference refers to. */
export interface Pointer {
  /** Resource type; empty if the reference does not say (urn:uuid). */
  type: string
  /** Id of the resource; for a contained one, its id within its container. */
  id: string
  contained: JsonObject | null
}

const LITERAL = /^(?:(https?:\/\/[^?#]*)\/)?([A-Z][A-Za-z]+)\/([^/?#\s]+)(?:\/_history\/[^/?#\s]+)?$/
const CONDITIONAL = /^([A-Z][A-Za-z]+)\?identifier=([^|&]*)\|([^&]+)$/

/**
 * Follows a Reference: contained (#id), relative (Patient/1), absolute (https://server/fhir/Patient/1), urn:uuid, or by an identifier that
 * a resource of this upload has.
 * @param type the expected type, if the reference itself does not say
 * @returns null if it refers to nothing, such as a display alone
 * @throws PathFault if it cannot be followed
 */
export function pointerOf(
  reference: JsonObject,
  path: string,
  of: { container: JsonObject; type: string; state: FhirState },
): Pointer | null {
  const text = textAt(reference, 'reference', `${path}.reference`)
  const at = `${path}.reference`
  if (text.startsWith('#')) return containedOf(text, at, of.container)
  const urn = /^urn:(?:uuid|oid):(\S+)$/i.exec(text)
  if (urn) return { type: '', id: urn[1] ?? '', contained: null }
  const conditional = CONDITIONAL.exec(text)
  if (conditional) {
    const [, type = '', system = '', value = ''] = conditional
    return byIdentifier({ type, system: plainUri(system), value: plainUri(value) }, at, of.state)
  }
  if (text !== '') return literal(text, at, of.state)
  const identifier = objectAt(reference, 'identifier', `${path}.identifier`)
  if (!identifier) return null
  const named = { system: textAt(identifier, 'system'), value: textAt(identifier, 'value', `${path}.identifier.value`) }
  if (named.value === '') return null
  return byIdentifier({ type: textAt(reference, 'type') || of.type, ...named }, `${path}.identifier.value`, of.state)
}

function literal(text: string, path: string, state: FhirState): Pointer {
  const [, server, type = '', id = ''] = LITERAL.exec(text) ?? []
  if (id === '')
    throw new PathFault(path, text, 'is not a reference such as Patient/123, urn:uuid:… or #id of a contained resource')
  if (server !== undefined && !state.isOnFirstServer(type, server))
    throw new PathFault(
      path,
      text,
      `is on another server than ${state.firstServer(type)}: ids of two servers do not mix, so send each as an upload of its own`,
    )
  return { type, id, contained: null }
}

const contents = new WeakMap<JsonObject, ReadonlyMap<string, JsonObject>>()

/**
 * A resource's contained resources, by id; of several with one id the first. A line may hold tens of thousands, and as many references to
 * them.
 */
function contentsOf(container: JsonObject): ReadonlyMap<string, JsonObject> {
  const known = contents.get(container)
  if (known) return known
  const made = new Map<string, JsonObject>()
  for (const one of listAt(container, 'contained'))
    if (typeof one.id === 'string' && !made.has(one.id)) made.set(one.id, one)
  contents.set(container, made)
  return made
}

/** The contained resource that a reference such as #id refers to; undefined for any other reference. */
export function containedIn(container: JsonObject, reference: JsonObject | null): JsonObject | undefined {
  const text = reference?.reference
  return typeof text === 'string' && text.startsWith('#') ? contentsOf(container).get(text.slice(1)) : undefined
}

function containedOf(text: string, path: string, container: JsonObject): Pointer {
  const id = text.slice(1)
  const found = containedIn(container, { reference: text })
  if (!found) throw new PathFault(path, text, 'is not among the contained resources of this line')
  return { type: textAt(found, 'resourceType', 'contained.resourceType'), id, contained: found }
}

function byIdentifier(
  { type, system, value }: { type: string; system: string; value: string },
  path: string,
  state: FhirState,
): Pointer {
  const id = state.idOf(type, system, value)
  if (typeof id === 'string') return { type, id, contained: null }
  const instead = `name it by a reference such as ${type}/123`
  if (id === null) throw new PathFault(path, value, `is the identifier of several resources of ${type}: ${instead}`)
  throw new PathFault(
    path,
    value,
    state.overflow
      ? `is an identifier, and this upload has too many of them to remember: ${instead}`
      : `is the identifier of no ${type} in this upload: send ${type}.ndjson along, or ${instead}`,
  )
}

function plainUri(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Remembers the identifiers of a resource, so that others can refer to it by them. */
export function rememberIdentifiers(resource: JsonObject, id: string, state: FhirState): void {
  const type = textAt(resource, 'resourceType')
  listAt(resource, 'identifier').forEach((one, at) => {
    const value = textAt(one, 'value', `identifier[${at}].value`)
    if (value !== '' && one.use !== 'old')
      state.remember(type, textAt(one, 'system', `identifier[${at}].system`), value, id)
  })
}

/** The id of the Practitioner a reference names; empty for a role, an organisation or a contained one. */
export function practitionerOf(
  reference: JsonObject | null,
  path: string,
  container: JsonObject,
  state: FhirState,
): string {
  if (!reference) return ''
  // The prescriber is useful but changes no figure: a reference that leads nowhere does not cost the row.
  try {
    const pointer = pointerOf(reference, path, { container, type: 'Practitioner', state })
    return pointer && !pointer.contained && (pointer.type === 'Practitioner' || pointer.type === '') ? pointer.id : ''
  } catch (error) {
    if (!(error instanceof PathFault)) throw error
    state.count('prescriber')
    return ''
  }
}
