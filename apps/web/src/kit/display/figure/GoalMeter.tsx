import styles from './GoalMeter.module.css'

interface GoalMeterProps {
  /** How full, 0..1; null until something is measured. */
  fill: number | null
  /** Left: the present value. */
  value: string
  /** Right: the goal in words, 'Revenue to $40,000'. */
  goal: string
}

/** A goal's meter of 20 px. Its words are drawn twice, once on each colour and clipped where the colours meet, so that they are readable on both. */
export function GoalMeter({ fill, value, goal }: GoalMeterProps) {
  const percent = Math.round((fill ?? 0) * 1000) / 10
  const words = (
    <>
      <span className={styles.value}>{value}</span>
      <span className={styles.goal}>{goal}</span>
    </>
  )
  return (
    // biome-ignore lint/a11y/useSemanticElements: a <meter> cannot hold words.
    <div
      className={styles.meter}
      role="meter"
      aria-label={`Goal: ${goal}`}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent}
      aria-valuetext={fill === null ? `${value} so far` : `${value}, ${Math.round(percent)}% of the way`}
    >
      <div className={styles.track} aria-hidden>
        {words}
      </div>
      <div className={styles.fill} style={{ clipPath: `inset(0 ${100 - percent}% 0 0)` }} aria-hidden>
        {words}
      </div>
    </div>
  )
}
