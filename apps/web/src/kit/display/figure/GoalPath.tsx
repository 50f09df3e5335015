import type { CSSProperties } from 'react'
import styles from './GoalPath.module.css'

interface Mark {
  label: string
  value: string
}

/** The percentage of the way that the words at either end take up. */
const SIDE = 24

interface GoalPathProps {
  /** How far from start to goal: 0 or more, above 1 beyond it; null if unknown. */
  fill: number | null
  start: Mark
  now: Mark
  goal: Mark
}

/** A goal as a line: start, present value, and goal. The marks are in their true positions; the words read from left to right. */
export function GoalPath({ fill, start, now, goal }: GoalPathProps) {
  const way = Math.max(0, fill ?? 0)
  const percent = Math.round(Math.min(1, way) * 1000) / 10
  // Beyond the goal, the line ends at the present value, and the goal comes before it.
  const goalAt = way > 1 ? 100 / way : 100
  // The mark between the two ends, and the one at the far end.
  const [middle, end] = way > 1 ? [goal, now] : [now, goal]
  const at = Math.min(percent, goalAt)
  // Near the words of an end there is no room below such a mark, so its words are above it.
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

/** Column widths that place the middle words under their mark. */
const placedAt = (middle: number): CSSProperties => {
  // The middle column extends equally on both sides of its mark.
  const half = Math.min(middle, 100 - middle) - SIDE / 2
  return { gridTemplateColumns: `${middle - half}fr ${2 * half}fr ${100 - middle - half}fr` }
}
