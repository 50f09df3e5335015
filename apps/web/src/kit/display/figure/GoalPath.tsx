import type { CSSProperties } from 'react'
import styles from './GoalPath.module.css'

interface Mark {
  label: string
  value: string
}

/** Percent of the way that the words at either end need. */
const SIDE = 24

interface GoalPathProps {
  /** How far from start to goal: 0 and more, above 1 beyond it; null where it is not known. */
  fill: number | null
  start: Mark
  now: Mark
  goal: Mark
}

/** A goal as a way: where it started, where it is now, where it is to end. Marks stand where they belong; words are read from left to right. */
export function GoalPath({ fill, start, now, goal }: GoalPathProps) {
  const way = Math.max(0, fill ?? 0)
  const percent = Math.round(Math.min(1, way) * 1000) / 10
  // Beyond the goal the track ends where it is now, and the goal stands before.
  const goalAt = way > 1 ? 100 / way : 100
  // Read in the order the marks stand in.
  const marks = way > 1 ? [start, goal, now] : [start, now, goal]
  const words = [start, now, goal].map(({ label, value }) => `${label} ${value}`).join(', ')
  return (
    // biome-ignore lint/a11y/useSemanticElements: a <meter> cannot hold words.
    <div
      className={styles.path}
      role="meter"
      aria-label="Goal"
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent}
      aria-valuetext={words}
    >
      <div className={styles.track} aria-hidden>
        <i className={styles.fill} style={{ width: `${percent}%` }} />
        {fill === null ? null : <i className={styles.now} style={{ left: `${percent}%` }} />}
        <i className={styles.goal} style={{ left: `${goalAt}%` }} />
      </div>
      <dl className={styles.marks} style={placedAt(Math.min(percent, goalAt))} aria-hidden>
        {marks.map(({ label, value }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </div>
  )
}

/** Widths of the columns that bring the middle words under their mark, as far as those beside them leave room. */
const placedAt = (percent: number): CSSProperties => {
  const middle = Math.max(SIDE, Math.min(100 - SIDE, percent))
  // The middle column is as wide on both sides of its mark.
  const half = Math.min(middle, 100 - middle) - SIDE / 2
  return { gridTemplateColumns: `${middle - half}fr ${2 * half}fr ${100 - middle - half}fr` }
}
