import type { BalanceCheck, EntryType } from '@pillar/domain/s8/entry'
import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../db/database.ts'
import { type ListAsk, lotsOf, pageOf, readLong, searched } from '../../db/list.ts'
import { differs, refersTo } from './refers-to.queries.ts'
import type { S8Place } from './s8.queries.ts'

export interface EntryRow {
  number: number
  at: Date
  product_name: string
  balance_check: BalanceCheck
  entry_type: EntryType
  name: string | null
  address: string | null
  quantity_in: number
  quantity_out: number
  balance: number
  stated: number | null
  reference: string | null
  pharmacist: string
  second_signer: string | null
  waits: boolean
  erased: boolean
  doctor: string | null
  note: string | null
}

export type RegisterSort =
  | 'transaction_product_id'
  | 'date'
  | 'product_name'
  | 'balance_check_status'
  | 'entry_type'
  | 'name'
  | 'address'
  | 'in'
  | 'out'
  | 'balance'
  | 'reference_number'
  | 'pharmacist'
  | 'doctor'
  | 'note'

export interface RegisterFilter {
  name: string
  /** First and last day, by the pharmacy's clock. */
  from: string
  to: string
  balance?: BalanceCheck | null | undefined
  countersigned?: boolean | null | undefined
}

const waiting = sql`(e.intern and exists (select from s8_attention a where a.location_id = e.location_id and a.kind = 'countersign'
  and a.source = e.source and a.number = e.number and a.until_on is null))`
const signedLater = sql`(select s.pharmacist from s8_entry s where s.location_id = e.location_id and ${refersTo('s')}
  and s.entry_type = 'countersign' and not s.intern and ${differs('e.pharmacist', 's.pharmacist')} order by s.number limit 1)`
/** Who signed beside the pharmacist. Nobody countersigns for themselves, and no intern for another (domain: open-item.ts). */
const secondSigner = sql`coalesce(case when ${differs('e.pharmacist', 'e.second_signer')} then e.second_signer end, ${signedLater})`

const select = sql`e.number, e.occurred_at as at, e.product_name, b.balance_check, e.entry_type, e.party_name as name, e.party_address as address,
  e.quantity_in::float8 as quantity_in, e.quantity_out::float8 as quantity_out, b.balance::float8 as balance,
  coalesce(e.counted, e.stated_balance)::float8 as stated, e.reference, e.pharmacist,
  ${secondSigner} as second_signer, ${waiting} as waits,
  exists (select from erasure_hold h where h.location_id = e.location_id and h.source = e.source and h.number = e.number) as erased, e.doctor, e.note`

const entries = (place: S8Place) => sql`(select * from s8_entry where location_id = ${place.id}) e`
const balances = sql`join s8_balance b on b.location_id = e.location_id and b.source = e.source and b.number = e.number`

/** Includes the register's own number, by which the queue and the checks name an entry. */
const search = [
  ...[sql`e.product_name`, sql`e.party_name`, sql`e.reference`, sql`e.pharmacist`, sql`e.doctor`],
  sql`e.number::text`,
]

function within(place: S8Place, { from: first, to, balance, countersigned }: RegisterFilter): RawBuilder<unknown>[] {
  return [
    sql`e.occurred_at >= ${first}::date::timestamp at time zone ${place.time_zone}`,
    sql`e.occurred_at < (${to}::date + 1)::timestamp at time zone ${place.time_zone}`,
    ...(balance ? [sql`b.balance_check = ${balance}`] : []),
    ...(countersigned === false ? [waiting] : []),
    ...(countersigned === true ? [sql`${secondSigner} is not null`] : []),
  ]
}

