import { Switch } from '@mantine/core'
import { contract } from '@pillar/contract'
import type { S8Product } from '@pillar/contract/s8-row'
import { PRODUCT_TAGS, STOCK_STATUS_WORDS, STOCK_STATUSES } from '@pillar/domain/s8/stocktake'
import { parseDay } from '@pillar/domain/time/day'
import { formatDate, formatNumber, NO_VALUE } from '@pillar/domain/time/locale'
import { Link, useSearch } from '@tanstack/react-router'
import { Printer } from 'lucide-react'
import { send } from '../../api/client.ts'
import { Icon } from '../../kit/display/Icon.tsx'
import { Status } from '../../kit/display/status.tsx'
import { ChipSet } from '../../kit/list/chip/ChipSet.tsx'
import { ListPage } from '../../kit/list/ListPage.tsx'
import { useList } from '../../kit/list/useList.ts'
import { useListState } from '../../kit/list/useListState.ts'
import { useCountry } from '../../session/session.ts'
import { RegisterActions } from './RegisterActions.tsx'
import type { RegisterFrame } from './register-frame.ts'
import styles from './S8.module.css'
import { type S8Search, STATES_AT_FIRST } from './s8-search.ts'

const TAGS = (['otp', 'custom', 'cannabis'] as const).map((value) => ({
  value,
  label: PRODUCT_TAGS[value].label,
  short: PRODUCT_TAGS[value].tag,
}))
const STATES = (['counted', 'overdue', 'never'] as const).map((value) => ({
  value,
  label: STOCK_STATUS_WORDS[value].tag,
}))
const SHOWN = ['otp', 'cannabis', 'custom', 'inactive'] as const

interface Props {
  pharmacy: string
  frame: RegisterFrame
}

/** A pharmacy's products with their balances and last stocktakes. */
export function StockRegister({ pharmacy, frame }: Props) {
  const country = useCountry()
  const search = useSearch({ strict: false }) as S8Search
  const states: readonly string[] = search.states ?? STATES_AT_FIRST
  const tags = search.tags ?? []
  const list = useList(contract.s8.products, {
    ...{ id: 'product_id', one: 'product', many: 'products', find: 'name', none: 'No product matches' },
    within: {
      location_uuid: pharmacy,
      ...Object.fromEntries(STOCK_STATUSES.map((state) => [state, states.includes(state)])),
      active: search.active ?? true,
    },
    filters: {
      ...Object.fromEntries(tags.map((tag) => [tag, true])),
      ...(search.stock ? { in_stock: true } : {}),
    },
    sort: { field: 'product_name', order: 'asc' },
  })
  return (
    <ListPage
      {...frame}
      list={list}
      empty="The filters Status and Active leave none, or the pharmacy has sent none. Choose Never under Status to see products that were never counted."
      filters={<StockFilters tags={tags} states={states} />}
      actions={
        <RegisterActions
          {...{ pharmacy, frame, list }}
          ask={(asked) => send(contract.s8.productsCsv, asked as never)}
        />
      }
      columns={[
        {
          label: 'Product',
          sort: 'product_name',
          width: 340,
          cell: (row) => row.product_name,
          sub: ({ brand }) => brand,
        },
        { label: 'Tags', cell: (row) => <Tags tags={row.tags} /> },
        {
          label: 'Balance',
          sort: 'balance',
          num: true,
          cell: ({ balance, unit }) => (
            <>
              <span className={balance > 0 ? styles.some : styles.none}>
                {formatNumber(country, balance, balance % 1 ? 2 : 0)}
              </span>
              <span className={styles.unit}>{unit}</span>
            </>
          ),
        },
        {
          label: 'Last Stocktake',
          sort: 'last_stocktake_on',
          cell: ({ last_stocktake_on: day }) => (day ? formatDate(country, parseDay(day)!) : 'No count yet'),
        },
        {
          label: 'Pharmacist',
          sort: 'last_stocktake_taken_by',
          cell: (row) => row.last_stocktake_taken_by ?? NO_VALUE,
        },
        { label: 'Note', sort: 'last_stocktake_note', cell: (row) => row.last_stocktake_note ?? NO_VALUE },
        { label: 'Status', sort: 'status', cell: (row) => <StockState row={row} /> },
        {
          label: 'Register',
          cell: (row) => (
            <Link
              to="."
              search={{ pharmacy, view: 'print', product: row.product_id } as never}
              className={`${styles.name} ${styles.withIcon}`}
            >
              <Icon of={Printer} size={14} /> Page
              <span className="sr"> of {row.product_name}</span>
            </Link>
          ),
        },
      ]}
    />
  )
}

function StockState({ row: { status, overdue_days } }: { row: S8Product }) {
  return (
    <span className={styles.state} title={STOCK_STATUS_WORDS[status].meaning}>
      <Status word={STOCK_STATUS_WORDS[status].tag as 'Never' | 'Overdue' | 'Counted'} />
      {overdue_days > 0 ? (
        <span className={styles.over}>
          {overdue_days} {overdue_days === 1 ? 'day' : 'days'} over
        </span>
      ) : null}
    </span>
  )
}

function Tags({ tags }: { tags: S8Product['tags'] }) {
  return (
    <span className={styles.tags}>
      {SHOWN.filter((tag) => tags[tag]).map((tag) => (
        <span key={tag} title={PRODUCT_TAGS[tag].label}>
          <Status word={PRODUCT_TAGS[tag].tag} />
        </span>
      ))}
    </span>
  )
}

function StockFilters({ tags, states }: { tags: readonly string[]; states: readonly string[] }) {
  const { state, change } = useListState<S8Search>()
  return (
    <>
      <ChipSet
        label="Tags"
        options={TAGS}
        value={tags}
        onChange={(next) => change({ tags: next as S8Search['tags'] })}
      />
      <ChipSet
        label="Status"
        options={STATES}
        value={states}
        onChange={(next) =>
          change({ states: next.join() === STATES_AT_FIRST.join() ? undefined : (next as S8Search['states']) })
        }
      />
      <Switch
        label="In Stock"
        checked={state.stock ?? false}
        onChange={(event) => change({ stock: event.currentTarget.checked || undefined })}
      />
      <Switch
        label="Active"
        checked={state.active ?? true}
        onChange={(event) => change({ active: event.currentTarget.checked ? undefined : false })}
      />
    </>
  )
}
