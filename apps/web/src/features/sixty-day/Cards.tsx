import type { SixtyDayStatistic } from '@pillar/domain/sixty-day/figure'
import { NO_VALUE } from '@pillar/domain/time/locale'
import { StatCard, StatStrip } from '../../kit/display/figure/StatCard.tsx'
import type { Explained } from './ExplainNumber.tsx'
import type { SixtyDayFilters } from './search.ts'
import { count, money, percent, type SixtyDayStats } from './words.ts'

interface CardsProps {
  stats: SixtyDayStats
  filters: SixtyDayFilters
  onExplain: (explained: Explained) => void
}

/** The eight overview cells. */
export function Cards({ stats, filters, onExplain }: CardsProps) {
  const { sums, basis } = stats
  const share = filters.uptake / 100
  const fee = basis.fee.dispensing + basis.fee.handling - (filters.net ? basis.fee.support : 0)
  const lost = share * sums.script_pairs
  const visits = share * sums.visit_pairs
  const explain =
    (key: Explained['key'], subject: string, value: string, numerator: number | null, denominator: number | null) =>
    () =>
      onExplain({ key, subject, value, numerator, denominator })
  const affected: SixtyDayStatistic = 'affected_scripts'
  return (
    <>
      <StatStrip columns="1.3fr 1fr 1fr 1fr">
        <StatCard
          label="Revenue lost"
          value={money(stats.revenue_lost)}
          onExplain={explain('revenue_lost', 'Revenue lost', money(stats.revenue_lost), lost, null)}
        >
          <Below>{`${count(lost)} scripts at ${money(fee)} each`}</Below>
        </StatCard>
        <StatCard
          label="Scripts affected"
          value={count(stats.affected_scripts)}
          onExplain={explain(
            affected,
            'Scripts affected',
            count(stats.affected_scripts),
            sums.affected_scripts,
            sums.scripts,
          )}
        >
          <Below>{`${percent(stats.affected_scripts_percent)} of all scripts`}</Below>
        </StatCard>
        <StatCard
          label="Scripts lost"
          value={percent(stats.total_affected_scripts_lost_percent)}
          onExplain={explain(
            'lost_affected_scripts_percent',
            'Scripts lost',
            percent(stats.total_affected_scripts_lost_percent),
            lost,
            sums.affected_scripts,
          )}
        >
          <Below>of affected scripts</Below>
        </StatCard>
        <StatCard
          label="Patients affected"
          value={percent(stats.affected_patients_percent)}
          onExplain={explain(
            'affected_patients_percent',
            'Patients affected',
            percent(stats.affected_patients_percent),
            sums.affected_patients,
            sums.patients,
          )}
        >
          <Below>{`${count(sums.affected_patients)} of ${count(sums.patients)}`}</Below>
        </StatCard>
      </StatStrip>
      <StatStrip columns="1.3fr 1fr 1fr 1fr">
        <StatCard
          label="Visits lost"
          value={percent(stats.visits_lost_percent)}
          onExplain={explain(
            'visits_lost_percent',
            'Visits lost',
            percent(stats.visits_lost_percent),
            visits,
            sums.visits,
          )}
        >
          <Below>{`${count(visits)} of ${count(sums.visits)}`}</Below>
        </StatCard>
        <StatCard
          label="In short supply"
          value={stats.affected_shortage_scripts === null ? NO_VALUE : count(stats.affected_shortage_scripts)}
          onExplain={explain(
            'shortage_scripts',
            'In short supply',
            count(stats.affected_shortage_scripts),
            stats.affected_shortage_scripts,
            null,
          )}
        >
          <Below>
            {stats.affected_shortage_scripts === null ? 'no list of shortages is loaded' : 'affected scripts'}
          </Below>
        </StatCard>
        <StatCard label="Pharmacies" value={count(stats.pharmacies_count)}>
          <Below>
            {basis.incomplete === 0
              ? 'all with 12 months of data'
              : `${count(basis.incomplete)} with less than 12 months of data`}
          </Below>
        </StatCard>
        <StatCard
          label="Already on 60 days"
          value={percent(stats.sixty_day_share.value)}
          onExplain={explain(
            'sixty_day_share',
            'Already on 60 days',
            percent(stats.sixty_day_share.value),
            stats.sixty_day_share.numerator,
            stats.sixty_day_share.denominator,
          )}
        >
          <Below>of eligible supplies, 12 months</Below>
        </StatCard>
      </StatStrip>
    </>
  )
}

const Below = ({ children }: { children: string }) => <small className="muted">{children}</small>
