/** The source of an upload's records, by the key uploads use. */
export interface DataSource {
  readonly key: string
  /** The name on screens and in documents. */
  readonly name: string
}

/** The dispensing systems a pharmacy may use, by the specification's keys and names. */
export const DISPENSING_SYSTEMS = [
  { key: 'fred', name: 'Fred Dispense Classic' },
  { key: 'frednxt', name: 'Fred Dispense Plus' },
  { key: 'z', name: 'Z Dispense' },
  { key: 'minfos', name: 'Minfos' },
  { key: 'posworks', name: 'Dispense Works' },
  { key: 'rxone', name: 'RxOne' },
  { key: 'corumlots', name: 'Corum LOTS' },
  { key: 'corumclear', name: 'Corum Clear' },
] as const satisfies readonly DataSource[]

/** Sources besides the dispensing systems; the specification sets them. */
export const STRONG_ER = { key: 'stronger', name: 'Strong ER' } as const satisfies DataSource

/** Sources from which support may request an upload, by the specification: the dispensing systems and Strong ER. */
export const UPLOAD_SOURCES = [...DISPENSING_SYSTEMS, STRONG_ER] as const

export type UploadSource = (typeof UPLOAD_SOURCES)[number]['key']

/** Names of all upload sources by key, including Pillar's own format, OMOP and FHIR. */
export const SOURCE_NAMES: Readonly<Record<string, string>> = {
  ...Object.fromEntries(UPLOAD_SOURCES.map(({ key, name }) => [key, name])),
  canonical: 'Pillar’s own format',
  omop: 'OMOP',
  fhir: 'FHIR R4',
}
