import { ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { Icon } from '../display/Icon.tsx'
import styles from './FormSection.module.css'

interface FormSectionProps {
  title: string
  /** Beside the title: its contents, in a few words. */
  note?: ReactNode
  /** Whether it is initially open. */
  open?: boolean
  children: ReactNode
}

/** A part of a long form that opens and closes; entries in a closed one are kept. */
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
