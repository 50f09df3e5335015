/**
 * What a migration may not do while the previous version goes on serving (decision 060), as rules over PostgreSQL's own parse tree.
 * `existing` means a table made by an earlier migration: one made in the same file has no rows, and no old version knows it.
 */

/** A node of the parse tree; only what a rule checks matters here. */
// biome-ignore lint/suspicious/noExplicitAny: the tree has hundreds of shapes, and a wrong guess shows as a test that fails.
export type Tree = any

/** Tables that grow with patients, scripts or messages: reading or writing all their rows takes minutes. */
const LARGE = new Set([
  ...[
    'patient',
    'patient_fact',
    'patient_measure',
    'person_cell',
    'person_figure',
    'person_key',
    'person_link',
    'prescription',
  ],
  ...[
    'script',
    'script_lines',
    'stock',
    'metric_cell',
    'metric_figure',
    'metric_persistence',
    'metric_total',
    'board_fact',
  ],
  ...[
    'message',
    'message_reply',
    'message_stat',
    'message_stat_day',
    'gateway_event',
    'touch',
    'link',
    'follow_up_message',
  ],
  ...['consent', 'consent_entry', 'consent_request', 'contact_history', 'enrolment', 'follow_up', 'sequence_event'],
  ...['contact', 'contact_index', 'drug', 'prescriber', 'resource_version', 'simulator_message', 'sixty_day_cell'],
  ...['audit', 'audit_seal', 's8_balance', 's8_entry', 'trial_event', 'trial_participant', 'upload_fault'],
])

export interface File {
  /** Tables and functions that this file makes. */
  made: ReadonlySet<string>
  functions: ReadonlySet<string>
  /** Rights this file grants, as `to` and `on` in one text. */
  granted: ReadonlySet<string>
  /** Constraints this file adds without checking the rows. */
  unproven: ReadonlySet<string>
}

const existing = (file: File, table: string) => !file.made.has(table)
const large = (file: File, table: string) => existing(file, table) && LARGE.has(table)

const DROPPED: Record<string, string> = {
  OBJECT_TABLE: 'table',
  OBJECT_VIEW: 'view',
  OBJECT_MATVIEW: 'view',
  OBJECT_TYPE: 'type',
  OBJECT_SEQUENCE: 'sequence',
  OBJECT_SCHEMA: 'schema',
}

const lastName = (object: Tree): string =>
  object?.List?.items?.at(-1)?.String?.sval ??
  object?.String?.sval ??
  object?.ObjectWithArgs?.objname?.at(-1)?.String?.sval ??
  '?'

function drop({ removeType, objects }: Tree, file: File): string[] {
  const names: string[] = objects.map(lastName)
  if (removeType === 'OBJECT_FUNCTION')
    return names
      .filter((name) => !file.functions.has(name))
      .map((name) => `drops the function ${name}, which the version before may call`)
  const what = DROPPED[removeType]
  if (!what) return []
  return names
    .filter((name) => existing(file, name))
    .map((name) => `drops the ${what} ${name}, which the version before may use`)
}

function rename({ renameType, relation, subname, newname }: Tree, file: File): string[] {
  // No query names an index.
  if (renameType === 'OBJECT_INDEX' || (relation && !existing(file, relation.relname))) return []
  const old = [relation?.relname, subname].filter(Boolean).join('.') || 'something'
  return [`renames ${old} to ${newname}, which the version before does not know by that name`]
}

const STABLE_CALLS = new Set(['now', 'current_date', 'current_timestamp'])

/** Whether a default is one value for all existing rows, so that none of them is rewritten. */
function sameForAll(expression: Tree): boolean {
  if (!expression || 'A_Const' in expression || 'SQLValueFunction' in expression) return true
  if ('TypeCast' in expression) return sameForAll(expression.TypeCast.arg)
  if ('A_ArrayExpr' in expression) return (expression.A_ArrayExpr.elements ?? []).every(sameForAll)
  return 'FuncCall' in expression && STABLE_CALLS.has(lastName({ List: { items: expression.FuncCall.funcname } }))
}

function addColumn(table: string, column: Tree, file: File): string[] {
  const constraints: Tree[] = (column.constraints ?? []).map((one: Tree) => one.Constraint)
  const of = (type: string) => constraints.find((one) => one.contype === type)
  const name = `${table}.${column.colname}`
  const breaches: string[] = []
  const fills = of('CONSTR_DEFAULT') ?? of('CONSTR_GENERATED') ?? of('CONSTR_IDENTITY')
  if (of('CONSTR_NOTNULL') && !fills)
    breaches.push(`adds ${name} as "not null" without a default: the version before writes rows without it`)
  const rewrites =
    of('CONSTR_IDENTITY') ??
    constraints.find((one) => one.contype === 'CONSTR_GENERATED' && one.generated_kind !== 'v') ??
    constraints.find((one) => one.contype === 'CONSTR_DEFAULT' && !sameForAll(one.raw_expr))
  if (rewrites && large(file, table))
    breaches.push(`adds ${name} with a value of its own for each row, which rewrites a large table`)
  const reads = ['CONSTR_CHECK', 'CONSTR_FOREIGN', 'CONSTR_UNIQUE', 'CONSTR_PRIMARY'].some(of)
  if (reads && large(file, table))
    breaches.push(`adds ${name} with a constraint, for which all rows of a large table are read under lock`)
  return breaches
}

