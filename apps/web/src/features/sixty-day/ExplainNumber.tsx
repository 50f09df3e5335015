import { Drawer } from '@mantine/core'
import { parseDay } from '@pillar/domain/time/day'
import { formatCounted, formatDate, formatNumber } from '@pillar/domain/time/locale'
import { useState } from 'react'
import { useOpener } from '../../kit/dialog/focus/useOpener.ts'
import { useBackCloses } from '../../kit/dialog/useBackCloses.ts'
import { dayOf } from '../../kit/display/dates.ts'
import { spanText } from './AsAt.tsx'
import styles from './SixtyDay.module.css'
import { FORMULAS, money, percent, type SixtyDayStats } from './words.ts'

/** A number and its inputs. */
export interface Explained {
  key: keyof typeof FORMULAS
  subject: string
  value: string
  numerator: number | null
  denominator: number | null
}

interface ExplainNumberProps {
  explained: Explained | null
  stats: SixtyDayStats | undefined
  uptake: number
  net: boolean
  onClose: () => void
}

const LOST = /lost/

/** How a number is calculated: its formula with its actual numbers, the fees, the days and the age of the data. */
export function ExplainNumber({ explained, stats, uptake, net, onClose }: ExplainNumberProps) {
  const [last, setLast] = useState(explained)
  if (explained !== null && explained !== last) setLast(explained)
  useOpener(explained !== null)
  useBackCloses(explained !== null, onClose)
  const shown = explained ?? last
  return (
    <Drawer
      returnFocus={false}
      opened={explained !== null}
      onClose={onClose}
      title={shown?.subject ?? ''}
      size={560}
      classNames={{ body: styles.drawer }}
    >
      {shown && stats ? (
        <>
          <p className={styles.big}>{shown.value}</p>
          <p>{FORMULAS[shown.key]}</p>
          <dl className={styles.facts}>
            {shown.numerator === null ? null : (
              <>
                <dt>Calculation</dt>
                <dd>{sumOf(shown, stats, net)}</dd>
              </>
            )}
            {LOST.test(shown.key) ? (
              <>
                <dt>Uptake</dt>
                <dd>{uptake}%, as set above</dd>
              </>
            ) : null}
            {shown.key === 'revenue_lost' ? <Fee stats={stats} net={net} /> : null}
            {shown.key.startsWith('shortage') ? (
              <>
                <dt>List of shortages</dt>
                <dd>
                  {stats.basis.shortages_at
                    ? `loaded on ${dayOf('AU', stats.basis.shortages_at)}`
                    : 'None is loaded, so this is unknown, not 0.'}
                </dd>
              </>
            ) : null}
            <dt>Counted over</dt>
            <dd>{spanText(stats.basis) ?? 'Nothing has been counted yet'}</dd>
            <dt>Data</dt>
            <dd>{ageOf(stats)}</dd>
          </dl>
        </>
      ) : null}
    </Drawer>
  )
}

function sumOf({ key, numerator, denominator, value }: Explained, stats: SixtyDayStats, net: boolean): string {
  const plain = (one: number | null) => formatNumber('AU', one, one !== null && !Number.isInteger(one) ? 2 : 0)
  if (denominator !== null && key !== 'affected_scripts')
    return `${plain(numerator)} ÷ ${plain(denominator)} = ${value}`
  if (key === 'revenue_lost') {
    const { dispensing, handling, support } = stats.basis.fee
    const each = dispensing + handling - (net ? support : 0)
    return `${plain(numerator)} ${plain(numerator) === '1' ? 'script' : 'scripts'} × ${money(each)} = ${value}`
  }
  return denominator === null
    ? value
    : `${value}, of ${formatCounted('AU', denominator, 'script', 'scripts')} in all (${percent((numerator ?? 0) / denominator)})`
}

function Fee({ stats: { basis }, net }: { stats: SixtyDayStats; net: boolean }) {
  const { fee } = basis
  return (
    <>
      <dt>A script earns</dt>
      <dd>
        {money(fee.dispensing)} dispensing + {money(fee.handling)} handling
        {net ? ` − ${money(fee.support)} supply support` : ''}
        {fee.estimated ? ' (estimated)' : ''}, from {dateOf(fee.from)}
      </dd>
      <dt>Source of the fees</dt>
      <dd>{fee.source}</dd>
      <dt>Left out</dt>
      <dd>Sales at the counter that a lost visit would have brought, and what patients save.</dd>
    </>
  )
}

function dateOf(iso: string): string {
  const day = parseDay(iso)
  return day === null ? iso : formatDate('AU', day)
}

function ageOf({ basis }: SixtyDayStats): string {
  if (basis.published_at)
    return `${formatCounted('AU', basis.pharmacies, 'pharmacy', 'pharmacies')}, written down on ${dayOf('AU', basis.published_at)} and unchanged since`
  if (!basis.data_to) return 'No data yet'
  const newest = dateOf(basis.data_to)
  const oldest = basis.data_to_oldest ? dateOf(basis.data_to_oldest) : newest
  return `${formatCounted('AU', basis.pharmacies, 'pharmacy', 'pharmacies')}, data to ${oldest === newest ? newest : `between ${oldest} and ${newest}`}`
}
