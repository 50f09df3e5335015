import { type Campaign, campaign as calls } from '@pillar/contract/campaign/campaign'
import { formatGoalAmount, goalText } from '@pillar/domain/campaign/goal'
import { reasonWords } from '@pillar/domain/campaign/result-words'
import { type Day, parseDay } from '@pillar/domain/time/day'
import { type Country, formatDate, formatMoney, formatNumber } from '@pillar/domain/time/locale'
import { useRead } from '../../../api/client.ts'
import { BarChart } from '../../../kit/chart/BarChart.tsx'
import { Intervals } from '../../../kit/chart/draw/Intervals.tsx'
import { LineChart } from '../../../kit/chart/LineChart.tsx'
import { Loaded } from '../../../kit/display/Loaded.tsx'
import { toSend } from '../../run/run-words.ts'
import styles from './CampaignPage.module.css'
import {
  comparedNotes,
  deliveredTitle,
  effectTitle,
  everyDay,
  overTimeTitle,
  type PicturesReply,
  SUBGROUP_WORDS,
} from './picture-words.ts'

interface PicturesProps {
  campaign: Campaign
  country: Country
}

/** A campaign's results as charts: messages by day, the goal over time, and messaged patients against those not messaged. */
export function CampaignPictures({ campaign, country }: PicturesProps) {
  const pictures = useRead(calls.pictures, { id: campaign.campaign_id })
  return (
    <Loaded read={pictures} what="the pictures" rows={3} words="">
      {({ days, goal, groups }) => (
        <div className={styles.pictures}>
          {days.length > 0 ? <Deliveries campaign={campaign} days={days} country={country} /> : null}
          {groups.difference ? <Compared groups={groups} country={country} /> : null}
          {goal.length > 1 ? <OverTime campaign={campaign} country={country} points={goal} /> : null}
        </div>
      )}
    </Loaded>
  )
}

const dayWords = (country: Country, day: string) => formatDate(country, parseDay(day) as Day)

function spanWords(country: Country, days: PicturesReply['days']): string {
  const [first, last] = [dayWords(country, days[0]!.day), dayWords(country, days.at(-1)!.day)]
  return first === last ? first : `${first} – ${last}`
}

function Deliveries({ campaign, days, country }: PicturesProps & { days: PicturesReply['days'] }) {
  const every = everyDay(days)
  const open = days.some(({ unsettled }) => unsettled > 0)
  const sumOf = (of: 'delivered' | 'failed' | 'unsettled' | 'held_back') =>
    formatNumber(
      country,
      days.reduce((sum, day) => sum + day[of], 0),
    )
  return (
    <BarChart
      title={deliveredTitle(days, campaign.progress ? toSend(campaign.progress) : 0, country)}
      caption={`What went out, day by day? ${spanWords(country, every)}`}
      head="Day"
      rows={every.map(({ day, delivered, failed, held_back, unsettled }) => ({
        label: dayWords(country, day),
        values: [delivered, failed, ...(open ? [unsettled] : []), held_back],
      }))}
      series={[
        { label: 'Delivered', colour: '--good-fill', sum: sumOf('delivered') },
        { label: 'Failed', colour: '--bad-fill', sum: sumOf('failed') },
        ...(open ? [{ label: 'No receipt yet', colour: '--d-rest', sum: sumOf('unsettled') }] : []),
        { label: 'Held back', colour: '--caution-fill', hatched: true, sum: sumOf('held_back') },
      ]}
      format={(value) => formatNumber(country, value)}
    />
  )
}

function Compared({ groups, country }: { groups: PicturesReply['groups']; country: Country }) {
  const { difference, means, method } = groups
  const [messaged, others] = means
  if (!difference || !messaged || !others) return null
  const held = method === 'holdout' ? 'Held out' : 'Not messaged'
  const counts = [messaged.n, others.n] as const
  return (
    <Intervals
      title={effectTitle(groups, country)}
      caption={
        method === 'holdout'
          ? 'Did it work? Revenue a patient in 30 days, messaged minus held out, with 95% intervals'
          : 'Did it work? Revenue a patient in 30 days, against last year and those not messaged, with 95% intervals'
      }
      heads={['Patients', 'Messaged', held, 'Per patient']}
      rows={[
        { label: 'All patients', counts, found: foundIn(difference), whole: true },
        ...groups.subgroups.map((one) => ({
          ...{ label: SUBGROUP_WORDS[one.subgroup], counts: [one.messaged, one.compared] as const },
          found: one.difference && foundIn(one.difference),
        })),
      ]}
      few={reasonWords('too_few')}
      formatCount={(value) => formatNumber(country, value)}
      format={(value) => formatMoney(country, value)}
      formatFull={(value) => `${value > 0 ? '+' : ''}${formatMoney(country, value, 2)}`}
      note={comparedNotes(groups, held, country).map((words) => (
        <p key={words} className={styles.note}>
          {words}
        </p>
      ))}
    />
  )
}

const foundIn = ({ mean, low, high }: { mean: number; low: number; high: number }) => ({ value: mean, low, high })

function OverTime({ campaign, country, points }: PicturesProps & { points: PicturesReply['goal'] }) {
  const { goal_type: type, measure_by: measureBy, goal: amount } = campaign
  if (type === null || measureBy === null || amount === null) return null
  const goal = { type, measureBy, amount }
  return (
    <LineChart
      title={overTimeTitle(campaign, points, country)}
      caption={`How did it get there? ${goalText(country, goal)}`}
      head="Day"
      x={points.map(({ day }) => dayWords(country, day))}
      series={[
        { label: 'So far', values: points.map(({ value }) => value), colour: '--d1' },
        { label: 'Goal', values: points.map(() => amount), colour: '--d-rest', thin: true },
      ]}
      fromZero={false}
      format={(value) => formatGoalAmount(country, goal, Math.round(value * 100) / 100)}
    />
  )
}
