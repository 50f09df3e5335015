import { financials } from '@pillar/contract/financials'
import { useRead } from '../../../api/client.ts'
import { LineChart } from '../../../kit/chart/LineChart.tsx'
import { Failed, Loading } from '../../../kit/display/states.tsx'
import type { Where } from '../explain/explain-target.ts'
import { ChangeParts, Persistence } from './Behind.tsx'
import styles from './Trend.module.css'
import {
  axisText,
  fullText,
  linesOf,
  monthText,
  runningFrom,
  runningNote,
  type TrendFigure,
  type TrendReply,
  trendCaption,
  trendTitle,
} from './trend-model.ts'

interface TrendProps {
  figure: TrendFigure
  pharmacyIds: readonly string[]
  where: Where
}

/** A figure over 24 months against the year before; below it what moved revenue, or how long patients stay. */
export function Trend({ figure, pharmacyIds, where }: TrendProps) {
  const answer = useRead(financials.trend, { figure, pharmacy_ids: [...pharmacyIds], ...where.choice })
  if (answer.isError) {
    return <Failed title="Could not load the trend" error={answer.error} onRetry={() => void answer.refetch()} />
  }
  if (!answer.data) return <Loading rows={6} />
  return (
    <div className={styles.trend}>
      <TrendPicture reply={answer.data} country={where.country} />
      {figure === 'revenue' ? <ChangeParts {...{ pharmacyIds, where }} /> : null}
      {figure.startsWith('adheren') ? <Persistence {...{ pharmacyIds, where }} /> : null}
    </div>
  )
}

/** The trend as a picture: 24 months against the year before. */
export function TrendPicture({ reply, country }: { reply: TrendReply; country: Where['country'] }) {
  const { values, before } = linesOf(reply)
  const running = runningFrom(reply)
  const dashed = running === undefined ? {} : { dashedFrom: running }
  const band = reply.months.map(({ low, high }) => (low === null || high === null ? null : ([low, high] as const)))
  const total = { unit: reply.unit, rated: false }
  return (
    <LineChart
      title={trendTitle(reply, country)}
      caption={trendCaption(reply, country)}
      head="Month"
      x={reply.months.map(({ month }) => monthText(month))}
      series={[
        {
          ...{ label: reply.title, values, colour: '--d1', ...dashed },
          ...(band.some((one) => one !== null) ? { band } : {}),
        },
        { label: 'The year before', values: before, colour: '--d-rest', thin: true, ...dashed },
      ]}
      format={(value) => axisText(reply, country, value)}
      formatFull={(value) => fullText(reply, country, value)}
      beside={
        reply.rated
          ? [
              {
                label: 'Whole month',
                values: reply.months.map(({ value }) => value),
                format: (value) => fullText(total, country, value),
              },
              {
                label: 'Whole month, year before',
                values: reply.months.map(({ previous }) => previous),
                format: (value) => fullText(total, country, value),
              },
            ]
          : []
      }
      note={runningNote(reply, country)}
      fromZero={false}
      height={260}
    />
  )
}
