import { Refusal } from '@pillar/contract'
import { Kysely } from 'kysely'
import type pg from 'pg'
import { DatabaseAway, enter, isLost } from '../../db/away.ts'
import { type Database, openPool, type Pools, type Tx } from '../../db/database.ts'
import { deadlineIn, withDeadline } from '../../db/deadline.ts'
import { refuseSuperuser } from '../../db/roles.ts'
import type { DB } from '../../db/schema.generated.ts'
import type { Env } from '../../env.ts'
import { TracedDialect } from '../../gateways/telemetry/traced-dialect.ts'
import type { Services } from '../context.ts'
import { reasonOf } from '../log.ts'
import { repeat } from '../repeat.ts'
import { bytesOf, Lag } from './lag.ts'
import {
  EVERYONE,
  hasReached,
  identityOf,
  lookAtPrimary,
  type Primary,
  positionToReadAt,
  raisePosition,
  standingOf,
} from './position.queries.ts'
import type { Answered, Elsewhere, ReplicaReads } from './reads.ts'

/** How often the replica is checked, and how long it may take to report its position. */
const LOOK_EVERY_MS = 2_000
const LOOK_MS = 2_000
/** Within this time a read must have a connection and know the replica's position, or it goes to the primary. */
const ADMIT_MS = 500
/** How long a read waits for a replica that is slightly behind, and the lag beyond which it does not wait. */
const WAIT_MS = 100
const HOPELESS_SECONDS = 1
/** Time for the whole read at the replica: it leaves the primary enough of a request's 9 s. */
const READ_MS = 3_000

/** Whether reads go to the replica; if not, why. */
type State = 'used' | 'behind' | 'away' | 'unusable'
/** The replica has not reached the position the read needs. */
class Late extends Error {}

/**
 * A streaming replica that answers reads of figures (decision 062). Nobody sees figures older than the last change for their company: if
 * the replica is behind or does not answer, the primary does.
 */
export class Replica implements ReplicaReads {
  readonly counts: Record<Answered, number> = {
    ...{ replica: 0, behind: 0, away: 0, unusable: 0, busy: 0, conflict: 0, error: 0 },
  }
  lag: { seconds: number; bytes: number } | null = null
  #state: State = 'away'
  /** Whether its state has been logged yet: a replica that is away from the start has not changed state. */
  #said = false
  #why = 'it was not looked at yet'
  #admitted = false
  readonly #pools: Pick<Pools, 'app' | 'system'>
  readonly #log: Services['log']
  readonly #url: string
  readonly #limitSeconds: number
  /** Reads of this process need at least what existed when it started, such as its migrations. */
  readonly #born: string
  readonly #identity: string
  readonly #pool: pg.Pool
  readonly #db: Database
  /** Its own connection, so that a crowd of reads does not make the replica look away. */
  readonly #watch: Database
  readonly #progress = new Lag()
  /** Companies (or EVERYONE) whose position could not be raised after a write, and since when: the primary answers until it is. */
  readonly #untold = new Map<number, number>()
  #stop = async () => {}

