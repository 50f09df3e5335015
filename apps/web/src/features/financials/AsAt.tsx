import { Button } from '@mantine/core'
import type { Pharmacy } from '@pillar/contract/financials'
import { parseDay } from '@pillar/domain/day'
import type { Country } from '@pillar/domain/locale'
import { Clock } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Dialog } from '../../kit/dialog/Dialog.tsx'
import { Icon } from '../../kit/display/Icon.tsx'
import styles from './Financials.module.css'
import { dayText, statusText } from './figures.ts'
import { againstText, lateText, type StatsReply } from './stats-words.ts'

interface AsAtProps {
  stats: StatsReply | undefined
  chosen: readonly Pharmacy[]
  country: Country
  /** Takes these pharmacies out of the figures. */
  onLeaveOut: (ids: readonly string[]) => void
}

/** How old the figures are, who is late, and what the changes are against. */
export function AsAt({ stats, chosen, country, onLeaveOut }: AsAtProps) {
  const [opened, setOpened] = useState(false)
  const late = chosen.filter(({ late }) => late)
  const parts: ReactNode[] = []
  const to = stats?.data_to ? parseDay(stats.data_to) : null
  if (stats) parts.push(to === null ? 'No data in this period yet' : `Data to ${dayText(country, to)}`)
  if (late.length > 0) {
    parts.push(
      <button type="button" className={styles.lateLink} onClick={() => setOpened(true)}>
        {lateText(late.length, chosen.length)}
      </button>,
    )
  }
  if (stats) parts.push(againstText(stats, country))
  if (parts.length === 0) return null
  return (
    <>
      <Icon of={Clock} size={15} />
      {parts.map((part, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: three parts in a fixed order
        <span key={index}>
          {part}
          {index < parts.length - 1 ? <span className="faint"> ·</span> : null}
        </span>
      ))}
      <Dialog
        opened={opened}
        onClose={() => setOpened(false)}
        title={lateText(late.length, chosen.length)}
        size="confirm"
        foot={
          <Button
            disabled={late.length === chosen.length}
            title={late.length === chosen.length ? 'All the pharmacies chosen are late' : undefined}
            onClick={() => {
              setOpened(false)
              onLeaveOut(late.map(({ pharmacy_id }) => pharmacy_id))
            }}
          >
            Leave {late.length === 1 ? 'it' : 'them'} out
          </Button>
        }
      >
        <p className="muted">
          No completed upload within one business day. Their figures end where their data ends, so the totals are short
          of what was dispensed since.
        </p>
        <ul className={styles.lateList}>
          {late.map((pharmacy) => (
            <LateRow key={pharmacy.pharmacy_id} pharmacy={pharmacy} country={country} />
          ))}
        </ul>
      </Dialog>
    </>
  )
}

function LateRow({ pharmacy, country }: { pharmacy: Pharmacy; country: Country }) {
  const data = pharmacy.data_to === null ? null : parseDay(pharmacy.data_to)
  return (
    <li>
      <span>
        {pharmacy.pharmacy_name}
        <span className="faint"> {[pharmacy.state, pharmacy.postcode].filter((part) => part !== null).join(' ')}</span>
      </span>
      <span className="muted">
        {data === null ? 'no data yet' : `data to ${dayText(country, data)}`} · {statusText(pharmacy.upload_status)}
      </span>
    </li>
  )
}
