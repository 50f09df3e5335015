import type { Campaign } from '@pillar/contract/campaign/campaign'
import { goalText } from '@pillar/domain/campaign/goal'
import type { Country } from '@pillar/domain/time/locale'
import type { StatusWord } from '../../kit/display/status.tsx'
import { waitsForHours } from '../run/run-words.ts'

/** The single word for a campaign's state: first by its messages, then by its goal, then by whether it runs. */
export function campaignStatus(
  {
    active,
    run_state,
    run_held,
    made_goal,
    next_at,
  }: Pick<Campaign, 'active' | 'run_state' | 'run_held' | 'made_goal' | 'next_at'>,
  now = new Date(),
): StatusWord {
  if (run_state === 'failed') return run_held ? 'Held back' : 'Failed'
  if (active && run_state === 'sending')
    return waitsForHours(next_at, now.getTime()) ? 'Waiting for sending hours' : 'Sending'
  if (active && (run_state === 'preparing' || run_state === 'holding')) return 'Scheduled'
  if (active && run_state === 'stopped') return 'Stopped'
  if (made_goal) return 'Goal made'
  return active ? 'Active' : 'Inactive'
}

/** How often a list with such campaigns is read again, in milliseconds; false if nothing in it changes. */
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
