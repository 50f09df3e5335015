import { financials } from '@pillar/contract/financials'
import type { ReactNode } from 'react'
import { useRead } from '../../../api/client.ts'
import { LineChart } from '../../../kit/chart/LineChart.tsx'
import { Loaded } from '../../../kit/display/Loaded.tsx'
import { useTargetLine, type Whose } from '../../target/useTargets.ts'
import type { Where } from '../explain/explain-target.ts'
import { ChangeParts, Persistence } from './Behind.tsx'
import styles from './Trend.module.css'
import {
  axisText,
  fullText,
  likeForLikeNote,
  linesOf,
  monthText,
  runningFrom,
  runningNote,
  type TrendFigure,
  type TrendReply,
  targetNote,
  targetsDrawn,
  trendCaption,
  trendTitle,
} from './trend-model.ts'

interface TrendProps {
  figure: TrendFigure
  pharmacyIds: readonly string[]
  where: Where
  /** Whose targets it draws. */
  whose: Whose
}

/** A figure over 24 months against the year before; below it what changed revenue, or how long patients stay. */
export function Trend({ figure, pharmacyIds, where, whose }: TrendProps) {
  const answer = useRead(financials.trend, { figure, pharmacy_ids: [...pharmacyIds], ...where.choice })
  return (
    <Loaded read={answer} what="the trend">
      {(reply) => (
        <div className={styles.trend}>
          <TrendPicture reply={reply} country={where.country} whose={whose} />
          {figure === 'revenue' ? <ChangeParts {...{ pharmacyIds, where }} /> : null}
          {figure.startsWith('adheren') ? <Persistence {...{ pharmacyIds, where }} /> : null}
        </div>
      )}
    </Loaded>
  )
}

interface TrendPictureProps {
  /** Beside the title, such as a chart selector. */
  tools?: ReactNode
  reply: TrendReply
  country: Where['country']
  whose: Whose
}

/** The trend as a chart: 24 months against the year before, with the months' targets. */
export function TrendPicture({ reply, country, whose, tools }: TrendPictureProps) {
  const months = reply.months.map(({ month }) => month)
  const { line: targets, failed } = useTargetLine(reply.figure, whose, months)
  const set = targets.some((one) => one !== null)
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
      tools={tools}
      x={reply.months.map(({ month }) => monthText(month))}
      series={[
        {
          ...{ label: reply.title, values, colour: '--d1', ...dashed },
          ...(band.some((one) => one !== null) ? { band } : {}),
        },
        { label: 'The year before', values: before, colour: '--d-rest', thin: true, ...dashed },
        ...(set
          ? [{ label: 'Target', values: targetsDrawn(reply, targets), colour: '--d2', thin: true, marked: true }]
          : []),
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
              ...(set
                ? [
                    {
                      label: 'Whole month, target',
                      values: targets.map((one) => one?.target ?? null),
                      format: (value: number) => fullText(total, country, value),
                    },
                  ]
                : []),
            ]
          : []
      }
      note={[
        runningNote(reply, country),
        likeForLikeNote(reply, country),
        failed ? 'Could not load the targets.' : targetNote(reply, targets, country),
      ]
        .filter(Boolean)
        .join(' ')}
      fromZero={false}
      height={260}
    />
  )
}