function addConstraint(table: string, constraint: Tree): string[] {
  if (['CONSTR_UNIQUE', 'CONSTR_PRIMARY', 'CONSTR_EXCLUSION'].includes(constraint.contype))
    return constraint.indexname
      ? []
      : [
          `adds a unique key to ${table} by reading all of it under lock: make its index concurrently first, then "using index"`,
        ]
  return constraint.skip_validation
    ? []
    : [
        `adds and proves a constraint of ${table} in one step: add it "not valid", and validate it in the next migration`,
      ]
}

const REWRITING = new Set(['AT_SetLogged', 'AT_SetUnLogged', 'AT_SetTableSpace', 'AT_SetAccessMethod'])

function alter({ relation, cmds, objtype }: Tree, file: File): string[] {
  const table: string = relation.relname
  if (objtype === 'OBJECT_INDEX' || !existing(file, table)) return []
  return cmds.flatMap(({ AlterTableCmd: { subtype, name, def } }: Tree) => {
    if (subtype === 'AT_AddColumn') return addColumn(table, def.ColumnDef, file)
    if (subtype === 'AT_AddConstraint') return addConstraint(table, def.Constraint)
    if (subtype === 'AT_DropColumn') return [`drops ${table}.${name}, which the version before may use`]
    if (subtype === 'AT_AlterColumnType')
      return [`changes the type of ${table}.${name}: the table is rewritten under lock`]
    if (subtype === 'AT_SetNotNull')
      return [
        `makes ${table}.${name} "not null": all rows are read under lock, and the version before may leave it empty`,
      ]
    if (subtype === 'AT_ColumnDefault' && !def)
      return [`takes the default of ${table}.${name}, which the version before may rely on`]
    if (subtype === 'AT_ValidateConstraint' && file.unproven.has(name))
      return [`proves ${name} of ${table} in the transaction that added it: validate it in the next migration`]
    return REWRITING.has(subtype) ? [`rewrites ${table} under lock`] : []
  })
}

function index({ relation, idxname, concurrent, if_not_exists }: Tree, file: File): string[] {
  if (concurrent) return if_not_exists ? [] : [`makes ${idxname} concurrently without "if not exists"`]
  return large(file, relation.relname)
    ? [
        `makes an index of ${relation.relname}, a large table, while nobody can write: a file of its own with "-- no transaction" and "create index concurrently if not exists"`,
      ]
    : []
}

/** The role a right is granted to or revoked from, and its object, regardless of the position in the file. */
export const rightOf = ({ objects, grantees, objtype }: Tree): string =>
  JSON.stringify([objtype, objects, grantees], (key, value) => (key === 'location' ? undefined : value))

function revoke({ is_grant, objects, ...rest }: Tree, file: File): string[] {
  if (is_grant || file.granted.has(rightOf({ objects, ...rest }))) return []
  const isMade = (object: Tree) => file.made.has(object.RangeVar?.relname) || file.functions.has(lastName(object))
  return objects?.every(isMade) ? [] : ['takes a right away that the version before may need']
}

const rows =
  (what: string) =>
  ({ relation }: Tree, file: File) =>
    large(file, relation.relname)
      ? [`${what} rows of ${relation.relname}, a large table, in one transaction: do it in a job, in pieces`]
      : []

/** Rows read from a large table, however they are then stored: as long as the statement runs, so do its locks. */
const copies = (query: Tree, into: string, file: File): string[] =>
  (query?.SelectStmt?.fromClause ?? [])
    .flatMap(tablesOf)
    .filter((table: string) => large(file, table))
    .map((table: string) => `fills ${into} from ${table}, a large table, in one transaction: do it in a job, in pieces`)

/** The tables of a part of a `from`, also of joined ones. */
const tablesOf = ({ RangeVar, JoinExpr }: Tree): string[] =>
  RangeVar ? [RangeVar.relname] : JoinExpr ? [JoinExpr.larg, JoinExpr.rarg].flatMap(tablesOf) : []

/** The breaches by kind of statement, each as the end of a sentence that begins with the file. */
export const RULES: Record<string, (statement: Tree, file: File) => string[]> = {
  DropStmt: drop,
  RenameStmt: rename,
  AlterTableStmt: alter,
  IndexStmt: index,
  UpdateStmt: rows('changes'),
  DeleteStmt: rows('removes'),
  MergeStmt: rows('changes'),
  InsertStmt: ({ relation, selectStmt }, file) => copies(selectStmt, relation.relname, file),
  CreateTableAsStmt: ({ query, into }, file) => copies(query, into.rel.relname, file),
  VariableSetStmt: ({ name }) =>
    name === 'lock_timeout' ? ['sets lock_timeout: everybody waits behind a migration that waits longer'] : [],
  TruncateStmt: ({ relations }, file) =>
    relations
      .map(({ RangeVar }: Tree) => RangeVar.relname)
      .filter((name: string) => existing(file, name))
      .map((name: string) => `empties ${name}`),
  GrantStmt: revoke,
  AlterEnumStmt: ({ oldVal }) => (oldVal ? [`renames the value ${oldVal} of a type`] : []),
  DoStmt: () => ['runs a block of code, which cannot be looked into'],
  LockStmt: () => ['locks a table by name'],
  ClusterStmt: () => ['rewrites a table under lock'],
  VacuumStmt: () => ['cleans up a table, which is no migration'],
}
