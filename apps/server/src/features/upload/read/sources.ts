import { columnsOf, UPLOAD_SETS, type UploadSet } from '@pillar/domain/upload/upload-format'
import { OMOP } from './source-omop.ts'
import { DISPENSING_SYSTEMS } from './source-systems.ts'

/** A canonical value made of several columns of the source. */
export interface Made {
  readonly from: readonly string[]
  readonly make: (...values: string[]) => string
}

/** How one file fills one canonical set: of each canonical column, the source's names for it or how it is made. */
export interface Feed {
  readonly set: UploadSet
  readonly columns: Readonly<Record<string, readonly string[] | Made>>
  /** The set is only implied by the rows of another (drugs named on dispensing lines): repeats and faults are the other's. */
  readonly implied?: true
}

export interface SourceFile {
  /** Name of the multipart file and of the CSV. */
  readonly name: string
  readonly feeds: readonly Feed[]
  /** Columns the source has and Pillar does not read. */
  readonly ignored: readonly string[]
}

export interface SourceProfile {
  readonly name: string
  readonly title: string
  /** Whether the mapping was checked against a real export of the system. */
  readonly checked: boolean
  /** What is known about the mapping, in plain words. */
  readonly status: string
  readonly files: readonly SourceFile[]
  /** Dates may be moved by a number of days, because the source shifts them to hide people. */
  readonly shiftsDates: boolean
}

const CANONICAL: SourceProfile = {
  name: 'canonical',
  title: 'Pillar’s own format',
  checked: true,
  status: 'The format of this page. The demo network and the tests use it.',
  shiftsDates: false,
  files: UPLOAD_SETS.map((set) => ({
    name: set,
    ignored: [],
    feeds: [{ set, columns: Object.fromEntries(columnsOf(set).map(([column]) => [column, [column]])) }],
  })),
}

export const SOURCES: readonly SourceProfile[] = [CANONICAL, OMOP, ...DISPENSING_SYSTEMS]

/** The profile of a data source, or null when there is none of that name. */
export function sourceOf(name: string): SourceProfile | null {
  return SOURCES.find((source) => source.name === name) ?? null
}

export const isMade = (column: readonly string[] | Made): column is Made => !Array.isArray(column)

/** Every column name a file of a source may have. */
export function knownColumns(file: SourceFile): Set<string> {
  const names = file.feeds.flatMap((feed) =>
    Object.values(feed.columns).flatMap((column) => (isMade(column) ? column.from : column)),
  )
  return new Set([...names, ...file.ignored])
}
