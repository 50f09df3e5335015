import { ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { Icon } from '../display/Icon.tsx'
import styles from './FormSection.module.css'

interface FormSectionProps {
  title: string
  /** Beside the title: what stands in it, in a few words. */
  note?: ReactNode
  /** Whether it is open at first. */
  open?: boolean
  children: ReactNode
}

/** A part of a long form that opens and closes; what is typed in a closed one stays. */
export function FormSection({ title, note, open = false, children }: FormSectionProps) {
  return (
    <details className={styles.section} open={open}>
      <summary>
        <Icon of={ChevronRight} /> <b>{title}</b> {note ? <span className="muted">{note}</span> : null}
      </summary>
      <div className={styles.inside}>{children}</div>
    </details>
  )
}
