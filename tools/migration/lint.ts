import { parse } from 'libpg-query'
import { NO_TRANSACTION } from '../../apps/server/src/db/migration/files.ts'
import { type File, RULES, rightOf, type Tree } from './rules.ts'

/** Why an older version can live with the statement below, and since which version: `-- contract: 0.2.0 no longer reads it; …`. */
const CONTRACT = /^-- contract:(.*)$/m
const VERSION = /\b\d+\.\d+\.\d+\b/
const FEWEST_WORDS = 5

interface Statement {
  kind: string
  tree: Tree
  /** The comments between the previous statement and this one. */
  comments: string
}

/** @throws Error for SQL that PostgreSQL would not parse */
async function statementsOf(sql: string): Promise<Statement[]> {
  const bytes = Buffer.from(sql)
  const { stmts = [] } = (await parse(sql)) as { stmts?: Tree[] }
  let end = 0
  return stmts.flatMap(({ stmt, stmt_location = 0, stmt_len = 0 }) => {
    const [kind = ''] = Object.keys(stmt)
    // PostgreSQL counts from the statement's first word.
    const comments = bytes.subarray(end, stmt_location).toString()
    end = stmt_location + stmt_len
    return withInner({ kind, tree: stmt[kind], comments })
  })
}

/** A statement and those in its `with`, which may write too. */
function withInner(statement: Statement): Statement[] {
  const inner = (statement.tree?.withClause?.ctes ?? []).flatMap(({ CommonTableExpr: { ctequery } }: Tree) => {
    const [kind = ''] = Object.keys(ctequery)
    return withInner({ kind, tree: ctequery[kind], comments: statement.comments })
  })
  return [statement, ...inner]
}

function contentsOf(statements: readonly Statement[]): File {
  const of = (kind: string) => statements.filter((one) => one.kind === kind).map((one) => one.tree)
  const unproven = of('AlterTableStmt').flatMap(({ cmds }) =>
    cmds.map((cmd: Tree) => cmd.AlterTableCmd.def?.Constraint).filter((one: Tree) => one?.skip_validation),
  )
  return {
    made: new Set([
      ...of('CreateStmt').map(({ relation }) => relation.relname),
      ...of('ViewStmt').map(({ view }) => view.relname),
      ...of('CreateTableAsStmt').map(({ into }) => into.rel.relname),
    ]),
    functions: new Set(of('CreateFunctionStmt').map(({ funcname }) => funcname.at(-1).String.sval)),
    granted: new Set(
      of('GrantStmt')
        .filter((one) => one.is_grant)
        .map(rightOf),
    ),
    unproven: new Set(unproven.map((one: Tree) => one.conname)),
  }
}

/**
 * The breaches of a migration: what the previous version could not live with, or what keeps others waiting, one sentence each. A statement
 * directly below a `-- contract:` line is intentional.
 */
export async function breachesOf(name: string, sql: string): Promise<string[]> {
  const statements = await statementsOf(sql)
  const file = contentsOf(statements)
  const alone = NO_TRANSACTION.test(sql)
  const breaches = statements.flatMap(({ kind, tree, comments }) => {
    const why = CONTRACT.exec(comments)?.[1]
    if (why === undefined) return RULES[kind]?.(tree, file) ?? []
    const said = VERSION.test(why) && why.trim().split(/\s+/).length >= FEWEST_WORDS
    return said ? [] : ['has a "-- contract:" line that does not say why and since which version']
  })
  const concurrent = statements.filter(({ kind, tree }) => kind === 'IndexStmt' && tree.concurrent)
  if (alone && (statements.length !== 1 || concurrent.length !== 1))
    breaches.push('runs outside a transaction, so it must hold one "create index concurrently" and nothing else')
  if (!alone && concurrent.length > 0)
    breaches.push('makes an index concurrently: its first line must be "-- no transaction"')
  return breaches.map((breach) => `${name} ${breach}.`)
}
