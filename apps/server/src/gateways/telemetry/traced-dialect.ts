import { type Driver, PostgresDialect, type PostgresDialectConfig, PostgresDriver } from 'kysely'
import { beginSpan, type Span, traceparent } from './trace.ts'

/** PostgreSQL with a span for each transaction that belongs to a trace; loops that look for work leave none. */
export class TracedDialect extends PostgresDialect {
  readonly #pool: string
  readonly #config: PostgresDialectConfig

  /** @param pool the role, as the span names it */
  constructor(pool: string, config: PostgresDialectConfig) {
    super(config)
    this.#pool = pool
    this.#config = config
  }

  override createDriver(): Driver {
    return new TracedDriver(this.#pool, this.#config)
  }
}

type Connection = Parameters<PostgresDriver['rollbackTransaction']>[0]

class TracedDriver extends PostgresDriver {
  readonly #pool: string
  readonly #spans = new WeakMap<object, Span>()

  constructor(pool: string, config: PostgresDialectConfig) {
    super(config)
    this.#pool = pool
  }

  override async beginTransaction(...[connection, settings]: Parameters<PostgresDriver['beginTransaction']>) {
    const span = traceparent() === null ? null : beginSpan('transaction', { pool: this.#pool }, { kind: 'client' })
    if (span) this.#spans.set(connection, span)
    await super.beginTransaction(connection, settings)
  }

  override async commitTransaction(connection: Parameters<PostgresDriver['commitTransaction']>[0]) {
    await super.commitTransaction(connection)
    this.#end(connection, 'commit')
  }

  override async rollbackTransaction(connection: Connection) {
    // Before it is known to have worked: a lost connection has rolled back too.
    this.#end(connection, 'rollback')
    await super.rollbackTransaction(connection)
  }

  #end(connection: object, outcome: string) {
    const span = this.#spans.get(connection)
    this.#spans.delete(connection)
    span?.mark({ outcome })
    span?.end()
  }
}
