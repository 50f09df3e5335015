import type { Campaign } from '@pillar/contract/campaign/campaign'
import { formatGoalAmount, goalText, isRed } from '@pillar/domain/campaign/goal'
import { type Country, NO_VALUE } from '@pillar/domain/time/locale'
import { Calendar, CalendarClock } from 'lucide-react'
import { Icon } from '../../kit/display/Icon.tsx'
import { todayOf } from '../../shared/today.ts'
import styles from './CampaignsDialog.module.css'
import { CampaignTags } from './CampaignTags.tsx'
import { datesWords, daysLeftWords, goalPercent, meterOf, noValueWords, wayWords } from './campaign-words.ts'

/** A campaign in the list, 130 px: name, status, goal with days left, meter, message states. */
export function CampaignsDialogItem({ campaign, country }: { campaign: Campaign; country: Country }) {
  const { goal_type: type, measure_by: measureBy, goal: amount, current_goal_value: value } = campaign
  const goal = type && measureBy && amount !== null ? { type, measureBy, amount } : null
  const left = daysLeftWords(campaign, todayOf(country))
  const red = campaign.active && isRed(campaign.days_left)
  const percent = goalPercent(campaign)
  return (
    <span className={styles.item}>
      <b className={styles.name}>{campaign.name}</b>
      <span className={styles.tags}>
        <CampaignTags campaign={campaign} />
      </span>
      <span className={styles.sub}>
        <span className={styles.goal}>{goal ? goalText(country, goal) : 'No goal'}</span>
        <span className={red ? `${styles.days} ${styles.red}` : styles.days}>
          {left ? <Icon of={red ? CalendarClock : Calendar} size={14} /> : null}
          {left ?? datesWords(campaign, country)}
        </span>
      </span>
      <span className={styles.meter} aria-hidden>
        <i style={{ width: `${meterOf(campaign) * 100}%` }} />
      </span>
      <span className={styles.sub}>
        <span>{goal && value !== null ? formatGoalAmount(country, goal, value) : noValueWords(campaign)}</span>
        <span>{percent === null ? NO_VALUE : wayWords(percent, country)}</span>
      </span>
    </span>
  )
}
