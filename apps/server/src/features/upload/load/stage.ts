import type { ColumnRule, ColumnType, UploadSet } from '@pillar/domain/upload/upload-format'
import { columnsOf } from '@pillar/domain/upload/upload-format'

/** Columns of a staging table besides the canonical ones, calculated while a row is checked. */
const COMPUTED: Partial<Record<UploadSet, readonly (readonly [name: string, type: string])[]>> = {
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
  // Whether a newer version says that it is not a prescription: then only the id and a version are known.
  prescriptions: [['removed', 'boolean']],
  // Plain values beside the sealed ones, by which an erased person is recognised; both go with the transaction.
  patients: [
    ['mobile_sealed', 'bytea'],
    ['email_sealed', 'bytea'],
    // Whether the day of death is the day the record was changed, because nothing says when it was.
    ['death_date_unknown', 'boolean'],
  ],
}

const SQL_TYPES: Record<ColumnType, string> = {
  id: 'text',
  text: 'text',
  date: 'date',
  // By the pharmacy's clock; the zone is added when it is stored.
  time: 'timestamp',
  integer: 'integer',
  serial: 'bigint',
  // Rounded during the copy, so that later calculations start from the stored value.
  quantity: 'numeric(12, 2)',
  money: 'integer',
  flag: 'boolean',
  sex: 'char(1)',
  patient_type: 'smallint',
  entry_type: 'text',
  balance_check: 'text',
}

/** Columns that are sealed while they are read: the database never sees them plain. */
export const SEALED_CELLS: Partial<Record<UploadSet, ReadonlySet<string>>> = { patients: new Set(['address']) }

/**
 * Columns whose refused values are not stored: a sealed value must not also be stored plain in a fault, and nobody could tell whose a
 * refused name or day was when that patient asks to be erased.
 */
export const UNTOLD_CELLS: Partial<Record<UploadSet, ReadonlySet<string>>> = {
  patients: new Set(['address', 'mobile', 'email', 'first_name', 'last_name', 'date_of_birth', 'deceased_on']),
}

/** Name of the temporary table into which a set is copied. */
export const stageTable = (set: UploadSet): string => `stage_${set}`

/** The column that identifies a row of a set. */
export const idColumn = (set: UploadSet): string => columnsOf(set)[0]?.[0] ?? ''

/**
 * Every column of a staging table: the source line, whether the row is faulty (then only its id is stored, so that an initial upload does
 * not delete unreadable rows), the canonical columns, the calculated ones, and when the row was last changed, if its source says so.
 */
export function stageColumns(set: UploadSet): (readonly [name: string, type: string])[] {
  return [
    ['line', 'integer'],
    ['faulty', 'boolean'],
    ...columnsOf(set).map(
      ([name, rule]: readonly [string, ColumnRule]) =>
        [name, SEALED_CELLS[set]?.has(name) ? 'bytea' : SQL_TYPES[rule.type]] as const,
    ),
    ...(COMPUTED[set] ?? []),
    ['version', 'timestamptz'],
  ]
}

/** The columns of each staged file. */
export type Staged = ReadonlyMap<UploadSet, ReadonlySet<string>>
