import type { Stat } from '@pillar/contract/figure'
import type { TargetFigure } from '@pillar/domain/target/target'
import { type Country, monthShort } from '@pillar/domain/time/locale'
import { Sparkline } from '../../kit/chart/Sparkline.tsx'
import { Change } from '../../kit/display/figure/Change.tsx'
import { LedgerBar, type LedgerPart } from '../../kit/display/figure/LedgerBar.tsx'
import { StatCard, StatStrip } from '../../kit/display/figure/StatCard.tsx'
import { TargetNote } from '../target/TargetNote.tsx'
import type { Targets } from '../target/useTargets.ts'
import styles from './Financials.module.css'
import { type Explainable, NONE, unitText } from './figures.ts'
import { adherentWords, endsWithinMonth, noChange, perWeekday, type StatsReply, sums } from './stats-words.ts'

interface HeadlinesProps {
  stats: StatsReply
  targets: Targets
  country: Country
  /** Gets the numbers of the cell, with the one to show first at the front. */
  onExplain: (numbers: readonly Explainable[], first: 'trend' | 'number') => void
}

/** The figures whose card shows how it compares with its target. */
export const CARDED: readonly TargetFigure[] = ['revenue', 'scripts', 'adherent_share']

const SURE = 'The true share lies in this range 19 times in 20'

/** The headline figures in five cells of one strip, revenue first. */
export function Headlines({ stats, targets, country, onExplain }: HeadlinesProps) {
  const { revenue, patients, scripts, total_adherence_opportunity_cost: cost } = stats
  const { count, change, part } = wordsFor(stats, country)
  const { measured, unstated } = sums(stats)
  const adherent = adherentWords(patients.adherent_share, country)
  const running = endsWithinMonth(stats)
  const target = (figure: TargetFigure) => <TargetNote target={targets[figure]} country={country} brief />
  const opens = (...numbers: Explainable[]) => ({
    onOpen: () => onExplain(numbers, 'trend'),
    onExplain: () => onExplain(numbers, 'number'),
  })
  return (
    <StatStrip columns="repeat(5, auto)">
      <StatCard
        label="Revenue"
        value={unitText(country, 'money', revenue.total)}
        beside={change(revenue, 'up')}
        {...opens('revenue')}
      >
        <Trend stat={revenue} name="Revenue" {...{ running, to: stats.data_to }} />
        {target('revenue')}
      </StatCard>
      <StatCard label="Scripts" value={count(scripts.total)} beside={change(scripts, 'up')} {...opens('scripts')}>
        <Trend stat={scripts} name="Scripts" {...{ running, to: stats.data_to }} />
        {target('scripts')}
      </StatCard>
      <StatCard
        label="Patients"
        value={count(patients.total)}
        beside={change(patients, 'up')}
        {...opens('patients', 'patients.sex.female', 'patients.sex.male')}
      >
        <LedgerBar
          parts={[
            part('Female', patients.sex.female, 'd1', 'up'),
            part('Male', patients.sex.male, 'd4', 'up'),
            { label: 'Not stated', value: unstated, text: count(unstated), tone: 'rest', keyless: true },
          ]}
        />
      </StatCard>
      <StatCard
        label="Patients measured for adherence"
        {...opens('patients.adherence', 'patients.non_adherence', 'adherent_script_percent')}
        value={count(measured)}
        beside={
          <small className={styles.share}>
            {adherent.share}
            {adherent.between ? (
              <span className={styles.between} title={SURE}>
                <span className="sr">between </span>
                {adherent.between}
              </span>
            ) : null}
          </small>
        }
      >
        <LedgerBar
          parts={[
            part('Adherent', patients.adherence, 'd1', 'up'),
            part('Not adherent', patients.non_adherence, 'd2', 'down'),
          ]}
        />
        {target('adherent_share')}
      </StatCard>
      <StatCard
        label="Adherence opportunity"
        value={unitText(country, 'money', cost.total, 'short')}
        beside={change(cost, 'down')}
        onExplain={() => onExplain(['total_adherence_opportunity_cost'], 'number')}
      >
        <Trend stat={cost} name="Adherence opportunity" {...{ running, to: stats.data_to }} />
      </StatCard>
    </StatStrip>
  )
}

/** How a count, a change and a segment of a bar are shown. */
function wordsFor(stats: StatsReply, country: Country) {
  const count = (value: number | null) => unitText(country, 'count', value)
  const change = (stat: Stat, goodWhen: 'up' | 'down') => (
    <Change country={country} value={stat.rate_of_change} goodWhen={goodWhen} reason={noChange(stats)} />
  )
  const part = (label: string, stat: Stat, tone: LedgerPart['tone'], goodWhen: 'up' | 'down') => ({
    label,
    value: stat.total ?? 0,
    text: count(stat.total),
    tone,
    extra: change(stat, goodWhen),
  })
  return { count, change, part }
}

/** '2026-11' becomes 'Nov 2026', as it is read aloud. */
function monthWords(month: string | undefined): string {
  const [year = '', number = ''] = (month ?? '').split('-')
  return `${monthShort(Number(number))} ${year}`
}

function Trend({ stat, name, running, to }: { stat: Stat; name: string; running: boolean; to: string | null }) {
  const months = stat.trend
  const rates = perWeekday(months, to)
  if (months.every(({ value, prior }) => value === null && prior === null)) return <span className="faint">{NONE}</span>
  const ends = `${monthWords(months[0]?.month)} to ${monthWords(months.at(-1)?.month)}`
  return (
    <Sparkline
      values={rates.map(({ value }) => value)}
      prior={rates.map(({ prior }) => prior)}
      running={running}
      label={`${name} per weekday by month, ${ends}${running ? ' (so far)' : ''}, over the same months a year earlier in grey`}
    />
  )
}
