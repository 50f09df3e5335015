import { formatNumber } from '@pillar/domain/time/locale'
import { DataTable } from '../../kit/list/DataTable.tsx'
import { useCountry } from '../../session/session.ts'
import type { Stats } from './sequence-stats.ts'
import styles from './TimeLine.module.css'
import { STEP_COUNTS } from './time-line-parts.ts'

type Step = Stats['steps'][number]

/** The time line as figures: each row adds up to everybody who started. */
export function TimeLineTable({ stats }: { stats: Stats }) {
  const country = useCountry()
  const number = (value: number) => formatNumber(country, value)
  const all = (step: Step) => STEP_COUNTS.reduce((sum, [, of]) => sum + of(step), 0)
  return (
    <div className={styles.table}>
      <DataTable
        label="Time line"
        rows={stats.steps}
        idOf={(step) => step.follow_up_id}
        columns={[
          { label: 'Follow-up', cell: ({ template, removed }) => (removed ? `${template} (removed)` : template) },
          { label: 'Day', num: true, cell: (step) => number(step.days_after) },
          ...STEP_COUNTS.map(([label, of]) => ({ label, num: true, cell: (step: Step) => number(of(step)) })),
          { label: 'All', num: true, cell: (step) => number(all(step)) },
        ]}
      />
    </div>
  )
}
