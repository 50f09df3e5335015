import type { Campaign } from '@pillar/contract/campaign'
import { goalText } from '@pillar/domain/campaign/goal'
import type { Country } from '@pillar/domain/time/locale'
import type { LucideIcon } from 'lucide-react'
import { CalendarClock, CircleCheck, CirclePause, CirclePlay, CircleSlash, CircleX, Loader } from 'lucide-react'

export interface Status {
  readonly word: string
  readonly tone: 'good' | 'info' | 'active' | 'bad' | 'neutral' | 'outline'
  readonly icon: LucideIcon
}

/** The one word for where a campaign stands: what its messages do comes first, then its goal, then whether it runs. */
export function campaignStatus({
  active,
  run_state,
  made_goal,
}: Pick<Campaign, 'active' | 'run_state' | 'made_goal'>): Status {
  if (run_state === 'failed') return { word: 'Failed', tone: 'bad', icon: CircleX }
  if (active && run_state === 'sending') return { word: 'Sending', tone: 'active', icon: Loader }
  if (active && (run_state === 'preparing' || run_state === 'holding')) {
    return { word: 'Scheduled', tone: 'info', icon: CalendarClock }
  }
  if (active && run_state === 'stopped') return { word: 'Stopped', tone: 'neutral', icon: CirclePause }
  if (made_goal) return { word: 'Goal made', tone: 'good', icon: CircleCheck }
  return active
    ? { word: 'Active', tone: 'good', icon: CirclePlay }
    : { word: 'Inactive', tone: 'outline', icon: CircleSlash }
}

/** How often a list with such a campaign is read again, in milliseconds; false when nothing in it moves. */
export function liveEvery(rows: readonly Pick<Campaign, 'run_state'>[]): number | false {
  const moving = rows.some(
    ({ run_state }) => run_state === 'preparing' || run_state === 'holding' || run_state === 'sending',
  )
  return moving ? 3000 : false
}

/** A campaign's goal in words: 'Revenue to $40,000', 'Made: Scripts by 6.00%'; null without a goal. */
export function goalWords(
  country: Country,
  { goal_type, measure_by, goal, made_goal }: Pick<Campaign, 'goal_type' | 'measure_by' | 'goal' | 'made_goal'>,
): string | null {
  if (goal_type === null || measure_by === null || goal === null) return null
  const text = goalText(country, { type: goal_type, measureBy: measure_by, amount: goal })
  return made_goal ? `Made: ${text}` : text
}
