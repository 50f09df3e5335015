import { contract } from '@pillar/contract'
import { ATTENTION_KINDS, ATTENTION_WORDS, type AttentionKind } from '@pillar/domain/s8/attention'
import { formatNumber } from '@pillar/domain/time/locale'
import { Link } from '@tanstack/react-router'
import { CircleHelp, ClockAlert, FileWarning, PenLine, Scale, ShieldAlert } from 'lucide-react'
import { useRead } from '../../api/client.ts'
import { Sparkline } from '../../kit/chart/Sparkline.tsx'
import { StatCard, StatStrip } from '../../kit/display/figure/StatCard.tsx'
import { IfNotRefreshed } from '../../kit/display/Loaded.tsx'
import { Failed } from '../../kit/display/states.tsx'
import { Tabs } from '../../kit/display/Tabs.tsx'
import { useCountry } from '../../session/session.ts'
import styles from './S8.module.css'

/** The icon of each kind. */
export const ICONS = {
  chain: ShieldAlert,
  contradiction: FileWarning,
  balance: Scale,
  countersign: PenLine,
  late: ClockAlert,
  silent: CircleHelp,
} as const

/** How much needs attention now and in the last eight weeks; `sent` is false while no pharmacy has sent a register. */
export function useCounts() {
  const read = useRead(contract.s8.attentionCounts, {}, { keepPrevious: true })
  return { ...read, sent: read.data ? read.data.pharmacies > 0 : undefined }
}

/** Present issues by kind, each with its trend over eight weeks, and the page's two halves. */
export function S8Top({ on }: { on: 'list' | 'attention' }) {
  const read = useCounts()
  const { error, refetch } = read
  // Without a register nothing was counted, and 0 would say that all is well.
  const data = read.sent ? read.data : undefined
  const all = data ? Object.values(data.now).reduce((sum, one) => sum + one, 0) : 0
  return (
    <>
      <Tabs
        label="S8 Management"
        tabs={[
          { label: 'Pharmacies', search: {}, on: on === 'list' },
          {
            label: data ? `Needs attention (${all})` : 'Needs attention',
            search: { view: 'attention' },
            on: on === 'attention',
          },
        ]}
      />
      <IfNotRefreshed read={read} what="what needs attention" />
      {error && !read.data ? (
        <div>
          <Failed title="Could not count what needs attention" error={error} onRetry={() => void refetch()} />
        </div>
      ) : (
        <StatStrip paired columns="repeat(6, 1fr)">
          {ATTENTION_KINDS.map((kind) => (
            <Kind key={kind} kind={kind} count={data?.now[kind] ?? null} weeks={data?.weeks ?? []} />
          ))}
        </StatStrip>
      )}
    </>
  )
}

interface KindProps {
  kind: AttentionKind
  count: number | null
  weeks: readonly { day: string; counts: Partial<Record<AttentionKind, number>> }[]
}

function Kind({ kind, count, weeks }: KindProps) {
  const country = useCountry()
  const { label } = ATTENTION_WORDS[kind]
  const known = kind !== 'chain' && kind !== 'silent' && weeks.length > 1
  const values = weeks.map(({ counts }) => counts[kind] ?? 0)
  const before = values.at(-2) ?? 0
  const change = (count ?? 0) - before
  return (
    <StatCard
      label={label}
      icon={ICONS[kind]}
      value={
        count === null ? (
          '–'
        ) : (
          <Link
            to="."
            search={{ view: 'attention', kind } as never}
            className={count > 0 ? styles.trouble : styles.quiet}
          >
            <span className="sr">{label}: </span>
            {formatNumber(country, count)}
          </Link>
        )
      }
      beside={known ? <small className="muted">{changeWords(change)}</small> : null}
    >
      {known ? (
        <Sparkline
          values={values}
          width={120}
          height={24}
          label={`${label} at the end of each of the last eight weeks, and now: ${values.join(', ')}`}
        />
      ) : (
        <span className="muted">{count === null ? '' : (NOTES[kind] ?? '')}</span>
      )}
    </StatCard>
  )
}

const NOTES: Partial<Record<AttentionKind, string>> = {
  chain: 'checked against the chain',
  silent: 'for 4 business days',
}

const changeWords = (change: number) =>
  change === 0 ? 'as a week ago' : `${change > 0 ? '+' : '−'}${Math.abs(change)} in a week`
