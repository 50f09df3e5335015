import styles from './Chart.module.css'

interface KeyProps {
  parts: readonly { label: string; colour: string }[]
  /** Only where the picture has no room for the names themselves. */
  narrowOnly?: boolean
}

/** Which colour is what. One part alone needs no key. */
export function Key({ parts, narrowOnly = false }: KeyProps) {
  if (parts.length < 2) return null
  return (
    <ul className={narrowOnly ? `${styles.key} ${styles.narrow}` : styles.key} aria-hidden="true">
      {parts.map(({ label, colour }) => (
        <li key={label}>
          <i style={{ background: `var(${colour})` }} />
          {label}
        </li>
      ))}
    </ul>
  )
}
