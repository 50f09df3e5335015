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
  // The mark between the two ends, and what stands at the far one.
  const [middle, end] = way > 1 ? [goal, now] : [now, goal]
  const at = Math.min(percent, goalAt)
  // Beside the words of an end there is no room under such a mark: its words stand over it.
  const over = at < SIDE || at > 100 - SIDE
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
      {over ? (
        <p className={styles.over} style={{ marginLeft: `${at}%`, transform: `translateX(-${at}%)` }} aria-hidden>
          {middle.label} <b>{middle.value}</b>
        </p>
      ) : null}
      <div className={styles.track} aria-hidden>
        <i className={styles.fill} style={{ width: `${percent}%` }} />
        {fill === null ? null : <i className={styles.now} style={{ left: `${percent}%` }} />}
        <i className={styles.goal} style={{ left: `${goalAt}%` }} />
      </div>
      <dl className={styles.marks} style={over ? undefined : placedAt(at)} aria-hidden>
        {[start, ...(over ? [] : [middle]), end].map(({ label, value }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </div>
  )
}

/** Widths of the columns that bring the middle words under their mark. */
const placedAt = (middle: number): CSSProperties => {
  // The middle column is as wide on both sides of its mark.
  const half = Math.min(middle, 100 - middle) - SIDE / 2
  return { gridTemplateColumns: `${middle - half}fr ${2 * half}fr ${100 - middle - half}fr` }
}
