import { Refusal } from '@pillar/contract'
import { counted } from '@pillar/domain/text/sentence'
import { type RawBuilder, sql } from 'kysely'
import type { Tx } from './database.ts'

/** What a bulk call acts on (contract: `chosenFields`): ids, or all that a filter matches. */
export interface Chosen<F> {
  template_ids?: readonly string[] | null | undefined
  campaign_ids?: readonly string[] | null | undefined
  filter?: F | null | undefined
  expected_count?: number | null | undefined
  /** For a restore (contract: `undone`): the ISO instant of the call that deleted them. */
  removed_at?: string | null | undefined
}

export interface ChosenQuery<F> {
  noun: 'campaign' | 'template'
  /** The table's alias in `from`; it needs id, uuid and removed_at. */
  alias: string
  select: RawBuilder<unknown>
  from: RawBuilder<unknown>
  /** All conditions of a filter, including its search; null for none. */
  conditions: (filter: F) => (RawBuilder<unknown> | null)[]
  /** Defaults to id. */
  order?: RawBuilder<unknown>
}

/** The most rows one call changes or deletes: on a busy machine they take 4 of the 8.5 s that a statement may take. */
export const MOST_CHANGED = 20_000

/**
 * The rows a bulk call acts on, locked until the transaction ends unless `lock` is false. @param deleted selects deleted rows instead
 * @throws Refusal not_found for an unknown id; conflict when a filter matches another number than the screen showed, or more than one call
 * may change
 */
export async function chosenRows<Row, F>(
  tx: Tx,
  { noun, alias, select, from, conditions, order }: ChosenQuery<F>,
  chosen: Chosen<F>,
  { deleted = false, lock = true }: { deleted?: boolean; lock?: boolean } = {},
): Promise<Row[]> {
  const ids = [...new Set((chosen.template_ids ?? chosen.campaign_ids ?? []).map((id) => id.toLowerCase()))]
  const [table, removed] = [sql.ref(alias), sql.ref(`${alias}.removed_at`)]
  const where = chosen.filter
    ? conditions(deleted ? { ...chosen.filter, removed: true } : chosen.filter).filter((one) => one !== null)
    : chosen.removed_at
      ? [sql`${removed} = ${chosen.removed_at}::timestamptz`]
      : [sql`${removed} is ${deleted ? sql`not null` : sql`null`}`, sql`${table}.uuid = any (${ids}::uuid[])`]
  const limited = lock && !deleted
  const { rows } = await sql<Row>`
    select ${select} from ${from} where ${sql.join(where, sql` and `)} order by ${order ?? sql`${table}.id`}
    ${lock ? sql`${limited ? sql`limit ${sql.lit(MOST_CHANGED + 1)}` : sql``} for update of ${table}` : sql``}`.execute(
    tx,
  )
  if (limited && rows.length > MOST_CHANGED)
    throw new Refusal(
      'conflict',
      `At most ${digits(MOST_CHANGED)} ${noun}s can be changed at once. Please narrow the list and do it in parts. Nothing was changed.`,
    )
  if (!chosen.filter && !chosen.removed_at) {
    if (rows.length !== ids.length) throw new Refusal('not_found', `That ${noun} was not found.`)
  } else refuseOthers(noun, rows.length, chosen.expected_count ?? rows.length)
  return rows
}

const digits = (count: number) => count.toLocaleString('en-AU')

/** @throws Refusal conflict when a filter matches nothing, or another number than the screen showed */
function refuseOthers(noun: string, now: number, shown: number): void {
  if (now === shown && now > 0) return
  const words =
    now === 0 ? `No ${noun} matches any more` : `${counted(now, noun, `${noun}s`)} match now, not ${digits(shown)}`
  throw new Refusal('conflict', `${words}. Please look at the list again.`)
}
