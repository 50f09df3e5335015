/** Where an upload's records come from, under the key that uploads name. */
export interface DataSource {
  readonly key: string
  /** As screens and documents call it. */
  readonly name: string
}

/** Dispensing systems a pharmacy may work with, under the specification's keys and names. */
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

/** What an upload may name beside the dispensing systems, by the specification. */
export const STRONG_ER = { key: 'stronger', name: 'Strong ER' } as const satisfies DataSource

/** The sources of the specification an upload may be requested of: the dispensing systems and Strong ER. */
export const UPLOAD_SOURCES = [...DISPENSING_SYSTEMS, STRONG_ER] as const

export type UploadSource = (typeof UPLOAD_SOURCES)[number]['key']
