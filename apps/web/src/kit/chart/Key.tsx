import styles from './Chart.module.css'
import type { KeyPart } from './picture.ts'

interface KeyProps {
  parts: readonly (KeyPart & { sum?: string })[]
  /** Only when the chart has no room for the names themselves. */
  narrowOnly?: boolean
}

/** What each colour means. A single part needs no key. */
export function Key({ parts, narrowOnly = false }: KeyProps) {
  if (parts.length < 2) return null
  return (
    <ul className={narrowOnly ? `${styles.key} ${styles.narrow}` : styles.key} aria-hidden="true">
      {parts.map(({ label, colour, hatched, sum }) => (
        <li key={label}>
          <i style={{ background: hatched ? hatch(colour) : `var(${colour})` }} />
          {label}
          {sum === undefined ? null : <b>{sum}</b>}
        </li>
      ))}
    </ul>
  )
}

const hatch = (colour: string) => `repeating-linear-gradient(135deg, var(${colour}) 0 2px, transparent 2px 4px)`
