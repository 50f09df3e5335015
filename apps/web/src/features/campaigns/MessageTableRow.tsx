import { ActionIcon } from '@mantine/core'
import type { MessageStats } from '@pillar/contract/message'
import { type Country, formatNumber } from '@pillar/domain/locale'
import type { PeriodChoice } from '@pillar/domain/period'
import { ChevronDown, ChevronRight } from 'lucide-react'
import { memo } from 'react'
import { Change } from '../../kit/display/Change.tsx'
import { Icon } from '../../kit/display/Icon.tsx'
import styles from './MessageTable.module.css'
import { MessageTableDetail } from './MessageTableDetail.tsx'
import { rowTexts } from './message-words.ts'
import type { SortField } from './search.ts'

interface Props {
  row: MessageStats
  choice: PeriodChoice
  country: Country
  sorted: SortField
  open: boolean
  onToggle: (id: string) => void
}

/** One pharmacy; open, a second row tells what was sent and what happened to it. */
export const MessageTableRow = memo(function MessageTableRow({ row, choice, country, sorted, open, onToggle }: Props) {
  const texts = rowTexts(country, row)
  const cell = (field: SortField) => (sorted === field ? `num ${styles.sorted}` : 'num')
  const detail = `detail-${row.pharmacy_id}`
  return (
    <>
      <tr className={open ? `${styles.row} ${styles.open}` : styles.row}>
        <td className={styles.toggle}>
          <ActionIcon
            size={28}
            aria-label={`Details of ${row.pharmacy_name}`}
            aria-expanded={open}
            aria-controls={open ? detail : undefined}
            onClick={() => onToggle(row.pharmacy_id)}
          >
            <Icon of={open ? ChevronDown : ChevronRight} />
          </ActionIcon>
        </td>
        <td className={`num faint ${styles.rank}`}>{formatNumber(country, row.rank)}</td>
        <th scope="row" className={styles.name} title={row.pharmacy_name} onClick={() => onToggle(row.pharmacy_id)}>
          {row.pharmacy_name}
        </th>
        <td className={cell('sms')}>{texts.sms}</td>
        <td className={cell('email')}>{texts.email}</td>
        <td className={cell('reach')}>{texts.reach}</td>
        <td className={cell('cost')}>{texts.cost}</td>
        <td className={cell('revenue')}>{texts.revenue}</td>
        <td className={cell('revenue_change')}>
          <Change country={country} value={row.revenue_change} goodWhen="up" />
        </td>
        <td className={cell('roi')}>{texts.roi}</td>
      </tr>
      {open ? (
        <tr className={styles.detailRow} id={detail}>
          <td colSpan={10}>
            <MessageTableDetail id={row.pharmacy_id} name={row.pharmacy_name} choice={choice} country={country} />
          </td>
        </tr>
      ) : null}
    </>
  )
})
