import { formatNumber } from '@pillar/domain/time/locale'
import { DataTable } from '../../kit/list/DataTable.tsx'
import { useCountry } from '../../session/session.ts'
import styles from './SequenceDetail.module.css'
import type { Stats } from './sequence-stats.ts'

const STATES = [
  ['scheduled', 'Scheduled'],
  ['sent', 'Sent'],
  ['delivered', 'Delivered'],
  ['failed', 'Failed'],
  ['skipped', 'Held back'],
  ['unknown', 'Unknown'],
] as const

/** A sequence's messages by channel and state: the ledger that the time line adds up to. */
export function MessageLedger({ stats: { message_info: info } }: { stats: Stats }) {
  const country = useCountry()
  const rows = (['sms', 'email'] as const).map((channel) => ({
    channel,
    counts: STATES.map(([state]) => info[`${channel}_${state}`]),
  }))
  const number = (value: number) => formatNumber(country, value)
  return (
    <section className={styles.ledger} aria-label="Messages">
      <h3>Messages</h3>
      <DataTable
        label="Messages by channel and state"
        rows={rows}
        idOf={(row) => row.channel}
        columns={[
          { label: 'Channel', cell: ({ channel }) => (channel === 'sms' ? 'SMS' : 'Email') },
          ...STATES.map(([, label], at) => ({
            ...{ label, num: true },
            cell: ({ counts }: (typeof rows)[number]) => number(counts[at] ?? 0),
          })),
          { label: 'All', num: true, cell: ({ counts }) => number(counts.reduce((sum, one) => sum + one, 0)) },
        ]}
      />
    </section>
  )
}
