import { formatCounted, NO_VALUE } from '@pillar/domain/time/locale'
import { StatCard, StatStrip } from '../../kit/display/figure/StatCard.tsx'
import type { Explained } from './ExplainNumber.tsx'
import type { SixtyDayFilters } from './search.ts'
import { count, money, percent, type SixtyDayStats } from './words.ts'

interface CardsProps {
  stats: SixtyDayStats
  filters: SixtyDayFilters
  onExplain: (explained: Explained) => void
}

/** A cell: its value, its inputs, and a line below. Without a key it has no explanation. */
interface Card {
  label: string
  value: string
  below: string
  key?: Explained['key']
  of?: readonly [numerator: number | null, denominator: number | null]
}

/** The eight overview cells. */
export function Cards({ stats, filters, onExplain }: CardsProps) {
  const cardOf = ({ label, value, below, key, of: [numerator, denominator] = [null, null] }: Card) => (
    <StatCard
      key={label}
      {...{ label, value }}
      {...(key ? { onExplain: () => onExplain({ key, subject: label, value, numerator, denominator }) } : {})}
    >
      <small className="muted">{below}</small>
    </StatCard>
  )
  return [lossCards(stats, filters), otherCards(stats, filters)].map((cards) => (
    <StatStrip key={cards[0]!.label} paired columns="1.3fr 1fr 1fr 1fr">
      {cards.map(cardOf)}
    </StatStrip>
  ))
}

function lossCards(stats: SixtyDayStats, { uptake, net }: SixtyDayFilters): Card[] {
  const { sums, basis } = stats
  const fee = basis.fee.dispensing + basis.fee.handling - (net ? basis.fee.support : 0)
  const lost = (uptake / 100) * sums.script_pairs
  return [
    {
      ...{ label: 'Revenue lost', value: money(stats.revenue_lost), key: 'revenue_lost', of: [lost, null] },
      below: `${formatCounted('AU', lost, 'script', 'scripts')} at ${money(fee)} each`,
    },
    {
      ...{ label: 'Scripts affected', value: count(stats.affected_scripts), key: 'affected_scripts' },
      ...{
        of: [sums.affected_scripts, sums.scripts],
        below: `${percent(stats.affected_scripts_percent)} of all scripts`,
      },
    },
    {
      ...{ label: 'Scripts lost', value: percent(stats.total_affected_scripts_lost_percent) },
      ...{ key: 'lost_affected_scripts_percent', of: [lost, sums.affected_scripts], below: 'of affected scripts' },
    },
    {
      ...{
        label: 'Patients affected',
        value: percent(stats.affected_patients_percent),
        key: 'affected_patients_percent',
      },
      of: [sums.affected_patients, sums.patients],
      below: `${count(sums.affected_patients)} of ${count(sums.patients)}`,
    },
  ]
}

function otherCards(stats: SixtyDayStats, { uptake }: SixtyDayFilters): Card[] {
  const { sums, basis, sixty_day_share: share, affected_shortage_scripts: short } = stats
  const visits = (uptake / 100) * sums.visit_pairs
  return [
    {
      ...{ label: 'Visits lost', value: percent(stats.visits_lost_percent), key: 'visits_lost_percent' },
      ...{ of: [visits, sums.visits], below: `${count(visits)} of ${count(sums.visits)}` },
    },
    {
      ...{ label: 'In short supply', value: short === null ? NO_VALUE : count(short), key: 'shortage_scripts' },
      ...{ of: [short, null], below: short === null ? 'no list of shortages is loaded' : 'affected scripts' },
    },
    {
      ...{ label: 'Pharmacies', value: count(stats.pharmacies_count) },
      below:
        basis.incomplete === 0
          ? 'all with 12 months of data'
          : `${count(basis.incomplete)} with less than 12 months of data`,
    },
    {
      ...{ label: 'Already on 60 days', value: percent(share.value), key: 'sixty_day_share' },
      ...{ of: [share.numerator, share.denominator], below: 'of eligible supplies, 12 months' },
    },
  ]
}