const SORT: Readonly<Record<RegisterSort, RawBuilder<unknown>>> = {
  transaction_product_id: sql`e.number`,
  date: sql`e.occurred_at`,
  product_name: sql`lower(e.product_name)`,
  balance_check_status: sql`b.balance_check`,
  entry_type: sql`e.entry_type`,
  name: sql`lower(e.party_name)`,
  address: sql`lower(e.party_address)`,
  in: sql`e.quantity_in`,
  out: sql`e.quantity_out`,
  balance: sql`b.balance`,
  reference_number: sql`e.reference`,
  pharmacist: sql`lower(e.pharmacist)`,
  doctor: sql`lower(e.doctor)`,
  note: sql`e.note`,
}
const FILLED = ['transaction_product_id', 'date', 'product_name', 'in', 'out', 'pharmacist'] as const

/** Sorts that need the balance beside the entry. */
const BALANCE_SORTS: ReadonlySet<RegisterSort> = new Set(['balance_check_status', 'balance'])

/** A page of a pharmacy's drug register. */
export function listRegister(
  tx: Tx,
  place: S8Place,
  filter: RegisterFilter,
  ask: Omit<ListAsk<RegisterSort>, 'search_term'>,
) {
  const where = within(place, filter)
  const from = sql`${entries(place)} ${balances}`
  const byBalance = filter.balance || BALANCE_SORTS.has(ask.sort_field)
  return pageOf<EntryRow, RegisterSort>(
    tx,
    {
      ...{ select, from, where, search, sort: SORT, key: sql`e.seq`, filled: FILLED },
      chosenByKey: true,
      chosenFrom: byBalance ? from : entries(place),
    },
    { ...ask, search_term: filter.name },
  )
}

/** One line of a file: an entry with its time in a zone. */
export type FileRow = Omit<EntryRow, 'at'> & { at: string }

/**
 * All entries matching a filter, in the requested order, as a file shows them: in lots from a cursor, so that memory holds one lot however
 * long the register. From one snapshot, without later arrivals. The scope must stay bound until the last lot.
 * @param zone the zone for the times
 */
export async function* registerLots(
  tx: Tx,
  place: S8Place,
  filter: RegisterFilter,
  order: { sort_field: RegisterSort; sort_order: 'asc' | 'desc' },
  zone: string,
): AsyncGenerator<FileRow[]> {
  await readLong(tx)
  const where = sql.join([...within(place, filter), ...searched({ search }, filter.name)], sql` and `)
  const direction = sql.raw(order.sort_order === 'desc' ? 'desc' : 'asc')
  yield* lotsOf(
    tx,
    sql<FileRow>`
    select r.*, to_char(r.at at time zone ${zone}, 'YYYY-MM-DD HH24:MI') as at from (
      select ${select} from ${entries(place)} ${balances} where ${where}
      order by ${SORT[order.sort_field]} ${direction} nulls last, e.seq ${direction}
    ) r`,
  )
}

/** The entries of one product over a period in order, and its balance before the first and after the last of them. */
export async function pageRows(
  tx: Tx,
  place: S8Place,
  product: { source: string; productId: string; from: string; to: string },
  most: number,
) {
  const { source, productId } = product
  const of = sql`e.source = ${source} and e.product_id = ${productId}`
  const start = sql`${product.from}::date::timestamp at time zone ${place.time_zone}`
  const end = sql`(${product.to}::date + 1)::timestamp at time zone ${place.time_zone}`
  const { rows } = await sql<EntryRow>`
    select ${select} from ${entries(place)} ${balances} where ${of} and e.occurred_at >= ${start} and e.occurred_at < ${end} order by e.number limit ${most}`.execute(
    tx,
  )
  const sums = await sql<{ opening: number; closing: number }>`
    select coalesce(sum(e.quantity_in - e.quantity_out) filter (where e.occurred_at < ${start}), 0)::float8 as opening,
      coalesce(sum(e.quantity_in - e.quantity_out) filter (where e.occurred_at < ${end}), 0)::float8 as closing
    from ${entries(place)} where ${of}`.execute(tx)
  return { rows, ...sums.rows[0]! }
}
