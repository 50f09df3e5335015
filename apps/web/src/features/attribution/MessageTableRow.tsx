import { ActionIcon } from '@mantine/core'
import type { ResultBasis } from '@pillar/contract/campaign/result'
import type { MessageStats } from '@pillar/contract/message/attribution'
import { type Country, NO_VALUE } from '@pillar/domain/time/locale'
import type { PeriodChoice } from '@pillar/domain/time/period'
import { ChevronDown, ChevronRight } from 'lucide-react'
import { type MouseEvent, memo } from 'react'
import { PharmacyLink } from '../../frame/PharmacyLink.tsx'
import { Change } from '../../kit/display/figure/Change.tsx'
import { Icon } from '../../kit/display/Icon.tsx'
import { showOpened } from '../../kit/list/page/opened-row.ts'
import styles from './MessageTable.module.css'
import { MessageTableDetail } from './MessageTableDetail.tsx'
import type { SortField } from './message-sort.ts'
import { rankText, rowTexts } from './message-words.ts'
import { NoResult } from './NoResult.tsx'

interface Props {
  row: MessageStats
  choice: PeriodChoice
  country: Country
  sorted: SortField
  open: boolean
  onToggle: (id: string) => void
}

interface FigureProps {
  className: string
  text: string
  change: number | null
  country: Country
}

/** A figure with its change from a year earlier, if any. */
export function Figure({ className, text, change, country }: FigureProps) {
  return (
    <td className={className}>
      {text}
      {change === null ? null : (
        <div>
          <Change country={country} value={change} />
        </div>
      )}
    </td>
  )
}

interface ResultProps {
  texts: { revenue: string; roi: string }
  change: number | null
  result: ResultBasis
  country: Country
  cell: (field: SortField) => string
}

/** Revenue, its change and the return; if they are unknown, a single grey note instead. */
export function Result({ texts, change, result, country, cell }: ResultProps) {
  if (result.reason !== null) {
    return (
      <>
        <td className={cell('revenue')}>
          <NoResult country={country} result={result} />
        </td>
        <td className={`${cell('revenue_change')} faint`}>{NO_VALUE}</td>
        <td className={`${cell('roi')} faint`}>{NO_VALUE}</td>
      </>
    )
  }
  return (
    <>
      <td className={cell('revenue')}>{texts.revenue}</td>
      <td className={cell('revenue_change')}>
        <Change country={country} value={change} goodWhen="up" />
      </td>
      <td className={cell('roi')}>{texts.roi}</td>
    </>
  )
}

/** One pharmacy; when open, a second row shows what was sent and what happened to it. */
export const MessageTableRow = memo(function MessageTableRow({ row, choice, country, sorted, open, onToggle }: Props) {
  const texts = rowTexts(country, row)
  const cell = (field: SortField) => (sorted === field ? `num ${styles.sorted}` : 'num')
  const detail = `detail-${row.pharmacy_id}`
  const toggle = ({ currentTarget }: MouseEvent<HTMLElement>) => {
    onToggle(row.pharmacy_id)
    if (!open) showOpened(currentTarget.closest('tr')!)
  }
  return (
    <>
      <tr className={open ? `${styles.row} ${styles.open}` : styles.row}>
        <td className={styles.toggle}>
          <ActionIcon
            size={28}
            aria-label={`Details of ${row.pharmacy_name}`}
            aria-expanded={open}
            aria-controls={open ? detail : undefined}
            onClick={toggle}
          >
            <Icon of={open ? ChevronDown : ChevronRight} />
          </ActionIcon>
        </td>
        <td className={`num faint ${styles.rank}`}>{rankText(country, row)}</td>
        <th scope="row" className={styles.name} title={row.pharmacy_name} onClick={toggle}>
          <PharmacyLink id={row.pharmacy_id} name={row.pharmacy_name} />
        </th>
        <Figure className={cell('sms')} text={texts.sms} change={row.sms_change} country={country} />
        <Figure className={cell('email')} text={texts.email} change={row.email_change} country={country} />
        <Figure className={cell('reach')} text={texts.reach} change={row.reach_change} country={country} />
        <Figure className={cell('cost')} text={texts.cost} change={row.cost_change} country={country} />
        <Result texts={texts} change={row.revenue_change} result={row.result} country={country} cell={cell} />
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
