import { type Campaign, campaign as calls } from '@pillar/contract/campaign/campaign'
import { formatGoalAmount, goalText } from '@pillar/domain/campaign/goal'
import { type Day, parseDay } from '@pillar/domain/time/day'
import { type Country, formatDate, formatMoney, formatNumber } from '@pillar/domain/time/locale'
import { useRead } from '../../../api/client.ts'
import { BarChart } from '../../../kit/chart/BarChart.tsx'
import { LineChart } from '../../../kit/chart/LineChart.tsx'
import { WhiskerChart } from '../../../kit/chart/WhiskerChart.tsx'
import { Failed, Loading } from '../../../kit/display/states.tsx'
import { goalPercent } from '../campaign-words.ts'
import styles from './CampaignPage.module.css'
import { deliveredTitle, effectTitle, everyDay, type PicturesReply } from './picture-words.ts'

interface PicturesProps {
  campaign: Campaign
  country: Country
}

/** What a campaign's results look like: messages by day, the goal over time, and those messaged against those who were not. */
export function CampaignPictures({ campaign, country }: PicturesProps) {
  const pictures = useRead(calls.pictures, { id: campaign.campaign_id })
  if (!pictures.data) {
    if (!pictures.isError) return <Loading rows={3} words="" />
    const again = () => void pictures.refetch()
    return <Failed title="Could not load the pictures" error={pictures.error} onRetry={again} />
  }
  const { days, goal, groups } = pictures.data
  return (
    <div className={styles.pictures}>
      {days.length > 0 ? <Deliveries days={days} country={country} /> : null}
      {groups.difference ? <Compared groups={groups} country={country} /> : null}
      {goal.length > 1 ? <OverTime campaign={campaign} country={country} points={goal} /> : null}
    </div>
  )
}

const dayWords = (country: Country, day: string) => formatDate(country, parseDay(day) as Day)

function spanWords(country: Country, days: PicturesReply['days']): string {
  const [first, last] = [dayWords(country, days[0]!.day), dayWords(country, days.at(-1)!.day)]
  return first === last ? first : `${first} – ${last}`
}

function Deliveries({ days, country }: { days: PicturesReply['days']; country: Country }) {
  const every = everyDay(days)
  const open = days.some(({ unsettled }) => unsettled > 0)
  return (
    <BarChart
      title={deliveredTitle(days, country)}
      caption={`What went out, day by day? ${spanWords(country, every)}`}
      head="Day"
      rows={every.map(({ day, delivered, failed, held_back, unsettled }) => ({
        label: dayWords(country, day),
        values: [delivered, failed, ...(open ? [unsettled] : []), held_back],
      }))}
      series={[
        { label: 'Delivered', colour: '--good-fill' },
        { label: 'Failed', colour: '--bad-fill' },
        ...(open ? [{ label: 'No receipt yet', colour: '--d-rest' }] : []),
        { label: 'Held back', colour: '--caution-fill', hatched: true },
      ]}
      format={(value) => formatNumber(country, value)}
    />
  )
}

function Compared({ groups, country }: { groups: PicturesReply['groups']; country: Country }) {
  const { difference, means, method } = groups
  if (!difference) return null
  const held = method === 'holdout' ? 'Held out' : 'Not messaged'
  const chance = difference.low <= 0 && difference.high >= 0
  return (
    <WhiskerChart
      title={effectTitle(groups, country)}
      caption={
        method === 'holdout'
          ? 'Did it work? Dollars a patient in 30 days, with 95% intervals'
          : 'Did it work? Dollars a patient above the same 30 days last year, with 95% intervals'
      }
      head="Patients"
      rows={[
        ...means.map(({ part, n, mean, low, high }) => ({
          ...{ label: part === 'messaged' ? 'Messaged' : held, n, value: mean, low, high },
        })),
        { label: 'Difference', value: difference.mean, low: difference.low, high: difference.high, hollow: chance },
      ]}
      format={(value) => formatMoney(country, value, 2)}
    />
  )
}

function OverTime({ campaign, country, points }: PicturesProps & { points: PicturesReply['goal'] }) {
  const { goal_type: type, measure_by: measureBy, goal: amount } = campaign
  if (type === null || measureBy === null || amount === null) return null
  const goal = { type, measureBy, amount }
  const percent = goalPercent(campaign)
  return (
    <LineChart
      title={
        campaign.made_goal
          ? 'The goal is made'
          : percent === null
            ? 'The goal over time'
            : `${percent}% of the way to the goal`
      }
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
