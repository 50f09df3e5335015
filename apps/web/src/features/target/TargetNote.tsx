import type { Target } from '@pillar/contract/target'
import { standingTone, targetText, targetTitle } from '@pillar/domain/target/target'
import { type Country, formatNumber } from '@pillar/domain/time/locale'
import { CircleCheck, CircleHelp, TrendingDown, TrendingUp } from 'lucide-react'
import { Icon } from '../../kit/display/Icon.tsx'
import styles from './Target.module.css'

interface TargetNoteProps {
  target: Target | undefined
  country: Country
  /** Names the figure before its target, if nothing else does. */
  named?: boolean
  /** Leaves out what each remaining day must bring, for a card. */
  brief?: boolean
}

const ICONS = {
  none: CircleHelp,
  few: CircleHelp,
  reached: CircleCheck,
  ahead: TrendingUp,
  behind: TrendingDown,
  missed: TrendingDown,
}

/** A target and its comparison in words: 'Target $120,000 · $12,400 behind the pace needed'. Nothing without one. */
export function TargetNote({ target, country, named = false, brief = false }: TargetNoteProps) {
  if (!target) return null
  const { figure, state, words, needed_words, expected } = target
  const tone = standingTone({ state, expected, gap: target.gap, needed: target.needed })
  const title = targetTitle(country, figure, target.target)
  return (
    <span className={styles.note} title={standsText(country, target)}>
      <span>{named ? `${target.title}: ${title.charAt(0).toLowerCase()}${title.slice(1)}` : title}</span>
      <span className={`${styles.words} ${tone === 'plain' ? '' : styles[tone]}`}>
        <Icon of={ICONS[state]} size={14} />
        {words}
      </span>
      {needed_words && !brief ? <span>{needed_words}</span> : null}
    </span>
  )
}

/** The value so far, and the value due by now. */
function standsText(country: Country, { figure, actual, expected, ...days }: Target): string {
  if (actual === null || expected === null) return days.words
  const { business_days_elapsed: elapsed, business_days: whole } = days
  const now = `${targetText(country, figure, actual)} so far, ${targetText(country, figure, expected)} expected by now`
  return elapsed < whole
    ? `${now} (${formatNumber(country, elapsed)} of ${formatNumber(country, whole)} business days)`
    : `${targetText(country, figure, actual)} in all`
}
