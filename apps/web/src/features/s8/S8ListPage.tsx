import { Button } from '@mantine/core'
import { contract } from '@pillar/contract'
import type { S8Stats } from '@pillar/contract/s8-row'
import { parseDay } from '@pillar/domain/time/day'
import { formatDate, formatNumber, NO_VALUE } from '@pillar/domain/time/locale'
import { Link, useNavigate } from '@tanstack/react-router'
import { RotateCw, ShieldAlert } from 'lucide-react'
import { FiguresLink } from '../../frame/PharmacyLink.tsx'
import { partsIn } from '../../kit/display/dates.ts'
import { Icon } from '../../kit/display/Icon.tsx'
import { Tag } from '../../kit/display/Tag.tsx'
import type { Column } from '../../kit/list/data-table.ts'
import { ListPage } from '../../kit/list/ListPage.tsx'
import { useList } from '../../kit/list/useList.ts'
import { useCountry } from '../../session/session.ts'
import styles from './S8.module.css'
import { S8Top } from './S8Top.tsx'

const COUNTS = [
  ['Overdue Products', 'overdue_products_count', true],
  ['Incoming Scripts', 'incoming_script_count', false],
  ['Incoming Invoices', 'incoming_invoice_count', false],
  ['Owed Scripts', 'owing_script_count', true],
  ['Partial Supplies', 'pending_partial_supplies_count', true],
  ['Pending Countersigned', 'pending_countersigned_count', true],
  ['Pending Destructions', 'pending_destruction_count', true],
  ['Active ODT Patients', 'active_opioid_replacement_oral_patient_count', false],
  ['Pending ODT Claims', 'pending_opioid_replacement_oral_claim_count', false],
  ['Active SS Patients', 'active_staged_supply_patient_count', false],
] as const

/** Every pharmacy's registers, one line each; a row opens the pharmacy. */
export function S8ListPage() {
  const country = useCountry()
  const navigate = useNavigate()
  const list = useList(contract.s8.stats, { id: 'id', one: 'pharmacy', many: 'pharmacies', find: 'name' })
  const columns: readonly Column<S8Stats>[] = [
    {
      label: 'Pharmacy',
      sort: 'name',
      cell: ({ id, location, check }) => (
        <>
          <Link to="." search={{ pharmacy: id } as never} className={styles.name}>
            {location.name}
          </Link>
          <FiguresLink id={id} name={location.name} className={styles.figures} />
          {check.fault ? (
            <Tag tone="bad" icon={ShieldAlert}>
              Register altered
            </Tag>
          ) : null}
        </>
      ),
    },
    {
      label: 'Last Stocktake',
      sort: 'last_stocktake_taken_on',
      cell: ({ last_stocktake_taken_on: day }) => (day ? formatDate(country, parseDay(day)!) : NO_VALUE),
    },
    ...COUNTS.map(([label, field, sorts]) => ({
      label,
      num: true,
      width: 92,
      wrap: true as const,
      ...(sorts ? { sort: field } : {}),
      cell: (row: S8Stats) => <Count row={row} field={field} />,
    })),
    {
      label: 'Last Upload',
      sort: 'upload_time',
      cell: ({ upload_time, location }) => (
        <span className={styles.line}>
          {upload_time ? partsIn(country, location.time_zone, upload_time)[0] : NO_VALUE}
        </span>
      ),
      sub: ({ upload_time, location }) => (upload_time ? partsIn(country, location.time_zone, upload_time)[1] : null),
    },
  ]
  return (
    <ListPage
      title="S8 Management"
      list={list}
      columns={columns}
      empty="Pharmacies appear here once support has added them."
      tabs={<S8Top on="list" />}
      onOpen={({ id }) => void navigate({ to: '.', search: { pharmacy: id } as never })}
      actions={
        <Button leftSection={<Icon of={RotateCw} />} onClick={list.retry}>
          Refresh
        </Button>
      }
    />
  )
}

/** A count above zero stands out; a count that was not sent is a dash, as is every count of a register that never arrived. */
function Count({ row, field }: { row: S8Stats; field: (typeof COUNTS)[number][1] }) {
  const country = useCountry()
  if (row.upload_time === null) return <span title="No register has been sent yet">{NO_VALUE}</span>
  const value = row[field]
  if (value === null) return <span title="Not sent by the pharmacy’s system">{NO_VALUE}</span>
  return <span className={value > 0 ? styles.some : styles.none}>{formatNumber(country, value)}</span>
}
