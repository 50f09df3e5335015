import { columnsOf, UPLOAD_SETS, type UploadSet } from '@pillar/domain/upload/upload-format'
import { FHIR } from './source-fhir.ts'
import { OMOP } from './source-omop.ts'
import { isMade, type SourceProfile } from './source-profile.ts'
import { SYSTEMS } from './source-systems.ts'

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

export const SOURCES: readonly SourceProfile[] = [CANONICAL, OMOP, FHIR, ...SYSTEMS]

/** The profile of a data source, or null if none has that name. */
export function sourceOf(name: string): SourceProfile | null {
  return SOURCES.find((source) => source.name === name) ?? null
}

/** The file of a source that fills a set, and the name of a column in it, as its pharmacy knows them. */
export function placeOf(source: string, set: UploadSet, column: string): { file: string; column: string } {
  for (const { name, feeds } of sourceOf(source)?.files ?? []) {
    const feed = feeds.find((one) => one.set === set && !one.implied)
    if (!feed) continue
    const from = feed.columns[column]
    return { file: name, column: (feed.map && from && !isMade(from) && from[0]) || column }
  }
  return { file: set, column }
}
