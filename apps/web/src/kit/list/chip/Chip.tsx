import { ChevronDown, Plus, X } from 'lucide-react'
import type { ComponentProps, ReactNode } from 'react'
import { Icon } from '../../display/Icon.tsx'
import styles from './Chip.module.css'

interface ChipProps extends Omit<ComponentProps<'button'>, 'value'> {
  /** Grey key before the value. */
  label: string
  /** The filter's value; without it the chip is a dashed '+ label'. */
  value?: ReactNode
  /** Removes the filter; the chip then has an ×. */
  onRemove?: () => void
  /** Shows that it opens something. */
  opens?: boolean
}

/** A filter of 32 px: set (colour, key, value, ×), plain (key and value), or not set (dashed, '+ label'). */
export function Chip({ label, value, onRemove, opens = false, className, ...button }: ChipProps) {
  const unset = value === undefined || value === null || value === ''
  const state = unset ? styles.add : onRemove ? styles.set : ''
  return (
    <span className={`${styles.chip} ${state}`}>
      <button type="button" className={`${styles.main} ${className ?? ''}`} {...button}>
        {unset ? (
          <>
            <Icon of={Plus} size={14} /> {label}
          </>
        ) : (
          <>
            <span className={styles.key}>{label}</span> <span className={styles.value}>{value}</span>
            {opens ? <Icon of={ChevronDown} size={14} /> : null}
          </>
        )}
      </button>
      {!unset && onRemove ? (
        <button type="button" className={styles.remove} onClick={onRemove} aria-label={`Remove filter ${label}`}>
          <Icon of={X} size={14} />
        </button>
      ) : null}
    </span>
  )
}
