import { columnsOf, UPLOAD_SETS } from '@pillar/domain/upload/upload-format'
import { OMOP } from './source-omop.ts'
import type { SourceProfile } from './source-profile.ts'
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

export const SOURCES: readonly SourceProfile[] = [CANONICAL, OMOP, ...SYSTEMS]

/** The profile of a data source, or null when there is none of that name. */
export function sourceOf(name: string): SourceProfile | null {
  return SOURCES.find((source) => source.name === name) ?? null
}
