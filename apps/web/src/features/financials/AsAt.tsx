import { Button } from '@mantine/core'
import type { Pharmacy } from '@pillar/contract/financials'
import { parseDay } from '@pillar/domain/time/day'
import { type Country, formatWeekday } from '@pillar/domain/time/locale'
import { Clock } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { PharmacyLink } from '../../frame/PharmacyLink.tsx'
import { Dialog } from '../../kit/dialog/Dialog.tsx'
import { Icon } from '../../kit/display/Icon.tsx'
import styles from './Financials.module.css'
import { statusText } from './figures.ts'
import { nothingYet } from './filter/pharmacies.ts'
import type { FinancialsSearch } from './search.ts'
import { againstText, begunText, goneText, lateText, type StatsReply } from './stats-words.ts'

interface AsAtProps {
  stats: StatsReply | undefined
  chosen: readonly Pharmacy[]
  /** How many of the selected pharmacies no longer exist. */
  gone: number
  country: Country
  /** The screen's period, as in the address. */
  period: FinancialsSearch['period']
  /** Removes these pharmacies from the figures. */
  onLeaveOut: (ids: readonly string[]) => void
}

/** The age of the figures, missing and late pharmacies, those whose data begins within the period, and the comparison period of the changes. */
export function AsAt({ stats, chosen, gone, country, period, onLeaveOut }: AsAtProps) {
  // A pharmacy that has sent nothing yet is not late: the screen says that it has no data, and what happens next.
  const begins = nothingYet(chosen)
  const late = begins ? [] : chosen.filter(({ late }) => late)
  // ISO days compare as text. A pharmacy whose data begins after the period has none in it, and its row says so.
  const begun = chosen.filter(
    ({ begins_before_data, data_from }) =>
      begins_before_data && stats !== undefined && data_from !== null && data_from <= stats.period.ends,
  )
  const shared = { all: chosen.length, country, period, onLeaveOut }
  // Keyed by name, so that an open list stays open when figures arrive and other parts appear before it.
  const parts: [key: string, part: ReactNode][] = []
  if (begins || stats) parts.push(['to', begins ? 'No data yet' : dataText(stats, country)])
  if (stats && gone > 0) parts.push(['gone', goneText(gone)])
  if (late.length > 0) {
    parts.push([
      'late',
      <PharmacyList
        key="late"
        {...shared}
        words={lateText(late.length, chosen.length)}
        listed={late}
        detail={reachText}
      >
        No completed upload within one business day. Their figures end where their data ends, so the totals are short of
        what was dispensed since.
      </PharmacyList>,
    ])
  }
  if (begun.length > 0) {
    parts.push([
      'begun',
      <PharmacyList
        key="begun"
        {...shared}
        words={begunText(begun.length, chosen.length)}
        listed={begun}
        detail={startText}
      >
        Their data begins after the period does, so their figures cover a part of it and are compared with nothing. The
        totals hold that part.
      </PharmacyList>,
    ])
  }
  if (stats && !begins) parts.push(['against', againstText(stats, country)])
  if (parts.length === 0) return null
  return (
    <>
      <Icon of={Clock} size={15} />
      {parts.map(([key, part], index) => (
        <span key={key}>
          {part}
          {index < parts.length - 1 ? <span className="faint"> ·</span> : null}
        </span>
      ))}
    </>
  )
}

/** How far the data of the period goes. */
function dataText(stats: StatsReply | undefined, country: Country): string {
  const to = stats?.data_to ? parseDay(stats.data_to) : null
  return to === null ? 'No data in this period yet' : `Data to ${formatWeekday(country, to)}`
}

interface ListProps extends Pick<AsAtProps, 'period'> {
  /** The link's words, which are also the title of the list. */
  words: string
  listed: readonly Pharmacy[]
  /** How many pharmacies are selected. */
  all: number
  country: Country
  detail: (pharmacy: Pharmacy, country: Country) => string
  onLeaveOut: (ids: readonly string[]) => void
  children: ReactNode
}

/** A link that lists a notice's pharmacies, with a button to leave them out. */
function PharmacyList({ words, listed, all, country, period, detail, onLeaveOut, children }: ListProps) {
  const [opened, setOpened] = useState(false)
  const none = listed.length === all
  return (
    <>
      <button type="button" className={styles.lateLink} onClick={() => setOpened(true)}>
        {words}
      </button>
      <Dialog
        opened={opened}
        onClose={() => setOpened(false)}
        title={words}
        size="confirm"
        foot={
          <Button
            disabled={none}
            title={none ? 'No other pharmacy is selected' : undefined}
            onClick={() => {
              setOpened(false)
              onLeaveOut(listed.map(({ pharmacy_id }) => pharmacy_id))
            }}
          >
            Leave {listed.length === 1 ? 'it' : 'them'} out
          </Button>
        }
      >
        <p className="muted">{children}</p>
        <ul className={styles.lateList}>
          {listed.map((pharmacy) => (
            <li key={pharmacy.pharmacy_id}>
              <span>
                <PharmacyLink id={pharmacy.pharmacy_id} name={pharmacy.pharmacy_name} period={period} />
                <span className="faint">
                  {' '}
                  {[pharmacy.state, pharmacy.postcode].filter((part) => part !== null).join(' ')}
                </span>
              </span>
              <span className="muted">{detail(pharmacy, country)}</span>
            </li>
          ))}
        </ul>
      </Dialog>
    </>
  )
}

/** How far the data goes, and the result of the last upload if it explains why it goes no further. */
function reachText({ data_to, upload_status }: Pharmacy, country: Country): string {
  const data = data_to === null ? null : parseDay(data_to)
  const reach = data === null ? 'no data yet' : `data to ${formatWeekday(country, data)}`
  return upload_status === 'COMPLETED' ? reach : `${reach} · ${statusText(upload_status)}`
}

function startText({ data_from }: Pharmacy, country: Country): string {
  const data = data_from === null ? null : parseDay(data_from)
  return data === null ? 'no data yet' : `data from ${formatWeekday(country, data)}`
}
