import { Popover } from '@mantine/core'
import { contract } from '@pillar/contract'
import type { S8Entry } from '@pillar/contract/s8-row'
import { BALANCE_CHECKS, CHECK_WORDS } from '@pillar/domain/s8/entry'
import { parseDay } from '@pillar/domain/time/day'
import { formatNumber, formatSpan, NO_VALUE } from '@pillar/domain/time/locale'
import { zoneOf } from '@pillar/domain/time/zone'
import { useSearch } from '@tanstack/react-router'
import { CircleCheck, CircleMinus, CircleX, PenLine } from 'lucide-react'
import { useState } from 'react'
import { sendForFile } from '../../api/file.ts'
import { momentIn } from '../../kit/display/dates.ts'
import { Tag } from '../../kit/display/Tag.tsx'
import { DateField } from '../../kit/form/DateField.tsx'
import { Chip } from '../../kit/list/chip/Chip.tsx'
import { FilterChip } from '../../kit/list/chip/FilterChip.tsx'
import { ListPage } from '../../kit/list/ListPage.tsx'
import { useList } from '../../kit/list/useList.ts'
import { useListState } from '../../kit/list/useListState.ts'
import { useCountry } from '../../session/session.ts'
import { RegisterActions } from './RegisterActions.tsx'
import type { RegisterFrame, S8Info } from './register-frame.ts'
import styles from './S8.module.css'
import type { S8Search } from './s8-search.ts'

const CHECK_ICONS = { correct: CircleCheck, skipped: CircleMinus, incorrect: CircleX } as const
const CHECK_TONES = { correct: 'good', skipped: 'neutral', incorrect: 'bad' } as const
const CHECKS = BALANCE_CHECKS.map((value) => ({ value, label: CHECK_WORDS[value] }))
const SIGNED = [
  { value: 'no', label: 'Waiting' },
  { value: 'yes', label: 'Signed' },
] as const

interface Props {
  pharmacy: string
  info: S8Info | undefined
  frame: RegisterFrame
}

/** A pharmacy's entries, newest first, each with the balance that its product's entries add up to. */
export function DrugRegister({ pharmacy, info, frame }: Props) {
  const country = useCountry()
  const { from, to, balance, signed } = useSearch({ strict: false }) as S8Search
  const list = useList(contract.s8.drugRegister, {
    ...{ id: 'transaction_product_id', one: 'entry', many: 'entries', find: 'name' },
    within: { location_uuid: pharmacy },
    filters: {
      start_date: from,
      end_date: to,
      balance,
      countersigned: signed === undefined ? undefined : signed === 'yes',
    },
    sort: { field: 'transaction_product_id', order: 'desc' },
  })
  const shown = list.answer
  const zone = info?.location.time_zone ?? zoneOf(country, null)
  const quantity = (value: number) => formatNumber(country, value, value % 1 ? 2 : 0)
  const moved = (value: number) => (value === 0 ? '' : quantity(value))
  return (
    <ListPage
      {...frame}
      list={list}
      empty="No entries in these days."
      filters={
        <>
          <DaysChip shown={shown} />
          <FilterChip field="balance" label="Balance Check" options={CHECKS} />
          <FilterChip field="signed" label="Countersignature" options={SIGNED} />
        </>
      }
      actions={
        <RegisterActions
          {...{ pharmacy, frame, list }}
          ask={(asked) => sendForFile(contract.s8.drugRegisterCsv, asked as never)}
        />
      }
      isBad={(row) => row.balance_check_status === 'incorrect'}
      columns={[
        {
          label: 'Date',
          sort: 'date',
          cell: ({ date }) => <span className={styles.line}>{momentIn(country, zone, date)}</span>,
        },
        {
          label: 'Product',
          sort: 'product_name',
          width: 220,
          cell: (row) => <span className={styles.place}>{row.product_name}</span>,
        },
        { label: 'Balance Check', sort: 'balance_check_status', cell: (row) => <Check row={row} /> },
        { label: 'Action', sort: 'entry_type', cell: (row) => row.action },
        {
          label: 'Name',
          sort: 'name',
          cell: (row) => row.name ?? NO_VALUE,
          sub: (row) => (row.erased ? 'erased on request, kept here by law' : null),
        },
        {
          label: 'Address',
          sort: 'address',
          width: 180,
          cell: (row) => <span className={styles.place}>{row.address ?? NO_VALUE}</span>,
        },
        { label: 'In', sort: 'in', num: true, cell: (row) => moved(row.in) },
        { label: 'Out', sort: 'out', num: true, cell: (row) => moved(row.out) },
        {
          label: 'Balance',
          sort: 'balance',
          num: true,
          cell: (row) => <b>{quantity(row.balance)}</b>,
          sub: (row) =>
            row.balance_check_status === 'incorrect' && row.stated_balance !== null
              ? `recorded ${quantity(row.stated_balance)}`
              : null,
        },
        { label: 'Reference #', sort: 'reference_number', cell: (row) => row.reference_number ?? NO_VALUE },
        {
          label: 'Pharmacist',
          sort: 'pharmacist',
          cell: (row) => row.pharmacist,
          sub: (row) =>
            row.waits_for_countersign ? (
              <Tag tone="caution" icon={PenLine}>
                To countersign
              </Tag>
            ) : row.second_signer ? (
              `and ${row.second_signer}`
            ) : null,
        },
        { label: 'Doctor', sort: 'doctor', cell: (row) => row.doctor ?? NO_VALUE },
        {
          label: 'Note',
          sort: 'note',
          width: 200,
          cell: (row) => (row.note ? <span className={styles.place}>{row.note}</span> : NO_VALUE),
        },
      ]}
    />
  )
}

function Check({ row: { balance_check_status: status } }: { row: S8Entry }) {
  return (
    <Tag tone={CHECK_TONES[status]} icon={CHECK_ICONS[status]}>
      {CHECK_WORDS[status]}
    </Tag>
  )
}

/** The range of days; the last month until somebody chooses. */
function DaysChip({ shown }: { shown: { start_date: string; end_date: string } | undefined }) {
  const country = useCountry()
  const { state, change } = useListState<S8Search>()
  const [opened, setOpened] = useState(false)
  const first = state.from ?? shown?.start_date ?? ''
  const last = state.to ?? shown?.end_date ?? ''
  const value = first && last && first <= last ? formatSpan(country, parseDay(first)!, parseDay(last)!) : 'Last month'
  const chosen = state.from !== undefined || state.to !== undefined
  return (
    <Popover opened={opened} onChange={setOpened} trapFocus returnFocus withinPortal closeOnEscape>
      <Popover.Target>
        <Chip
          label="Days"
          value={value}
          opens
          aria-expanded={opened}
          onClick={() => setOpened((was) => !was)}
          onRemove={chosen ? () => change({ from: undefined, to: undefined }) : undefined}
        />
      </Popover.Target>
      <Popover.Dropdown className={styles.days} data-mantine-stop-propagation="true">
        <DateField label="From" value={first} onChange={(from) => change({ from })} />
        <DateField label="To" value={last} onChange={(to) => change({ to })} min={first} />
      </Popover.Dropdown>
    </Popover>
  )
}
