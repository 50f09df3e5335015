import type { JsonObject } from './line/json.ts'
import type { Values } from './medication.ts'
import { listAt, objectAt, PathFault, textAt } from './resource.ts'
import type { FhirContext } from './state.ts'

const TARGET = /^(?:https?:\/\/[^?#]*\/)?([A-Z][A-Za-z]+)\/([^/?#\s]+)$/

/**
 * The dispenses that a Bundle of a bulk export's `deleted` output lists as deleted at the source. Deletions of other resources are only
 * counted: people, products and prescriptions stay, because scripts name them.
 * @throws PathFault for an entry that is not the deletion of one resource
 */
export function deletedScripts(bundle: JsonObject, { state }: FhirContext): Values[] {
  const ids: string[] = []
  listAt(bundle, 'entry').forEach((entry, at) => {
    const path = `entry[${at}].request`
    const request = objectAt(entry, 'request', path)
    const method = request ? textAt(request, 'method', `${path}.method`) : ''
    if (!request || method !== 'DELETE')
      throw new PathFault(`${path}.method`, method, 'is not DELETE: bundles of deletions hold nothing else')
    const url = textAt(request, 'url', `${path}.url`)
    const [, type = '', id = ''] = TARGET.exec(url) ?? []
    if (id === '') throw new PathFault(`${path}.url`, url, 'does not name one resource, as MedicationDispense/123')
    if (type === 'MedicationDispense') ids.push(id)
    else state.name('kept', `${type}/${id}`)
  })
  return ids.map((script_id) => ({ script_id }))
}
