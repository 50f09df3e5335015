import type { UploadSet } from '@pillar/domain/upload/upload-format'
import type { JsonObject } from './fhir/line/json.ts'
import type { FhirContext } from './fhir/state.ts'

/** A canonical value computed from several source columns. */
export interface Made {
  readonly from: readonly string[]
  readonly make: (...values: string[]) => string
}

type Values = Readonly<Record<string, string>>

/**
 * Canonical columns of one row from one resource; null if the resource makes no row.
 * @throws PathFault naming the place in the resource
 */
export type MapResource = (resource: JsonObject, context: FhirContext) => Values | null

/** How one file fills one canonical set: for each canonical column, its source names or a function. */
export interface Feed {
  readonly set: UploadSet
  readonly columns: Readonly<Record<string, readonly string[] | Made>>
  /** The set comes from the rows of another (drugs on dispensing lines): repeats and faults belong to that one. */
  readonly implied?: true
  /** For files of resources instead of tables: `columns` then says where in the resource each column is. */
  readonly map?: MapResource
  /** The ids of scripts the source has deleted, from a resource that lists them. */
  readonly removes?: (resource: JsonObject, context: FhirContext) => readonly Values[]
}

export interface SourceFile {
  /** Name of the multipart file and of the CSV. */
  readonly name: string
  readonly feeds: readonly Feed[]
  /** Columns of the source that Pillar does not read. */
  readonly ignored: readonly string[]
}

export interface SourceProfile {
  readonly name: string
  readonly title: string
  /** Whether the mapping was checked against a real export of the system. */
  readonly checked: boolean
  /** What is known about the mapping. */
  readonly status: string
  readonly files: readonly SourceFile[]
  /** Dates may be shifted by a number of days, because the source shifts them for privacy. */
  readonly shiftsDates: boolean
  /** Rows say when they were last changed: the newest version counts, whenever it arrives. */
  readonly versions?: true
}

export const isMade = (column: readonly string[] | Made): column is Made => !Array.isArray(column)

/** Every column name that a file of a source may have. */
export function knownColumns(file: SourceFile): Set<string> {
  const names = file.feeds.flatMap((feed) =>
    Object.values(feed.columns).flatMap((column) => (isMade(column) ? column.from : column)),
  )
  return new Set([...names, ...file.ignored])
}
