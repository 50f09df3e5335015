import { day } from '@pillar/domain/time/day'
import { type JsonObject, parseJson } from '../../src/features/upload/read/fhir/line/json.ts'
import { PathFault } from '../../src/features/upload/read/fhir/resource.ts'
import { type FhirContext, FhirState } from '../../src/features/upload/read/fhir/state.ts'
import type { MapResource } from '../../src/features/upload/read/source-profile.ts'

/** The context for reading resources in tests: a pharmacy in Brisbane on 20 November 2026. */
export const fhirContext = (state = new FhirState()): FhirContext => ({
  today: day('2026-11-20'),
  timeZone: 'Australia/Brisbane',
  state,
})

/** A resource as read from its line. */
export const resourceFrom = (resource: object): JsonObject => parseJson(JSON.stringify(resource)) as JsonObject

/** The row a mapping makes from a resource, or where and why it refuses. */
export function mapped(map: MapResource, resource: object, context = fhirContext()): unknown {
  try {
    return map(resourceFrom(resource), context)
  } catch (error) {
    if (error instanceof PathFault) return { path: error.path, value: error.value, reason: error.message }
    throw error
  }
}
