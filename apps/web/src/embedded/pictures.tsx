import type { BoardData } from '@pillar/contract/board'
import { monthShort } from '@pillar/domain/time/locale'
import { BarChart } from '../kit/chart/BarChart.tsx'
import { LineChart } from '../kit/chart/LineChart.tsx'
import styles from './Board.module.css'
import {
  adherenceTitle,
  arrivalBars,
  arrivalsTitle,
  countIn,
  monthLabel,
  monthsWords,
  monthWords,
  peakOf,
  peakWords,
  percentIn,
  shareTitle,
  wholePercent,
  yearName,
  yearWords,
} from './words.ts'

const COLOURS = ['--d1', '--d2', '--d3', '--d4', '--d5'] as const
const colourOf = (at: number) => COLOURS[at % COLOURS.length]!
type Props = { data: BoardData }
type Curve = NonNullable<BoardData['year']>['curves'][number]

/** Shares of the drug type's scripts over the months. */
export function SharePicture({ data }: Props) {
  const percent = percentIn(data)
  return (
    <LineChart
      title={shareTitle(data)}
      caption={`Share of scripts, ${monthsWords(data)}`}
      head="Month"
      x={data.months.map(monthLabel)}
      series={data.shares.map(({ label, own, values }, at) => ({
        label,
        values,
        colour: colourOf(at),
        thin: !own && data.shares.some((one) => one.own),
      }))}
      format={percent}
    />
  )
}

/** Who began which product: new to the drug type, or replacing something else. */
export function ArrivalsPicture({ data }: Props) {
  const rows = data.year?.arrivals ?? []
  const count = countIn(data)
  const supplier = data.dashboard_type === 'Supplier'
  const title = arrivalsTitle(data)
  const drawn = rows.some((row) => arrivalBars(row, true).values.some((n) => n !== null))
  if (data.year && !drawn) {
    return (
      <Instead title={title}>
        {`Too few people or pharmacies in ${yearName(data)} to show any of its medicines apart.`}
      </Instead>
    )
  }
  return (
    <BarChart
      title={data.year ? title : `Who begins ${data.drug_class}`}
      caption={
        data.year
          ? `New to the drug type, or switched from another product of it, ${yearWords(data)}`
          : 'Known once a financial year is over and its patients were followed for 90 days'
      }
      head="Began with"
      rows={rows.map((row) => ({ label: row.label, ...arrivalBars(row, supplier) }))}
      series={[
        { label: 'New to the drug type', colour: '--d1' },
        { label: supplier ? 'Switched from others’' : 'Switched', colour: '--d2' },
        { label: 'New or switched, shown together', colour: '--d4' },
        ...(supplier ? [{ label: 'Switched from ours', colour: '--d3' }] : []),
      ]}
      format={count}
      horizontal
    />
  )
}

/** How long those new to the drug type stay with their first product. */
export function CurvePicture({ data }: Props) {
  const curves = data.year?.curves ?? []
  const first = curves[0]
  const end = first?.points.at(-1)
  if (!first || !end) return <NoCurve data={data} />
  const days = [0, ...new Set(curves.flatMap(({ points }) => points.map(({ day }) => day)))].sort((a, b) => a - b)
  const counted = curves.map(
    ({ label, began, points }) =>
      `${label}: about ${began} began${points.map(({ day, at_risk }) => `, ${at_risk} followed at ${day}`).join('')}`,
  )
  if (data.dashboard_type === 'Supplier' && !curves.some(({ own }) => own))
    counted.push('Our products: too few patients to show')
  return (
    <div>
      <LineChart
        title={`${first.label}: ${wholePercent(data)(end.share)} still take them after ${end.day} days`}
        caption={`New patients of ${yearName(data)} up to a gap of more than 90 days; bands are 95% intervals`}
        head="Days"
        x={days.map(String)}
        series={curves.map((curve, at) => seriesOf(curve, days, colourOf(at)))}
        format={wholePercent(data)}
        stepped
        max={1}
        fromZero={false}
      />
      <p className={styles.note}>{counted.join('. ')}.</p>
    </div>
  )
}

function NoCurve({ data }: Props) {
  return (
    <Instead title="How long new patients stay">
      {data.year
        ? `Too few patients or pharmacies in ${yearName(data)} to show a curve.`
        : 'Known once a financial year is over and its patients were followed for 90 days.'}
    </Instead>
  )
}

/** Words instead of an empty plot. */
function Instead({ title, children }: { title: string; children: string }) {
  return (
    <section className={styles.none}>
      <h2>{title}</h2>
      <p>{children}</p>
    </section>
  )
}

/** A curve on the days of the chart: level between its points, and ending after the last one. */
function seriesOf({ label, points }: Curve, days: readonly number[], colour: (typeof COLOURS)[number]) {
  const to = points.at(-1)?.day ?? 0
  const on = (day: number) => (day > to ? undefined : points.findLast((one) => one.day <= day))
  return {
    ...{ label, colour },
    values: days.map((day) => (day > to ? null : (on(day)?.share ?? 1))),
    band: days.map((day) => {
      const point = on(day)
      return point?.low == null || point.high == null ? null : ([point.low, point.high] as const)
    }),
  }
}

/** Which months are above and below the average. */
export function SeasonPicture({ data }: Props) {
  const peak = peakOf(data.seasons)
  const index = (value: number) => value.toFixed(0)
  const title = peak ? peakWords(peak) : 'Seasons'
  return (
    <LineChart
      title={title}
      caption={`Scripts a day and pharmacy, average month = 100; ${monthsWords(data)}`}
      head="Month"
      x={data.seasons.map((_, at) => monthShort(at + 1))}
      series={[{ label: data.drug_class ?? '', values: data.seasons, colour: '--d1' }]}
      format={index}
      fromZero={false}
    />
  )
}

/** The share of scripts from adherent patients. */
export function AdherencePicture({ data }: Props) {
  const percent = percentIn(data)
  return (
    <LineChart
      title={adherenceTitle(data)}
      caption={`${data.drug_class}: scripts of patients with 80% of days covered, pharmacies of other companies, by month`}
      head="Month"
      x={data.months.map(monthLabel)}
      series={[{ label: 'Adherent scripts', values: data.adherence, colour: '--d1' }]}
      format={percent}
      max={1}
    />
  )
}

/** The people whom the company's own messages reached. */
export function ReachPicture({ data, reach }: Props & { reach: NonNullable<BoardData['reach']> }) {
  const count = countIn(data)
  const last = reach.findLast((one) => one.reach !== null)
  return (
    <BarChart
      title={
        last
          ? `${count(last.reach ?? 0)} people reached in ${monthWords(last.month)}`
          : 'No campaign has reached 10 people yet'
      }
      caption="Texts and emails of the company’s own pharmacies, by month"
      head="Month"
      rows={reach.map((one) => ({
        label: monthLabel(one.month),
        values: [one.sms, one.email],
        ...hiddenOf(one, count),
      }))}
      series={[
        { label: 'Texts', colour: '--d1' },
        { label: 'Emails', colour: '--d2' },
      ]}
      format={count}
    />
  )
}

/** Why a month has no bars; if people may be counted together, how many. */
function hiddenOf({ sms, reach }: NonNullable<BoardData['reach']>[number], count: (value: number) => string) {
  if (reach === null) return { note: 'under 10 people or 3 pharmacies' }
  return sms === null ? { note: `${count(reach)} people; too few by one channel` } : {}
}
