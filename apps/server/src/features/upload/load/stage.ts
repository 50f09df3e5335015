import type { ColumnRule, ColumnType, UploadSet } from '@pillar/domain/upload/upload-format'
import { columnsOf } from '@pillar/domain/upload/upload-format'

/** Columns a staging table has beside the canonical ones: worked out from a row while it is checked. */
export const COMPUTED: Partial<Record<UploadSet, readonly (readonly [name: string, type: string])[]>> = {
  drugs: [
    ['mol_key', 'text'],
    ['mol_name', 'text'],
    ['mol_atc', 'text'],
    ['mol_components', 'text[]'],
    ['mol_chronic', 'boolean'],
    ['mol_drug_type', 'text'],
    ['mol_condition', 'text'],
  ],
  scripts: [['daily_units', 'double precision']],
}

const SQL_TYPES: Record<ColumnType, string> = {
  id: 'text',
  text: 'text',
  date: 'date',
  integer: 'integer',
  quantity: 'numeric',
  money: 'integer',
  flag: 'boolean',
  sex: 'char(1)',
  patient_type: 'smallint',
}

/** Name of the temporary table a set is copied into. */
export const stageTable = (set: UploadSet): string => `stage_${set}`

/** The column that names a row of a set. */
export const idColumn = (set: UploadSet): string => columnsOf(set)[0]?.[0] ?? ''

/**
 * Every column of a staging table: the line it came from, whether the row is faulty (then only its id is kept, so that
 * an initial upload does not delete what it could not read), the canonical columns, and those worked out.
 */
export function stageColumns(set: UploadSet): (readonly [name: string, type: string])[] {
  return [
    ['line', 'integer'],
    ['faulty', 'boolean'],
    ...columnsOf(set).map(([name, rule]: readonly [string, ColumnRule]) => [name, SQL_TYPES[rule.type]] as const),
    ...(COMPUTED[set] ?? []),
  ]
}
