/** A package as in package-lock.json. */
export interface Locked {
  version?: string
  resolved?: string
  integrity?: string
  link?: boolean
  optional?: boolean
  license?: string
  hasInstallScript?: boolean
  dependencies?: Record<string, string>
}

/** Licences whose terms an Apache-2.0 project distributed as a whole can meet. */
const LICENCES = new Set(
  'MIT Apache-2.0 MPL-2.0 OFL-1.1 BlueOak-1.0.0 BSD-2-Clause BSD-3-Clause Python-2.0 ISC Unlicense MIT-0 0BSD CC0-1.0'.split(
    ' ',
  ),
)

/** Whether every part of an expression such as `(MIT OR CC0-1.0)` is one of them. */
const isFree = (licence: string) =>
  licence
    .replace(/[()]/g, '')
    .split(/ (?:AND|OR) /)
    .every((one) => LICENCES.has(one))

/**
 * What the lock must not contain: a package without its checksum (those of other platforms that a registry did not serve have none and are
 * completed by tools/complete-lock.ts), one from outside a registry, an unapproved install script, an unlisted licence. One sentence each.
 */
export function lockBreaches(packages: Record<string, Locked>, approved: Record<string, boolean>): string[] {
  return Object.entries(packages).flatMap(([place, one]) => {
    const elsewhere = Object.entries(one.dependencies ?? {})
      .filter(([, wanted]) => /^(git|https?:|file:|github:)|^[\w.-]+\/[\w.-]+/.test(wanted))
      .map(([name, wanted]) => `${place || 'package.json'} wants ${name} from ${wanted}, which is no registry.`)
    if (!place.includes('node_modules/') || one.link) return elsewhere
    const name = place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length)
    const says = (wrong: unknown, sentence: string) => (wrong ? [`${place} ${sentence}.`] : [])
    return [
      ...elsewhere,
      ...says(!one.integrity && !one.optional, 'has no checksum'),
      ...says(one.integrity && !one.integrity.startsWith('sha512-'), 'has a weak checksum'),
      ...says(one.resolved, `names where it was fetched: ${one.resolved}`),
      ...says(
        one.hasInstallScript && !(name in approved),
        'runs a script when it is installed, which nobody approved or refused',
      ),
      ...says(one.integrity && one.license && !isFree(one.license), `has the licence ${one.license}`),
    ]
  })
}
