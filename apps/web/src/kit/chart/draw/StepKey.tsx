import styles from './Steps.module.css'

/** The meaning of the steps of a colour, the lowest first. */
export function StepKey({ names }: { names: readonly string[] }) {
  if (names.length === 0) return null
  return (
    <ul className={styles.key} aria-hidden="true">
      {names.map((name, index) => (
        <li key={name}>
          <i data-step={index} />
          {name}
        </li>
      ))}
    </ul>
  )
}
