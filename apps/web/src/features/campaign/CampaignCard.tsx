import type { Campaign } from '@pillar/contract/campaign/campaign'
import { formatGoalAmount, isRed } from '@pillar/domain/campaign/goal'
import type { Country } from '@pillar/domain/time/locale'
import { Calendar, CalendarClock } from 'lucide-react'
import { GoalMeter } from '../../kit/display/figure/GoalMeter.tsx'
import { ProgressBar } from '../../kit/display/figure/ProgressBar.tsx'
import { Icon } from '../../kit/display/Icon.tsx'
import { Status } from '../../kit/display/status.tsx'
import { todayOf } from '../../shared/today.ts'
import styles from './CampaignLists.module.css'
import { campaignStatus, goalWords } from './campaign-status.ts'
import { datesWords, daysLeftWords, goalMethodWords, meterOf, noValueWords } from './campaign-words.ts'

interface CampaignCardProps {
  campaign: Campaign
  country: Country
  onOpen: () => void
}

/** An active campaign: its author, its dates, how near its goal it is, and the states of its messages. */
export function CampaignCard({ campaign, country, onOpen }: CampaignCardProps) {
  const left = daysLeftWords(campaign, todayOf(country))
  const red = isRed(campaign.days_left)
  return (
    <article className={styles.card}>
      <div className={styles.title}>
        <h3 title={campaign.name}>
          <button type="button" className={styles.open} onClick={onOpen}>
            {campaign.name}
          </button>
        </h3>
        <Status word={campaignStatus(campaign)} />
      </div>
      <div className={styles.meta}>
        {campaign.author ? <span>{campaign.author}</span> : null}
        <span>{datesWords(campaign, country)}</span>
        {left ? (
          <span className={red ? `${styles.left} ${styles.red}` : styles.left}>
            <Icon of={red ? CalendarClock : Calendar} size={14} /> {left}
          </span>
        ) : null}
      </div>
      <Goal campaign={campaign} country={country} />
      <div className={styles.progress}>
        {campaign.progress ? (
          <ProgressBar country={country} counts={campaign.progress} />
        ) : (
          <p className={styles.unmeasured}>No messages yet</p>
        )}
      </div>
    </article>
  )
}

function Goal({ campaign, country }: Pick<CampaignCardProps, 'campaign' | 'country'>) {
  const { goal_type, measure_by, current_goal_value: value } = campaign
  const words = goalWords(country, campaign)
  const method = goalMethodWords(campaign)
  if (words === null || goal_type === null || measure_by === null) return null
  return (
    <>
      <GoalMeter
        fill={value === null ? null : meterOf(campaign)}
        value={
          value === null
            ? noValueWords(campaign)
            : formatGoalAmount(country, { type: goal_type, measureBy: measure_by }, value)
        }
        goal={words}
      />
      {method ? <p className={styles.method}>{method}</p> : null}
    </>
  )
}
