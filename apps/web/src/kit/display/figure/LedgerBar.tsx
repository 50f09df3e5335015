import { Fragment, type ReactNode } from 'react'
import styles from './LedgerBar.module.css'

export interface LedgerPart {
  label: string
  value: number
  /** The value shown in the key, formatted by the screen. */
  text: string
  tone: 'd1' | 'd2' | 'd3' | 'd4' | 'd5' | 'rest' | 'good' | 'bad' | 'waiting' | 'held'
  /** Beside the value in the key, such as a change. */
  extra?: ReactNode
  /** Drawn, but only screen readers have it in the key (a small remainder). */
  keyless?: boolean
}

interface LedgerBarProps {
  parts: readonly LedgerPart[]
  /** 20 px instead of 8, when the bar is the subject. */
  big?: boolean
}

/** Parts of one sum side by side, with the key below, which alone is read out. Empty parts are not drawn; if all are, the bar is an empty track. */
export function LedgerBar({ parts, big = false }: LedgerBarProps) {
  const drawn = parts.filter((part) => part.value > 0)
  return (
    <div>
      <div className={big ? `${styles.bar} ${styles.big}` : styles.bar} aria-hidden>
        {drawn.length === 0 ? <i className={styles.waiting} style={{ flexGrow: 1 }} /> : null}
        {drawn.map((part) => (
          <i key={part.label} className={styles[part.tone]} style={{ flexGrow: part.value, flexBasis: 0 }} />
        ))}
      </div>
      <div className={styles.key}>
        {parts.map((part, at) => (
          <Fragment key={part.label}>
            {at > 0 ? ' ' : null}
            <span className={part.keyless ? 'sr' : styles.part}>
              <span className={`${styles.square} ${styles[part.tone]}`} />
              {part.label} <b>{part.text}</b>
              {part.extra}
            </span>
          </Fragment>
        ))}
      </div>
    </div>
  )
}