  private constructor(url: string, env: Env, pools: Pools, log: Services['log'], primary: [string, string]) {
    this.#url = url
    this.#limitSeconds = env.REPLICA_LAG_SECONDS
    this.#pools = pools
    this.#log = log
    ;[this.#born, this.#identity] = primary
    const tell = (error: Error) => log.debug({ reason: error.message }, 'connection to the replica')
    this.#pool = openPool(url, 'pillar_app', pools.appPool.options.max, tell)
    const kysely = (pool: pg.Pool) => new Kysely<DB>({ dialect: new TracedDialect('replica', { pool }) })
    this.#db = kysely(this.#pool)
    this.#watch = kysely(openPool(url, 'pillar_app', 1, tell))
  }

  /**
   * The replica of DATABASE_REPLICA_URL, checked every 2 s from now on and used once it is found in step; undefined if none is configured.
   * @throws Error if used with the embedded database, which has no replica
   */
  static async open(env: Env, pools: Pools, log: Services['log']): Promise<Replica | undefined> {
    const url = env.DATABASE_REPLICA_URL
    if (!url) return undefined
    if (!env.DATABASE_URL)
      throw new Error('DATABASE_REPLICA_URL needs DATABASE_URL: the embedded database has no replica.')
    const primary = await Promise.all([lookAtPrimary(pools.system), identityOf(pools.system)])
    const replica = new Replica(url, env, pools, log, [primary[0].position, primary[1]])
    replica.#stop = repeat({ log }, 'looking at the replica', LOOK_EVERY_MS, () => replica.look())
    return replica
  }

  async close(): Promise<void> {
    await this.#stop()
    await Promise.all([this.#db.destroy(), this.#watch.destroy()])
  }

  get used(): boolean {
    return this.#state === 'used'
  }

  get sentence(): string {
    if (!this.used) return `The replica is not asked: ${this.#why}.`
    return `The replica answers reads of figures, ${this.lag?.seconds.toFixed(0)} s behind.`
  }

  async read<T>(companyId: number, work: (tx: Tx) => Promise<T>): Promise<T> {
    if (this.#state !== 'used') return this.#atPrimary(this.#state, work)
    if (this.#untold.has(companyId) || this.#untold.has(EVERYONE)) return this.#atPrimary('behind', work)
    const primary = await positionToReadAt(this.#pools.system, companyId, this.#born)
    const admission = { passed: false }
    try {
      const answer = await this.#atReplica(primary, work, admission)
      this.counts.replica++
      return answer
    } catch (error) {
      if (error instanceof Refusal) {
        this.counts.replica++
        throw error
      }
      return this.#atPrimary(this.#judge(error, admission.passed), work)
    }
  }

  async wrote(companyId: number): Promise<void> {
    try {
      await raisePosition(this.#pools.system, companyId)
    } catch (error) {
      this.#untold.set(companyId, performance.now())
      throw error
    }
  }

  /** Raises the positions that could not be raised before. A write that fails to do so meanwhile gets its own turn. */
  async #tell(): Promise<void> {
    for (const [companyId, at] of this.#untold) {
      await raisePosition(this.#pools.system, companyId)
      if (this.#untold.get(companyId) === at) this.#untold.delete(companyId)
    }
  }

  /** Checks the replica's position and whether it may be used, and logs when that changes. */
  async look(): Promise<void> {
    const at = performance.now()
    // A position that still cannot be raised does not stop this check: the primary answers those companies meanwhile.
    await this.#tell().catch(() => {})
    const primary = await lookAtPrimary(this.#pools.system).catch(() => null)
    // Without the primary the lag is unknown, and the primary's absence is reported elsewhere.
    if (primary === null) return
    try {
      if (!this.#admitted) await this.#admit()
      const found = await withDeadline(deadlineIn(LOOK_MS), () => standingOf(this.#watch, primary.started))
      if (found.identity !== this.#identity) return this.#become('unusable', 'it is not a copy of this database')
      if (!found.standby || found.position === null) return this.#become('unusable', 'it is not a standby')
      this.lag = this.#progress.note(at, bytesOf(primary.position), bytesOf(found.position), found.seconds)
      if (!found.follows) return this.#become('behind', 'it does not show that it follows this primary')
      const tooOld = this.lag.seconds > this.#limitSeconds
      this.#become(tooOld ? 'behind' : 'used', `it is more than ${this.#limitSeconds} s behind`)
    } catch (error) {
      this.#become('away', `it does not answer (${reasonOf(error)})`)
    }
  }

  /** @throws Error if its login is a superuser, or a pooler drops our role */
  async #admit(): Promise<void> {
    // Why it does not let us in is enough here.
    await enter('DATABASE_REPLICA_URL', this.#url).catch((error: Error) => {
      throw error.cause ?? error
    })
    await refuseSuperuser(this.#url)
    this.#admitted = true
  }

  #become(state: State, why: string): void {
    if (state === 'away' || state === 'unusable') this.lag = null
    const before = this.#state
    this.#state = state
    this.#why = why
    if (state === before && this.#said) return
    this.#said = true
    if (this.used) this.#log.info({ lag: this.lag }, 'the replica answers reads of figures')
    else this.#log.warn({ lag: this.lag, reason: why }, 'the replica is not asked: the primary answers')
  }

  #atReplica<T>(primary: Primary, work: (tx: Tx) => Promise<T>, admission: { passed: boolean }): Promise<T> {
    const whole = deadlineIn(READ_MS)
    const deadline = deadlineIn(ADMIT_MS)
    return withDeadline(deadline, () =>
      this.#db.transaction().execute(async (tx) => {
        await this.#waitFor(tx, primary)
        admission.passed = true
        deadline.ends = whole.ends
        return work(tx)
      }),
    )
  }

  async #waitFor(tx: Tx, primary: Primary): Promise<void> {
    const most = (this.lag?.seconds ?? 0) > HOPELESS_SECONDS ? 0 : WAIT_MS
    for (let waited = 0, ms = 4; !(await hasReached(tx, primary)); waited += ms, ms *= 1.5) {
      if (waited + ms > most) throw new Late()
      await new Promise((done) => setTimeout(done, ms))
    }
  }

  /** Why the replica did not answer. One that admits nobody is left alone until the next check. */
  #judge(error: unknown, admitted: boolean): Elsewhere {
    if (error instanceof Late) return 'behind'
    if (error instanceof DatabaseAway || isLost(error)) {
      if (admitted) return 'away'
      if (this.#pool.totalCount >= this.#pool.options.max && this.#pool.idleCount === 0) return 'busy'
      this.#become('away', 'it does not answer')
      return 'away'
    }
    const { code, name } = error as NodeJS.ErrnoException
    const why = code === '40001' || code === '40P01' ? 'conflict' : 'error'
    this.#log.warn({ code, error: name, why }, 'a read at the replica failed: the primary answers')
    return why
  }

  #atPrimary<T>(why: Elsewhere, work: (tx: Tx) => Promise<T>): Promise<T> {
    this.counts[why]++
    return this.#pools.app.transaction().execute(work)
  }
}
