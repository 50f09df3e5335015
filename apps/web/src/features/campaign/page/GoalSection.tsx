import type { Campaign } from '@pillar/contract/campaign/campaign'
import { formatGoalAmount, goalText, isState } from '@pillar/domain/campaign/goal'
import { placeMeter } from '@pillar/domain/campaign/goal-pace'
import { type Country, NO_VALUE } from '@pillar/domain/time/locale'
import { TriangleAlert } from 'lucide-react'
import { GoalPath } from '../../../kit/display/figure/GoalPath.tsx'
import { Icon } from '../../../kit/display/Icon.tsx'
import { goalMethodWords, goalPercent, noValueWords, paceWords, wayWords } from '../campaign-words.ts'
import styles from './CampaignPage.module.css'

/** Has the campaign reached its goal? Start, now and goal on one line, and the pace the remaining days need. */
export function GoalSection({ campaign, country }: { campaign: Campaign; country: Country }) {
  const { goal_type: type, measure_by: measureBy, goal: amount, goal_place: place } = campaign
  if (type === null || measureBy === null || amount === null) return null
  const goal = { type, measureBy, amount }
  const percent = goalPercent(campaign)
  const pace = paceWords(campaign, country)
  const method = goalMethodWords(campaign)
  // The marks are actual amounts: a percentage goal is drawn as the scripts or dollars it amounts to.
  const unit = { type, measureBy: isState(type) ? measureBy : ('value' as const) }
  const mark = (value: number | null) =>
    value === null ? NO_VALUE : formatGoalAmount(country, unit, isState(type) ? value : Math.round(value))
  return (
    <section className={styles.goal} aria-labelledby="goal">
      <header>
        <div>
          <h2 id="goal">
            {campaign.made_goal
              ? 'The goal is made'
              : percent === null
                ? noValueWords(campaign)
                : wayWords(percent, country)}
          </h2>
          <p className={styles.note}>Are we there yet? {goalText(country, goal)}.</p>
        </div>
        {place.pace?.behind ? (
          <span className={styles.note}>
            <Icon of={TriangleAlert} size={14} /> Behind pace
          </span>
        ) : null}
      </header>
      <GoalPath
        fill={percent === null ? placeMeter(place) : percent / 100}
        start={{ label: 'Start', value: mark(place.start) }}
        now={{ label: 'Now', value: place.started ? mark(place.now) : 'Not started' }}
        goal={{ label: 'Goal', value: mark(place.goal) }}
      />
      {pace ? <p className={styles.note}>{pace}</p> : null}
      {method ? <p className={styles.note}>{method}</p> : null}
    </section>
  )
}
