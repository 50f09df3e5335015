import { Info, type LucideIcon } from 'lucide-react'
import type { CSSProperties, ReactNode } from 'react'
import { Icon } from '../Icon.tsx'
import styles from './StatCard.module.css'

interface StatCardProps {
  label: string
  /** The icon of the counted state. */
  icon?: LucideIcon
  /** The figure, formatted by the screen. */
  value: ReactNode
  /** Beside the figure: a `Change`, or a few words. */
  beside?: ReactNode
  /** Opens the details behind the figure, such as its trend: the figure becomes a button, and the whole cell with it. */
  onOpen?: () => void
  /** Opens the explanation of the figure; without it there is no icon. */
  onExplain?: () => void
  /** Below: a `Sparkline` or a `LedgerBar`. */
  children?: ReactNode
}

/** One cell of the stat strip: label, figure with its change, and its parts. */
export function StatCard({ label, icon, value, beside, onOpen, onExplain, children }: StatCardProps) {
  return (
    <section className={styles.cell} aria-label={label}>
      <div className={styles.label}>
        {icon ? <Icon of={icon} size={15} /> : null}
        {label}
        {onExplain ? (
          <button
            type="button"
            className={styles.info}
            onClick={onExplain}
            aria-label={`${label}: how it is calculated`}
          >
            <Icon of={Info} size={14} />
          </button>
        ) : null}
      </div>
      <div className={styles.value}>
        {onOpen ? (
          <button type="button" className={styles.open} onClick={onOpen}>
            {value}
            <span className="sr">, {label}: show the trend</span>
          </button>
        ) : (
          value
        )}{' '}
        {beside}
      </div>
      {children ? <div className={styles.below}>{children}</div> : null}
    </section>
  )
}

interface StatStripProps {
  /** A grid template for wide screens, such as '.9fr 1.2fr 1.4fr 1fr'. */
  columns?: string
  /** Two cells per row on phones as well, for short figures. */
  paired?: boolean
  children: ReactNode
}

/** The ruled strip that contains the cells. */
export function StatStrip({ columns, paired = false, children }: StatStripProps) {
  const style: CSSProperties & { '--columns'?: string } = columns ? { '--columns': columns } : {}
  return (
    <div className={`${styles.strip} ${columns ? styles.shared : ''} ${paired ? styles.paired : ''}`} style={style}>
      {children}
    </div>
  )
}
